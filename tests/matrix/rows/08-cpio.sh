# shellcheck shell=sh
# cpio, pax, afio: requests of 512 bytes, archives on inherited descriptors.
packages cpio pax afio

prepare() {
	tree in/tree
	big in/big
	(cd in && find tree big | sort | cpio --quiet -o -H newc >a.cpio)
	aged in/a.cpio
}

run_out() { (cd in && find tree big | sort | cpio --quiet -o -H newc --reproducible) >out/a.cpio; }
run_in() { (cd out && cpio --quiet -idm) <in/a.cpio; }
run_in_file() { cd out && cpio --quiet -idm -F ../in/a.cpio; }
run_pass() { (cd in && find tree big -depth | cpio --quiet -pdm ../out); }

before_append() { cp in/a.cpio out/a.cpio; }
run_append() { echo in/tree/4097 | cpio --quiet -o -A -H newc -F out/a.cpio; }

run_pax() { pax -w -f out/a.pax in/tree in/big && cd out && pax -r -pe -f a.pax; }
run_pax_copy() { cd in && pax -rw -pe tree big ../out; }
run_afio() { find in/tree in/big -type f | sort | afio -o out/a.afio && cd out && afio -i a.afio; }
