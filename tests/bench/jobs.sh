# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # shared with lib.sh
# Table jobs: real programs at their common jobs, each plain and under every policy.
#   BENCH_JOBS="cp rsync ..."     a choice of them; BENCH_FILES=10000 small files of 16 KiB
JOBS='cp tar-big rsync dd-1M dd-4k dd-1000 cat md5sum random cp-small tar-small untar-small sqlite git'
POLICIES_HERE='plain auto direct dontneed dontcache'
FILES=${BENCH_FILES:-10000} SMALL=16384

# What a job needs is made when it is first asked for.
job_file() { made "$JOB" "$HERE/src"; }
job_tree() {
	[ ! -d "$HERE/tree" ] || return 0
	mkdir "$HERE/tree"
	head -c $((FILES * SMALL)) /dev/urandom | (cd "$HERE/tree" && split -a 4 -b $SMALL - f)
	(cd "$HERE" && tar cf tree.tar tree)
}
job_rows() {
	job_file
	[ -f "$HERE/rows.csv" ] || head -c $((JOB / 16)) "$HERE/src" | base64 -w 300 |
		nl -s, -w 1 >"$HERE/rows.csv"
}
job_repository() {
	job_tree
	[ ! -d "$HERE/repository" ] || return 0
	(mkdir "$HERE/repository" && cd "$HERE/repository" && cp -r ../tree . && git init -q &&
		git config gc.auto 0 && git add . &&
		git -c user.name=b -c user.email=b commit -qm b && git gc -q) || exit 1
}

# emptied: out/ is. What holds many files is put aside and not deleted before the end: ext4 does not
# use an inode again for minutes (fs/ext4/ialloc.c, recently_deleted()) and would look for others
# longer than the whole job takes.
emptied() {
	if [ "$HOLDS" = 0 ]; then
		rm -rf "$HERE/out"
	elif [ -d "$HERE/out" ]; then
		mkdir -p "$HERE/aside"
		mv "$HERE/out" "$HERE/aside/$(find "$HERE/aside" -mindepth 1 -maxdepth 1 | wc -l)"
	fi
	mkdir "$HERE/out"
}

# job NAME: sets needs, reads (files that start cold), WATCH, LOGGED, command and proof: a command
# that fails where the result is wrong. Commands run in HERE; out/ is empty at their start.
# shellcheck disable=SC2016 # for eval and the inner shell
job() {
	needs=job_file reads=src WATCH='src out/*' LOGGED=1 HOLDS=0
	proof='"$BIN/mover" check out/copy "$JOB"'
	case $1 in
	cp) command='cp --reflink=never src out/copy' ;;
	tar-big) command='tar cf out/copy src' proof='tar xOf out/copy | cmp - src' ;;
	rsync) command='rsync src out/copy' ;;
	dd-1M) command='dd if=src of=out/copy bs=1M status=none' ;;
	dd-4k) command='dd if=src of=out/copy bs=4k status=none' ;;
	dd-1000) command='dd if=src of=out/copy bs=1000 status=none' ;;
	cat) command='cat src >/dev/null' proof=true WATCH=src ;;
	md5sum) command='md5sum src >out/sum' proof='plain_sum && cmp sum out/sum' WATCH=src ;;
	random)
		command='"$BIN/mover" random "$PWD/src" 50000 4096 >out/said' WATCH=src
		proof='grep -q "^bytes=204800000 " out/said'
		;;
	cp-small) small "$1" && command='cp -r tree out/copy' proof='diff -r tree out/copy' ;;
	tar-small) small "$1" && command='tar cf out/copy tree' proof='tar df out/copy' ;;
	untar-small)
		small "$1" && command='tar xf tree.tar -C out' proof='diff -r tree out/tree' reads='tree.tar'
		WATCH='tree.tar out/tree/*'
		;;
	sqlite)
		needs=job_rows reads=rows.csv WATCH='rows.csv out/db'
		command="sqlite3 -csv out/db 'create table t(n integer primary key, b text)' '.import rows.csv t'"
		proof='sqlite3 out/db "select n, b from t order by n" -csv | cmp - rows.csv'
		;;
	git)
		needs=job_repository reads='repository/.git/objects/pack/*'
		LOGGED=0 HOLDS=$((FILES * SMALL * 3))
		WATCH='out/clone/tree/* out/clone/.git/objects/pack/*'
		command='git clone -q --no-local repository out/clone' proof='diff -r tree out/clone/tree'
		;;
	*) return 1 ;;
	esac
}
small() {
	needs=job_tree reads='tree/*' WATCH='tree/* out/copy' LOGGED=0 HOLDS=$((FILES * SMALL * 2))
	[ "$1" != cp-small ] || WATCH='tree/* out/copy/*'
}
plain_sum() { [ -f "$HERE/sum" ] || (cd "$HERE" && md5sum src >sum && "$BIN/cachewatch" drop src); }

# proven: the result of the job is right; what it cached meanwhile goes.
proven() {
	(cd "$HERE" && eval "$proof")
}

job_row() {
	emptied
	# shellcheck disable=SC2086 # a list of names and globs
	(cd "$HERE" && set -- $reads && "$BIN/cachewatch" drop "$@") || exit 1
	run "$1" "$BIN/stopwatch" "$SCRATCH/time" "$HERE/out" sh -c "exec $command"
	figures "$SCRATCH/time"
	[ "$status" != 0 ] || right proven
}

jobs_table() {
	section "jobs: real programs, files of $(human "$JOB"), $FILES small files of" \
		"$((SMALL / 1024)) KiB, from cold"
	how_measured
	note 'Times as multiples of plain: until the command returns, and until its whole file system is' \
		'durable (syncfs). What a job of small files fills is taken from their size; its peak is not' \
		'the sum but that of the largest file. Those jobs are logged in the watched round only.'
	columns 'times:durable=durable time x' 'ratio:ns=return time x' 's:durable=durable s' \
		'size:peak=peak' 'size:left=left' 'text:how=treated as'
	for name in ${BENCH_JOBS:-$JOBS}; do
		job "$name" || { note "no job $name"; continue; }
		command -v "${command%% *}" >/dev/null || [ "${command#\"}" != "$command" ] ||
			{ note "SKIP $name: no ${command%% *}"; continue; }
		$needs
		GROUP=$name:
		# shellcheck disable=SC2086
		each_round job_row $POLICIES_HERE
	done
}

# Each row of each round of four jobs is put aside, and a clone holds its files twice over.
if room $((JOB * 5 / 2 + FILES * SMALL * 6 * 5 * (ROUNDS + 1))); then
	jobs_table
fi
shown
LOGGED=1
