# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Sourced by run and thereby by every table: rounds, one measured run, the figures it leaves.
#
# A section is a file of lines that render.awk reads, fields parted by tabs:
#   title TEXT | note TEXT | columns SPEC            (render.awk knows them)
#   value ROW ROUND KEY VALUE                        round 0 is watched and not timed
# ROW is a policy, `plain`, or another way's name; a group's rows are `GROUP:ROW`.

title() { printf 'title\t%s\n' "$*" >>"$SECTION"; }
note() { printf 'note\t%s\n' "$*" >>"$SECTION"; }
columns() { (IFS='|' && printf 'columns\t%s\n' "$*") >>"$SECTION"; }
# how_measured: the note that every table of rounds begins with.
how_measured() {
	note "Ratios to plain of the same round, median [least-most] of $ROUNDS interleaved rounds, after a" \
		"round that is watched (peak, left: page cache of the files) and not timed. Plain with a warm" \
		"page cache allocator, and every row alike: before each run as much memory as plain fills was" \
		"in use, and was released while it ran (warm.c). CPU: of the program, no kernel threads."
}
# value ROW KEY VALUE
value() { printf 'value\t%s\t%s\t%s\t%s\n' "$1" "$ROUND" "$2" "$3" >>"$SECTION"; }

# section: starts one; with the one before, if any, printed.
section() {
	SECTIONS=$((SECTIONS + 1))
	SECTION=$SCRATCH/section.$(printf %03d $SECTIONS)
	: >"$SECTION"
	GROUP='' HOLDS=0
	title "$@"
}

# shown: prints the section that is complete.
shown() {
	awk -v mode=text -f "$BENCH/render.awk" "$SECTION"
	! grep -q "	error	WRONG" "$SECTION" || : >"$SCRATCH/wrong"
	echo
}

bytes() { numfmt --from=iec "$1"; }
human() { numfmt --to=iec "$1"; }

# room BYTES: fails, and says so, where the directory has not so much.
room() {
	free=$(df -Pk "$HERE" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge $(($1 / 1024)) ] && return
	title "$TABLE: SKIP: wants $(human "$1") of room, $(human $((free * 1024))) are free"
	return 1
}

# made SIZE FILE: the file is SIZE bytes of the pattern.
made() {
	[ "$(stat -c %s "$2" 2>/dev/null)" = "$1" ] || "$BIN/cachewatch" make "$1" "$2" || exit 1
}

# cold FILE...: nothing of it is in the page cache, or the bench ends: a warm run is another thing.
cold() { "$BIN/cachewatch" drop "$@" || exit 1; }

# each_round FUNCTION ROW...: round 0, then ROUNDS times all rows in turn, each time from another
# one on, so that none always follows the same. FIRST=1 leaves round 0 out.
each_round() {
	function=$1
	shift
	ROUND=$FIRST
	rm -f "$SCRATCH/peaks"
	while [ "$ROUND" -le "$ROUNDS" ]; do
		for row; do
			[ ! -t 2 ] || printf '\r\033[K%s %s, %s of %s' "$TABLE" "$GROUP$row" "$ROUND" "$ROUNDS" >&2
			"$function" "$row"
		done
		first=$1
		shift
		set -- "$@" "$first"
		ROUND=$((ROUND + 1))
	done
	[ ! -t 2 ] || printf '\r\033[K' >&2
}

# run ROW COMMAND...: runs it under the row's policy; its figures go to the section. Set before:
#   WATCH     files whose page cache is watched in round 0 (globs are cachewatch's)
#   HOLDS     bytes of page cache that a run may fill, where they cannot be watched
#   LOGGED    1: the log is written in all rounds; 0: in round 0 only
# Sets status. Standard output must hold figures like `ns=1 bytes=2`; empty: none.
run() {
	ROW=$GROUP$1 POLICY=$1
	shift
	: >"$SCRATCH/log"
	log=
	case " $WITHOUT " in
	*" $POLICY "*) ;;
	*)
		[ "$LOGGED" = 0 ] && [ "$ROUND" != 0 ] || log=$SCRATCH/log
		set -- env LD_PRELOAD="$LIB" NOCACHE_RULES="\"$HERE\"/** $POLICY" \
			NOCACHE_LOG="$log" "$@"
		;;
	esac
	if [ "$ROUND" = 0 ]; then
		# shellcheck disable=SC2086 # names are parted by blanks, none is in them
		set -- "$BIN/cachewatch" run -s 100 -o "$SCRATCH/watched" $WATCH -- "$@"
	else
		set -- "$BIN/warm" "$(memory)" "$@"
	fi
	(cd "$HERE" && "$@") >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
	status=$?
	[ $status = 0 ] || refused "$(tail -1 "$SCRATCH/err")"
	figures "$SCRATCH/out"
	how=$(treated)
	value "$ROW" how "$how"
	[ -z "$log" ] || [ "$status" != 0 ] || [ "$how" != - ] ||
		refused 'WRONG: no file was treated'
	[ "$ROUND" != 0 ] || watched
}

# memory: what the row that fills most of the page cache filled in round 0, and a little more. The
# same for every row: one that drops what it has moved takes as many pages, one after the other.
memory() {
	peak=$(sort -n "$SCRATCH/peaks" 2>/dev/null | tail -1)
	[ "${peak:-0}" -ge "$HOLDS" ] || peak=$HOLDS
	echo $((peak + (128 << 20)))
}

# figures FILE: each KEY=VALUE of it.
figures() {
	# shellcheck disable=SC2013 # words are meant
	for figure in $(cat "$1"); do
		case $figure in
		[a-z]*=*) value "$ROW" "${figure%%=*}" "${figure#*=}" ;;
		esac
	done
}

# refused WHY: an error's word in place of figures, as the program or libc says it.
refused() {
	why=$(printf '%s' "$1" | sed "s|$HERE/||g" | tr '\t' ' ')
	case $why in
	*'Invalid argument'*) why=EINVAL ;;
	esac
	value "$ROW" error "${why:-status $status}"
}

# right WHY...: the row's result is right, or its figures are worth nothing.
right() {
	"$@" >"$SCRATCH/out" 2>&1 || refused "WRONG: $(tail -1 "$SCRATCH/out" | sed "s|^WRONG ||")"
}

# watched: the most page cache that the watched files held together, and what they hold at the end.
# Sums of single peaks: an upper bound.
watched() {
	awk '{
		for (i = NF - 4; i <= NF; i++) {
			split($i, pair, "=")
			sum[pair[1]] += pair[2]
		}
	} END {
		print "peak=" sum["peak"] " left=" sum["end"]
	}' "$SCRATCH/watched" >"$SCRATCH/sums"
	figures "$SCRATCH/sums"
	sed 's/peak=\([0-9]*\).*/\1/' "$SCRATCH/sums" >>"$SCRATCH/peaks"
}

# treated: the policies that the log says were really done here, each with its reason.
treated() {
	awk '/ type=file / {
		policy = reason = ""
		for (i = 1; i <= NF; i++) {
			if ($i ~ /^policy=/) policy = substr($i, 8)
			if ($i ~ /^reason=/) reason = substr($i, 8)
		}
		if (reason != "-") policy = policy "/" reason
		if (!seen[policy]++) said = said (said == "" ? "" : " ") policy
	} END { print said == "" ? "-" : said }' "$SCRATCH/log"
}
