# shellcheck shell=sh
# Descriptors from the shell: O_APPEND, an offset that several programs share, positions at exit.
packages coreutils sed

prepare() {
	big in/big
	text in/text
}

before_append() { printf 'before' >out/big; }
run_append() { cat <in/big >>out/big; }

run_sed_rest() { (sed -n 1q && cat) <in/text >out/rest; }
run_head_rest() { (head -n1 && cat) <in/text >out/rest; }
run_head_bytes() { (head -c 40000001 && cat >&2) <in/big >out/first 2>out/second; }
run_dd_rest() { (dd bs=1000 count=37 status=none && dd bs=1M status=none >&2) <in/big >out/first 2>out/second; }

run_two_writers() { (cat in/text && echo between && cat in/big && echo after) >out/all; }

run_read_lines() {
	n=0
	while [ $n -lt 50 ] && read -r line; do
		n=$((n + 1))
		echo "$n $line"
	done <in/text >out/lines
}

run_read_then_cat() { (read -r line && echo "$line" && cat) <in/text >out/all; }

run_bash() {
	bash -c 'exec 7<in/big 8>out/a 9>>out/b
		head -c 1000 <&7 >&8
		cat <&7 | tee /dev/fd/9 >&8
		exec 7<&- 8>&- 9>&-'
}

run_tail() { tail -c +1000 in/big >out/tail && tail -n 1000 in/text >out/lines && tail -c 5000000 <in/big >out/end; }
