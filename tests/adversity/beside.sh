# shellcheck shell=sh
# shellcheck disable=SC2016 # what is in single quotes is for the inner shell
# shellcheck disable=SC2154 # WORK, BIN, FS, LIB and policy are the suite's
# Sourced by the suite: other libraries that are preloaded beside ours, before it and after it.
# What they are for still works, and the bytes are right.

# library NAME: the path of another library; nothing where it is not installed.
library() {
	case $1 in
	eatmydata) look='libeatmydata.so' ;;
	fakeroot) look='libfakeroot-sysv.so' ;;
	stdbuf) look='libstdbuf.so' ;;
	jemalloc) look='libjemalloc.so.2' ;;
	mimalloc) look='libmimalloc.so.2*' ;;
	nocache) look='nocache.so' ;;
	esac
	find /lib/ /usr/lib/ /usr/libexec/ -name "$look" 2>/dev/null | head -1
}

# with ORDER OTHER COMMAND...: both libraries preloaded, ours first or last; LD_PRELOAD may hold
# one already that keeps its place.
with() {
	case $1 in
	first) preload=$LIB:$2 ;;
	last) preload=$2:$LIB ;;
	esac
	shift 2
	timeout -k 5 "$LIMIT" env LD_PRELOAD="$preload" NOCACHE_RULES="* $policy" _STDBUF_O=0 "$@" </dev/null
}

# Everything is moved by each tool in one go; says what is wrong.
moves() {
	cold src
	with "$@" cp src dst.cp && with "$@" dd if=src of=dst.dd bs=1M status=none &&
		with "$@" cat src >dst.cat && with "$@" tar cf tar src && tar xf tar --to-stdout >dst.tar || return
	for copy in dst.cp dst.dd dst.cat dst.tar; do
		cmp src $copy
	done
	rm -f dst.* tar
}

# What the other library is there for: it does that, too.
serves() {
	case $3 in
	eatmydata)
		# dd's own fsync is none; ours, where the file system is blind (overlayfs), is fdatasync
		with "$1" "$2" strace -f -qq -e trace=fsync,fdatasync,sync_file_range dd if=src of=dst \
			bs=1M count=1 conv=fsync status=none 2>&1 | grep -w fsync
		[ -s dst ] || echo 'nothing was written'
		;;
	stdbuf)
		# each of the lines goes out by itself
		printf '1\n2\n3\n' >lines
		with "$1" "$2" strace -qq -o trace -e trace=write uniq lines >/dev/null
		[ "$(grep -c 'write(1' trace)" = 3 ] || echo 'what is written is buffered'
		;;
	nocache)
		# what it reads is not cached where ours does nothing, and the pages are not the file
		[ "$FS" != tmpfs ] || return
		cold src
		with "$1" "$2" env NOCACHE_DISABLE=1 cat src >/dev/null
		"$BIN/cachewatch" pages src | grep -v ' cached=0 '
		;;
	esac
	rm -f dst lines trace
}

# told NAME COMPLAINT: passes where there is none.
told() {
	if [ -z "$2" ]; then
		pass "adversity/$FS/$policy/beside/$1"
	else
		fail "adversity/$FS/$policy/beside/$1: $(echo "$2" | head -3 | tr '\n' ' ')"
	fi
}

# One beside ours, which comes first or last.
beside_one() {
	other=$(library "$1")
	if [ -z "$other" ]; then
		skip "adversity/$FS/$policy/beside/$1: not installed"
		return
	fi
	for order in first last; do
		said=$(moves $order "$other" 2>&1; serves $order "$other" "$1" 2>&1)
		told "$1/$order" "$said"
	done
}

# fakeroot(1) needs its server; it puts its library first, and we put ours before or behind that.
faked() {
	if ! command -v fakeroot >/dev/null; then
		skip "adversity/$FS/$policy/beside/fakeroot: not installed"
		return
	fi
	for order in first last; do
		said=$(NOCACHE_RULES="* $policy" LIB=$LIB order=$order fakeroot sh -c '
			case $order in first) LD_PRELOAD=$LIB:$LD_PRELOAD ;; last) LD_PRELOAD=$LD_PRELOAD:$LIB ;; esac
			cp src dst && chown 123:45 dst && tar cf tar dst && tar tvf tar --numeric-owner
			mknod device c 1 3 && [ -c device ] || echo "it sees what the device is"' 2>&1)
		case $said in
		'') said='nothing was done' ;;
		*' 123/45 '*' dst') said=$(tar xf tar --to-stdout | cmp - src 2>&1) ;;
		esac
		told "fakeroot/$order" "$said"
		rm -f dst tar device
	done
}

beside() {
	for other in eatmydata stdbuf jemalloc mimalloc nocache; do
		beside_one $other
	done
	faked
}
