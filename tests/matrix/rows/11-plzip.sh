# shellcheck shell=sh
# plzip: threads that pread one descriptor, requests of 1 byte.
packages plzip

prepare() {
	text in/text
	big in/big $((SIZE / 4))
	cat in/text in/big >in/both
	plzip -0 -k in/both
	aged in/both in/both.lz
}

run_compress() { plzip -0 -n 2 -k -o out/both.lz in/both; }
run_decompress() { plzip -d -n 2 -k -o out/both in/both.lz; }
run_stdin() { plzip -0 <in/both >out/both.lz && plzip -d <out/both.lz >out/both; }
run_test() { plzip -tv in/both.lz && plzip -l in/both.lz; }
