# packages.sh - to be sourced: makes sure that Debian packages are installed.
# shellcheck shell=sh

# need PACKAGE...: installs those that are missing when run by root, else names them and fails.
# Where nothing is missing it asks dpkg once and is done.
need() {
	if ! command -v dpkg-query >/dev/null; then
		need_tools
		return
	fi
	missing=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' 2>/dev/null |
		awk -v wanted="$*" '
		$2 == "installed" { have[$1] = 1 }
		END {
			n = split(wanted, package, " ")
			for (i = 1; i <= n; i++)
				if (!(package[i] in have))
					print package[i]
		}')
	[ -n "$missing" ] || return 0
	# shellcheck disable=SC2086
	set -- $missing
	if [ "$(id -u)" != 0 ]; then
		echo "$0: missing packages: $*" >&2
		echo "as root: apt-get install --no-install-recommends $*" >&2
		return 1
	fi
	echo "installing $*"
	export DEBIAN_FRONTEND=noninteractive
	apt-get -q update && apt-get -q install -y --no-install-recommends "$@"
}

# Not a Debian: what cannot be done without, by command.
need_tools() {
	for tool in "${CC:-gcc}" make ar nm pkg-config; do
		command -v "$tool" >/dev/null || {
			echo "$0: missing: $tool" >&2
			return 1
		}
	done
}
