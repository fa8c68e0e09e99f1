# shellcheck shell=sh
# qemu-img: threads on one descriptor, OFD locks, SEEK_DATA, O_DIRECT of its own, io_uring.
packages qemu-utils
apart 'io_uring' 'its requests are not seen'

prepare() {
	holes in/holes
	big in/big
	qemu-img convert -f raw -O qcow2 in/holes in/a.qcow2
	aged in/a.qcow2
}

run_to_qcow2() { qemu-img convert -f raw -O qcow2 in/holes out/a.qcow2 && qemu-img check out/a.qcow2; }
run_to_raw() { qemu-img convert -f qcow2 -O raw in/a.qcow2 out/raw; }
run_raw() { qemu-img convert -f raw -O raw in/big out/raw && qemu-img compare -f raw -F raw in/big out/raw; }
run_none() { qemu-img convert -t none -T none -f qcow2 -O raw in/a.qcow2 out/raw; }
run_writethrough() { qemu-img convert -t writethrough -m 4 -W -f raw -O qcow2 -o cluster_size=64k in/big out/a.qcow2; }
view_writethrough() { qemu-img convert -O raw out/a.qcow2 view/raw; }
run_compressed() { qemu-img convert -c -O qcow2 in/a.qcow2 out/a.qcow2 && qemu-img compare out/a.qcow2 in/a.qcow2; }
run_io_uring() {
	qemu-img convert -O raw --image-opts driver=raw,file.driver=file,file.filename=in/big,file.aio=io_uring out/raw
	qemu-img dd -f raw -O raw bs=1000003 if=out/raw of=out/dd
}
run_io() {
	qemu-img create -q -f qcow2 out/a.qcow2 64M
	qemu-io -f qcow2 -c 'write -P 1 12345 3000001' -c 'write -P 2 8M 20M' -c 'read -P 1 12345 3000001' -c 'discard 9M 1M' \
		-c 'read -P 2 10M 18M' -c flush out/a.qcow2 | sed 's/^[0-9.]* [KMG]*i*B, [0-9]* ops.*//'
	qemu-img snapshot -c one out/a.qcow2
	qemu-img resize -q out/a.qcow2 80M
	qemu-img check out/a.qcow2
}
view_io() { qemu-img convert -O raw out/a.qcow2 view/raw; }
