#!/bin/bash
# On an ext4 of its own (tests/with-fs): it fills up, is made read-only while a file is read, and
# dies. Environment: BIN, LIB, DIR; prints PASS and FAIL lines.
# shellcheck disable=SC2016 # what is in single quotes is for the inner shell
cd "$DIR" || exit 1
policies='auto direct,block=1M dontneed,window=1M dontcache'

# under POLICY COMMAND...: `bare` for none.
under() {
	policy=$1
	shift
	if [ "$policy" = bare ]; then
		timeout -k 5 60 "$@"
	else
		timeout -k 5 60 env LD_PRELOAD="$LIB" NOCACHE_RULES="* $policy" "$@"
	fi
}

verdict() {
	if [ -z "$2" ]; then
		echo "PASS $1"
	else
		echo "FAIL $1: $2"
	fi
}

# The last byte that fits may differ, for room is reserved by the page; none that is there is wrong.
filled() {
	rm -f dst
	under "$1" "${command[@]}" >said.out 2>said.err
	said=$?
	cmp -n "$(stat -c %s dst)" src dst 2>&1
	[ "$1" != bare ] || { echo $said >bare.status; cp said.err bare.err; stat -c %s dst >bare.size; }
	[ $said = "$(cat bare.status)" ] || echo "status $said"
	cmp -s said.err bare.err || echo "stderr: $(head -c 100 said.err)"
	[ $(($(cat bare.size) - $(stat -c %s dst))) -lt 1048576 ] || echo "only $(stat -c %s dst) bytes"
}

fill() {
	command=("$@")
	lost=$(filled bare)
	[ "$(cat bare.status)" != 0 ] || lost='there is room for it'
	verdict "full file system: $* bare" "$lost"
	for policy in $policies; do
		verdict "full file system: $* under $policy" "$(filled "$policy")"
	done
	rm -f dst
}

# Each call gives what it gives where nothing happens, until one says that the disk is gone.
ended_well() {
	awk 'NR == FNR { good[NR] = $0; next }
		/^event/ { if ($2) print "the event failed"; next }
		/^(read|pread|write|pwrite|fsync) -1 (Input|Read-only|Structure)/ { gone = 1; next }
		!gone && /^(read|write)/ && $0 != good[FNR] { print "line " FNR ": " $0; exit }
		gone && /^(read|write) [1-9]/ { print "line " FNR " after an error: " $0; exit }
		END { if (!gone) print "nothing failed" }' "$1" "$2"
}

shut() {
	python3 -c 'import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))' "$1"
}

make_source() {
	"$BIN/cachewatch" make 8000000 file
}

case ${1:-} in
full)
	"$BIN/cachewatch" make 20000000 src
	fill cp --reflink=never src dst
	fill dd if=src of=dst bs=3M status=none
	fill dd if=src of=dst bs=100k status=none conv=fsync
	;;
read-only)
	"$BIN/cachewatch" make 8000000 file
	"$BIN/changing" read : file >bare.said
	mount -o remount,ro "$DIR"
	for policy in $policies; do
		mount -o remount,rw "$DIR"
		"$BIN/cachewatch" drop file
		under "$policy" "$BIN/changing" read "mount -o remount,ro $DIR" file >"$WORK/rough.said" 2>&1
		verdict "made read-only while read under $policy" "$(diff bare.said "$WORK/rough.said")"
		rm -f "$WORK/rough.said"
	done
	;;
dead)
	said="$WORK/rough.said" good="$WORK/rough.good"
	make_source
	"$BIN/changing" "$3" : file >"$good"
	make_source
	[ "$3" != write ] || rm -f file
	under "$2" "$BIN/changing" "$3" "$(declare -f shut); shut $DIR" file >"$said" 2>&1
	verdict "dies while $3 under $2" "$(ended_well "$good" "$said")"
	rm -f "$said" "$good"
	;;
esac
