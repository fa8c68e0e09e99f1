# shellcheck shell=sh
# The other filters of coreutils: stdio reads, ftruncate, standard output swapped, flushes at exit.
packages coreutils

prepare() {
	big in/big
	text in/text
}

run_sums() {
	md5sum in/big
	sha256sum <in/big
	sha1sum in/big in/text
	b2sum in/big
	cksum in/big
	sum in/big
	wc in/text
	wc -c in/big
}

run_check() { sha256sum in/big in/text >out/sums && sha256sum -c out/sums; }
run_tac() { tac in/text >out/tac && tac <in/text >out/tac2; }
run_split() { split -b 10000001 in/big out/part. && split -n 7 in/big out/seventh. && split -l 100000 in/text out/lines.; }
run_csplit() { csplit -s -f out/c -k in/text 1000 '/line 5000$/' 20000; }
run_shuf() { shuf --random-source=in/big in/text -o out/shuf; }
run_tee() { tee out/one out/two <in/big >out/three && tee -a out/one <in/text | cat >out/four; }
run_base64() { base64 in/big >out/big.b64 && base64 -d out/big.b64 >out/big && base32 in/text >out/text.b32; }
run_columns() {
	cut -d' ' -f2- in/text >out/cut
	tr "[:lower:]" "[:upper:]" <in/text >out/tr
	nl in/text >out/nl
	paste in/text out/cut >out/paste
	fold -w 33 in/text >out/fold
	expand in/text >out/expand
	od -An -tx1 -N 4000000 in/big >out/od
	pr in/text | tail -n +100 | grep -v Page >out/pr
	fmt in/text >out/fmt
}
run_cmp() { cmp in/big in/big && ! cmp in/big in/text; }

before_truncate() { cp in/big out/big; }
run_truncate() { truncate -s -12345 out/big && truncate -s %4096 out/big && printf x >>out/big; }

before_shred() { cp in/text out/text; }
run_shred() { shred -n 1 -z --random-source=in/big out/text; }
