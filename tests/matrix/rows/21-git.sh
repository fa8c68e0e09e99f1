# shellcheck shell=sh
# git: maps and writes of the same files, O_RDWR, links and renames, inherited descriptors.
packages git
watch 'out/repo/.git/objects/pack/*' 'out/clone/.git/objects/pack/*'
apart 'all' 'it maps its packs, and hands them on to its helpers'

export HOME="$PWD/out" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c@example.org
export GIT_AUTHOR_DATE='2001-02-03T04:05:06Z' GIT_COMMITTER_DATE='2001-02-03T04:05:06Z'

prepare() {
	tree in/tree
	text in/text
	big in/big $((SIZE / 3))
}

work() {
	cd out/repo || return
	git config gc.auto 0
	git config pack.threads 1
	git add .
	git commit -q -m first
	sed -i 's/seven/sieben/' text
	git commit -q -am second
	git repack -q -a -d
	git checkout -q HEAD~1
	git checkout -q main
	git fsck --full --strict
	git log -p --stat | tail -n 100000
}

run_all() {
	git init -q -b main out/repo
	cp -a in/tree in/text in/big out/repo
	(work)
	cd out || return
	git clone -q --no-local repo clone
	git clone -q --bare repo bare
	git -C clone gc -q --prune=now
	git -C clone fsck --full
	git -C bare archive --prefix=a/ main >a.tar
	git -C bare archive -o "$PWD/a.zip" main
	git -C repo bundle create -q ../bundle main
}

# Of the repositories what does not depend on the time of day: packs, and what they hold for git alone.
view_all() {
	mv out/a.tar out/a.zip out/bundle view
	for repo in repo clone bare; do
		GIT_DIR=out/$repo/.git
		[ -d "$GIT_DIR" ] || GIT_DIR=out/$repo
		export GIT_DIR
		git fsck --full
		git rev-list --all --objects | sort >view/$repo.objects
		git cat-file --batch-all-objects --batch >view/$repo.contents
	done
	unset GIT_DIR
	rm -rf out/repo/.git out/clone/.git
	mv out/repo out/clone view
}
