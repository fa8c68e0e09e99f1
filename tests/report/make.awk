# make.awk - a log to report on: `lines` records of `files` files, as text or (json=1) as JSON.
function next_number(most) {
	seed = (seed * 16807) % 2147483647
	return seed % most
}

function put(key, value, quoted) {
	if (json)
		line = line (line == "" ? "{" : ",") "\"" key "\":" (quoted ? "\"" value "\"" : value)
	else
		line = line (line == "" ? "" : " ") key "=" value
}

function put_head(type, i) {
	line = ""
	put("v", 1)
	put("type", type, 1)
	put("time", sprintf("2026-02-%02dT%02d:%02d:%02d.%03dZ", 27 + int(i / 86400) % 2, int(i / 3600) % 24, \
		int(i / 60) % 60, i % 60, i % 1000), 1)
	put("pid", 100 + i % 50)
	put("prog", program[1 + i % 3], 1)
}

function file_line(i,    n, bytes, held) {
	n = next_number(files)
	bytes = next_number(2147483646) * (1 + n % 7)
	held = next_number(20000000)
	put_head("file", i)
	put("path", sprintf(json ? "/srv/a place/%d<b>&'%%0A.img" : "/srv/a%%20place/%d<b>&'%%0A.img", n), 1)
	put("fs", "ext4", 1)
	put("mode", "r", 1)
	put("policy", policy[1 + n % 3], 1)
	put("asked", n % 2 ? "auto" : "direct", 1)
	put("reason", n % 2 ? "auto" : policy[1 + n % 3] == "direct" ? "-" : "no-direct", 1)
	put("size", bytes)
	put("read", n % 2 ? bytes : 0)
	put("written", n % 2 ? 0 : bytes)
	put("reads", 3)
	put("writes", 3)
	put("direct", n % 3 ? 0 : bytes)
	put("bounced", n % 3 ? 0 : 4096)
	put("cached_before", n % 11 ? n % 5 * 4096 : -1)
	put("cached_after", n % 11 ? n % 4 * 4096 : -1)
	put("dirty_after", 0)
	put("peak", n % 11 ? held : -1)
	put("dropped", held)
	put("secs", sprintf("%d.%06d", n % 9, n))
	print line (json ? "}" : "")
}

function process_line(i) {
	put_head("process", i)
	put("files", 2)
	put("read", 1)
	put("written", 1)
	put("direct", 0)
	put("bounced", 0)
	put("dropped", 0)
	put("cached_before", 3000000000)
	put("cached_after", 3000000000 + (i % 2 ? 1 : -1) * i * 4096)
	put("swap_in", 4096 * (i % 3))
	put("swap_out", 0)
	put("secs", sprintf("%d.5", i % 100))
	print line (json ? "}" : "")
}

BEGIN {
	seed = 42
	split("cp tar rsync", program, " ")
	split("direct dontneed dontcache", policy, " ")
	for (i = 1; i <= lines; i++)
		if (i % 7)
			file_line(i)
		else
			process_line(i)
}
