# shellcheck shell=sh
# rsync: three processes, buffers of no alignment, renames; the remote side of ssh has another environment.
packages rsync openssh-client openssh-server

prepare() {
	tree in/tree
	big in/big
	holes in/holes
	# the same with something put in and taken away
	(head -c 1000000 in/big && echo between && tail -c +1500000 in/big) >in/changed
	aged in/changed
	sshd_prepare
}

run_local() { rsync -aH in/ out/; }
run_whole() { rsync -a --whole-file --fsync in/big out/; }
run_sparse() { rsync -aS in/holes out/; }
run_checksum() { rsync -ac in/tree in/big out/ && rsync -aci in/tree in/big out/; }

before_inplace() { cp in/changed out/big; }
run_inplace() { rsync --inplace --no-whole-file in/big out/big; }

before_delta() { cp in/changed out/big; }
run_delta() { rsync -t --no-whole-file in/big out/big; }

before_append() { head -c $((SIZE / 3 + 1)) in/big >out/big; }
run_append() { rsync --append-verify in/big out/big; }

before_delete() { cp -a in/tree out/tree && echo more >out/tree/more && aged out/tree/more && rm out/tree/513; }
run_delete() { rsync -a --delete --backup --backup-dir=../old in/tree/ out/tree/; }

run_batch() { rsync -a --only-write-batch=out/batch in/tree in/big out/copy && mkdir out/copy && rsync -a --read-batch=out/batch out/copy; }
view_batch() { cp -a out/copy/. view; }

before_remote() { sshd_up; }
# shellcheck disable=SC2086 # NOCACHE is a command with its options
run_remote() {
	$NOCACHE rsync -a -e 'ssh -F sshd/config' in/tree in/big host:"$PWD/out/"
	$NOCACHE rsync -a -e 'ssh -F sshd/config' host:"$PWD/in/holes" out/
}
unhelped_remote() { echo "- rsync starts the program at the other end without the shim (--rsync-path='nocache rsync')"; }
