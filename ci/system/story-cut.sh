# Box cut: the early stage is killed in mid-run, then the power fails in mid-run; the next boot must make it whole.
# Making the other host keys takes long enough after the files that are waited for.
# It has a static WAN from its first boot on, and chrony as systemd has it in a container: skipped.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

story_cut() {
	lab_up "$run-c"
	box_make cut
	r=$work/cut/root
	rm -r "$r/etc/systemd/system/chrony.service.d"
	conf_for "$top/ci/system/static.conf" >"$r/boot/provision.conf"
	box_start cut "$run-c"
	holds "kill -9: the early stage was killed in mid-run" kill_at cut "$r/etc/systemd/network/05-wan0.link"
	holds "kill -9: box up all the same" box_wait cut 60 multi-user.target
	holds "kill -9: closed" closed cut
	box_cut cut

	rm -f "$r"/etc/ssh/ssh_host_*		# the later stages of that boot may have got as far as the keys
	box_start cut "$run-c"
	holds "power cut: in mid-run" cut_at cut "$r/etc/ssh/ssh_host_ed25519_key"

	box_start cut "$run-c"
	holds "next boot: ready" box_wait cut 60 r4s-ready.target
	holds "next boot: no failed unit, no job left, system running" no_failures cut
	holds "next boot: verify holds" exits 0 in_box cut r4s-firstboot verify
	holds "next boot: what a container cannot show is told with its reason" has "$(in_box cut r4s-firstboot verify)" \
		'^- +time\.ntp-pools +.*; not measurable here: a container may not set the clock'
	holds "next boot: plan is empty" exits 0 in_box cut r4s-firstboot plan
	holds "next boot: closed" closed cut
	holds "next boot: host keys whole" is_whole cut
	holds "next boot: root by key" equal box-two "$(by_key "$run-c" root hostname)"
	holds "next boot: static WAN in both families" equal "198.51.100.20/24 2001:db8:51::20/64 " "$(addresses_of cut wan0)"
	holds "next boot: nothing half-written is left" equal "" "$(find "$r/etc" "$r/root" "$r/home" "$r/var/lib/r4s" -name '.*.r4s*' -o -name '*.r4s-*')"
	box_off cut || not_ok "next boot: clean power off" "it had to be killed"
	"$top/ci/lab/net" down "$run-c" "$work/$run-c-lab"
}

# appears FILE: at most 20 s, without a process a turn: it must be seen while the run goes on.
appears() {
	from=$(date +%s)
	turn=0
	until [ -e "$1" ]; do
		turn=$((turn + 1))
		[ $((turn % 100000)) != 0 ] || [ $(($(date +%s) - from)) -lt 20 ] || { echo "$1 did not appear"; return 1; }
	done
}
# kill_at NAME FILE: kills the early stage when FILE appears. Fails if it had ended by then.
kill_at() {
	early=$(cat "$work/$1/cgroup")/payload/system.slice/r4s-firstboot-early.service/cgroup.procs
	appears "$2" || return
	pids=$(cat "$early" 2>/dev/null)
	[ -n "$pids" ] || { echo "it had ended when $2 was seen"; return 1; }
	# shellcheck disable=SC2086 # a list of numbers
	kill -9 $pids 2>/dev/null || : # a tool it ran may be gone by itself
	until_ok 20 in_box "$1" systemctl --quiet is-failed r4s-firstboot-early.service
	equal signal "$(in_box "$1" systemctl show -P Result r4s-firstboot-early.service)"
}
# cut_at NAME FILE: the power fails when FILE appears.
cut_at() {
	appears "$2" || return
	early=$(cat "$work/$1/cgroup")/payload/system.slice/r4s-firstboot-early.service/cgroup.procs
	pids=$(cat "$early" 2>/dev/null)
	box_cut "$1"
	[ -n "$pids" ] || { echo "the early stage had ended when $2 was seen"; return 1; }
}
