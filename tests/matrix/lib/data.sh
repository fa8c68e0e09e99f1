# shellcheck shell=sh
# Sourced by job.sh: the files that jobs read, the same in every run. SIZE is that of a big one.
# Times lie long back, so that a time that a program carries over can be told from one of now.
LONG_AGO='2001-02-03 04:05:06.123456789'

# aged FILE...
aged() {
	touch -h -d "$LONG_AGO" "$@"
}

# big FILE [SIZE]: bytes that no compressor makes smaller, the same for each size.
big() {
	"$BIN/cachewatch" make "${2:-$SIZE}" "$1"
	aged "$1"
}

# text FILE [SIZE]: lines of words and numbers in no order, about SIZE bytes.
text() {
	awk -v size="${2:-$((SIZE / 4))}" 'BEGIN {
		x = 12345
		for (n = 0; n < size; n += length(line) + 1) {
			x = (x * 69069 + 1) % 4294967296
			line = sprintf("%010d key%d %s line %d", x, x % 1000, x % 7 ? "plain" : "seven", ++i)
			print line
		}
	}' >"$1"
	aged "$1"
}

# holes FILE: as large as a big file, a MiB of bytes after each seven of nothing, odd at both ends.
holes() {
	truncate -s $((SIZE + 12345)) "$1"
	at=1
	while [ $at -lt $((SIZE >> 20)) ]; do
		"$BIN/cachewatch" make 1048577 "$1.part"
		dd if="$1.part" of="$1" bs=1M seek=$at conv=notrunc status=none
		at=$((at + 8))
	done
	rm "$1.part"
	aged "$1"
}

# tree DIRECTORY: small files of sizes around all limits, names, modes, owners and links of all kinds.
tree() {
	mkdir -p "$1/deep/er/est" "$1/empty directory"
	"$BIN/cachewatch" make 3145728 "$1/deep/3M"
	for size in 0 1 511 512 513 4095 4096 4097 8191 10240 65535 65536 65537 131071 1048576 1048577; do
		dd if="$1/deep/3M" of="$1/$size" bs=$((size + 1)) count=1 status=none
		truncate -s $size "$1/$size"
		dd if="$1/deep/3M" of="$1/deep/er/est/$size b" bs=64k skip=$((size % 31)) count=1 status=none
	done
	for i in 1 2 3 4 5 6 7 8 9; do
		text "$1/deep/er/text $i" $((i * 7000))
		ln -s "../er/text $i" "$1/deep/link$i"
	done
	ln "$1/4097" "$1/deep/hard"
	chmod 640 "$1/512"
	chmod 4755 "$1/1048577"
	[ "$(id -u)" != 0 ] || chown nobody:nogroup "$1/65537" "$1/deep/link1" -h
	find "$1" -exec touch -h -d "$LONG_AGO" {} +
}

# slices FILE NUMBER SIZE: FILE.1, FILE.2 ...: parts of a big file, for archives of a few files.
slices() {
	big "$1"
	split -n "$2" -a 2 "$1" "$1."
	rm "$1"
	aged "$1".*
}
