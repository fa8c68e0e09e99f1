# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table copy: cp(1) of one big file, in calls that leave the copying to the kernel.
WITHOUT='plain dd-direct'

copy_row() {
	cold "$HERE/src"
	rm -f "$HERE/new"
	case $1 in
	dd-direct)
		run "$1" "$BIN/stopwatch" "$SCRATCH/time" "$HERE/new" \
			dd if=src of=new bs=4M iflag=direct oflag=direct status=none
		;;
	*) run "$1" "$BIN/stopwatch" "$SCRATCH/time" "$HERE/new" cp src new ;;
	esac
	value "$ROW" bytes "$SIZE"
	figures "$SCRATCH/time"
	[ "$status" != 0 ] || right "$BIN/mover" check "$HERE/new" "$SIZE"
}

if room $((SIZE * 2)); then
	made "$SIZE" "$HERE/src"
	WATCH='src new'
	section "copy: cp of $(human "$SIZE") from a cold file, then fsync of the copy"
	columns 'speed:durable=durable speed x' 'brief:ns=return speed x' 'rate:durable=MB/s' \
		'cpu:=CPU s/GiB|cpux:=CPU x|size:peak=peak|size:left=left|text:how=treated as'
	how_measured
	each_round copy_row plain auto dontneed direct dd-direct
	shown
	rm -f "$HERE/new"
else
	shown
fi
WITHOUT=plain
