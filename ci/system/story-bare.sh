# Box bare: an image without any provision.conf. It must be closed, whatever it cannot be.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

story_bare() {
	lab_up "$run-b"
	box_make bare
	box_start bare "$run-b"
	holds "no config: box up" box_wait bare 60 multi-user.target
	holds "no config: all stages ended" until_ok 90 no_jobs bare
	holds "no config: only our stages failed" equal "early handoff online " "$(ours_failed bare)"
	holds "no config: it does not call itself ready" fails in_box bare systemctl --quiet is-active r4s-ready.target
	holds "no config: status exits 78" exits 78 in_box bare r4s-firstboot status
	holds "no config: status says what to do" has "$(in_box bare r4s-firstboot status)" '^error: no provision\.conf: put one on'
	holds "no config: verify says what to do" has "$(in_box bare r4s-firstboot verify 2>&1)" 'no provision\.conf'
	holds "no config: closed" closed bare
	holds "no config: root is locked" has "$(in_box bare getent shadow root)" '^root:[*!]'
	holds "no config: nobody has a password" equal "" "$(in_box bare getent shadow | awk -F: '$2 !~ /^[*!]/ { print $1 }')"
	holds "no config: host keys whole" is_whole bare
	holds "no config: machine-id on disk" has "$(cat "$work/bare/root/etc/machine-id")" '^[0-9a-f]{32}$'
	host_keys bare >"$work/bare.hostkeys"
	box_off bare || not_ok "no config: clean power off" "it had to be killed"
	"$top/ci/lab/net" down "$run-b" "$work/$run-b-lab"
}
# ours_failed NAME: our stages that failed, or other units by their full name.
ours_failed() {
	in_box "$1" systemctl list-units --failed --plain --no-legend | sed 's/ .*//; s/^r4s-firstboot-\(.*\)\.service$/\1/' |
		LC_ALL=C sort | tr '\n' ' '
}
