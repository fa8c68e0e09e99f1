# shellcheck shell=sh disable=SC2016
# sed, awk, grep, perl -i, patch: getdelim, __uflow and __overflow, a new file renamed over the old.
packages sed gawk mawk grep perl diffutils patch

prepare() {
	text in/text
	sed '1000~50s/line/LINE/' in/text >in/other
	aged in/other
	diff -u in/text in/other >in/patch || [ $? = 1 ]
	aged in/patch
}

before_sed() { cp -p in/text out/text && chmod 640 out/text; }
run_sed() { sed -i.bak 's/seven/sieben/; /line 77$/d' out/text; }

run_sed_write() { sed -n -e '/seven/w out/seven' -e '/key1 /p' in/text >out/key1; }

run_gawk() { gawk '{ print > ("out/" $4 % 5) } /seven/ { n++ } END { print n }' in/text; }
run_mawk() { mawk '{ print > ("out/" $5 % 5) } /seven/ { n++ } END { print n }' in/text; }
run_gawk_getline() { gawk 'BEGIN { while ((getline line < "in/text") > 0) print length(line), line }' >out/lines; }

run_grep() {
	grep -v plain in/text >out/seven
	grep -c key7 in/text
	grep -rn 'line 4711' in
	grep -bo 'key99 ' <in/text >out/bytes
	! grep -q nothing in/text
	(grep -m 1 line >/dev/null && cat) <in/text >out/rest
}

before_perl() { cp -p in/text out/text; }
run_perl() { perl -pi.old -e 's/(\d+)$/$1 * 2/e' out/text; }

run_diff() { diff in/text in/other >out/diff || [ $? = 1 ]; }

before_patch() { cp in/text out/text; }
run_patch() { patch -s out/text in/patch; }
