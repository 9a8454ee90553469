# Shared by the scripts that make and use root file systems: progress, cache, mirrors, no-clock prefix.
# shellcheck shell=sh

# shellcheck disable=SC2034 # used by those who read this file
cache=${R4S_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/r4s-router}
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# sum16 FILE...: one short key for the contents of these files.
sum16() { cat "$@" | sha256sum | cut -c1-16; }

# no_clock CMD...: runs CMD without the capability to set the clock, for it and all its children.
no_clock() { setpriv --bounding-set=-sys_time --inh-caps=-sys_time "$@"; }

# debian_lines RELEASE: one apt line for each Debian archive that this machine itself uses, made for RELEASE.
# Prints nothing if there is none; mmdebstrap and apt then fall back to their own default.
debian_lines() {
	for f in /etc/apt/sources.list.d/*.sources; do
		[ -f "$f" ] || continue
		awk -v key="$debian_keyring" -v rel="$1" -v RS= -F '\n' '{
			uris = suites = signed = ""
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^URIs:/)      { uris = $i;   sub(/^[^:]*:[ \t]*/, "", uris) }
				if ($i ~ /^Suites:/)    { suites = $i; sub(/^[^:]*:[ \t]*/, "", suites) }
				if ($i ~ /^Signed-By:/) { signed = $i; sub(/^[^:]*:[ \t]*/, "", signed) }
			}
			if (signed != key || uris == "") next
			sub(/[ \t].*/, "", uris)
			pre = "deb [signed-by=" key "] " uris " " rel
			if (suites ~ /-security/) print pre "-security main"
			else { print pre " main"; print pre "-updates main" }
		}' "$f"
	done | sort -u
}

# foreign_binfmt: lets this kernel run arm64 programs; does nothing where that works already.
foreign_binfmt() {
	binfmt=/proc/sys/fs/binfmt_misc
	[ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt ||
		die "mount binfmt_misc on $binfmt failed; it is needed to run arm64 programs"
	[ -e $binfmt/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 >&2 ||
		die "update-binfmts --enable qemu-aarch64 failed; is qemu-user-static installed?"
	grep -q '^flags:.*F' $binfmt/qemu-aarch64 ||
		die "$binfmt/qemu-aarch64 lacks flag F: install qemu-user-static again"
}
