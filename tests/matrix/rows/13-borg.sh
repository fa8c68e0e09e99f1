# shellcheck shell=sh
# borgbackup: python, posix_fadvise, close_range, fsync, renames.
packages borgbackup
watch 'out/repo/data/0/*'

export BORG_BASE_DIR="$PWD/out/base" BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes

prepare() {
	tree in/tree
	big in/big
	text in/text
}

run_backup() {
	borg init -e none out/repo
	borg create out/repo::one in/tree in/big
	borg create out/repo::two in
	borg check --verify-data out/repo
	mkdir out/restored
	(cd out/restored && borg extract ../repo::two)
	borg delete out/repo::one
	borg compact out/repo
	borg export-tar out/repo::two out/a.tar
}

# What the shim's borg restored, and what borg alone restores of its archive.
view_backup() {
	mv out/restored out/a.tar view
	mkdir view/alone
	cd view/alone || return
	borg check ../../out/repo
	borg extract ../../out/repo::two
}
