# Surroundings of a run of boxes: a private mount namespace, a work directory in memory, a name that no other run has, a clean end.
# The caller has set top and run.
# shellcheck shell=sh disable=SC1091,SC2034,SC2154 # others use what is set here
. "$top/ci/roots/common.sh"
. "$top/ci/lab/lib.sh"
. "$top/ci/tap.sh"
. "$top/ci/system/box.sh"
. "$top/ci/system/expect.sh"
. "$top/ci/system/probe.sh"

logs=${BUILD:-$top/build}/log/system
work=${TMPDIR:-/tmp}/$run
password=correct-horse
cgroups=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)

# A box that outlives the run would hold its mounts, its cgroup and its namespaces.
finish() {
	rc=$?
	trap '' EXIT INT TERM
	for b in "$work"/*/pid; do
		[ ! -e "$b" ] || box_cut "$(basename "${b%/pid}")"
	done
	for lab in "$work"/*-lab; do
		[ ! -e "$lab" ] || "$top/ci/lab/net" down "$(basename "${lab%-lab}")" "$lab"
	done
	for b in "$work"/*/console.log; do
		[ ! -e "$b" ] || cp "$b" "$logs/$(basename "${b%/console.log}").console.log"
	done
	find "$work" -maxdepth 1 -type f ! -name key -exec cp {} "$logs/" \;
	for b in "$work"/*/root; do
		umount -l "$b" 2>/dev/null || :
	done
	umount -l "$work" 2>/dev/null || :
	rm -rf --one-file-system "$work"
	exit $rc
}

# setup: ready to make boxes. With on_disk set the work directory is none in memory.
setup() {
	[ -n "$cgroups" ] || die "no cgroup2 file system is mounted; systemd in a container needs one"
	rm -rf "$logs"
	mkdir -p "$logs" "$work"
	trap finish EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	[ -n "${on_disk:-}" ] || mount -t tmpfs -o size=2g,mode=0755 "$run" "$work"
	ssh-keygen -q -t ed25519 -N '' -C "$run" -f "$work/key"
	cat >"$work/askpass" <<-'END'
		#!/bin/sh
		printf '%s\n' "$ASKPASS_WORD"
	END
	chmod 0755 "$work/askpass"
	hash=$(openssl passwd -6 "$password")
	make -s -C "$top" all deb >"$logs/make.log" 2>&1 || die "make all deb; log: $logs/make.log"
	image_make "$top" || die "the image could not be made; logs: $logs"
}
