# shellcheck shell=sh
# Sourced by the suites: where things are, how results are said, where a suite runs.
# Environment, from tests/tally: SCOPE BUILD LIB CC. LIB empty: nothing is preloaded.
set -u
TESTS=$(cd "$(dirname "$0")/.." && pwd)
REPO=$(dirname "$TESTS")
SCOPE=${SCOPE:-quick}
BUILD=${BUILD:-$REPO/build}
LIB=${LIB:-}
CC=${CC:-gcc}
POLICIES=${POLICIES:-off observe auto direct dontneed dontcache noreuse dsync buffered}
export TESTS REPO SCOPE BUILD LIB CC POLICIES
unset NOCACHE_RULES NOCACHE_RULES_FILE NOCACHE_LOG NOCACHE_LOG_FORMAT NOCACHE_DISABLE

pass() { echo "PASS $*"; }
fail() { echo "FAIL $*"; }
skip() { echo "SKIP $*"; }

# build SOURCE PROGRAM [FLAG...]: compiles a test program.
build() {
	source=$1 program=$2
	shift 2
	"$CC" -std=gnu11 -O1 -g -D_GNU_SOURCE -Wall -Wextra -Werror -I"$TESTS/lib" -o "$program" "$source" \
		-pthread "$@"
}

# on_each_fs KIND...: runs this suite again on each file system. Under SCOPE=quick only in the
# working directory's one, or where that is memory, on a made ext4. The second run has FS and DIR.
on_each_fs() {
	[ -z "${FS:-}" ] || return 0
	if [ "$SCOPE" != all ]; then
		mkdir -p "${TMPDIR:-$BUILD}"
		FS=$(df --output=fstype "${TMPDIR:-$BUILD}" | tail -1)
		DIR=${TMPDIR:-$BUILD}
		export FS DIR
		case $FS in
		tmpfs | ramfs | overlay) set -- ext4 ;;
		*) return 0 ;;
		esac
	fi
	unset FS DIR
	mkdir -p "${TMPDIR:-$BUILD}"
	for kind in "$@"; do
		"$TESTS/with-fs" "$kind" "$0" 2>"${TMPDIR:-$BUILD}/with-fs.$$"
		status=$?
		why=$(tail -1 "${TMPDIR:-$BUILD}/with-fs.$$")
		case $status in
		0 | 1) [ -z "$why" ] || echo "$why" ;;
		77) skip "${0#"$TESTS"/} on $kind: $why" ;;
		*) fail "${0#"$TESTS"/} on $kind: ended with status $status: $why" ;;
		esac
		rm -f "${TMPDIR:-$BUILD}/with-fs.$$"
	done
	exit 0
}

# work_dir: makes WORK on the file system under test, removed at the end.
work_dir() {
	WORK=$(mktemp -d "$DIR/${0##*/}.XXXXXX") || exit 1
	chmod 755 "$WORK"
	export WORK
	trap 'rm -rf "$WORK"' EXIT
	trap 'exit 1' HUP INT TERM
}
