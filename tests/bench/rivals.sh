# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table rivals: other ways to copy a file without filling the page cache, beside auto and direct.
# Debian's nocache is found where its package puts it, so that this project's wrapper is not meant.
# shellcheck source=tests/bench/group.sh
. "$BENCH/group.sh"
debian=/usr/bin/nocache

rival_row() {
	rm -f "$HERE/copy"
	cold "$HERE/src"
	set -- "$1" "$BIN/stopwatch" "$SCRATCH/time" "$HERE/copy"
	case $1 in
	debian-nocache) run "$@" $debian cp --reflink=never src copy ;;
	dd-nocache) run "$@" dd if=src of=copy bs=1M iflag=nocache oflag=nocache status=none ;;
	dd-direct) run "$@" dd if=src of=copy bs=1M iflag=direct oflag=direct status=none ;;
	cgroup-64M) member "$@" cp --reflink=never src copy ;;
	*) run "$@" cp --reflink=never src copy ;;
	esac
	value "$ROW" bytes "$JOB"
	figures "$SCRATCH/time"
	[ "$status" != 0 ] || right "$BIN/mover" check "$HERE/copy" "$JOB"
}

if room $((JOB * 2)); then
	section "rivals: copies of $(human "$JOB") from a cold file, then fsync of the copy"
	how_measured
	note 'cp, plain and under the rule of that name, but for the rows of dd. cgroup-64M: cp in a group.'
	made "$JOB" "$HERE/src"
	WITHOUT='plain debian-nocache dd-nocache dd-direct cgroup-64M'
	group $((64 << 20))
	rows='dd-nocache dd-direct'
	[ -z "$MEMBER" ] || rows="$rows cgroup-64M"
	if grep -q 'nocache.so' $debian 2>/dev/null; then
		rows="$rows debian-nocache"
	else
		note "SKIP debian-nocache: the package nocache is not installed"
	fi
	WATCH='src copy'
	columns 'times:durable=durable time x' 'ratio:ns=return time x' 's:durable=durable s' \
		'cpux:=CPU x' 'size:peak=peak' 'size:left=left' 'text:how=treated as'
	# shellcheck disable=SC2086
	each_round rival_row plain auto direct $rows
	undo
fi
shown
WITHOUT=plain
