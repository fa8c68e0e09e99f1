# read.awk - reads the records of a log, text or JSON, and adds them up.
#
# Every awk must give the same: no intervals in patterns, no lengths of arrays, no order of
# `for in`, no %d (some stop at 2^31); strings are bytes (LC_ALL=C).
#
# A group (a file, program, policy or reason) has a slot, the index of its sums:
#   records moved dropped before after peak, how many were not known (no_before ...), and of a
#   file how[], asked[], why[]: policy and reason of the record that moved most.
# Slots named by a kind hold what was folded, the slot "all" holds everything.
# At most `kept` groups of a kind are kept; then the smaller half is folded.

BEGIN {
	kept = top * 4 > 8192 ? top * 4 : 8192
	split("program policy reason file", kinds, " ")
	for (i = 1; i <= 4; i++)
		clear(kinds[i], "")
	clear("all", "")
	twenty_digits = "[0-9][0-9][0-9][0-9][0-9]"
	twenty_digits = twenty_digits twenty_digits twenty_digits twenty_digits
	known = "(-1|[0-9]+)"
	seconds = "[0-9]+(\\.[0-9]+)?"
	word = "[a-z][a-z0-9-]*"
	file_words = "^(-|" word ") (-|" word ") (-|" word ")$"
	file_numbers = "^[0-9]+ [0-9]+ [0-9]+ [0-9]+ " known " " known " " known " " known " " seconds "$"
	process_numbers = "^[0-9]+ [0-9]+ " known " " known " -?[0-9]+ -?[0-9]+ " seconds "$"
	moment = "^[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\\.[0-9]+)?Z$"
	# RFC 3629, section 4.
	tail = "[\200-\277]"
	utf8 = "^([\001-\177]|[\302-\337]" tail "|\340[\240-\277]" tail "|[\341-\354\356\357]" tail tail \
		"|\355[\200-\237]" tail "|\360[\220-\277]" tail tail "|[\361-\363]" tail tail tail \
		"|\364[\200-\217]" tail tail ")*$"
}

substr($0, 1, 1) == "\001" {
	log_name = substr($0, 2)
	log_names = log_names (log_names == "" ? "" : ", ") log_name
	log_count++
	line_number = 0
	next
}

{ line_number++ }

$0 != "" && !understood($0) {
	damaged++
	if (damaged <= 5)
		damaged_names[damaged] = log_name ":" line_number
}

# Adds the record in the line; false where it is none.
function understood(line) {
	if (line ~ /[\001-\037\177]/ || (line ~ /[\200-\377]/ && line !~ utf8))
		return 0
	split("", f)
	if (!(substr(line, 1, 1) == "{" ? json_fields(line) : text_fields(line)))
		return 0
	if (f["v"] != "1" || f["time"] !~ moment || f["prog"] == "")
		return 0
	return f["type"] == "file" ? file_record() : f["type"] == "process" ? process_record() : 0
}

function text_fields(line,    n, i, words, at, key) {
	n = split(line, words, " ")
	for (i = 1; i <= n; i++) {
		at = index(words[i], "=")
		key = substr(words[i], 1, at - 1)
		if (at < 2 || key in f)
			return 0
		f[key] = substr(words[i], at + 1)
	}
	return 1
}

# The names of a JSON record get the form that they have in a text record.
function json_fields(line,    item, key, value, at) {
	if (line !~ /\}$/)
		return 0
	line = "," substr(line, 2, length(line) - 2)
	while (match(line, /^, *"[a-z_0-9]+" *: *("([^"\\]|\\.)*"|[0-9.-]+) */)) {
		item = substr(line, 1, RLENGTH)
		line = substr(line, RLENGTH + 1)
		sub(/^, *"/, "", item)
		sub(/ *$/, "", item)
		at = index(item, "\"")
		key = substr(item, 1, at - 1)
		value = substr(item, at + 1)
		sub(/^ *: */, "", value)
		if (key in f)
			return 0
		f[key] = substr(value, 1, 1) == "\"" ? unquoted(value) : value
	}
	return line == ""
}

function unquoted(value,    out, at) {
	value = substr(value, 2, length(value) - 2)
	while ((at = index(value, "\\")) > 0) {
		out = out substr(value, 1, at - 1) substr(value, at + 1, 1)
		value = substr(value, at + 2)
	}
	out = out value
	gsub(/ /, "%20", out)
	return out
}

function file_record(    numbers, bytes) {
	if (f["path"] == "" || (f["policy"] " " f["asked"] " " f["reason"]) !~ file_words)
		return 0
	numbers = f["read"] " " f["written"] " " f["direct"] " " f["bounced"] " " f["cached_before"] " " \
		f["cached_after"] " " f["peak"] " " f["dropped"] " " f["secs"]
	if (numbers !~ file_numbers || numbers ~ twenty_digits)
		return 0
	bytes = f["read"] + f["written"]
	add_file(group("file", f["path"]), bytes)
	add(group("program", f["prog"]), bytes)
	add(group("policy", f["policy"]), bytes)
	add(group("reason", f["reason"]), bytes)
	add("all", bytes)
	read_bytes += f["read"]
	written_bytes += f["written"]
	direct_bytes += f["direct"]
	bounced_bytes += f["bounced"]
	spanned()
	if (paged)
		page_stream(bytes)
	return 1
}

# The first and the last moment of the log, by their names.
function spanned() {
	if (first_time == "" || f["time"] < first_time)
		first_time = f["time"]
	if (f["time"] > last_time)
		last_time = f["time"]
}

# The slot of a group.
function group(kind, name,    s) {
	if ((kind, name) in slot_of)
		return slot_of[kind, name]
	if (count[kind] + 0 >= kept)
		fold_half(kind)
	s = spares > 0 ? spare[spares--] : ++slots
	slot_of[kind, name] = s
	member[kind, ++count[kind]] = s
	clear(s, name)
	return s
}

function clear(s, name) {
	name_of[s] = name
	age[s] = ++ages
	records[s] = moved[s] = dropped[s] = before[s] = after[s] = 0
	no_dropped[s] = no_before[s] = no_after[s] = groups[s] = 0
	peak[s] = most[s] = -1
}

# Adds the record's figures to the sums of a slot.
function add(s, bytes) {
	records[s]++
	moved[s] += bytes
	if (f["dropped"] < 0) no_dropped[s]++; else dropped[s] += f["dropped"]
	if (f["cached_before"] < 0) no_before[s]++; else before[s] += f["cached_before"]
	if (f["cached_after"] < 0) no_after[s]++; else after[s] += f["cached_after"]
	if (f["peak"] + 0 > peak[s]) peak[s] = f["peak"] + 0
}

# Of a file it is the first `before` and the last `after` that count.
function add_file(s, bytes,    first_before, first_unknown) {
	first_before = before[s]
	first_unknown = no_before[s]
	after[s] = no_after[s] = 0
	add(s, bytes)
	if (records[s] > 1) {
		before[s] = first_before
		no_before[s] = first_unknown
	}
	if (bytes > most[s]) {
		most[s] = bytes
		how[s] = f["policy"]
		asked[s] = f["asked"]
		why[s] = f["reason"]
	}
}

# Adds the sums of slot s to those of slot `to`.
function fold(s, to) {
	groups[to]++
	records[to] += records[s]
	moved[to] += moved[s]
	dropped[to] += dropped[s]
	before[to] += before[s]
	after[to] += after[s]
	no_dropped[to] += no_dropped[s]
	no_before[to] += no_before[s]
	no_after[to] += no_after[s]
	if (peak[s] > peak[to])
		peak[to] = peak[s]
}

function fold_half(kind,    i, s, half) {
	order(kind)
	half = int(kept / 2)
	for (i = half + 1; i <= count[kind]; i++) {
		s = member[kind, i]
		fold(s, kind)
		spare[++spares] = s
	}
	count[kind] = half
	find_again()
	# From now on a file that comes back is counted once more.
	recounted[kind] = 1
}

# The slots by name, from nothing: mawk 1.3.4 crashes after many a `delete`.
function find_again(    k, i) {
	split("", slot_of)
	for (k = 1; k <= 4; k++)
		for (i = 1; i <= count[kinds[k]]; i++)
			slot_of[kinds[k], name_of[member[kinds[k], i]]] = member[kinds[k], i]
}

# Puts the members of a kind in order, by bytes moved, then as they came (Shell's sort).
function order(kind,    gap, i, j, s, n) {
	n = count[kind] + 0
	for (i = 1; i <= n; i++)
		sorted[i] = member[kind, i]
	for (gap = 1; gap < n; gap = gap * 3 + 1)
		;
	for (; gap >= 1; gap = int(gap / 3))
		for (i = gap + 1; i <= n; i++) {
			s = sorted[i]
			for (j = i - gap; j >= 1 && before_it(s, sorted[j]); j -= gap)
				sorted[j + gap] = sorted[j]
			sorted[j + gap] = s
		}
	for (i = 1; i <= n; i++)
		member[kind, i] = sorted[i]
}

function before_it(a, b) {
	return moved[a] != moved[b] ? moved[a] > moved[b] : age[a] < age[b]
}

function process_record(    numbers) {
	numbers = f["files"] " " f["read"] " " f["cached_before"] " " f["cached_after"] " " \
		f["swap_in"] " " f["swap_out"] " " f["secs"]
	if (f["pid"] !~ /^[0-9]+$/ || numbers !~ process_numbers || numbers ~ twenty_digits)
		return 0
	processes++
	spanned()
	keep_process()
	return 1
}

# The longest processes, in order: what the machine did meanwhile is in their records.
function keep_process(    i, most_kept) {
	most_kept = top > 0 ? top : 1
	if (processes_kept < most_kept)
		processes_kept++
	else if (f["secs"] + 0 <= process_secs[processes_kept])
		return
	for (i = processes_kept; i > 1 && f["secs"] + 0 > process_secs[i - 1]; i--)
		copy_process(i - 1, i)
	process_name[i] = f["prog"]
	process_pid[i] = f["pid"]
	process_secs[i] = f["secs"] + 0
	process_before[i] = f["cached_before"] + 0
	process_after[i] = f["cached_after"] + 0
	process_in[i] = f["swap_in"] + 0
	process_out[i] = f["swap_out"] + 0
}

function copy_process(from, to) {
	process_name[to] = process_name[from]
	process_pid[to] = process_pid[from]
	process_secs[to] = process_secs[from]
	process_before[to] = process_before[from]
	process_after[to] = process_after[from]
	process_in[to] = process_in[from]
	process_out[to] = process_out[from]
}

# Everything is read: the largest of each kind stay, the others join what was folded.
END {
	for (k = 1; k <= 4; k++) {
		kind = kinds[k]
		order(kind)
		distinct[kind] = count[kind] + groups[kind]
		shown[kind] = count[kind] + 0 > top ? top + 0 : count[kind] + 0
		# One line for one more group would save nothing.
		if (count[kind] == top + 1 && groups[kind] == 0 && top > 0)
			shown[kind]++
		for (i = shown[kind] + 1; i <= count[kind]; i++)
			fold(member[kind, i], kind)
	}
}
