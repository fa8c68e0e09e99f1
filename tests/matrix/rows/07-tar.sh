# shellcheck shell=sh
# tar: blocks of 10 KiB, archives changed in place, low descriptors, holes.
packages tar gzip

prepare() {
	tree in/tree
	big in/big
	holes in/holes
	tar cf in/a.tar in/tree in/big
	aged in/a.tar
}

run_create() { tar cf out/a.tar in/tree in/big; }
run_stdout() { tar c in/tree in/big >out/a.tar; }
run_gzip() { tar czf out/a.tgz in/tree; }
run_sparse() { tar cSf out/a.tar in/holes && tar xf out/a.tar -C out; }
run_extract() { tar xpf in/a.tar -C out; }
run_extract_stdin() { tar xp -C out <in/a.tar; }
run_list() { tar tvf in/a.tar >out/list; }
run_compare() { tar df in/a.tar; }

before_append() { cp in/a.tar out/a.tar; }
run_append() { tar rf out/a.tar in/holes; }

before_update() { cp in/a.tar out/a.tar && mkdir out/in && echo newer >out/in/big && touch -d 2010-01-01 out/in out/in/big; }
run_update() { tar uf out/a.tar -C out in/big; }

before_delete() { cp in/a.tar out/a.tar; }
run_delete() { tar --delete -f out/a.tar in/tree/4097 in/tree/deep; }

before_concatenate() { cp in/a.tar out/a.tar; }
run_concatenate() { tar Af out/a.tar in/a.tar; }

run_volumes() { tar cM -L 20000 -f out/1.tar -f out/2.tar -f out/3.tar -f out/4.tar -f out/5.tar -f out/6.tar in/big; }
run_incremental() { tar cf out/a.tar --no-check-device -g out/snapshot in/tree; }
view_incremental() { tar xf out/a.tar -C view; }
