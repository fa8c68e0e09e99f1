# shellcheck shell=sh
# mariadb: io_uring with O_DIRECT, O_TMPFILE, O_APPEND, and its backup program.
packages mariadb-server mariadb-backup
watch 'out/data/test/*' 'out/backup/test/*'

prepare() {
	text in/text $((SIZE / 16))
	chmod 755 .
}

socket="$PWD/out/socket"
sql() { mariadb --no-defaults -u root -S "$socket" "$@"; }

# server DIRECTORY COMMAND...: with a server on it.
server() {
	data=$1
	shift
	mariadbd --no-defaults --user=root --datadir="$PWD/$data" --socket="$socket" --skip-networking \
		--innodb-buffer-pool-size=16M --log-bin=log --pid-file="$PWD/out/pid" 2>>out/server.log &
	server=$!
	await sql -e 'SELECT 1'
	"$@"
	mariadb-admin --no-defaults -u root -S "$socket" shutdown
	wait $server
}

work() {
	sql -e 'CREATE DATABASE test'
	for engine in InnoDB Aria MyISAM; do
		sql test -e "CREATE TABLE t$engine(a varchar(20), k varchar(20), c varchar(20), d varchar(20), n int PRIMARY KEY, KEY(k)) ENGINE=$engine"
		sql --local-infile test -e "LOAD DATA LOCAL INFILE 'in/text' INTO TABLE t$engine FIELDS TERMINATED BY ' '"
		sql test -e "UPDATE t$engine SET c = 'changed' WHERE n % 7 = 0; ALTER TABLE t$engine ADD x int DEFAULT 5; CHECK TABLE t$engine"
	done
	sql test -e "SELECT * INTO OUTFILE '$PWD/out/exported' FROM tInnoDB ORDER BY n"
	mariadb-dump --no-defaults -u root -S "$socket" --skip-dump-date test >out/dump.sql
	mariadb-backup --no-defaults --backup -u root -S "$socket" --datadir="$PWD/out/data" --target-dir="$PWD/out/backup" 2>out/backup.log
}

run_all() {
	mariadb-install-db --no-defaults --user=root --datadir="$PWD/out/data" --auth-root-authentication-method=normal \
		--skip-test-db >out/install.log 2>&1
	server out/data work
	mariadb-backup --no-defaults --prepare --target-dir="$PWD/out/backup" 2>>out/backup.log
}

view_all() {
	mv out/exported out/dump.sql view
	server out/data of_server >view/data.sql
	server out/backup of_server >view/backup.sql
}
of_server() {
	mariadb-dump --no-defaults -u root -S "$socket" --skip-dump-date test
	sql test -e 'CHECK TABLE tInnoDB, tAria, tMyISAM; CHECKSUM TABLE tInnoDB, tAria, tMyISAM'
}
