# Box two: another card with the same image and config, booted without any cable; later both cables are plugged.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

story_two() {
	two_unplugged
	two_plugged
}

two_unplugged() {
	lab_up "$run-2"
	cables "$run-2" down
	box_make two
	conf_for "$top/ci/system/dhcp.conf" >"$work/two/root/boot/provision.conf"
	# Another try each 2 s instead of each minute, for the test's sake.
	mkdir -p "$work/two/root/etc/systemd/system/r4s-firstboot-online.service.d"
	printf '[Service]\nRestartSec=2\n' >"$work/two/root/etc/systemd/system/r4s-firstboot-online.service.d/test.conf"
	box_start two "$run-2"
	holds "unplugged: box up" box_wait two 30 multi-user.target
	holds "unplugged: only our later stages wait for the network" equal "" "$(in_box two systemctl list-jobs --no-legend |
		awk '{ print $2 }' | grep -v -E "^(systemd-networkd-wait-online|network-online|r4s-firstboot-(online|handoff)|r4s-ready)\\.")"
	holds "unplugged: logins are open" equal "active active" "$(in_box two systemctl is-active ssh getty.target | tr '\n' ' ' | sed 's/ $//')"
	holds "unplugged: multi-user in at most 10 s" at_most 10000 "$(boot_ms two multi-user.target)" "ms to multi-user.target"
	holds "unplugged: LAN has its address without a cable" equal "192.168.77.1/24 " "$(addresses_of two lan0)"
	holds "unplugged: closed" closed two
}

two_plugged() {
	holds "unplugged: ready all the same" box_wait two 120 r4s-ready.target
	holds "unplugged: no failed unit" none_failed two
	holds "unplugged: status exits 2" exits 2 in_box two r4s-firstboot status
	holds "unplugged: status says degraded" has "$(in_box two r4s-firstboot status)" '^state: degraded$'
	holds "unplugged: verify exits 2" exits 2 in_box two r4s-firstboot verify
	holds "unplugged: verify blames WAN and nothing else" equal "" \
		"$(in_box two r4s-firstboot verify | grep '^DIFFERS' | grep -v -E '^DIFFERS +(network\.wan\.|time\.)')"
	holds "unplugged: wait-online held nothing up for more than 15 s" at_most 15000 \
		"$(wait_ms two systemd-networkd-wait-online.service)" "ms of wait-online"
	cables "$run-2" up
	# r4s-clock-sync.service would do this, but leaves the clock of a container alone.
	until_ok 30 has_lease two && in_box two chronyc refresh >/dev/null
	holds "plugged later: root by key" equal box-one "$(by_key "$run-2" root hostname)"
	holds "plugged later: WAN gets its lease" until_ok 30 has_lease two
	holds "plugged later: verify holds" until_ok 60 exits 0 in_box two r4s-firstboot verify
	holds "plugged later: status becomes ready" until_ok 90 exits 0 in_box two r4s-firstboot status
	one_identity two "$run-2"
	box_off two || not_ok "plugged later: clean power off" "it had to be killed"
}
# two_differs: from box one, whose story was told.
two_differs() {
	for what in machine-id wan-mac lan-mac duid dhcp-client hostkeys; do
		holds "two boxes of one image: $what differs" is_unique "$work/one.$what" "$work/two.$what"
	done
}
wait_ms() {
	echo $((($(in_box "$1" systemctl show -P ExecMainExitTimestampMonotonic "$2") -
		$(in_box "$1" systemctl show -P ExecMainStartTimestampMonotonic "$2")) / 1000))
}
