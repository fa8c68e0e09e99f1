# shellcheck shell=sh
# cp, mv, install: calls before the shim's constructor, FICLONE, copy_file_range, SEEK_HOLE.
packages coreutils

prepare() {
	tree in/tree
	big in/big
	holes in/holes
}

run_tree() { cp -a in/tree out/tree; }
run_big() { cp in/big out/big; }
run_big_preserved() { cp -p --reflink=never in/big out/big; }
run_holes() { cp --sparse=always --reflink=never in/holes out/holes; }
run_holes_auto() { cp in/holes out/holes; }
run_install() { install -m 751 in/big out/big; }

before_over() { cp -p in/holes out/over; }
run_over() { cp in/big out/over; }

run_mv() { cp -p in/big out/big && mv out/big out/moved; }

before_update() { cp -a in/tree out/tree && rm out/tree/4096 && touch -d 1990-01-01 out/tree/8191; }
run_update() { cp -au --remove-destination in/tree out/; }
