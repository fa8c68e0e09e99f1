# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table pressure: what a big copy does to a neighbour in the same, nearly full memory.
#   BENCH_PRESSURE_SIZE=8G BENCH_PRESSURE_ROUNDS=3 BENCH_VICTIM_SIZE=1G BENCH_GROUP_ROOM=256M
# shellcheck source=tests/bench/group.sh
. "$BENCH/group.sh"
copied=$(bytes "${BENCH_PRESSURE_SIZE:-8G}") victim=$(bytes "${BENCH_VICTIM_SIZE:-1G}")
beside=$(bytes "${BENCH_GROUP_ROOM:-256M}")
all_rounds=$ROUNDS ROUNDS=${BENCH_PRESSURE_ROUNDS:-3} FIRST=1

# pressed ROW: the copy beside the neighbour; what it has left is looked at before it ends.
pressed() {
	ROW=$1
	rm -f "$HERE/copy"
	cold "$HERE/src"
	# shellcheck disable=SC2086
	neighbour $held || { neighbour_ends; return; }
	member "$1" "$BIN/stopwatch" "$SCRATCH/time" "$HERE/copy" cp --reflink=never src copy
	figures "$SCRATCH/time"
	value "$1" swap "$(swapped)"
	neighbour_ends
	least=$(sed -n 's/^least=//p' "$SCRATCH/held")
	[ -z "$least" ] || value "$1" kept $((least * 100 / victim))
	right "$BIN/mover" check "$HERE/copy" "$copied"
}

# beside_a KIND COLUMN NOTE: one section, for one kind of neighbour.
beside_a() {
	section "pressure: cp of $(human "$copied") beside a neighbour with $(human "$victim") of $1"
	group $((victim + beside))
	swaps_readily
	swap $((victim * 2))
	note "Times as multiples of plain's in the same round, median [least-most] of $ROUNDS interleaved" \
		"rounds; durable: with fsync of the copy. Source cold. $3"
	HOLDS=$beside
	columns "$2" 'times:durable=durable time x' 'ratio:ns=return time x' 's:durable=durable s' \
		'text:how=treated as'
	each_round pressed plain auto direct dontcache
	undo
	shown
}

if room $((copied * 2 + victim)); then
	made "$victim" "$HERE/hot"
	made "$copied" "$HERE/src"
	held="file $HERE/hot 1000"
	beside_a 'cached file, read through every second' 'n:kept=kept %' \
		'Kept: of its pages, the fewest cached when it came back to them.'
	held="anon $victim"
	beside_a 'anonymous memory' 'size:swap=swapped' 'Swapped: of its memory, at the end of the copy.'
else
	shown
fi
ROUNDS=$all_rounds FIRST=0
