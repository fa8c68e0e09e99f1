# json.awk - the tables of the report as one JSON object, all figures in bytes.

# Paths and programs as the log writes them in JSON.
function json_string(s) {
	gsub(/%20/, " ", s)
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}

function json_known(sum, unknown, n) {
	return sprintf("%.0f", unknown >= n && n > 0 ? -1 : sum)
}

function json_sums(s, kind,    n) {
	n = kind == "file" && s != kind ? 1 : records[s]
	return sprintf("\"records\":%.0f,\"moved\":%.0f,\"dropped\":%s,\"cached_before\":%s,\"peak\":%.0f,\"cached_after\":%s", \
		records[s], moved[s], json_known(dropped[s], no_dropped[s], records[s]), \
		json_known(before[s], no_before[s], n), peak[s], json_known(after[s], no_after[s], n))
}

function json_group(kind,    i, s) {
	printf ",\n\"%s\":[", kind
	for (i = 1; i <= shown[kind]; i++) {
		s = member[kind, i]
		printf "%s\n{\"name\":%s,%s", (i == 1 ? "" : ","), json_string(name_of[s]), json_sums(s, kind)
		if (kind == "file")
			printf ",\"policy\":\"%s\",\"asked\":\"%s\",\"reason\":\"%s\"", how[s], asked[s], why[s]
		printf "}"
	}
	if (groups[kind] > 0)
		printf "%s\n{\"name\":null,\"groups\":%.0f,%s}", (shown[kind] > 0 ? "," : ""), groups[kind], \
			json_sums(kind, kind)
	printf "]"
}

function json_processes(    i) {
	printf ",\n\"process\":["
	for (i = 1; i <= processes_kept; i++)
		printf "%s\n{\"name\":%s,\"pid\":%s,\"secs\":%.6f,\"cached_before\":%.0f,\"cached_after\":%.0f,\"swap_in\":%.0f,\"swap_out\":%.0f}", \
			(i == 1 ? "" : ","), json_string(process_name[i]), process_pid[i], process_secs[i], \
			process_before[i], process_after[i], process_in[i], process_out[i]
	printf "]"
}

END {
	printf "{\"from\":\"%s\",\"to\":\"%s\",\"files\":%.0f,\"processes\":%.0f,\"damaged\":%.0f,", \
		first_time, last_time, distinct["file"], processes, damaged
	printf "\n\"read\":%.0f,\"written\":%.0f,\"direct\":%.0f,\"bounced\":%.0f,%s", \
		read_bytes, written_bytes, direct_bytes, bounced_bytes, json_sums("all", "")
	for (k = 1; k <= 4; k++)
		if (wanted(kinds[k]))
			json_group(kinds[k])
	if (wanted("process"))
		json_processes()
	print "}"
}
