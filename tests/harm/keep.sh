# shellcheck shell=sh
# What was cached before the program came stays cached; the other pages go.

# MOVE|NAME: programs that read `big`.
movers() {
	cat <<'TABLE'
cat|run cat big >/dev/null
cp|run cp --reflink=never big dst
tar|run tar cf dst big
dd-4k|run dd if=big of=/dev/null bs=4k status=none
checked|run "$BIN/reader" big 100000 >/dev/null
TABLE
}

# WRITER|COMMAND: programs that write `src` over `big`; the last in one call.
writers() {
	cat <<'TABLE'
dd|run dd if=src of=big conv=notrunc bs=1M status=none
dd-4m|run dd if=src of=big conv=notrunc bs=4M status=none
sendfile|run /usr/bin/python3 -c "$SENDFILE"
TABLE
}
# shellcheck disable=SC2034 # for eval
SENDFILE='import os
source, target = os.open("src", os.O_RDONLY), os.open("big", os.O_WRONLY)
while os.sendfile(target, source, None, 64 << 20): pass'

# half NAME FROM TO: that part (MiB) is hot and stays so, to the page; the rest goes.
half() {
	from=$(($2 * MIB + 4096)) to=$(($3 * MIB))
	movers | while IFS='|' read -r mover command; do
		rm -f dst
		is "keep/$1/$mover/ready" '' "$(cold big; "$BIN/range" warm big "$from" "$to" 2>&1)"
		eval "$command"
		stays "keep/$1/$mover/hot" $((to - from)) big "$from" "$to"
		between "keep/$1/$mover/cold" 0 "$LEFT" $(($(cached big 0 "$from") + $(cached big "$to" "${BIG}M")))
		[ ! -f dst ] || between "keep/$1/$mover/copy" 0 "$LEFT" "$(cached dst 0 "${BIG}M")"
	done
}

# The kernel's readahead brings in folios of 2 MiB where the file system has them.
large_folios() {
	cold big
	"$BIN/cachewatch" warm big
	run cat big >/dev/null
	between keep/folios/hot $((BIG * MIB * 99 / 100)) $((BIG * MIB)) "$(cached big 0 "${BIG}M")"
	"$BIN/range" drop big "$((BIG / 2))M" "${BIG}M"
	before=$(cached big 0 "$((BIG / 2))M")
	run cat big >/dev/null
	stays keep/folios/half "$before" big 0 "$((BIG / 2))M"
	between keep/folios/cold 0 "$LEFT" "$(cached big "$((BIG / 2))M" "${BIG}M")"
}

# Written in place: hot pages stay hot, whatever writes them, and all do where a descriptor for writing
# only does not tell which those are (share.sh, write_only).
overwritten() {
	writers | while IFS='|' read -r writer command; do
		noise "$BIG" src
		cold big
		"$BIN/range" warm big 8M 16M
		eval "$command"
		stays "keep/overwritten/$writer/hot" $((8 * MIB)) big 8M 16M
		[ "$FS" = overlay ] || between "keep/overwritten/$writer/cold" 0 "$((MIB + LEFT))" \
			$(($(cached big 0 8M) + $(cached big 16M "${BIG}M")))
		is "keep/overwritten/$writer/bytes" '' "$(sync big; cmp src big 2>&1)"
	done
}

# A file that waits to be settled is opened again.
appended() {
	cold big
	"$BIN/range" warm big 0 1M
	# shellcheck disable=SC2016 # for the inner shell
	run sh -c 'for i in 1 2 3; do echo x >>big; done'
	stays keep/appended/hot "$MIB" big 0 1M
	"$BIN/range" cut big $((BIG * MIB))
}

# meanwhile NAME AT FROM TO: when the reader is at AT (MiB) a neighbour brings in that part (MiB).
meanwhile() {
	cold big
	rm -f go here
	mkfifo go here
	run "$BIN/reader" big 131072 "$2" <>go >here &
	{
		read -r _
		"$BIN/range" warm big "$3M" "$4M"
		echo
		read -r _
		echo
		read -r _
	} <here >go
	wait $!
	stays "keep/meanwhile-$1/hot" "$((($4 - $3) * MIB))" big "$3M" "$4M"
	between "keep/meanwhile-$1/cold" 0 "$LEFT" \
		$(($(cached big 0 "$3M") + $(cached big "$4M" "${BIG}M")))
}

keep() {
	make "$BIG" big
	if ! drops; then
		run cp big dst
		is keep/bytes '' "$(cmp big dst 2>&1)"
		return
	fi
	half first 0 $((BIG / 2))
	half last $((BIG / 2)) "$BIG"
	half middle 9 12
	large_folios
	meanwhile behind 24 10 14
	meanwhile ahead 4 34 38
	meanwhile long-behind 40 16 20
	overwritten
	appended
}
