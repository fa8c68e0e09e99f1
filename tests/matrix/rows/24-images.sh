# shellcheck shell=sh
# squashfs-tools, xorriso, genisoimage: threads, reads of 2048 bytes, fseek, flushes at exit.
packages squashfs-tools xorriso genisoimage

export SOURCE_DATE_EPOCH=981173106

prepare() {
	tree in/tree
	big in/big
	mksquashfs in/tree in/big in/a.sqfs -quiet -no-progress -Xcompression-level 1
	xorriso -report_about WARNING -as mkisofs -R -o in/a.iso in/tree in/big
	aged in/a.sqfs in/a.iso
}

run_mksquashfs() { mksquashfs in/tree in/big out/a.sqfs -quiet -no-progress -Xcompression-level 1; }
run_unsquashfs() { unsquashfs -q -no-progress -d out/d in/a.sqfs && unsquashfs -lls in/a.sqfs >out/list; }

before_squash_append() { cp in/a.sqfs out/a.sqfs; }
run_squash_append() { mksquashfs in/tree out/a.sqfs -quiet -no-progress -no-recovery -root-becomes more; }
view_squash_append() { unsquashfs -q -no-progress -d view/d out/a.sqfs; }

run_xorriso() { xorriso -report_about WARNING -as mkisofs -R -o out/a.iso in/tree in/big; }
run_xorriso_stdout() { xorriso -report_about WARNING -as mkisofs -R in/tree in/big >out/a.iso; }
run_osirrox() { xorriso -report_about WARNING -osirrox on -indev in/a.iso -extract / out/d && chmod -R u+w out/d; }
run_genisoimage() { genisoimage -quiet -R -o out/a.iso in/tree in/big; }
view_genisoimage() { xorriso -report_about WARNING -osirrox on -indev out/a.iso -extract / view/d && chmod -R u+w view/d; }
