# shellcheck shell=sh
# bacula: three daemons with threads on loopback, holes, blocks of 64512 bytes.
packages bacula-director bacula-director-sqlite3 bacula-sd bacula-fd bacula-console sqlite3
watch 'out/volumes/*' out/restored/in/big

prepare() {
	tree in/tree
	big in/big
	holes in/holes
	mkdir etc
	both="WorkingDirectory = $PWD/out/work; PidDirectory = $PWD/out/work"
	director='Director { Name = dir; Password = p }'
	cat >etc/dir <<-END
	Director { Name = dir; DirAddress = 127.0.0.1; QueryFile = /dev/null; $both; Password = p; Messages = all }
	Job { Name = backup; Type = Backup; Level = Full; Client = fd; FileSet = all; Storage = sd; Pool = pool; Messages = all }
	Job { Name = restore; Type = Restore; Client = fd; FileSet = all; Storage = sd; Pool = pool; Messages = all }
	FileSet { Name = all; Include { Options { signature = MD5; sparse = yes }
		File = $PWD/in } }
	Client { Name = fd; Address = 127.0.0.1; Catalog = catalog; Password = p }
	Storage { Name = sd; Address = 127.0.0.1; Device = file; MediaType = File; Password = p }
	Catalog { Name = catalog; dbname = bacula; dbuser = ""; dbpassword = "" }
	Pool { Name = pool; PoolType = Backup; LabelFormat = volume }
	Messages { Name = all; append = "$PWD/out/messages" = all }
	END
	cat >etc/sd <<-END
	Storage { Name = sd; SDAddress = 127.0.0.1; $both }
	$director
	Device { Name = file; MediaType = File; ArchiveDevice = $PWD/out/volumes; LabelMedia = yes; RandomAccess = yes
		AutomaticMount = yes; RemovableMedia = no; AlwaysOpen = no }
	Messages { Name = all; director = dir = all }
	END
	cat >etc/fd <<-END
	FileDaemon { Name = fd; FDAddress = 127.0.0.1; $both }
	$director
	Messages { Name = all; director = dir = all }
	END
	echo 'Director { Name = dir; Address = 127.0.0.1; Password = p }' >etc/console
}

run_all() {
	mkdir out/work out/volumes
	sqlite3 out/work/bacula.db <"$(dpkg -L bacula-director-sqlite3 | grep "/install/sqlite3$")"
	daemons=
	for daemon in sd fd dir; do
		bacula-$daemon -f -c etc/$daemon &
		daemons="$daemons $!"
	done
	await listening 9101 && await listening 9102 && await listening 9103
	bconsole -c etc/console >out/console <<-END
	run job=backup yes
	wait
	restore client=fd where=$PWD/out/restored select current all done yes
	wait
	quit
	END
	# shellcheck disable=SC2086 # numbers are words
	kill $daemons
	wait
	grep -c 'Termination: *\(Backup\|Restore\) OK' out/messages
}
view_all() { mv "out/restored$PWD/in" view; }
