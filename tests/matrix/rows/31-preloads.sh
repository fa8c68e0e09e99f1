# shellcheck shell=sh
# Other preloaded libraries, in front of the shim and behind it.
packages eatmydata fakeroot nocache libjemalloc2 coreutils tar

prepare() {
	tree in/tree
	big in/big
}

job_of() {
	"$@" cp -a in/tree out/tree
	"$@" cp in/big out/big
	"$@" cat in/big >out/cat
	"$@" tar cf out/a.tar in/tree in/big
	"$@" dd if=in/big of=out/dd bs=1000 count=30000 status=none
}

# in_front LIBRARY / behind LIBRARY
in_front() { job_of env LD_PRELOAD="$1${LD_PRELOAD:+ $LD_PRELOAD}"; }
behind() { job_of env LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD }$1"; }
jemalloc=libjemalloc.so.2

run_eatmydata() { job_of eatmydata; }
run_eatmydata_front() { in_front libeatmydata.so; }
run_fakeroot() { job_of fakeroot; }
run_fakeroot_front() { fakeroot sh -c 'chown 12:34 out/. && cp -a in/tree out/tree && tar cf out/a.tar out/tree'; }
run_stdbuf() { job_of stdbuf -o0 -i 4096; }
run_stdbuf_front() { in_front /usr/libexec/coreutils/libstdbuf.so; }
run_nocache() { job_of /usr/bin/nocache; }
run_nocache_front() { in_front /usr/lib/nocache/nocache.so; }
run_jemalloc_front() { in_front $jemalloc; }
run_jemalloc_behind() { behind $jemalloc; }
run_all() { job_of eatmydata fakeroot stdbuf -oL /usr/bin/nocache env; }
