# Box one: provisioned by DHCP, booted again, edited on a PC, broken on a PC and damaged, mended.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

story_one() {
	lab_up "$run-1"
	box_make one
	holds "image: sealed before its first boot" sealed "$work/one/root"
	conf_for "$top/ci/system/dhcp.conf" >"$work/one/root/boot/provision.conf"
	first_scan "$run-1" "$work/one.scan" &
	scanning=$!
	box_start one "$run-1"
	holds "first boot: headless to r4s-ready.target" box_wait one 60 r4s-ready.target
	wait $scanning || not_ok "first boot: sshd answered" "not within 60 s"
	one_first
	one_network
	one_secrets
	one_units
	tree one >"$work/one.tree.running"
	box_off one || not_ok "first boot: clean power off" "it had to be killed"
	tree one >"$work/one.tree"

	box_start one "$run-1"
	holds "second boot: ready" box_wait one 60 r4s-ready.target
	one_second
	conf_for "$top/ci/system/static.conf" >"$work/one/root/boot/provision.conf"
	one_plan
	box_off one || not_ok "second boot: clean power off" "it had to be killed"

	box_start one "$run-1"
	holds "edited config: ready" box_wait one 60 r4s-ready.target
	one_edited
	box_off one || not_ok "edited config: clean power off" "it had to be killed"

	one_break
	box_start one "$run-1"
	holds "refused config: box up" box_wait one 60 multi-user.target
	one_refused
	box_off one || not_ok "refused config: clean power off" "it had to be killed"

	conf_for "$top/ci/system/static.conf" >"$work/one/root/boot/provision.conf"
	rm "$work/one/root/var/lib/r4s/state.json"
	box_start one "$run-1"
	holds "lost state.json: ready" box_wait one 60 r4s-ready.target
	one_mended
	one_by_hand
	box_off one || not_ok "lost state.json: clean power off" "it had to be killed"
}

one_first() {
	holds "first boot: no failed unit, no job left, system running" no_failures one
	holds "first boot: status is ready" exits 0 in_box one r4s-firstboot status
	holds "first boot: status says ready" has "$(in_box one r4s-firstboot status)" '^state: ready$'
	holds "first boot: verify holds" exits 0 in_box one r4s-firstboot verify
	holds "first boot: verify has a verdict for every key" every_key one
	holds "first boot: the report on disk is what verify says" report_is_verify one
	holds "first boot: closed: no 1234, no autologin, no marker, no baked key, no prompt" closed one
	holds "first boot: PAM takes the user's own password" opens one taro "$password"
	holds "first boot: root is locked" has "$(in_box one getent shadow root)" '^root:[*!]'
	holds "ssh: root by key" equal one "$(by_key "$run-1" root echo one)"
	holds "ssh: user by key" equal taro "$(by_key "$run-1" taro id -un)"
	holds "ssh: user is in sudo" has "$(by_key "$run-1" taro id -Gn)" '(^| )sudo( |$)'
	holds "ssh: no password for root/1234" no_password "$run-1" root 1234
	holds "ssh: no password for a user who has one" no_password "$run-1" taro "$password"
	holds "ssh: host keys whole" is_whole one
	holds "ssh: keys at the first answer are the final ones" equal "$(cat "$work/one.scan")" "$(scan "$run-1")"
	holds "ssh: all three keys are shown" equal 3 "$(scan "$run-1" | wc -l)"
	holds "first boot: hostname" equal "box-one box-one" "$(in_box one hostname) $(cat "$work/one/root/etc/hostname")"
	holds "first boot: own name resolves" has "$(in_box one getent hosts box-one)" box-one
	holds "first boot: time zone Asia/Tokyo" equal "/usr/share/zoneinfo/Asia/Tokyo Asia/Tokyo" \
		"$(in_box one realpath /etc/localtime) $(cat "$work/one/root/etc/timezone")"
	holds "first boot: machine-id on disk" has "$(cat "$work/one/root/etc/machine-id")" '^[0-9a-f]{32}$'
	holds "first boot: machine-id is no mount" fails in_box one mountpoint -q /etc/machine-id
	holds "first boot: update-motd.d is executable again" equal "" "$(find "$work/one/root/etc/update-motd.d" -type f ! -perm -0111)"
	holds "first boot: Armbian's first run makes no keys" \
		has "$(cat "$work/one/root/etc/default/armbian-firstrun")" '^OPENSSHD_REGENERATE_HOST_KEYS=false'
	one_identity one "$run-1"
}

# every_key NAME: each key of the schema that a config can hold has a row, and each row a verdict; "-" gives its reason.
every_key() {
	in_box "$1" r4s-firstboot verify >"$work/$1.verify"
	in_box "$1" r4s-firstboot schema --json | sed -n 's/^ *"\(key\|path\)": "\(.*\)",*$/\2/p' >"$work/$1.keys"
	[ -s "$work/$1.keys" ] || { echo "schema --json lists no key"; return 1; }
	while read -r key; do
		row=$(echo "$key" | sed 's/^login\.user\b/login.user.taro/')
		grep -q -E "^(held|-) +$row +" "$work/$1.verify" || { echo "no verdict for $key"; return 1; }
	done <"$work/$1.keys"
	lacks "$(cat "$work/$1.verify")" '^DIFFERS' || return
	lacks "$(grep '^- ' "$work/$1.verify")" 'not measurable here: *$' || return
	has "$(cat "$work/$1.verify")" '^[0-9]+ held, 0 differ, [0-9]+ not measurable here$'
}
report_is_verify() { equal "$(in_box "$1" r4s-firstboot verify)" "$(cat "$work/$1/root/var/lib/r4s/report.txt")"; }

one_network() {
	holds "network: WAN has a lease" has "$(addresses_of one wan0)" '^198\.51\.100\.[5-9][0-9]/24'
	holds "network: LAN address" equal "192.168.77.1/24 " "$(addresses_of one lan0)"
	holds "network: default route over wan0" has "$(in_box one ip route show default)" '^default via 198\.51\.100\.1 dev wan0'
	holds "network: names are looked up" has "$(in_box one getent ahostsv4 ntp.nict.jp)" '^198\.51\.100\.12[1-4]'
	holds "network: MACs are random, local and in force" local_macs one
	holds "network: the catch-all is gone from disk" fails test -e "$work/one/root/etc/netplan/10-dhcp-all-interfaces.yaml"
	holds "network: and from the running boot" equal "" "$(in_box one sh -c 'ls /run/systemd/network | grep 10-netplan- || :')"
	for port in wan0 lan0; do
		holds "network: $port is configured by our file" has "$(in_box one networkctl status "$port")" \
			"Network File: /etc/systemd/network/05-$port.network"
	done
	holds "time: NICT at most 20 queries an hour, a second pool, the distribution's gone" until_ok 20 sources_are_right
}
local_macs() {
	wan=$(mac_of one wan0) lan=$(mac_of one lan0)
	has "$wan" '^.[26ae]:' && has "$lan" '^.[26ae]:' || return
	fails [ "$wan" = "$lan" ] || return
	has "$(cat "$work/one/root/etc/systemd/network/05-wan0.link")" "^MACAddress=$wan\$"
}
# Columns of chronyc -c sources: mode, state, name, stratum, poll.
sources_are_right() {
	in_box one chronyc -n -c sources >"$work/one.sources" || return
	awk -F, '$3 ~ /^198\.51\.100\.12[1-4]$/ { n++; hourly += 3600 / 2 ^ $5 }
		END { print n + 0, "NICT sources,", hourly + 0, "queries an hour"; exit !(n && hourly <= 20) }' "$work/one.sources" || return
	has "$(cat "$work/one.sources")" ',198\.51\.100\.131,' || return
	lacks "$(grep -h '^[^#]' "$work"/one/root/etc/chrony/chrony.conf "$work"/one/root/etc/chrony/sources.d/*)" 'debian\.pool'
}

one_secrets() {
	in_box one journalctl --no-pager --output=export --all >"$work/one.journal"
	holds "secrets: the journal has our own words" has "$(cat "$work/one.journal")" '^R4S_STAGE=early'
	holds "secrets: no hash in the journal" fails grep -a -q -F -e "$hash" "$work/one.journal"
	holds "secrets: the hash is in no other file" equal "boot/provision.conf etc/shadow " "$(
		cd "$work/one/root" || exit
		grep -r -l -a -F -e "$hash" etc var root home boot tmp 2>/dev/null | grep -v '^etc/r4s/provision.conf$' | LC_ALL=C sort | tr '\n' ' ')"
	holds "secrets: nor in /run" equal "" "$(in_box one grep -r -l -a -s -D skip -F -e "$hash" /run /tmp /dev/shm)"
	holds "secrets: state and report are root's alone to write" equal "" \
		"$(find "$work/one/root/var/lib/r4s" ! -user root -o -perm /022)"
	holds "secrets: authorized_keys are private" equal "600 0:0 600 1000:1000" "$(cd "$work/one/root" &&
		stat -c '%a %u:%g' root/.ssh/authorized_keys home/taro/.ssh/authorized_keys | tr '\n' ' ' | sed 's/ $//')"
	holds "secrets: what the box keeps of provision.conf is private" equal "600 0:0" \
		"$(stat -c '%a %u:%g' "$work/one/root/etc/r4s/provision.conf")"
	holds "secrets: shadow is private" lacks "$(stat -c %a "$work/one/root/etc/shadow")" '[1-7]$'
}

one_units() {
	for unit in "$top"/firstboot/units/r4s-*.service; do
		holds "units: exposure of ${unit##*/} is at most 4.0" exposed "${unit##*/}"
	done
	holds "units: nothing was denied" lacks "$(in_box one journalctl --no-pager -b -o cat -t r4s-firstboot -t systemd)" \
		'r4s-firstboot.*([Pp]ermitted|[Dd]enied)|Read-only file system|Operation not permitted'
}
exposed() {
	line=$(in_box one systemd-analyze security --no-pager "$1" | grep 'Overall exposure level')
	echo "$line"
	echo "$line" | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+$/) exit !($i <= 4.0); exit 1 }'
}

# one_identity NAME LAB: what must be the same after each boot of this box, and differ on another.
one_identity() {
	cp "$work/$1/root/etc/machine-id" "$work/$1.machine-id"
	host_keys "$1" >"$work/$1.hostkeys"
	mac_of "$1" wan0 >"$work/$1.wan-mac"
	mac_of "$1" lan0 >"$work/$1.lan-mac"
	duid_of "$1" >"$work/$1.duid"
	addresses_of "$1" wan0 >"$work/$1.wan-address"
	awk '{ print $2, $5 }' "$work/$2-lab/leases" >"$work/$1.dhcp-client"
}

one_second() {
	holds "second boot: no failed unit, no job left, system running" no_failures one
	holds "second boot: no file was written" same_files "$work/one.tree.running" "$(tree one >"$work/one.tree.2" && echo "$work/one.tree.2")"
	holds "second boot: a power off writes nothing either" same_files "$work/one.tree.running" "$work/one.tree"
	holds "second boot: apply had nothing to do" lacks "$(in_box one r4s-firstboot status)" '[1-9][0-9]* changes'
	holds "second boot: plan is empty" exits 0 in_box one r4s-firstboot plan
	holds "second boot: same MACs" equal "$(cat "$work/one.wan-mac" "$work/one.lan-mac")" "$(mac_of one wan0; mac_of one lan0)"
	holds "second boot: same host keys" equal "$(cat "$work/one.scan")" "$(scan "$run-1")"
	holds "second boot: same machine-id" equal "$(cat "$work/one.machine-id")" "$(in_box one cat /etc/machine-id)"
	holds "second boot: same WAN address" equal "$(cat "$work/one.wan-address")" "$(addresses_of one wan0)"
	holds "second boot: same DUID" equal "$(cat "$work/one.duid")" "$(duid_of one)"
	holds "second boot: verify holds" exits 0 in_box one r4s-firstboot verify
}

one_plan() {
	holds "edited config: plan tells what will change" exits 2 in_box one r4s-firstboot plan
	holds "edited config: plan shows no hash" lacks "$(in_box one r4s-firstboot plan; in_box one r4s-firstboot --json plan)" '[$](6|y)[$]'
	holds "edited config: plan shows the new address" has "$(in_box one r4s-firstboot plan)" '^ *\+Address=2001:db8:51::20/64'
}

one_edited() {
	holds "edited config: no failed unit, no job left, system running" no_failures one
	holds "edited config: verify holds" exits 0 in_box one r4s-firstboot verify
	holds "edited config: hostname" equal box-two "$(in_box one hostname)"
	holds "edited config: static WAN in both families" equal "198.51.100.20/24 2001:db8:51::20/64 " "$(addresses_of one wan0)"
	holds "edited config: LAN in both families" equal "192.168.77.1/24 fd77::1/64 " "$(addresses_of one lan0)"
	holds "edited config: routes" has "$(in_box one ip route show default; in_box one ip -6 route show default)" \
		'^default via 2001:db8:51::1 dev wan0'
	holds "edited config: IPv4 gateway answers" in_box one ping -q -c 1 -W 2 198.51.100.1
	holds "edited config: IPv6 gateway answers" in_box one ping -q -c 1 -W 2 2001:db8:51::1
	holds "edited config: given MAC" equal 02:00:00:00:00:aa "$(mac_of one wan0)"
	holds "edited config: random MAC stayed" equal "$(cat "$work/one.lan-mac")" "$(mac_of one lan0)"
	holds "edited config: resolver of WAN" has "$(in_box one resolvectl dns wan0)" ': 198\.51\.100\.1$'
	holds "edited config: names are looked up" has "$(in_box one resolvectl query -4 ntp.nict.jp)" '198\.51\.100\.12[1-4]'
	holds "edited config: domain of LAN" has "$(in_box one resolvectl domain lan0)" ': home\.arpa$'
	holds "edited config: time zone" equal "+0100 Europe/Berlin" "$(in_box one date -d 2026-01-01 +%z) $(cat "$work/one/root/etc/timezone")"
	holds "edited config: the new user by key" equal hana "$(by_key "$run-1" hana id -un)"
	holds "edited config: a password by SSH, as asked" by_password "$run-1" taro "$password"
	holds "edited config: still closed" closed one
	holds "edited config: root still has no password by SSH" fails by_password "$run-1" root 1234
	holds "edited config: same host keys" equal "$(cat "$work/one.scan")" "$(scan "$run-1")"
	holds "edited config: LAN over IPv6" equal box-two "$(lan_ssh "$run-1" root -o BatchMode=yes -i "$work/key" fd77::1 hostname)"
	in_box one ip -o addr show >"$work/one.addresses"
}

one_break() {
	r=$work/one/root
	conf_for "$top/ci/system/static.conf" | sed 's/"198.51.100.1", "2001:db8:51::1"/"198.51.100.300"/' >"$r/boot/provision.conf"
	bad_line=$(grep -n 198.51.100.300 "$r/boot/provision.conf" | cut -d : -f 1)
	cat "$r/etc/ssh/ssh_host_ed25519_key.pub" "$r/etc/ssh/ssh_host_ecdsa_key.pub" >"$work/one.damaged"
	: >"$r/etc/ssh/ssh_host_ed25519_key"
	half=$(($(stat -c %s "$r/etc/ssh/ssh_host_ecdsa_key") / 2))
	truncate -s $half "$r/etc/ssh/ssh_host_ecdsa_key"
}

one_refused() {
	until_ok 60 in_box one sh -c '! systemctl list-jobs --no-legend | grep -q r4s-firstboot' || :
	holds "refused config: status exits 78" exits 78 in_box one r4s-firstboot status
	holds "refused config: status says refused" has "$(in_box one r4s-firstboot status)" '^state: refused$'
	holds "refused config: status names file and line" has "$(in_box one r4s-firstboot status)" \
		"^error: /boot/provision.conf:$bad_line: .*198\.51\.100\.300"
	holds "refused config: check names file and line" has "$(in_box one r4s-firstboot check 2>&1)" "^/boot/provision.conf:$bad_line: "
	holds "refused config: same addresses as before" equal \
		"198.51.100.20/24 2001:db8:51::20/64 192.168.77.1/24 fd77::1/64 02:00:00:00:00:aa" \
		"$(addresses_of one wan0)$(addresses_of one lan0)$(mac_of one wan0)"
	holds "refused config: root by key" equal box-two "$(by_key "$run-1" root hostname)"
	holds "refused config: still closed" closed one
	holds "damaged host keys: whole again" is_whole one
	holds "damaged host keys: sshd shows all three" equal 3 "$(scan "$run-1" | wc -l)"
	holds "damaged host keys: the good one stayed" has "$(scan "$run-1")" "$(grep ssh-rsa "$work/one.scan" | cut -d ' ' -f 3 | sed 's/+/[+]/g')"
	holds "damaged host keys: torn ones are new" is_unique "$work/one.damaged" "$(host_keys one >"$work/one.healed" && echo "$work/one.healed")"
	scan "$run-1" >"$work/one.scan"
}

one_mended() {
	holds "lost state.json: no failed unit, no job left, system running" no_failures one
	holds "lost state.json: status is ready" exits 0 in_box one r4s-firstboot status
	holds "lost state.json: verify holds" exits 0 in_box one r4s-firstboot verify
	holds "lost state.json: same host keys" equal "$(cat "$work/one.scan")" "$(scan "$run-1")"
	holds "lost state.json: same MACs" equal "02:00:00:00:00:aa $(cat "$work/one.lan-mac")" "$(mac_of one wan0) $(mac_of one lan0)"
	holds "lost state.json: same machine-id" equal "$(cat "$work/one.machine-id")" "$(in_box one cat /etc/machine-id)"
}

# The way back to dhcp.conf on the running box, with a new MAC that must not come into force under a live link.
one_by_hand() {
	conf_for "$top/ci/system/dhcp.conf" | sed '/lan {/s/"random"/"02:00:00:00:00:bb"/' >"$work/one/root/boot/provision.conf"
	holds "apply by hand: exits 2, for the MAC waits" exits 2 in_box one r4s-firstboot apply
	holds "apply by hand: status says what waits for a reboot" has "$(in_box one r4s-firstboot status)" '^still to do: reboot '
	holds "apply by hand: hostname" equal box-one "$(in_box one hostname)"
	holds "apply by hand: the MAC stayed" equal "$(cat "$work/one.lan-mac")" "$(mac_of one lan0)"
	holds "apply by hand: WAN has a lease" until_ok 20 has_lease one
	holds "apply by hand: nothing static is left on WAN" lacks "$(addresses_of one wan0)" '198\.51\.100\.20/|2001:db8:51::20'
	holds "apply by hand: sshd takes no password any more" no_password "$run-1" taro "$password"
	holds "apply by hand: root by key" equal box-one "$(by_key "$run-1" root hostname)"
	holds "apply by hand: a second one changes nothing" has "$(in_box one r4s-firstboot apply)" '^0 changes'
}
