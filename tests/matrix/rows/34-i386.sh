# shellcheck shell=sh
# Programs of 32 bits, without and with large files, by qemu-user: few kernels of today's run them.
packages qemu-user gcc-multilib
makes lib32

shim=$REPO/lib32/libnocache.so

prepare() {
	big in/big
	for bits in 32 64; do
		$CC -m32 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=$bits -I"$TESTS/lib" -o in/stream$bits "$TESTS/real/stream.c"
	done
}

# guest PROGRAM...: with the library of its own machine, where this shell has one.
guest() { env -u LD_PRELOAD qemu-i386 ${LD_PRELOAD:+-E LD_PRELOAD="$shim"} "$@"; }

run_small_offsets() { guest in/stream32 return in/big out/big; }
run_large_offsets() { guest in/stream64 _exit in/big out/big; }
