# condensed.awk - a line a row of the matrix, in Markdown: what its jobs had in the page cache.
# Reads a row's file, then its results, then the next row's. Of jobs that the shim cannot help
# (unhelped_JOB, apart) the note tells; the figures are of the others, where there are others.

function mib(bytes) { return sprintf("%d", bytes / 1048576 + 0.5) }

function most(way, what) {
	return (way, what) in top ? mib(top[way, what]) : "-"
}

function cells(way) { return most(way, "peak") " / " most(way, "left") }

# Takes a job's figures into the row's.
function take(job, way, what) {
	if (value[job, way, what] + 0 >= top[way, what] + 0)
		top[way, what] = value[job, way, what]
}

function take_all(also_apart, job, way, ways) {
	split("bare auto", ways)
	for (job in jobs)
		for (way in ways)
			if (also_apart || !(job in apart)) {
				take(job, ways[way], "peak")
				take(job, ways[way], "left")
			}
}

function finish(job, n, same, others) {
	if (title == "")
		return
	for (job in jobs) {
		n++
		same += !(job in failed)
		others += !(job in apart)
	}
	take_all(!others)
	tell_all()
	printf "| %s | %d of %d | %s | %s | %s |\n", title, same, n, cells("bare"), cells("auto"),
		others ? note : reason
	title = note = reason = unhelped = ""
	split("", jobs)
	split("", apart)
	split("", failed)
	split("", value)
	split("", top)
}

function joined(a, b) { return a (a == "" ? "" : "; ") b }

function tell(names, why) {
	note = joined(note, names ": " why)
	reason = joined(reason, why)
}

function tell_all() {
	if (unhelped != "")
		tell(unhelped, "not reached, and the user is told so")
}

BEGIN {
	print "| programs | jobs right | bare: peak / left | `auto`: peak / left | jobs that cannot be helped |"
	print "|---|---|---|---|---|"
}

/^# shellcheck shell=sh/ { finish(); next }
title == "" && /^# / { title = substr($0, 3); sub(/(: |\.$).*/, "", title); next }
/^apart / {
	split($0, quoted, "'")
	n = split(quoted[2], names, " ")
	for (i = 1; i <= n; i++)
		apart[names[i]] = 1
	tell(quoted[2], quoted[4])
}
/^unhelped_/ {
	job = substr($0, 10, index($0, "(") - 10)
	apart[job] = 1
	unhelped = unhelped (unhelped == "" ? "" : " ") job
}
/^figure / && ($4 == "bare" || $4 == "auto") {
	jobs[$3] = 1
	for (i = 5; i <= NF; i++) {
		split($i, pair, "=")
		value[$3, $4, pair[1]] = pair[2]
	}
}
/^(FAIL|SKIP) matrix\// { split($2, path, "/"); sub(/:$/, "", path[3]); failed[path[3]] = jobs[path[3]] = 1 }
END { finish() }
