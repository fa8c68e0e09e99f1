# shellcheck shell=sh
# lmdb, Berkeley DB, tdb: written maps, fcntl locks, F_SETFL with O_DIRECT.
packages lmdb-utils db-util tdb-tools

prepare() {
	text in/text
	awk '{ print $1; print }' in/text >in/pairs
	printf 'VERSION=3\nformat=print\ntype=btree\nmapsize=%d\nHEADER=END\n' $((SIZE * 4)) >in/dump
	sed 's/^/ /' in/pairs >>in/dump
	echo DATA=END >>in/dump
	aged in/pairs in/dump
}

run_lmdb() {
	mkdir out/db out/copy
	mdb_load -f in/dump out/db
	mdb_dump out/db >out/dump
	mdb_copy out/db out/copy
	mdb_copy -c out/db >out/compact
	mdb_dump out/copy | cmp - out/dump
	mdb_stat -a out/db
	rm out/*/lock.mdb
}

run_bdb() {
	db_load -T -t btree -f in/pairs out/btree.db
	db_load -T -t hash -f in/pairs out/hash.db
	db_dump out/btree.db >out/btree
	db_dump out/hash.db | sort >out/hash
	db_verify out/btree.db out/hash.db
}
view_bdb() { mv out/btree out/hash view && db_dump -p out/btree.db >view/alone && db_dump -p out/hash.db | sort >view/hashed; }

run_tdb() {
	head -n 20000 in/text | awk '{
		key = sprintf("%s\\00", $1)
		print "{\nkey(" length($1) + 1 ") = \"" key "\"\ndata(" length($0) ") = \"" $0 "\"\n}"
	}' | tdbrestore out/a.tdb
	tdbdump out/a.tdb >out/dump
	tdbbackup.tdbtools -s .bak out/a.tdb
	tdbtool out/a.tdb check
}
