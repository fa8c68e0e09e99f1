# table.awk - one line a job of what it cost bare, under auto and under direct.
# Reads `figure ROW JOB WAY KEY=VALUE...` lines. Times are of one run each: a hint, not a measure.

function mib(bytes) { return bytes < 0 ? "-" : sprintf("%d", bytes / 1048576 + 0.5) }

$1 == "figure" {
	job = $2 "/" $3
	if (!(job in seen))
		order[++jobs] = job
	seen[job] = 1
	for (i = 5; i <= NF; i++) {
		split($i, pair, "=")
		value[job, $4, pair[1]] = pair[2]
	}
}

function way(job, name, ratio) {
	if (!((job, name, "ns") in value))
		return sprintf(" %6s %5s %5s %6s %6s", "-", "-", "-", "-", "-")
	ratio = value[job, name, "ns"] / value[job, "bare", "ns"]
	return sprintf(" %6.2f %5s %5s %6s %6s", ratio, mib(value[job, name, "peak"]),
		mib(value[job, name, "left"]), mib(value[job, name, "moved"]), mib(value[job, name, "direct"]))
}

END {
	if (!jobs)
		exit
	print ""
	print "MiB of page cache: peak, the most that one watched file held; left, what all files hold at"
	print "the end; moved, what the shim saw; direct, what went past the cache. ratio: time to bare's."
	printf "%-28s %20s %33s %33s\n", "", "bare", "auto", "direct"
	head = sprintf(" %6s %5s %5s %6s %6s", "ratio", "peak", "left", "moved", "direct")
	printf "%-28s %8s %5s %5s%s%s\n", "row/job", "seconds", "peak", "left", head, head
	for (j = 1; j <= jobs; j++) {
		job = order[j]
		printf "%-28s %8.2f %5s %5s%s%s\n", job, value[job, "bare", "ns"] / 1000000000,
			mib(value[job, "bare", "peak"]), mib(value[job, "bare", "left"]),
			way(job, "auto"), way(job, "direct")
	}
}
