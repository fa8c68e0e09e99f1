# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table direct: one big file read and written by requests of several sizes.
OURS='auto dontneed direct direct,relaxed'
WITHOUT='plain best fio naive'
SPEED='cpu:=CPU s/GiB|cpux:=CPU x|size:peak=peak|size:left=left|text:how=treated as'

heads() {
	section "direct: one big file by requests of several sizes"
	how_measured
	note "best: 4 MiB direct requests, four at a time, huge pages, what fio does with libaio. naive:" \
		"each request direct by itself, rounded out to 4 KiB (few of them, compared by rate)."
	shown
}

# free_huge_pages: reserved ones, which fio needs; nothing is reserved here.
free_huge_pages() { awk '/^HugePages_Free/ { print $2 }' /proc/meminfo; }

# fio says what it measured: kilobytes, milliseconds, CPU in percent of them.
fio_read() {
	run fio fio --name=b --filename="$HERE/src" --rw=read --bs=4M --iodepth=4 --ioengine=libaio \
		--direct=1 --iomem=mmaphuge --minimal --terse-version=3 --readonly --invalidate=0
	awk -F';' '{ printf "bytes=%.0f ns=%.0f durable=%.0f cpu=%.0f\n", $6 * 1024, $9 * 1e6, $9 * 1e6,
		($88 + $89) / 100 * $9 * 1e6 }' "$SCRATCH/out" >"$SCRATCH/fio"
	[ "$status" != 0 ] || figures "$SCRATCH/fio"
}

# A naive direct mode moves as many bytes as two thousand requests; rates compare.
naive_amount() {
	amount=$((block * 2048))
	[ "$amount" -le "$amount_of_all" ] || amount=$amount_of_all
	echo "$amount"
}

# read_row ROW: src, as far as it goes for this size of requests.
read_row() {
	cold "$HERE/$source"
	case $1 in
	best) run best "$BIN/rival" best-read "$HERE/$source" ;;
	fio) fio_read ;;
	naive) run naive "$BIN/rival" naive-read "$HERE/$source" "$(naive_amount)" "$block" ;;
	*) run "$1" "$BIN/mover" read "$HERE/$source" "$block" ;;
	esac
	case $1 in naive) expected=$(naive_amount) ;; *) expected=$amount_of_all ;; esac
	moved_all
}

# moved_all: a run that moved less than it should is wrong, however fast.
moved_all() {
	got=$(awk -F'\t' -v row="$ROW" -v round="$ROUND" \
		'$2 == row && $3 == round && $4 == "bytes" { print $5 }' "$SECTION")
	[ "$status" != 0 ] || [ "$got" = "$expected" ] ||
		refused "WRONG: $got bytes, not $expected"
}

write_row() {
	rm -f "$HERE/new"
	step=$block wanted=$amount_of_all
	case $1 in
	best) step=$((4 << 20)) && run best "$BIN/rival" best-write "$HERE/new" "$wanted" ;;
	naive)
		wanted=$(naive_amount)
		run naive "$BIN/rival" naive-write "$HERE/new" "$wanted" "$block"
		;;
	*) run "$1" "$BIN/mover" write "$HERE/new" "$wanted" "$block" ;;
	esac
	[ "$status" != 0 ] || right "$BIN/mover" check "$HERE/new" "$wanted" "$step"
}

# by BLOCK: a table of reads and one of writes.
by() {
	block=$1 amount_of_all=$SIZE source=src
	[ "$block" -ge 4096 ] || amount_of_all=$TINY source=small
	made "$amount_of_all" "$HERE/$source"
	WATCH=$source
	section "direct: $(human "$amount_of_all") read by requests of $block bytes, cold file" \
		"(evicted, checked)"
	columns 'speed:ns=speed x plain' 'rate:ns=MB/s' "$SPEED"
	# shellcheck disable=SC2086
	each_round read_row plain $OURS best $fio naive
	shown
	WATCH=new
	section "direct: $(human "$amount_of_all") written to a new file by requests of $block bytes," \
		"then fsync"
	columns 'speed:durable=durable speed x' 'brief:ns=return speed x' 'rate:durable=MB/s' "$SPEED"
	# shellcheck disable=SC2086
	each_round write_row plain $OURS best naive
	shown
	rm -f "$HERE/new" "$HERE/small"
}

direct_table() {
	heads
	made "$SIZE" "$HERE/src"
	fio=fio
	command -v fio >/dev/null && [ "$(free_huge_pages)" -ge 16 ] || fio=
	by 131072
	by 4096
	by 128
}

if room $((SIZE * 2 + TINY)); then
	direct_table
	[ -n "$fio" ] || echo "SKIP row fio: no fio, or no 16 reserved huge pages for it"
else
	shown
fi
WITHOUT=plain
