# shellcheck shell=sh
# Small files: nothing is held after their close, and nothing is left of them in the cache.

# left DIRECTORY: bytes of its files that are cached.
left() {
	find "$1" -type f -exec "$BIN/cachewatch" pages {} + |
		awk '{ sub("cached=", "", $2); n += $2 } END { print n + 0 }'
}

few_left() {
	for directory in "$@"; do
		! drops || between "small/left-$directory" 0 "$MOST" "$(left "$directory")"
	done
}

# many: written, copied and untarred, then synced. Reading them to compare is last.
many() {
	mkdir written untarred
	is small/held '' "$(run "$BIN/files" write "$PWD/written" "$FILES" 2>&1)"
	sync -f .
	few_left written
	tar cf all.tar written
	! drops || find written all.tar -type f -exec "$BIN/cachewatch" drop {} + 2>/dev/null
	run cp -r written copied
	run tar xf all.tar -C untarred
	sync -f .
	few_left written copied untarred
	is small/bytes '' "$(diff -r written copied; diff -r written untarred/written)"
	rm -rf copied untarred all.tar
}

# unmounted: what a program used can be unmounted while it goes on, and as soon as it has ended.
unmounted() {
	mkdir there files
	mount --bind files there 2>/dev/null || return 0
	# shellcheck disable=SC2016 # for the inner shell
	run sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i >there/$i; done; umount there' 2>said
	is small/umount-written '' "$(cat said)"
	mountpoint -q there && umount -l there
	mount --bind files there
	run cp -r written there/
	umount there 2>said
	is small/umount-copied '' "$(cat said)"
	mountpoint -q there && umount -l there
	rm -rf there files
}

# The space of deleted files is free at once where that is so without the library.
deleted() {
	case $FS in ext4*) ;; *) return 0 ;; esac
	mkdir deleted
	between small/deleted -$((1 << 30)) "$LEFT" "$(run "$BIN/files" delete "$PWD/deleted" 200)"
	rm -rf deleted
}

executed() {
	mkdir programs
	is small/executed '' "$(run "$BIN/files" run "$PWD/programs" 20 /bin/true 1 2>&1)"
	is small/executed-threads '' "$(run "$BIN/files" run "$PWD/programs" 10 /bin/true 4 2>&1)"
	rm -rf programs
}

small() {
	FILES=500 MOST=$((MIB / 2))
	case $SCOPE/$FS in
	all/ext4 | all/xfs | all/btrfs) FILES=10000 MOST=$((8 * MIB)) ;;
	esac
	many
	unmounted
	deleted
	executed
}
