# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table bench2003: the benchmark of a proposal of 2003, truthfully: a file in 128-byte reads beside a
# neighbour who fills the memory.
#   BENCH_PASSES=10 BENCH_2003_SIZE=398863775 BENCH_2003_ROUNDS=1
#   BENCH_VICTIM_SIZE=1G BENCH_GROUP_ROOM=256M      the neighbour, and the group's memory beside it
# shellcheck source=tests/bench/group.sh
. "$BENCH/group.sh"
passes=${BENCH_PASSES:-10} size_2003=${BENCH_2003_SIZE:-398863775}
victim=$(bytes "${BENCH_VICTIM_SIZE:-1G}") beside=$(bytes "${BENCH_GROUP_ROOM:-256M}")
all_rounds=$ROUNDS ROUNDS=${BENCH_2003_ROUNDS:-1} FIRST=1

# The rows own-direct and own-dsync are the program's own flags, without the library.
row_2003() {
	flag=
	case $1 in own-*) flag=${1#own-} ;; esac
	ROW=$1
	cold "$HERE/file"
	neighbour anon "$victim" || { neighbour_ends; return; }
	before=$(swapped)
	# shellcheck disable=SC2086 # none, or one word
	member "$1" "$BIN/read2003" "$HERE/file" "$passes" "$size_2003" $flag
	value "$1" swap $(($(swapped) - before))
	value "$1" cache "$("$BIN/cachewatch" pages "$HERE/file" | sed 's/.* cached=\([0-9]*\).*/\1/')"
	neighbour_ends
}

if room "$size_2003"; then
	section "bench2003: $size_2003 bytes in 128-byte reads, $passes passes, beside $(human "$victim") of a" \
		"neighbour's memory"
	group $((victim + beside))
	swap $((victim * 2))
	note "Average of a pass; speed as a multiple of plain's, $ROUNDS interleaved rounds. Cold before the" \
		"first pass. Cache: the file's pages at the end. Swap: what the neighbour lost to it."
	note 'own-direct, own-dsync: the program opens with that flag itself, no library. Bytes: really read.'
	"$BIN/cachewatch" make "$size_2003" "$HERE/file" || exit 1
	WITHOUT='plain own-direct own-dsync' HOLDS=$beside
	columns 's:ns=s/pass' 'speed:ns=speed x plain' 'size:cache=cache' 'size:swap=swap' \
		'n:bytes=bytes read' 'cpu:=CPU s/GiB' 'text:how=treated as'
	each_round row_2003 plain own-direct own-dsync auto direct direct,relaxed dontneed dontcache noreuse \
		dsync buffered
	undo
fi
shown
ROUNDS=$all_rounds FIRST=0 WITHOUT=plain
