# shellcheck shell=sh
# sort: stdio, files of its own, threads, freopen.
packages coreutils

prepare() {
	text in/text
	sort in/text >in/sorted
	aged in/sorted
}

run_files() { sort -S 8M -T out --parallel=2 in/text -o out/sorted; }
run_key() { sort -S 4M -T out -k2,2 -k1n in/text >out/sorted; }
run_stdin() { sort -r -S 8M -T out --compress-program=gzip <in/text >out/sorted; }
run_unique() { sort -u -S 8M -T out in/text in/sorted -o out/sorted; }
run_merge() { sort -m in/sorted in/sorted -o out/merged; }
run_check() { sort -c in/sorted && uniq -c in/sorted >out/counts && comm -12 in/sorted in/sorted >out/both && join in/sorted in/sorted >out/joined; }

before_in_place() { cp in/text out/text; }
run_in_place() { sort -S 8M -T out out/text -o out/text; }
