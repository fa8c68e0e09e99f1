# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table dd: the four commands of an article on measuring a disk with dd, bare and under each policy.
#   BENCH_DD_SIZE=256M
dd_size=$(bytes "${BENCH_DD_SIZE:-256M}")

dd_row() {
	rm -rf "$HERE/out"
	mkdir "$HERE/out"
	"$BIN/cachewatch" warm "$HERE/src" || exit 1
	# shellcheck disable=SC2086 # a list of operands
	run "$1" "$BIN/stopwatch" "$SCRATCH/time" "$HERE/out/copy" \
		dd if=src of=out/copy status=none $operands
	value "$ROW" bytes "$dd_size"
	figures "$SCRATCH/time"
	[ "$status" != 0 ] || right "$BIN/mover" check "$HERE/out/copy" "$dd_size"
}

if room $((dd_size * 3)); then
	section "dd: $(human "$dd_size") from a cached file to a new one: what each command really measures"
	how_measured
	note 'return: what dd itself reports; durable: with an fsync after it. A refused command shows its word.'
	made "$dd_size" "$HERE/src"
	WATCH='out/copy'
	columns 'rate:ns=return MB/s' 'rate:durable=durable MB/s' \
		'ratio:durable=durable time x' 'size:peak=peak' 'size:left=left' \
		'text:how=treated as'
	for operands in 'bs=1M' 'bs=1M oflag=direct' 'bs=1M conv=fdatasync' 'bs=1000 oflag=direct'; do
		GROUP="$(echo "$operands" | sed 's/ [a-z]*=/ /'):"
		each_round dd_row plain auto direct dontneed dontcache buffered
	done
fi
shown
