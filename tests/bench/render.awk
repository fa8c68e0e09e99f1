# render.awk - sections of figures (lib.sh) as text tables, or as one HTML page with bars.
#   awk -v mode=text|html -f render.awk SECTION...
#
# A section's columns are `KIND:KEY=LABEL`, parted by `|`; medians over the rounds, and with them
# the least and the most where the kind says so. Ratios are taken within a round, row against the
# `plain` row of its group, and the median is that of the ratios.
#   speed:KEY  bytes a second as a multiple of plain's, with range    brief:KEY  without
#   times:KEY  time as a multiple of plain's, with range              ratio:KEY  without
#   rate:KEY   MB/s        s:KEY  seconds        cpu:KEY  CPU s/GiB    cpux:KEY  its ratio
#   size:KEY   bytes       n:KEY  a number       text:KEY  the last text (first of all columns that
#                                                          are cut where the line is full)

function median(    i, j, t)
{
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && sample[j - 1] > sample[j]; j--) {
			t = sample[j]
			sample[j] = sample[j - 1]
			sample[j - 1] = t
		}
	low = sample[1]
	high = sample[count]
	return count % 2 ? sample[(count + 1) / 2] : (sample[count / 2] + sample[count / 2 + 1]) / 2
}

function have(row, round, key)
{
	return (row, round, key) in value && !((row, round, "error") in value)
}

# The bytes of a run; 1 where a command's time counts alone.
function moved(row, round)
{
	return have(row, round, "bytes") ? value[row, round, "bytes"] : 1
}

function base(row)
{
	return index(row, ":") ? substr(row, 1, index(row, ":")) "plain" : "plain"
}

# The figure of one round, "" where there is none.
function single(kind, key, row, round,    plain)
{
	if (kind == "cpu" || kind == "cpux")
		key = "cpu"
	if (!have(row, round, key))
		return ""
	if (kind ~ /^(speed|brief|times|ratio|cpux)$/) {
		plain = base(row)
		if (!have(plain, round, key) || value[row, round, key] == 0)
			return ""
		if (kind ~ /^(times|ratio)$/)
			return value[row, round, key] / value[plain, round, key]
		if (kind == "cpux")
			return value[row, round, key] / moved(row, round) / \
				(value[plain, round, key] / moved(plain, round))
		return moved(row, round) / value[row, round, key] * value[plain, round, key] / \
			moved(plain, round)
	}
	if (kind == "rate")
		return moved(row, round) / value[row, round, key] * 1000
	if (kind == "cpu")
		return value[row, round, key] / 1e9 / moved(row, round) * 1073741824
	if (kind == "s")
		return value[row, round, key] / 1e9
	return value[row, round, key]
}

# What only the watched round knows is taken from it, times never.
function gather(kind, key, row,    round, x)
{
	count = 0
	for (round = 1; round <= rounds; round++)
		if ((x = single(kind, key, row, round)) != "")
			sample[++count] = x
	if (!count && kind ~ /^(size|n)$/ && (x = single(kind, key, row, 0)) != "")
		sample[++count] = x
	return count
}

function size_text(x)
{
	if (x < 0)
		return "-" size_text(-x)
	if (x < 1048576)
		return sprintf("%.0fK", x / 1024)
	return x < 1073741824 ? sprintf("%.1fM", x / 1048576) : sprintf("%.2fG", x / 1073741824)
}

# A cell's text; its figures stay in mid, low and high.
function cell(kind, key, row)
{
	mid = ""
	if (kind == "text")
		return (row, key) in last ? last[row, key] : "-"
	if (!gather(kind, key, row))
		return "-"
	mid = median()
	if (kind == "speed" || kind == "times")
		return sprintf("%.2f [%.2f-%.2f]", mid, low, high)
	if (kind == "size")
		return size_text(mid)
	if (kind == "rate" || kind == "n")
		return sprintf("%.0f", mid)
	return sprintf(mid >= 0.0995 && kind != "cpu" ? "%.2f" : "%.3f", mid)
}

function fold(text, indent,    line, i, n, word, out)
{
	n = split(text, word, " ")
	for (i = 1; i <= n; i++) {
		if (line != "" && length(indent line " " word[i]) > 100) {
			out = out indent line "\n"
			line = ""
		}
		line = line (line == "" ? "" : " ") word[i]
	}
	return out indent line
}

function reset()
{
	rows = notes = rounds = 0
	split("", value)
	split("", last)
	split("", known)
	split("", error)
	heading = spec = ""
}

# The section's cells as text, and the width of each column.
function lay_out(    i, r, part)
{
	n = split(spec, column, "|")
	width[0] = 3
	for (r = 1; r <= rows; r++)
		width[0] = length(name[r]) > width[0] ? length(name[r]) : width[0]
	for (i = 1; i <= n; i++) {
		label[i] = substr(column[i], index(column[i], "=") + 1)
		split(substr(column[i], 1, index(column[i], "=") - 1), part, ":")
		kind[i] = part[1]
		width[i] = length(label[i])
		for (r = 1; r <= rows; r++) {
			text[r, i] = name[r] in error ? "" : cell(part[1], part[2], name[r])
			figure[r, i] = mid
			least[r, i] = low
			most[r, i] = high
			if (length(text[r, i]) > width[i])
				width[i] = length(text[r, i])
		}
	}
}

function text_line(r,    i, line)
{
	line = sprintf("%-*s", width[0], r ? name[r] : "row")
	if (r && name[r] in error)
		return substr(line "  " error[name[r]], 1, 100)
	for (i = 1; i <= n; i++)
		line = line (kind[i] == "text" ? sprintf("  %s", r ? text[r, i] : label[i]) : \
			sprintf("  %*s", width[i], r ? text[r, i] : label[i]))
	return substr(line, 1, 100)
}

function as_text(    i)
{
	print fold("== " heading, "")
	for (i = 1; i <= notes; i++)
		print fold(said[i], "   ")
	if (!rows)
		return
	for (i = 0; i <= rows; i++)
		print text_line(i)
}

function escaped(s)
{
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	gsub(/"/, "\\&quot;", s)
	return s
}

# The column that the bars show: the first ratio, else the first time.
function charted(    i)
{
	for (i = 1; i <= n; i++)
		if (kind[i] ~ /^(speed|times|s)$/)
			return i
	return 0
}

# A bar with its range as a line over it, and a rule at 1 where it is a ratio.
function bar(r, c, scale,    svg)
{
	if (figure[r, c] == "")
		return ""
	svg = sprintf("<svg viewBox=\"0 0 200 14\" role=\"img\" aria-label=\"%.2f\">", figure[r, c])
	svg = svg sprintf("<rect class=\"%s\" x=\"0\" y=\"2\" width=\"%.1f\" height=\"10\"/>",
			  name[r] ~ /(^|:)plain$/ ? "plain" : "bar", figure[r, c] * scale)
	svg = svg sprintf("<path d=\"M%.1f 7H%.1f\"/>", least[r, c] * scale, most[r, c] * scale)
	if (kind[c] != "s")
		svg = svg sprintf("<path class=\"one\" d=\"M%.1f 0V14\"/>", scale)
	return svg "</svg>"
}

function html_row(r, c, scale,    i)
{
	printf "<tr><th scope=\"row\">%s</th>", escaped(name[r])
	if (name[r] in error) {
		printf "<td class=\"error\" colspan=\"%d\">%s</td></tr>\n", n + (c > 0),
			escaped(error[name[r]])
		return
	}
	if (c)
		printf "<td class=\"chart\">%s</td>", bar(r, c, scale)
	for (i = 1; i <= n; i++)
		printf "<td%s>%s</td>", kind[i] == "text" ? " class=\"text\"" : "", escaped(text[r, i])
	print "</tr>"
}

function as_html(    i, c, top)
{
	printf "<section><h2>%s</h2>\n", escaped(heading)
	for (i = 1; i <= notes; i++)
		printf "<p>%s</p>\n", escaped(said[i])
	c = charted()
	for (i = 1; i <= rows && c; i++)
		top = most[i, c] > top ? most[i, c] : top
	if (rows) {
		printf "<div class=\"wide\"><table><thead><tr><th>row</th>"
		if (c)
			printf "<th class=\"text\">%s</th>", escaped(label[c])
		for (i = 1; i <= n; i++)
			printf "<th%s>%s</th>", kind[i] == "text" ? " class=\"text\"" : "", escaped(label[i])
		print "</tr></thead><tbody>"
		for (i = 1; i <= rows; i++)
			html_row(i, c, top > 0 ? 196 / top : 1)
		print "</tbody></table></div>"
	}
	print "</section>"
}

function html_head()
{
	print "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	print "<meta name=\"viewport\" content=\"width=device-width\"><title>libnocache bench</title><style>"
	print ":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--rule:#d5d9de;--bar:#2f6fb0;" \
		"--plain:#9aa3ad;--bad:#b3261e}"
	print "@media(prefers-color-scheme:dark){:root{--ink:#e4e7eb;--paper:#15181c;--rule:#363c44;" \
		"--bar:#6aa9e9;--plain:#6c7680;--bad:#ff8a80}}"
	print "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);" \
		"margin:2rem auto;max-width:70rem;padding:0 1rem}"
	print "h1{font-size:1.4rem}h2{font-size:1.05rem;margin:2rem 0 .3rem}p{margin:.2rem 0;max-width:60rem}"
	print ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.87rem;margin-top:.5rem}"
	print "th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid var(--rule);" \
		"white-space:nowrap;font-variant-numeric:tabular-nums}"
	print "th:first-child,.text,.chart,.error{text-align:left}.error{color:var(--bad)}"
	print "svg{width:200px;height:14px;display:block}.bar{fill:var(--bar)}.plain{fill:var(--plain)}" \
		"path{stroke:var(--ink);stroke-width:1.5;fill:none}.one{stroke-dasharray:2 2}"
	print "</style></head><body><h1>libnocache bench</h1>"
}

function flush()
{
	if (heading == "")
		return
	lay_out()
	if (mode == "html")
		as_html()
	else
		as_text()
	reset()
}

BEGIN {
	FS = "\t"
	reset()
	if (mode == "html")
		html_head()
}
$1 == "title" {
	flush()
	heading = $2
}
$1 == "note" { said[++notes] = $2 }
$1 == "columns" { spec = $2 }
$1 == "value" {
	if (!($2 in known)) {
		known[$2] = 1
		name[++rows] = $2
	}
	value[$2, $3, $4] = $5
	if ($5 != "-")
		last[$2, $4] = $5
	if ($3 > rounds)
		rounds = $3
	# A wrong result outweighs everything that the row says.
	if ($4 == "error" && (!($2 in error) || $5 ~ /^WRONG/))
		error[$2] = $5
}
END {
	flush()
	if (mode == "html")
		print "</body></html>"
}
