# form.awk - how numbers, names and times are written, the same in text and in a page.

function human(n,    unit) {
	if (n < 0)
		return "?"
	if (n < 1024)
		return sprintf("%.0f", n)
	for (unit = 1; n >= 1023.5 && unit < 7; unit++)
		n /= 1024
	return sprintf(n < 9.95 ? "%.1f%s" : "%.0f%s", n, substr(" KMGTPE", unit, 1))
}

function signed(n) {
	return n < 0 ? "-" human(-n) : "+" human(n)
}

function duration(secs) {
	if (secs < 99.95)
		return sprintf(secs < 9.995 ? "%.2fs" : "%.1fs", secs)
	if (secs < 5999.5)
		return sprintf("%.0fm%02.0fs", int((secs + 0.5) / 60), int(secs + 0.5) % 60)
	return sprintf("%.0fh%02.0fm", int((secs + 30) / 3600), int((secs + 30) / 60) % 60)
}

# A sum of n values of which some were not known.
function partly(sum, unknown, n) {
	return unknown == 0 ? human(sum) : unknown >= n ? "?" : human(sum) "+"
}

# Of a file only one record says what was cached before, and one what after.
function before_of(s, kind) {
	return partly(before[s], no_before[s], kind == "file" && s != kind ? 1 : records[s])
}

function after_of(s, kind) {
	return partly(after[s], no_after[s], kind == "file" && s != kind ? 1 : records[s])
}

function dropped_of(s) {
	return partly(dropped[s], no_dropped[s], records[s])
}

# A name as the log has it, but blanks as themselves; what could move a terminal's cursor or
# turn the direction of the text (C1 controls, bidirectional marks) as %XX too.
function legible(name,    out, i, n) {
	gsub(/%20/, " ", name)
	while (match(name, /\302[\200-\237]|\342\200[\216\217\250-\256]|\342\201[\246-\251]|\357\277[\276\277]/)) {
		out = out substr(name, 1, RSTART - 1)
		n = RSTART + RLENGTH
		for (i = RSTART; i < n; i++)
			out = out sprintf("%%%02X", 127 + index(high_bytes, substr(name, i, 1)))
		name = substr(name, n)
	}
	return out name
}

# What a group is called in a table.
function label(s, kind) {
	return kind == "reason" && name_of[s] == "-" ? "- (as asked)" : legible(name_of[s])
}

# The columns that a text takes: none for what continues a character, two for East Asian ones
# and others outside the basic plane.
function width(s,    wide, trailing) {
	if (s !~ /[\200-\377]/)
		return length(s)
	wide = gsub(/[\343-\357\360-\364]/, "&", s)
	trailing = gsub(/[\200-\277]/, "", s)
	return length(s) + wide
}

# The end of a text that fits into `room` columns; no half a character.
function fitted(s, room,    over) {
	if (width(s) <= room)
		return s
	while ((over = width(s) + 3 - room) > 0) {
		s = substr(s, over > 1 ? int(over / 2) + 1 : 2)
		sub(/^[\200-\277]+/, "", s)
	}
	return "..." s
}

# What was asked for, where it is not what was done and auto did not choose.
function why_not(s) {
	return why[s] == "-" || why[s] == asked[s] ? "" : asked[s] " was asked for: " why[s]
}

# What the page cache of the machine gained while the process ran.
function change_of(i) {
	return process_before[i] < 0 || process_after[i] < 0 ? "?" : \
		signed(process_after[i] - process_before[i])
}

function plural(n, one, many) {
	return sprintf("%.0f %s", n, n == 1 ? one : many)
}

# The files of a log; a number that may count some twice is said to be one.
function files_read() {
	return (recounted["file"] ? "up to " : "") plural(distinct["file"], "file", "files")
}

# What stands for the groups that have no row of their own.
function rest_name(kind) {
	return "and " (recounted[kind] ? "up to " : "") plural(groups[kind], "more " kind, \
		kind == "policy" ? "more policies" : "more " kind "s")
}

# 2026-01-02T03:04:05.678Z as 2026-01-02 03:04:05
function clock(time) {
	return substr(time, 1, 10) " " substr(time, 12, 8)
}

function span(    from, to) {
	from = clock(first_time)
	to = clock(last_time)
	if (from == to)
		return from " UTC"
	return from " to " (substr(from, 1, 10) == substr(to, 1, 10) ? substr(to, 12) : to) " UTC"
}

function damage(    i, text) {
	text = plural(damaged, "line is no record", "lines are no records")
	for (i = 1; i <= damaged && i <= 5; i++)
		text = text (i == 1 ? ": " : ", ") legible(damaged_names[i])
	return text (damaged > 5 ? sprintf(" and %.0f more", damaged - 5) : "")
}

function wanted(kind) {
	return by == "" || index("," by ",", "," kind ",") > 0
}

BEGIN {
	for (i = 128; i < 256; i++)
		high_bytes = high_bytes sprintf("%c", i)
}
