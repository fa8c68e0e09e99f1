# shellcheck shell=sh
# e2fsprogs, partclone: tens of thousands of requests of 1 KiB, and of 1 MiB and 4 bytes.
packages e2fsprogs partclone

export E2FSPROGS_FAKE_TIME=981173106
id=12345678-1234-1234-1234-123456789abc

prepare() {
	tree in/tree
	big in/big $((SIZE / 4))
	make in/image
	aged in/image
}

make() { mke2fs -q -t ext4 -b 1024 -U $id -E hash_seed=$id,root_owner=0:0 -d in/tree "$1" "$((SIZE / 1024))"; }

run_make() { make out/image && e2fsck -fn out/image; }
# The free bits of unwritten groups are not set alike: what is in it is compared.
view_make() { mkdir view/d && debugfs -R 'rdump / view/d' out/image && dumpe2fs out/image >view/dump; }
run_rdump() { mkdir out/d && debugfs -R 'rdump / out/d' in/image; }

before_debugfs() { cp in/image out/image; }
run_debugfs() {
	debugfs -w -R 'write in/big big' out/image
	debugfs -R 'dump big out/dumped' out/image
	e2fsck -fn out/image
}

run_e2image() { e2image -ra in/image out/raw && e2image -Qa in/image out/qcow && e2image -r in/image - >out/meta; }

before_resize() { cp in/image out/image; }
run_resize() { (e2fsck -fy out/image || [ $? = 1 ]) && resize2fs -M out/image && resize2fs out/image $((SIZE / 512))k && e2fsck -fn out/image; }
view_resize() { mkdir view/d && debugfs -R 'rdump / view/d' out/image; }

run_partclone() {
	partclone.ext4 -c -s in/image -o out/clone -L out/log
	partclone.ext4 -r -s out/clone -o out/restored -L out/log -C
	partclone.dd -s in/big -o out/dd -L out/log
} >/dev/null 2>&1
view_partclone() { mv out/dd view && mkdir view/d && debugfs -R 'rdump / view/d' out/restored && e2fsck -fn out/restored >view/fsck; }
