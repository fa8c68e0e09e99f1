# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Sourced by the tables of memory pressure: a memory cgroup, swap, and a neighbour who holds memory.
# What this machine cannot give is said in the section; undo takes all of it back.
MEMBER=''	# the group's list of processes; empty: no group
SWAP='' ZRAM='' HOLDER=''

# group LIMIT: a memory cgroup of its own, below this process's one where version 1 rules memory.
group() {
	if [ -d /sys/fs/cgroup/memory ]; then
		LIMIT_FILE=memory.limit_in_bytes
		parent=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
	else
		LIMIT_FILE=memory.max parent=/sys/fs/cgroup
		echo +memory >$parent/cgroup.subtree_control 2>/dev/null
	fi
	GROUP_DIR=$parent/nocache-bench.$$
	if mkdir "$GROUP_DIR" 2>/dev/null && echo "$1" >"$GROUP_DIR/$LIMIT_FILE"; then
		MEMBER=$GROUP_DIR/cgroup.procs
		export MEMBER
		note "In a memory cgroup (version $([ "$LIMIT_FILE" = memory.max ] && echo 2 || echo 1)) of" \
			"$(($1 >> 20)) MiB."
	else
		note "SKIP: no memory cgroup can be made here; nothing presses, figures are without it."
	fi
}

# swaps_readily: the group gives up memory as readily as page cache, so that plain shows what it does
# to memory. Version 1 only, where each group has its say.
swaps_readily() {
	[ ! -f "$GROUP_DIR/memory.swappiness" ] || echo 100 >"$GROUP_DIR/memory.swappiness"
}

# swap SIZE: on a zram device of its own, else in a file.
swap() {
	ZRAM=$(cat /sys/class/zram-control/hot_add 2>/dev/null)
	if [ -n "$ZRAM" ] && echo "$1" >"/sys/block/zram$ZRAM/disksize" 2>/dev/null; then
		SWAP=/dev/zram$ZRAM
	else
		SWAP=$HERE/swap
		fallocate -l "$1" "$SWAP" && chmod 600 "$SWAP"
	fi
	if mkswap "$SWAP" >/dev/null 2>&1 && swapon "$SWAP" 2>/dev/null; then
		note "Swap: $([ -n "$ZRAM" ] && echo zram || echo a file), $(human "$1"), made for this table."
	else
		SWAP=
		note "SKIP: no swap can be made here; a memory hog has nowhere to go, its column stays 0."
	fi
}

# member COMMAND...: as run's command, inside the group.
# shellcheck disable=SC2016 # for the inner shell
member() {
	row=$1
	shift
	run "$row" sh -c '[ -z "$MEMBER" ] || echo $$ >"$MEMBER"; exec "$@"' sh "$@"
}

# neighbour ARGUMENT...: hold (hold.c) in the group, once it holds all of it.
neighbour() {
	# shellcheck disable=SC2016 # for the inner shell
	sh -c '[ -z "$MEMBER" ] || echo $$ >"$MEMBER"; exec "$@"' sh "$BIN/hold" "$@" \
		>"$SCRATCH/held" &
	HOLDER=$!
	until grep -q ready "$SCRATCH/held"; do
		kill -0 $HOLDER 2>/dev/null || { refused 'the neighbour was killed'; return 1; }
		sleep 0.1
	done
}

# swapped: bytes of the neighbour that are in swap.
swapped() { awk '/^VmSwap/ { print $2 * 1024 }' "/proc/$HOLDER/status"; }

neighbour_ends() {
	[ -n "$HOLDER" ] || return 0
	kill "$HOLDER" 2>/dev/null
	wait "$HOLDER"
	HOLDER=
}

# undo: called at the end of the table and, by run, at the end of all.
undo() {
	neighbour_ends
	[ -z "$SWAP" ] || swapoff "$SWAP"
	if [ -n "$ZRAM" ]; then
		echo 1 >"/sys/block/zram$ZRAM/reset"
		echo "$ZRAM" >/sys/class/zram-control/hot_remove
	fi
	[ -z "$MEMBER" ] || rmdir "$GROUP_DIR"
	MEMBER='' SWAP='' ZRAM=''
}
