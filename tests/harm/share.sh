# shellcheck shell=sh disable=SC2154 # policy is the suite's
# Several readers of one file, several names of one inode, mappings, files of other users.

# device FILE: what a reader took from the device, bytes.
device() {
	sed -n 's/^read .* device \([0-9]*\)$/\1/p' "$1"
}

reader() {
	LD_PRELOAD=$LIB NOCACHE_RULES="* $policy" timeout -k 5 60 "$BIN/reader" big 131072 "$@"
}

# Two readers of one cold file, each as fast as it can: what one brings in again that the other has
# just dropped cannot be told from what others have; it is less than their windows.
readers() {
	cold big
	reader >first 2>&1 &
	reader >second 2>&1 &
	wait
	is share/readers/bytes "$((BIG * MIB)) $((BIG * MIB))" "$(sed 's/read \([0-9]*\) .*/\1/' first second | paste -s -d' ')"
	! drops || between share/readers/left 0 $((16 * MIB)) "$(cached big 0 "${BIG}"M)"
}

# Two readers that go side by side, MiB by MiB: what comes past the cache each has to itself; what
# comes through it is read once, and the last one leaves nothing.
side_by_side() {
	most=$((BIG * MIB * 5 / 4))
	case $policy in auto | direct) most=$(((2 * BIG + 1) * MIB)) ;; esac
	cold big
	mkfifo go1 go2 here1 here2
	# shellcheck disable=SC2046 # words
	reader $(seq "$BIG") <>go1 >here1 &
	# shellcheck disable=SC2046
	reader $(seq "$BIG") <>go2 >here2 &
	{
		for _ in $(seq "$BIG") last; do
			read -r _ <&3 && read -r _ <&4
			echo >&5
			echo >&6
		done
		cat <&3 >first
		cat <&4 >second
	} 3<here1 4<here2 5>go1 6>go2
	wait
	case $FS in tmpfs | overlay | fuse) ;; *)
		between share/side-by-side/device $((BIG * MIB * 9 / 10)) $most $(($(device first) + $(device second)))
	esac
	! drops || between share/side-by-side/left 0 "$LEFT" "$(cached big 0 "${BIG}"M)"
}

# names WHAT ONE OTHER: one process reads a file by both names, one after the other: the last drops.
names() {
	cold small
	most=0
	[ "$policy" != direct ] || most=196608	# past the cache each time
	between "share/$1/read-once" 0 $most "$(run "$BIN/twice" "$2" "$3")"
	! drops || between "share/$1/left" 0 "$LEFT" "$(cached small 0 192K)"
	cold small
	run "$BIN/twice" "$2" "$3" unread >/dev/null
	! drops || between "share/$1/left-unread" 0 "$LEFT" "$(cached small 0 192K)"
	[ "$FS" != fuse ] || return 0	# an open empties the cache there (FOPEN_KEEP_CACHE)
	"$BIN/cachewatch" warm small
	run cat "$3" >/dev/null
	stays "share/$1/hot" 196608 small 0 192K
}

inodes() {
	head -c 196608 big >small
	ln small link
	mkdir there
	names twice small small
	names hard-link small link
	if mount --bind . there 2>/dev/null; then
		names bind-mount small there/small
		run cp small there/copy
		if umount there 2>said; then
			pass "harm/$FS/$policy/share/bind-mount/umount"
		else
			fail "harm/$FS/$policy/share/bind-mount/umount: $(cat said)"
			umount -l there
		fi
	fi
	rmdir there
}

# A neighbour has 8 MiB mapped: they stay in its memory, also where the program writes them.
mapped() {
	cold big
	mkfifo stop
	"$BIN/range" hold big 8M 16M <>stop >held &
	until grep -qs ready held; do sleep 0.01; done
	run cat big >/dev/null
	run dd if=src of=big bs=4M conv=notrunc status=none
	echo >stop
	wait $!
	is share/mapped/stays $((8 * MIB)) "$(tail -1 held)"
	is share/mapped/bytes '' "$(cmp src big 2>&1)"
}

# holds OUTPUT FIFO COMMAND...: started until it says that it has its part mapped; ends by a line.
holds() {
	output=$1 fifo=$2
	shift 2
	rm -f "$fifo"
	mkfifo "$fifo"
	"$@" <>"$fifo" >"$output" &
	until grep -q ready "$output"; do sleep 0.01; done
}

# The program has all of the file mapped when it ends: that goes, but for the 8 MiB that a neighbour
# has mapped meanwhile; and what was cached before stays.
mapped_at_end() {
	cold big
	holds mine stop run "$BIN/range" hold big 0 "${BIG}M"
	program=$!
	holds held keep "$BIN/range" hold big 8M 16M
	echo >stop
	wait $program
	between share/mapped-at-end/rest 0 "$LEFT" $(($(cached big 0 8M) + $(cached big 16M "${BIG}M")))
	echo >keep
	wait $!
	is share/mapped-at-end/stays $((8 * MIB)) "$(tail -1 held)"
	"$BIN/cachewatch" warm big
	run "$BIN/range" hold big 0 "${BIG}M" </dev/null >/dev/null
	stays share/mapped-at-end/hot $((BIG * MIB)) big 0 "${BIG}M"
}

# other COMMAND...: as a user who may read the file and no more.
other() {
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# The kernel does not tell this user what is cached. What it does not know must not be lost: where
# even a read does not tell, it is what the stream read that goes.
other_user() {
	cold big
	other cat big >/dev/null
	is share/other/named keep-unknown "$(reason big | cut -d' ' -f2)"
	between share/other/cold 0 "$LEFT" "$(cached big 0 "${BIG}"M)"
	case $FS in overlay) return ;; esac
	"$BIN/range" warm big 20M 36M
	other cat big >/dev/null
	stays share/other/part $((16 * MIB)) big 20M 36M
	between share/other/part-cold 0 "$LEFT" $(($(cached big 0 20M) + $(cached big 36M "${BIG}"M)))
	"$BIN/cachewatch" warm big small
	other cat big small >/dev/null
	stays share/other/hot $((BIG * MIB)) big 0 "${BIG}"M
	stays share/other/small 196608 small 0 192K
	cold small
	other head -c 100 small >/dev/null
	between share/other/small-cold 0 "$LEFT" "$(cached small 0 192K)"
}

# Somebody else's file that this user may write: the kernel tells, but grants no lease on it. On
# overlayfs it is mincore(2) that is asked.
not_owned() {
	chmod 666 big
	noise "$BIG" src
	cold big
	"$BIN/range" warm big 8M 16M
	other cat big >/dev/null
	stays share/not-owned/hot $((8 * MIB)) big 8M 16M
	between share/not-owned/cold 0 "$LEFT" $(($(cached big 0 8M) + $(cached big 16M "${BIG}"M)))
	other dd if=src of=big conv=notrunc bs=4M status=none
	stays share/not-owned/written-hot $((8 * MIB)) big 8M 16M
	is share/not-owned/bytes '' "$(cmp src big 2>&1)"
}

# A file of a container's image: overlayfs shows the pages of the one below.
image() {
	case $FS in ext4 | xfs | btrfs) ;; *) return 0 ;; esac
	mkdir lower upper over shown
	ln big lower/big
	if mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=over overlay shown 2>/dev/null; then
		cold big
		run cat shown/big >/dev/null
		between share/image/cold 0 "$LEFT" "$(cached big 0 "${BIG}"M)"
		"$BIN/range" warm big 8M 16M
		run cat shown/big >/dev/null
		stays share/image/hot $((8 * MIB)) big 8M 16M
		between share/image/part-cold 0 "$LEFT" $(($(cached big 0 8M) + $(cached big 16M "${BIG}"M)))
		umount shown
	fi
	rm -rf lower upper over shown
}

# A descriptor that is for writing only tells less: on overlayfs nothing of what was there before.
write_only() {
	cold big
	"$BIN/range" warm big 0 8M
	run dd if=src of=big bs=1M count=4 conv=notrunc status=none
	stays share/write-only/hot $((8 * MIB)) big 0 8M
	[ "$FS" != overlay ] || is share/write-only/named keep-unknown "$(reason big | cut -d' ' -f2)"
	cold big
	run dd if=src of=big bs=1M status=none
	between share/write-only/new 0 "$LEFT" "$(cached big 0 "${BIG}"M)"
}

share() {
	make "$BIG" big
	noise "$BIG" src
	readers
	side_by_side
	inodes
	drops || return 0
	mapped
	mapped_at_end
	write_only
	other_user
	not_owned
	image
}
