# shellcheck shell=sh
# restic, rclone: programs of Go, which make their system calls themselves.
packages restic rclone

export RESTIC_PASSWORD=secret RESTIC_CACHE_DIR="$PWD/out/cache" RCLONE_CONFIG=/dev/null

prepare() {
	tree in/tree
	big in/big
}

# shellcheck disable=SC2086 # NOCACHE is a command with its options
run_restic() {
	$NOCACHE restic -q -r out/repo init
	$NOCACHE restic -q -r out/repo backup in
	$NOCACHE restic -q -r out/repo restore latest --target out/restored
}
unhelped_restic() { echo 'restic is a Go program: it runs without the shim'; }
view_restic() { mv out/restored view; }

# shellcheck disable=SC2086
run_rclone() {
	$NOCACHE rclone -q copy in/big out
	$NOCACHE rclone -q sync in/tree out/tree
}
unhelped_rclone() { echo 'rclone is a Go program: it runs without the shim'; }
