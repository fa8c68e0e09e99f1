# streams.awk - what a page's plots need: the streams that held most, and how much all of them
# held over time. Loaded for every report, fed for a page.
#
# level[i] is what the bins of time are made of: its running sum up to bin i is the mean, over that
# bin, of the peaks of all streams that were open then. Where time outgrows the bins, two are
# made one; so there are at most `bins` of them, however long the log is.

BEGIN {
	bins = 512
	bin_secs = 1 / 1024
	streams_most = top < 12 ? top : 12
}

function floor(x) {
	return x < int(x) ? int(x) - 1 : int(x)
}

# Days since 1970-01-01; years begin in March, so that the leap day comes last.
function days(year, month, day) {
	if (month <= 2) {
		year--
		month += 12
	}
	return 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + \
		int((153 * (month - 3) + 2) / 5) + day - 719469
}

# Seconds since the first record's day began: small enough to be an index in every awk.
function instant(time,    d) {
	d = days(substr(time, 1, 4) + 0, substr(time, 6, 2) + 0, substr(time, 9, 2) + 0)
	if (first_day == "")
		first_day = d
	return (d - first_day) * 86400 + substr(time, 12, 2) * 3600 + substr(time, 15, 2) * 60 + \
		substr(time, 18, length(time) - 18)
}

function page_stream(bytes,    to, from) {
	to = instant(f["time"])
	from = to - f["secs"]
	if (opened == "" || from < opened)
		opened = from
	if (closed == "" || to > closed)
		closed = to
	while (floor(closed / bin_secs) - floor(opened / bin_secs) >= bins - 2)
		widen_bins()
	add_span(from, to, f["peak"] > 0 ? f["peak"] + 0 : 0)
	keep_stream(from, to, bytes)
}

# Each edge is shared between its bin and the next, by where in the bin it is.
function add_span(from, to, held,    i, part) {
	i = floor(from / bin_secs)
	part = from / bin_secs - i
	level[i] += held * (1 - part)
	level[i + 1] += held * part
	i = floor(to / bin_secs)
	part = to / bin_secs - i
	level[i] -= held * (1 - part)
	level[i + 1] -= held * part
}

function widen_bins(    i, half, sum, mean) {
	for (i in level) {
		if (first_bin == "" || i + 0 < first_bin) first_bin = i + 0
		if (last_bin == "" || i + 0 > last_bin) last_bin = i + 0
	}
	split("", halved)
	if (first_bin != "")
		for (i = first_bin; i <= last_bin + 1; i++) {
			sum += level[i]
			halved[floor(i / 2)] += sum / 2
		}
	split("", level)
	if (first_bin != "") {
		sum = 0
		half = floor((last_bin + 1) / 2)
		for (i = floor(first_bin / 2); i <= half; i++) {
			level[i] = halved[i] - sum
			sum = halved[i]
		}
	}
	first_bin = last_bin = ""
	bin_secs *= 2
}

function keep_stream(from, to, bytes,    i, held) {
	held = f["peak"] + 0
	if (streams < streams_most)
		streams++
	else if (streams == 0 || !holds_more(held, bytes, streams))
		return
	for (i = streams; i > 1 && holds_more(held, bytes, i - 1); i--) {
		stream_name[i] = stream_name[i - 1]
		stream_prog[i] = stream_prog[i - 1]
		stream_from[i] = stream_from[i - 1]
		stream_to[i] = stream_to[i - 1]
		stream_moved[i] = stream_moved[i - 1]
		stream_before[i] = stream_before[i - 1]
		stream_peak[i] = stream_peak[i - 1]
		stream_after[i] = stream_after[i - 1]
	}
	stream_name[i] = f["path"]
	stream_prog[i] = f["prog"]
	stream_from[i] = from
	stream_to[i] = to
	stream_moved[i] = bytes
	stream_before[i] = f["cached_before"] + 0
	stream_peak[i] = held
	stream_after[i] = f["cached_after"] + 0
}

function holds_more(held, bytes, i) {
	return held != stream_peak[i] ? held > stream_peak[i] : bytes > stream_moved[i]
}
