# shellcheck shell=sh
# dar, fsarchiver: requests of 1 to 6 bytes, fork and close_range, __read_chk.
packages dar fsarchiver

prepare() {
	tree in/tree
	big in/big
	text in/text
}

run_dar() {
	dar -Q -q -c out/a -R in -z1
	dar -Q -q -t out/a
	mkdir out/restored
	dar -Q -q -x out/a -R out/restored
}
view_dar() { mv out/restored view && mkdir view/alone && dar -Q -q -x out/a -R view/alone; }

run_dar_slices() { dar -Q -q -s 20M -c out/a -g big -g text -R in && mkdir out/restored && dar -Q -q -x out/a -R out/restored; }
view_dar_slices() { mv out/restored view; }

run_fsarchiver() { fsarchiver -j 2 -z 1 savedir out/a.fsa in >/dev/null && mkdir out/restored && fsarchiver restdir out/a.fsa out/restored >/dev/null; }
view_fsarchiver() { mv out/restored view && mkdir view/alone && fsarchiver restdir out/a.fsa view/alone >/dev/null; }
