# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table sparse: a direct writer among buffered readers of one file.
# BENCH_SPARSE_SIZE=100M BENCH_SPARSE_BLOCK=1024 BENCH_SPARSE_ROUNDS=1 (plain takes minutes)
sparse_size=$(bytes "${BENCH_SPARSE_SIZE:-100M}") sparse_block=${BENCH_SPARSE_BLOCK:-1024}
sparse_size=$((sparse_size / sparse_block * sparse_block))

sparse_row() {
	rm -f "$HERE/sparse"
	run "$1" "$BIN/dio_sparse" "$HERE/sparse" "$sparse_size" "$sparse_block" 16
	[ "$status" != 0 ] || right "$BIN/mover" check "$HERE/sparse" "$sparse_size"
}

all_rounds=$ROUNDS ROUNDS=${BENCH_SPARSE_ROUNDS:-1} FIRST=1
if room "$sparse_size"; then
	section "sparse: $(human "$sparse_size") written by O_DIRECT in blocks of $sparse_block bytes, while 16" \
		"processes read it through the cache by 4 KiB and check every word"
	note "Speed as a multiple of plain's in the same round, median [least-most] of $ROUNDS interleaved" \
		"rounds. The file's blocks are new; readers keep its pages cached where they can."
	note 'A row without an error is right: zeros or the bytes written, never anything else.'
	HOLDS=$sparse_size
	columns 'speed:durable=speed x plain' 's:durable=seconds' 'n:passes=read passes' \
		'text:how=treated as'
	each_round sparse_row plain buffered auto direct
fi
shown
ROUNDS=$all_rounds FIRST=0
