# shellcheck shell=sh
# Compressors: by name and by standard input and output, threads, headers of 4 bytes, F_SETFL.
packages gzip pigz xz-utils zstd lz4 bzip2 lzop brotli pbzip2 lbzip2

prepare() {
	text in/text
	big in/big $((SIZE / 3))
	cat in/text in/big >in/both
	aged in/both
}

# both PROGRAM OPTIONS EXTENSION: through names and through descriptors, there and back.
both() {
	cp -p in/both out/file
	# shellcheck disable=SC2086 # options are words
	"$1" $2 -k out/file
	mv out/file out/kept
	"$1" -d -k "out/file.$3"
	# shellcheck disable=SC2086
	"$1" $2 <in/both >out/stream
	"$1" -d <out/stream >out/back
}

run_gzip() { both gzip -1 gz; }
run_pigz() { both pigz '-1 -p 2' gz; }
run_bzip2() { both bzip2 -1 bz2; }
run_pbzip2() { both pbzip2 '-1 -p2' bz2; }
run_lbzip2() { both lbzip2 '-1 -n 2' bz2; }
run_xz() { both xz '-0 -T 2' xz; }
run_zstd() { both zstd '-q -1 -T2' zst; }
# lz4 writes to standard output, where that is no terminal, unless it is told a name.
run_lz4() {
	lz4 -q -1 in/both out/both.lz4
	lz4 -q -d out/both.lz4 out/both
	lz4 -q -1 <in/both >out/stream
	lz4 -q -d <out/stream >out/back
}
run_lzop() { both lzop '-1' lzo; }
run_brotli() { both brotli -1 br; }
