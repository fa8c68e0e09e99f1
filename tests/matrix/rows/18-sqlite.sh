# shellcheck shell=sh
# sqlite3: locks, pwrite of 4, 24 and 4096 bytes, memory maps beside reads, dumps flushed at exit.
packages sqlite3
apart 'two' 'several processes change one file'

prepare() {
	text in/text
	sqlite3 in/db <<-END
	CREATE TABLE t(x TEXT, k TEXT, n INTEGER PRIMARY KEY);
	.separator " "
	CREATE TABLE raw(a, k, c, d, n);
	.import in/text raw
	INSERT INTO t SELECT a || c, k, n FROM raw;
	DROP TABLE raw;
	CREATE INDEX i ON t(k);
	END
	sqlite3 in/db .dump >in/dump
	aged in/db in/dump
}

run_load() { sqlite3 out/db <in/dump; }
run_load_wal() { (echo 'PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=100;' && cat in/dump) | sqlite3 out/db; }
run_load_synchronous() { (echo 'PRAGMA synchronous=FULL; PRAGMA page_size=1024;' && head -n 20000 in/dump && echo 'COMMIT;') | sqlite3 out/db; }
run_dump() { sqlite3 in/db .dump >out/dump; }
run_csv() { sqlite3 -csv in/db 'SELECT * FROM t ORDER BY x' >out/csv; }
run_backup() { sqlite3 in/db ".backup out/db" && sqlite3 out/db 'PRAGMA integrity_check'; }

before_change() { cp in/db out/db; }
run_change() {
	sqlite3 out/db "UPDATE t SET x = x || 'longer' WHERE n % 7 = 0; DELETE FROM t WHERE n % 5 = 0;"
	sqlite3 out/db 'VACUUM; PRAGMA integrity_check;'
	sqlite3 out/db "VACUUM INTO 'out/into'"
}

before_map() { cp in/db out/db; }
run_map() {
	sqlite3 out/db "PRAGMA mmap_size=268435456; UPDATE t SET k = 'k' || n % 99; SELECT count(*), k FROM t GROUP BY k;"
	sqlite3 out/db 'PRAGMA journal_mode=TRUNCATE; PRAGMA mmap_size=268435456; CREATE TABLE u AS SELECT * FROM t; PRAGMA integrity_check;'
}

before_two() { cp in/db out/db; }
run_two() {
	for i in 1 2 3 4; do
		sqlite3 -cmd '.timeout 60000' out/db "BEGIN IMMEDIATE; UPDATE t SET n = n + 10000000 * $i WHERE n % 4 = $i - 1 AND n < 10000; COMMIT;" &
	done
	wait
	sqlite3 out/db 'PRAGMA integrity_check; SELECT count(*), sum(n) FROM t;'
}
view_two() { sqlite3 out/db .dump >view/dump; }
