# shellcheck shell=sh
# busybox, dynamic and static, toybox, a program of musl: sendfile, syscall(); none reaches what is static.
packages busybox toybox musl-tools
makes musl
unpack busybox-static

prepare() {
	tree in/tree
	big in/big
	text in/text
	musl-gcc -D_GNU_SOURCE -I"$TESTS/lib" -o in/stream "$TESTS/real/stream.c"
}

job_of() {
	"$@" cp -a in/tree out/tree
	"$@" cp in/big out/big
	"$@" cat in/big >out/cat
	"$@" tar cf out/a.tar in/tree in/big
	mkdir out/extracted
	"$@" tar xf out/a.tar -C out/extracted
	"$@" md5sum in/big
	"$@" wc in/text
}

run_busybox() {
	job_of busybox
	busybox dd if=in/big of=out/dd bs=10000 count=3000 2>/dev/null
	busybox gzip -c <in/text >out/text.gz
	busybox gunzip -c <out/text.gz >out/text
	busybox sed -i s/seven/sieben/ out/text
	busybox sort in/text >out/sorted
}
run_toybox() { job_of toybox; }

# The library that is built for glibc, and the one that is built for musl, where it is.
run_musl() { in/stream return in/big out/big; }
run_musl_own() { env ${LD_PRELOAD:+LD_PRELOAD="$REPO/musl/libnocache.so"} in/stream return in/big out/big; }

# shellcheck disable=SC2086 # NOCACHE is a command with its options
run_static() { job_of $NOCACHE "$BIN/unpacked/busybox-static/bin/busybox"; }
unhelped_static() { echo 'busybox is statically linked: it runs without the shim'; }
