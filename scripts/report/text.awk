# text.awk - the report as tables for a terminal: `columns` wide, colours where `colour` is set.

# No awk counts columns, and not each has %*s.
function padded(s,    n) {
	for (n = width(s); n < name_room; n++)
		s = s " "
	return s
}

function row(name, c1, c2, c3, c4, c5, c6) {
	printf "%s %6s %6s %6s %6s %-9s %7s\n", padded(name), c1, c2, c3, c4, c5, c6
}

function heading(kind) {
	printf "%s", bold
	if (!headed)
		printf "%s in page cache, bytes%s\n%s", padded(""), plain, bold
	headed = 1
	row(kind, "before", "peak", "after", "moved", kind == "file" ? "policy" : "  records", "dropped")
	printf "%s", plain
}

function group_row(name, s, kind) {
	row(name, before_of(s, kind), s == kind && kind == "file" ? "" : human(peak[s]), after_of(s, kind), \
		human(moved[s]), kind != "file" ? sprintf("%9.0f", records[s]) : \
		s == kind ? "" : substr(how[s], 1, 9), dropped_of(s))
}

# The widest name that is to be shown decides, as far as there is room.
function measure(    k, i, n, most) {
	most = columns - 46
	for (k = 1; k <= 4; k++)
		for (i = 1; i <= shown[kinds[k]]; i++) {
			n = width(label(member[kinds[k], i], kinds[k]))
			if (n > name_room)
				name_room = n
		}
	if (name_room < 34)
		name_room = 34
	if (name_room > most)
		name_room = most
}

function table(kind,    i, s) {
	if (distinct[kind] == 0)
		return
	heading(kind)
	for (i = 1; i <= shown[kind]; i++) {
		s = member[kind, i]
		group_row(fitted(label(s, kind), name_room), s, kind)
		if (kind == "file" && why_not(s) != "")
			printf "%s%s%s\n", dim, substr("  " why_not(s), 1, columns), plain
	}
	if (groups[kind] > 0)
		group_row(fitted(rest_name(kind), name_room), kind, kind)
}

function process_row(name, c1, c2, c3, c4, c5, c6) {
	printf "%s %6s %6s %6s %6s %9s %7s\n", padded(name), c1, c2, c3, c4, c5, c6
}

function process_table(    i) {
	if (processes == 0)
		return
	printf "%s%s all of the page cache, and swap%s\n%s", bold, padded(""), plain, bold
	process_row("process, longest", "before", "after", "change", "in", "out", "ran")
	printf "%s", plain
	for (i = 1; i <= processes_kept; i++)
		process_row(fitted(legible(process_name[i]) "[" process_pid[i] "]", name_room), \
			human(process_before[i]), human(process_after[i]), change_of(i), \
			human(process_in[i]), human(process_out[i]), duration(process_secs[i]))
	if (processes > processes_kept)
		print "and " plural(processes - processes_kept, "more process", "more processes")
}

# Words, wrapped at the width.
function paragraph(text,    n, i, words, line) {
	n = split(text, words, " ")
	for (i = 1; i <= n; i++) {
		if (line != "" && length(line) + 1 + length(words[i]) > columns) {
			print line
			line = ""
		}
		line = line (line == "" ? "" : " ") words[i]
		while (length(line) > columns) {
			print substr(line, 1, columns)
			line = substr(line, columns + 1)
		}
	}
	if (line != "")
		print line
}

function totals() {
	paragraph(plural(records["all"], "record", "records") " of " files_read() ", " \
		plural(processes, "process", "processes") "; " span())
	paragraph(sprintf("moved %s (read %s, written %s), direct %s, bounced %s, dropped %s", \
		human(moved["all"]), human(read_bytes), human(written_bytes), human(direct_bytes), \
		human(bounced_bytes), dropped_of("all")))
}

function last_line() {
	if (processes == 0)
		print "No process reported its end; the change of the machine is not known."
	else
		paragraph(files_read() ", " human(moved["all"]) " moved; machine: page cache " change_of(1) \
			", swap in " human(process_in[1]) ", out " human(process_out[1]))
}

function report(    k) {
	totals()
	for (k = 1; k <= 4; k++)
		if (wanted(kinds[k]) && distinct[kinds[k]] > 0) {
			print ""
			table(kinds[k])
		}
	if (wanted("process") && processes > 0) {
		print ""
		process_table()
	}
}

END {
	if (colour) {
		bold = "\033[1m"
		dim = "\033[33m"
		plain = "\033[0m"
	}
	measure()
	if (records["all"] + processes == 0)
		print (as == "summary" ? "nocache: no records: the shim reached no program, or no file of it" : \
			"no records")
	else if (as == "summary") {
		table("file")
		last_line()
	} else
		report()
	if (damaged > 0) {
		if (as != "summary")
			print ""
		paragraph(damage())
	}
}
