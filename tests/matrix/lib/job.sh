# shellcheck shell=sh disable=SC1090
# sh job.sh ROW FUNCTION: calls a function of a row's file, in the row's directory. Has what the
# functions may call besides lib/data.sh.
set -eu
# shellcheck source=tests/matrix/lib/data.sh
. "$HERE/lib/data.sh"

# Lines of the row's file that run and row read themselves.
packages() { :; }
unpack() { :; }
makes() { :; }
apart() { :; }
watch() { :; }

# nobody COMMAND...: as a user who is not root, for servers that refuse root.
nobody() {
	setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}

# await COMMAND...: until it succeeds, half a minute at most.
await() {
	tries=300
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { echo "await: $*: not within half a minute" >&2; return 1; }
		sleep 0.1
	done
}

# listening PORT: something accepts connections there.
listening() {
	bash -c "exec 3<>/dev/tcp/127.0.0.1/$1"
}

# ended PID: it is no longer there.
ended() {
	! kill -0 "$1"
}

# sshd_prepare, sshd_up: a server on port 2222 of loopback, without the shim; `ssh -F sshd/config host`.
sshd_prepare() {
	mkdir -p -m 700 sshd
	ssh-keygen -q -t ed25519 -N '' -f sshd/key
	cp sshd/key.pub sshd/authorized
	cat >sshd/config <<-END
	Host host
		HostName 127.0.0.1
		Port 2222
		User root
		IdentityFile $PWD/sshd/key
		StrictHostKeyChecking no
		UserKnownHostsFile /dev/null
		LogLevel ERROR
	END
}
sshd_up() {
	listening 2222 && return
	mkdir -p /run/sshd
	/usr/sbin/sshd -f /dev/null -h "$PWD/sshd/key" -p 2222 -o ListenAddress=127.0.0.1 -o StrictModes=no \
		-o AuthorizedKeysFile="$PWD/sshd/authorized" -o PermitRootLogin=yes -o UsePAM=no \
		-o PidFile=none -o 'Subsystem sftp /usr/lib/openssh/sftp-server' -E "$PWD/sshd/log"
	await listening 2222
}

. "$1"
"$2"
