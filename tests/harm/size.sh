# shellcheck shell=sh disable=SC2154 # policy is the suite's
# No memory or time by the size of a file or by RLIMIT_NOFILE; files that change meanwhile; disks.

# counts COMMAND...: how many system calls a run makes. Those that it makes again and again while it
# waits for the disk count by the WAITS: of a walk over the file there are more. (Where the file
# system does not let go it waits by the clock: a second on ext4 with data=journal.)
WAITS=64
counts() {
	timeout -k 5 120 strace -f -o calls -E LD_PRELOAD="$LIB" -E NOCACHE_RULES="* $policy" "$@" \
		>said 2>&1 || return 1
	# syscall_0x1c3: cachestat(2), before strace knew it
	awk -v waits_a_call="$WAITS" '$2 ~ /^(clock_gettime|clock_nanosleep|nanosleep|cachestat|syscall_0x1c3|fadvise64|sync_file_range|sched_yield)\(/ {
		waits++; next }
		$2 ~ /^[a-z_0-9]+\(/ { n++ } END { print n + int(waits / waits_a_call) }' calls
}

# Calls more in one run than in another: a busy FUSE reads less ahead than it is asked to, and what
# is missing makes the stream look more often (stream_window.c, ask_again()).
LOOKS=256

# sparse: a file of terabytes costs what one of a GiB does.
sparse() {
	huge=$((4 << 40))
	[ "$FS" != ext4-1k ] || huge=$((3 << 40))	# its files end below 4 TiB
	small_calls=$(counts "$BIN/files" touch sparse $((1 << 30)))
	small_memory=$(cat said)
	rm -f sparse
	huge_calls=$(counts "$BIN/files" touch sparse $huge)
	huge_memory=$(cat said)
	rm -f sparse
	# fewer where there is too much to ask about page by page
	between size/sparse/calls 1 $((small_calls + LOOKS)) "$huge_calls"
	between size/sparse/memory 1 $((small_memory + 256)) "$huge_memory"
}

# descriptors: the same work under a low limit of them and the highest that may be set, 1,000,000
# where that may.
descriptors() {
	mkdir files
	for i in 1 2 3 4 5 6 7 8; do head -c 300000 file >files/$i; done
	# shellcheck disable=SC3045 # dash, bash and busybox all know it
	high=$( (if ulimit -n 1000000; then echo 1000000; else ulimit -Hn; fi) 2>/dev/null)
	for limit in 1024 "$high"; do
		# shellcheck disable=SC3045
		(rm -rf copies && ulimit -n "$limit" && WAITS=1000000 && counts cp -r files copies) >"calls.$limit"
		# shellcheck disable=SC3045
		(ulimit -n "$limit" && for _ in 1 2 3; do
			run "$BIN/files" touch sparse $((1 << 30))
		done) | sort -n | head -1 >"memory.$limit"	# pages of libc come and go
		rm -rf copies sparse
	done
	rm -rf files
	between size/nofile/calls 1 $(($(cat calls.1024) + LOOKS)) "$(cat "calls.$high")"
	between size/nofile/memory 1 $(($(cat memory.1024) + 128)) "$(cat "memory.$high")"
}

# changes NAME BYTES COMMAND...: what a reader reads where a neighbour changes the file at 8 MiB.
changes() {
	name=$1 expected=$2
	shift 2
	cold file
	rm -f go here
	mkfifo go here
	run "$BIN/reader" file 131072 8 <>go >here 2>&1 &
	{
		read -r _
		"$BIN/range" "$@" >&2
		echo
		read -r said
		echo
		read -r said
		echo "$said" >&3
	} <here >go 3>report
	wait $!
	is "size/$name/status" 0 $?
	is "size/$name/bytes" "$expected" "$(sed -n 's/^read \([0-9]*\) .*/\1/p' report)"
}

changing() {
	changes shrinks $((10 * MIB)) cut file 10M
	! drops || between size/shrinks/left 0 "$LEFT" "$(cached file 0 10M)"
	make "$BIG" file
	changes grows $(((BIG + 4) * MIB)) fill file "${BIG}"M $((BIG + 4))M
	! drops || between size/grows/left 0 $((4 * MIB + LEFT)) "$(cached file 0 $((BIG + 4))M)"
	rm -f file
}

# disk: a block device of 40 MiB, read, written, and with a hot part. It is gone with descriptor 9.
disk() {
	make "$BIG" image
	device=$(losetup -f --show image 2>/dev/null) || { rm -f image; return 0; }
	exec 9<>"$device"
	losetup -d "$device"
	disk_used "$device"
	exec 9>&-
	rm -f image
}

disk_used() {
	"$BIN/range" drop "$1" 0 "${BIG}"M
	"$BIN/range" warm "$1" 8M 12M
	is size/disk/bytes '' "$(run dd if="$1" bs=128k status=none | cmp - src 2>&1)"
	stays size/disk/hot $((4 * MIB)) "$1" 8M 12M
	between size/disk/cold 0 "$LEFT" $(($(cached "$1" 0 8M) + $(cached "$1" 12M "${BIG}"M)))
	"$BIN/range" drop "$1" 0 "${BIG}"M
	run dd if=other of="$1" bs=128k conv=fsync status=none
	between size/disk/written 0 "$LEFT" "$(cached "$1" 0 "${BIG}"M)"
	is size/disk/written-bytes '' "$(cmp other "$1" 2>&1)"
}

size() {
	make "$BIG" file
	if command -v strace >/dev/null && strace -o calls true 2>/dev/null; then
		sparse
		descriptors
	else
		skip "harm/$FS/$policy/size: strace may not trace here"
	fi
	changing
	case $FS in ext4 | ext4-4k-sectors) ;; *) return 0 ;; esac
	make "$BIG" src
	head -c $((BIG * MIB)) /dev/urandom >other
	disk
}
