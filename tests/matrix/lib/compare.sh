# shellcheck shell=sh
# Sourced by row: what is compared of a directory, and how differences are told.

# manifest DIRECTORY SECONDS: a line for each file: its name, kind, mode, owner, size, links, time
# of change and whether it has holes. A time from SECONDS on (0: no such) is only `now`: no program
# set it. Of a directory's size and links nothing is said, they are the file system's own affair.
manifest() {
	(cd "$1" && find . -mindepth 1 -printf '%y %m %U:%G %s %n %T@ %S %P -> %l\n') |
		awk -v began="$2" '{
			if ($1 == "d")
				$4 = $5 = "-"
			if (began != 0 && int($6) >= began)
				$6 = "now"
			$7 = $1 == "f" && $4 >= 1048576 && $7 < 0.5 ? "holes" : "-"
			print
		}' | sort
}

# differences BARE OTHER WHAT: prints the first lines that differ.
differences() {
	cmp -s "$1" "$2" && return
	echo "$3: $(for side in '<' '>'; do
		diff "$1" "$2" | grep "^$side" | head -2 | cut -c1-200
	done | paste -s -d'|')"
}

# different BARE OTHER: prints which files of two directories have other bytes.
different() {
	diff -rq --no-dereference "$1" "$2" 2>&1 | head -4 | sed 's/^Files .* and \(.*\) differ$/bytes: \1/'
}
