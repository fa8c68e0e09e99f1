# shellcheck shell=sh
# duplicity, rdiff-backup: librsync over stdio on duplicated descriptors, vfork.
packages duplicity rdiff-backup

prepare() {
	tree in/tree
	big in/big
	text in/text
}

duplicity_here() { duplicity --no-encryption --archive-dir "$PWD/out/archive" --tempdir "$PWD/out" "$@"; }

before_duplicity() { mkdir out/data && cp -a in/tree in/text out/data; }
run_duplicity() {
	duplicity_here full out/data "file://$PWD/out/repo"
	cp -p in/big out/data/text
	duplicity_here incremental out/data "file://$PWD/out/repo"
	duplicity_here verify "file://$PWD/out/repo" out/data
	duplicity_here restore "file://$PWD/out/repo" out/restored
} >/dev/null
view_duplicity() { mv out/restored view && duplicity_here restore "file://$PWD/out/repo" view/alone >/dev/null; }

before_rdiff() { mkdir out/data && cp -a in/tree out/data && cp -p in/big out/data/file; }
run_rdiff() {
	rdiff-backup out/data out/repo
	(head -c 1000000 in/big && cat in/text && tail -c +1500000 in/big) >out/data/file
	sleep 1	# two increments of one second are refused
	rdiff-backup out/data out/repo
	rdiff-backup -r 1B out/repo out/first
	rdiff-backup -r now out/repo out/second
}
view_rdiff() { mv out/first out/second view; }
