# page.awk - the report as one page that needs nothing else: HTML that is also well-formed XML.
# Figures are those of the text report, to the letter; data-v has them in bytes, for sorting.

BEGIN { paged = 1 }

function escaped(s) {
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	gsub(/"/, "\\&quot;", s)
	gsub(/'/, "\\&#39;", s)
	return s
}

# Puts a file that lies beside this one into the page.
function include(name,    line) {
	name = ENVIRON["NR_PARTS"] "/" name
	while ((getline line <name) > 0)
		print line
	close(name)
}

function base_name(path) {
	sub(/.*\//, "", path)
	return path
}

function percent(part, whole) {
	return sprintf("%.2f", whole > 0 ? 100 * part / whole : 0)
}

function head(    title) {
	title = "Page cache report"
	print "<!DOCTYPE html>"
	print "<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
	print "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; " \
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>"
	print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
	print "<link rel=\"icon\" href=\"data:,\"/>"
	print "<title>" title "</title><style>"
	include("page.css")
	print "</style></head><body><main>"
	print "<header><h1>" title "</h1>"
	printf "<p class=\"muted\">%s<br/>%s</p></header>\n", escaped(legible(log_names)), \
		(first_time == "" ? "no records" : span())
}

function figure(value, name, more) {
	printf "<div><dt>%s</dt><dd>%s</dd><dd class=\"muted\">%s</dd></div>\n", name, value, more
}

function figures() {
	print "<dl class=\"figures\">"
	figure(human(moved["all"]), "moved", human(read_bytes) " read, " human(written_bytes) " written")
	figure(human(direct_bytes), "past the cache", human(bounced_bytes) " by way of a buffer")
	figure(dropped_of("all"), "dropped from it", plural(records["all"], "record", "records") " of " files_read())
	figure(partly(after["file total"], no_after["file total"], distinct["file"]), "left of the files", partly(before["file total"], no_before["file total"], distinct["file"]) " before")
	if (processes > 0)
		figure(change_of(1), "machine's page cache", "swap " human(process_in[1]) " in, " \
			human(process_out[1]) " out, in " duration(process_secs[1]))
	print "</dl>"
}

# The sums of the table of files.
function file_total(    i) {
	clear("file total", "")
	for (i = 1; i <= shown["file"]; i++)
		fold(member["file", i], "file total")
	fold("file", "file total")
}

# A step of 1, 2 or 5 or of the clock that makes at most six marks.
function time_step(secs,    i, n, steps) {
	n = split("0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10 20 30 60 120 300 600 1200 1800 3600" \
		" 7200 14400 21600 43200 86400 172800 432000 864000", steps, " ")
	for (i = 1; i < n && secs / steps[i] > 6; i++)
		;
	return secs / steps[i] > 6 ? secs / 5 : steps[i] + 0
}

function elapsed(secs) {
	if (secs >= 86400)
		return sprintf("%.4gd", secs / 86400)
	if (secs >= 3600)
		return sprintf("%.4gh", secs / 3600)
	if (secs >= 60)
		return sprintf("%.4gm", secs / 60)
	return sprintf("%.4gs", secs)
}

function time_axis(    step, t, length_of) {
	length_of = closed - opened
	step = time_step(length_of)
	printf "<div class=\"axis\" aria-hidden=\"true\">"
	for (t = 0; t <= length_of * 0.97; t += step)
		printf "<span style=\"left:%s%%\">%s</span>", percent(t, length_of), elapsed(t)
	print "</div>"
}

function plot_begin(class, title) {
	printf "<svg class=\"%s\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\"><title>%s</title>", \
		class, title
	plot_marks()
}

# Thin lines at the marks of the axis.
function plot_marks(    step, t, length_of) {
	length_of = closed - opened
	step = time_step(length_of)
	printf "<path class=\"grid\" d=\""
	for (t = step; t <= length_of * 0.97; t += step)
		printf "M%.1f 0V100", 1000 * t / length_of
	printf "\"/>"
}

function x_of(t) {
	return 1000 * (t - opened) / (closed - opened)
}

# What all streams held: the running sums of level[].
function held_plot(highest, class, title,    i, first, last, sum, path) {
	first = floor(opened / bin_secs)
	last = floor(closed / bin_secs) + 1
	plot_begin(class, title)
	printf "<path class=\"held\" d=\"M0 100"
	for (i = first; i <= last; i++) {
		sum += level[i]
		path = clipped(x_of(i * bin_secs))
		printf "L%.1f %.2fL%.1f %.2f", path, 100 - 96 * (sum > 0 ? sum : 0) / highest, \
			clipped(x_of((i + 1) * bin_secs)), 100 - 96 * (sum > 0 ? sum : 0) / highest
	}
	print "L1000 100Z\"/></svg>"
}

function clipped(x) {
	return x < 0 ? 0 : x > 1000 ? 1000 : x
}

function highest_level(    i, sum, most_held) {
	for (i = floor(opened / bin_secs); i <= floor(closed / bin_secs) + 1; i++) {
		sum += level[i]
		if (sum > most_held)
			most_held = sum
	}
	return most_held + 0
}

# A stream is open for a moment at least: what is too short for the plot gets a width.
function lane(i, highest,    from, to, edge) {
	from = x_of(stream_from[i])
	to = x_of(stream_to[i])
	if (to - from < 4) {
		from = from > 996 ? 996 : from
		to = from + 4
	}
	edge = (to - from) / 8
	printf "<div class=\"lane\"><div class=\"name\" title=\"%s\"><bdi>%s</bdi> <span class=\"muted\">%s</span></div>", \
		escaped(legible(stream_name[i])), escaped(legible(base_name(stream_name[i]))), \
		escaped(legible(stream_prog[i]))
	plot_begin("small", human(stream_before[i]) " before, " human(stream_peak[i]) " at most, " \
		human(stream_after[i]) " after")
	printf "<path class=\"held\" d=\"M%.1f 100V%.2fL%.1f %.2fH%.1fL%.1f %.2fV100Z\"/></svg>", \
		from, height_of(stream_before[i], highest), from + edge, height_of(stream_peak[i], highest), \
		to - edge, to, height_of(stream_after[i], highest)
	printf "<div class=\"number\">%s</div></div>\n", human(stream_peak[i])
}

function height_of(held, highest) {
	return 100 - 96 * (held > 0 && highest > 0 ? held / highest : 0)
}

# The streams that held most, one under the other on one scale; the others in one.
function over_time(    i, highest) {
	if (records["all"] == 0)
		return
	if (closed <= opened)
		closed = opened + 0.001
	print "<section><h2>Page cache held over time</h2>"
	printf "<p class=\"muted\">Above: all streams together, each counted with its peak while it was open%s. " \
		"Below: those that held most, from what was cached when they were opened, to the peak, " \
		"to what was left at the close; when the peak was, the log does not say.</p>\n", \
		(bin_secs >= 1 ? ", the mean of each " elapsed(bin_secs) : "")
	highest = highest_level()
	print "<div class=\"lane tall\"><div class=\"name\">all streams</div>"
	held_plot((highest > 0 ? highest : 1), "big", "all streams together: at most " human(highest))
	printf "<div class=\"number\">%s</div></div>\n", human(highest)
	for (i = 1; i <= streams; i++) {
		lane(i, stream_peak[1])
		add_span(stream_from[i], stream_to[i], stream_peak[i] > 0 ? -stream_peak[i] : 0)
	}
	if (records["all"] > streams) {
		printf "<div class=\"lane\"><div class=\"name muted\">and %s</div>", \
			plural(records["all"] - streams, "more stream", "more streams")
		highest = highest_level()
		held_plot((highest > stream_peak[1] ? highest : stream_peak[1] > 0 ? stream_peak[1] : 1), "small", \
			"the other streams together: at most " human(highest))
		printf "<div class=\"number\">%s</div></div>\n", human(highest)
	}
	print "<div class=\"lane\"><div class=\"name\"></div>"
	time_axis()
	print "<div class=\"number\"></div></div></section>"
}

function bar(class, bytes, highest) {
	printf "<i class=\"%s\" style=\"width:%s%%\"></i>", class, percent(bytes > 0 ? bytes : 0, highest)
}

# Of the largest files: before above after, and a line up to the peak.
function before_after(    i, s, n, highest) {
	n = shown["file"] < 12 ? shown["file"] : 12
	for (i = 1; i <= n; i++)
		if (peak[member["file", i]] > highest)
			highest = peak[member["file", i]]
	if (n == 0 || highest == 0)
		return
	print "<section><h2>Before and after</h2><p class=\"key muted\"><span><i class=\"before\"></i>cached before</span> " \
		"<span><i class=\"after\"></i>cached after</span> <span><i class=\"peak\"></i>peak</span></p>"
	for (i = 1; i <= n; i++) {
		s = member["file", i]
		printf "<div class=\"lane\"><div class=\"name\" title=\"%s\"><bdi>%s</bdi> <span class=\"muted\">%s</span></div><div class=\"bars\">", \
			escaped(legible(name_of[s])), escaped(legible(base_name(name_of[s]))), how[s]
		bar("peak", peak[s], highest)
		bar("before", before[s], highest)
		bar("after", after[s], highest)
		printf "</div><div class=\"number\">%s<span class=\"muted\"> to </span>%s</div></div>\n", \
			before_of(s, "file"), after_of(s, "file")
	}
	print "</section>"
}

function cell(text, value) {
	printf "<td data-v=\"%.0f\">%s</td>", value, text
}

# A value by which a sum that is not known comes before all others.
function sorting(sum, unknown, n) {
	return unknown >= n && n > 0 ? -1 : sum
}

function group_cells(s, kind,    n) {
	n = kind == "file" && s != kind ? 1 : records[s]
	cell(before_of(s, kind), sorting(before[s], no_before[s], n))
	cell((s == kind && kind == "file" ? "" : human(peak[s])), peak[s])
	cell(after_of(s, kind), sorting(after[s], no_after[s], n))
	cell(human(moved[s]), moved[s])
	if (kind == "file")
		printf "<td class=\"word\">%s</td>", (s == kind ? "" : how[s])
	else
		cell(sprintf("%.0f", records[s]), records[s])
	cell(dropped_of(s), sorting(dropped[s], no_dropped[s], records[s]))
	if (kind == "file")
		printf "<td class=\"word\">%s</td>", (s == kind ? "" : why_not(s))
}

function table_head(kind, names,    n, i, name) {
	printf "<div class=\"scroll\"><table class=\"sortable %s\" id=\"%s\"><thead><tr>", kind, kind
	n = split(names, name, ",")
	for (i = 1; i <= n; i++)
		printf "<th scope=\"col\"%s>%s</th>", (name[i] ~ /^(policy|why not)$/ || i == 1 ? " class=\"word\"" : ""), \
			name[i]
	print "</tr></thead><tbody>"
}

function group_table(kind,    i, s) {
	if (!wanted(kind) || distinct[kind] == 0)
		return
	printf "<section class=\"of-%s\"><h2>%s</h2>", kind, (kind == "file" ? "Files" : kind == "policy" ? "Policies" : \
		kind == "reason" ? "Reasons" : "Programs")
	table_head(kind, kind ",before,peak,after,moved," (kind == "file" ? "policy,dropped,why not" : "records,dropped"))
	for (i = 1; i <= shown[kind]; i++) {
		s = member[kind, i]
		printf "<tr><th scope=\"row\"><bdi>%s</bdi>", escaped(label(s, kind))
		if (kind != "file")
			bar("share", moved[s], moved["all"])
		printf "</th>"
		group_cells(s, kind)
		print "</tr>"
	}
	printf "</tbody>"
	if (groups[kind] > 0) {
		printf "<tfoot><tr><th scope=\"row\">%s</th>", rest_name(kind)
		group_cells(kind, kind)
		printf "</tr></tfoot>"
	}
	print "</table></div></section>"
}

function process_page(    i) {
	if (!wanted("process") || processes == 0)
		return
	print "<section class=\"of-process\"><h2>Processes, and the machine meanwhile</h2>"
	print "<p class=\"muted\">The page cache of the whole machine when each process began and ended, and what " \
		"was swapped in between. Processes overlap, so there is no sum.</p>"
	table_head("process", "process,before,after,change,swap in,swap out,ran")
	for (i = 1; i <= processes_kept; i++) {
		printf "<tr><th scope=\"row\"><bdi>%s</bdi></th>", escaped(legible(process_name[i]) "[" process_pid[i] "]")
		cell(human(process_before[i]), process_before[i])
		cell(human(process_after[i]), process_after[i])
		cell(change_of(i), process_after[i] - process_before[i])
		cell(human(process_in[i]), process_in[i])
		cell(human(process_out[i]), process_out[i])
		cell(duration(process_secs[i]), process_secs[i] * 1000)
		print "</tr>"
	}
	printf "</tbody>"
	if (processes > processes_kept)
		printf "<tfoot><tr><th scope=\"row\">and %s</th><td colspan=\"6\"></td></tr></tfoot>", \
			plural(processes - processes_kept, "more process", "more processes")
	print "</table></div></section>"
}

END {
	file_total()
	head()
	if (records["all"] + processes > 0) {
		figures()
		over_time()
		before_after()
		print "<div class=\"groups\">"
		group_table("program")
		group_table("policy")
		group_table("reason")
		print "</div>"
		group_table("file")
		process_page()
	}
	print "<footer class=\"muted\">"
	print "<p>Bytes, in powers of 1024. Of a file: before its first opening, after its last close, the peak between; " \
		"of a group: sums, and the highest peak. “?” is not known; “+”: and some that are not known.</p>"
	if (damaged > 0)
		printf "<p class=\"damage\">%s</p>\n", escaped(damage())
	print "</footer></main><script>"
	include("page.js")
	print "</script></body></html>"
}
