# shellcheck shell=sh
# postgresql: the server and its own cache, pg_dump, pg_basebackup, COPY.
packages postgresql
watch 'out/data/pg_wal/*' 'out/dump.d/*'
apart 'all' 'several processes share each file'

prepare() {
	text in/text
	chmod 755 .
}

programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -1)
PATH="$programs:$PATH"
export PGHOST="$PWD/out/socket" PGDATABASE=postgres PGUSER=nobody LC_ALL=C TZ=UTC

# server DIRECTORY COMMAND...: with a server on it.
server() {
	data=$1
	shift
	nobody pg_ctl -w -s -D "$data" -l out/server.log \
		-o "-c listen_addresses='' -c unix_socket_directories=$PGHOST -c wal_level=replica -c shared_buffers=16MB -c autovacuum=off" start
	"$@"
	nobody pg_ctl -w -s -D "$data" -m fast stop
}

work() {
	nobody psql -qX -c 'CREATE TABLE t(a text, k text, c text, d text, n int PRIMARY KEY)'
	nobody psql -qX -c "COPY t FROM STDIN DELIMITER ' '" <in/text
	nobody psql -qX -c "UPDATE t SET c = 'changed' WHERE n % 7 = 0; CREATE INDEX ON t(k)" -c 'VACUUM FULL t' -c CHECKPOINT
	nobody pgbench -q -i -s 2 2>out/pgbench.said
	nobody pgbench -n -c 4 -t 100 >>out/pgbench.said 2>&1
	nobody psql -qAtX -c 'SELECT sum(abalance) - (SELECT sum(delta) FROM pgbench_history) FROM pgbench_accounts'
	nobody psql -qX -c 'COPY (SELECT * FROM t ORDER BY n) TO STDOUT' >out/copied
	nobody pg_dump -t t >out/dump.sql
	nobody pg_dump -Fc -t t -f out/dump.c
	nobody pg_dump -Fd -j 2 -t t -f out/dump.d
	nobody pg_basebackup -D out/base -c fast -X stream
}

run_all() {
	mkdir -m 700 out/data
	mkdir out/socket
	chown -R nobody:nogroup out
	nobody initdb -D out/data -A trust --no-instructions >out/initdb.said
	server out/data work
}

# What is in the data directory and in the copy of it, by a server alone, and what is in the dumps.
view_all() {
	mv out/copied out/dump.sql view
	pg_restore -f view/from.c out/dump.c
	pg_restore -f view/from.d out/dump.d
	nobody pg_checksums --check -D out/data >/dev/null 2>&1 || :
	server out/data of_server >view/data.sql
	server out/base of_server >view/base.sql
	sed -i '/^\\\(un\)\{0,1\}restrict /d' view/*	# followed by a new secret each time
}
of_server() {
	nobody pg_dump -t t
	nobody psql -qAtX -c 'SELECT count(*), sum(hashtext(t::text)) FROM t'
	nobody psql -qAtX -c 'SELECT sum(abalance) - (SELECT sum(delta) FROM pgbench_history) FROM pgbench_accounts'
}
