# shellcheck shell=sh
# Programs of 32 bits, without and with large files, by qemu-user where the kernel cannot run them.
packages qemu-user

prepare() {
	[ -e "$REPO/lib32/libnocache.so" ] || { echo 'no lib32/libnocache.so: make lib32'; exit 77; }
}
