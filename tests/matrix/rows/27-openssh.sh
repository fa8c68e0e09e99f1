# shellcheck shell=sh
# scp, sftp, ssh: what they start at the other end has another environment; that must be said.
packages openssh-client openssh-server sudo

prepare() {
	big in/big
	tree in/tree
	sshd_prepare
}

before_scp() { sshd_up; }
# shellcheck disable=SC2086 # NOCACHE is a command with its options
run_scp() { $NOCACHE scp -q -F sshd/config in/big host:"$PWD/out/there" && $NOCACHE scp -q -F sshd/config host:"$PWD/in/big" out/here; }
unhelped_scp() { echo 'sftp-server scp starts the program at the other end without the shim'; }

before_sftp() { sshd_up; }
# shellcheck disable=SC2086
run_sftp() { printf 'put %s\nget %s\n' "in/big $PWD/out/there" "$PWD/in/big out/here" | $NOCACHE sftp -q -F sshd/config -b - host >/dev/null; }
unhelped_sftp() { echo 'sftp-server sftp starts the program at the other end without the shim'; }

before_ssh() { sshd_up; }
# shellcheck disable=SC2086
run_ssh() { $NOCACHE ssh -F sshd/config host "cat '$PWD/in/big'" >out/big && $NOCACHE ssh -F sshd/config host "cat >'$PWD/out/there'" <in/big; }
unhelped_ssh() { echo 'cat ssh starts its command without the shim (ssh HOST nocache COMMAND)'; }

# The same of sudo, which takes LD_PRELOAD away, whoever calls it.
# shellcheck disable=SC2086,SC2024
run_sudo() { $NOCACHE sudo cat in/big >out/big; }
unhelped_sudo() { echo 'cat sudo starts its command without the shim (sudo nocache COMMAND)'; }
