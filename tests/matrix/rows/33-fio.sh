# shellcheck shell=sh disable=SC2153
# fio: every engine writes, reads back and verifies, and what it wrote is verified without the shim.
packages fio
apart 'libaio libaio_direct mmap io_uring' 'their requests are not seen'

prepare() { :; }

verified() {
	fio --name=job --filename=out/file --size=$((SIZE / 2)) --verify=crc32c --verify_fatal=1 --randrepeat=1 \
		--output=out/said "$@"
	rm -f out/said
}
# engine NAME SIZE HOW...
engine() {
	name=$1 size=$2 how=$3
	shift 3
	verified --ioengine="$name" --bs="$size" --rw="$how" --iodepth=8 "$@"
}

run_sync() { engine sync 64k write && engine sync 4k randwrite; }
run_psync() { engine psync 64k write && engine psync 4k randwrite; }
run_psync_odd() { engine psync 3584 write; }
run_pvsync2() { engine pvsync2 64k write && engine pvsync2 4k randwrite; }
run_libaio() { engine libaio 64k write && engine libaio 4k randwrite; }
run_libaio_direct() { verified --ioengine=libaio --direct=1 --bs=64k --rw=randwrite --iodepth=8; }
run_posixaio() { engine posixaio 64k write && engine posixaio 4k randwrite; }
run_mmap() { engine mmap 64k write && engine psync 4k randwrite && engine mmap 4k randwrite; }
run_splice() { engine splice 64k write; }
run_io_uring() { engine io_uring 64k write && engine psync 64k write && engine io_uring 4k randwrite; }

view_sync() { engine psync 4k randwrite --verify_only; }
view_psync() { engine psync 4k randwrite --verify_only; }
view_psync_odd() { engine psync 3584 write --verify_only; }
view_pvsync2() { engine psync 4k randwrite --verify_only; }
view_libaio() { engine psync 4k randwrite --verify_only; }
view_libaio_direct() { engine psync 64k randwrite --verify_only; }
view_posixaio() { engine psync 4k randwrite --verify_only; }
view_mmap() { engine psync 4k randwrite --verify_only; }
view_splice() { engine psync 64k write --verify_only; }
view_io_uring() { engine psync 4k randwrite --verify_only; }
