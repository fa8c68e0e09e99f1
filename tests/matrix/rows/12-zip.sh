# shellcheck shell=sh
# zip, unzip, 7z: archives patched behind, O_RDWR, threads.
packages zip unzip p7zip-full

prepare() {
	tree in/tree
	slices in/big 4
	text in/text
	(cd in && zip -q -X -1 -r a.zip tree big.* text && 7z a -bd -mx=1 a.7z big.* text >/dev/null)
	aged in/a.zip in/a.7z
}

run_zip() { cd in && zip -q -X -1 -r ../out/a.zip tree big.* text; }
run_zip_stdout() { cd in && zip -q -X -1 -r - tree text >../out/a.zip; }
view_zip_stdout() { unzip -q out/a.zip -d view; }
run_unzip() { unzip -q in/a.zip -d out; }
run_unzip_pipe() { unzip -p in/a.zip text >out/text && unzip -tq in/a.zip && unzip -v in/a.zip >out/list; }

before_update() { cp in/a.zip out/a.zip; }
run_update() { cd in && zip -q -X -1 ../out/a.zip a.7z && zip -q -d ../out/a.zip text; }

run_7z() { cd in && 7z a -bd -mx=1 -mmt=2 ../out/a.7z big.* text; }
mask_7z() { sed 's/^p7zip.*//; s/^Everything.*//'; }
run_7z_extract() { 7z x -bd -oout in/a.7z; }
run_7z_test() { 7z t -bd in/a.7z && 7z l in/a.7z; }
