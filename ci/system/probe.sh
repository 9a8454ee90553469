# What the stories ask of a box: from the LAN side by ssh, from inside, and of its file system.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

# conf_for TEMPLATE: the provision.conf of this run.
conf_for() { sed -e "s|@KEY@|$(cat "$work/key.pub")|" -e "s|@HASH@|$hash|" "$1"; }

# lab_up LAB: namespaces, servers and both cables plugged.
lab_up() {
	LAB_PORTS=veth LAB_LIMIT=$box_limit "$top/ci/lab/net" up "$1" "$work/$1-lab" || die "the lab's network; logs: $work/$1-lab"
	ip -n "$1-wan" addr add 2001:db8:51::1/64 dev wan nodad
	ip -n "$1-lan" addr add "$lan_client/24" dev lan
	ip -n "$1-lan" addr add fd77::100/64 dev lan nodad
	cables "$1" up
}
# cables LAB up|down: the far ends of both.
cables() {
	ip -n "$1-wan" link set wan "$2"
	ip -n "$1-lan" link set lan "$2"
}

# lan_ssh LAB USER OPTION... [-- CMD]: from the LAN client.
lan_ssh() {
	lab=$1 user=$2
	shift 2
	timeout -k 2 20 ip netns exec "$lab-lan" ssh -F /dev/null -o IdentitiesOnly=yes -o ConnectTimeout=5 -o LogLevel=ERROR \
		-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -l "$user" "$@" </dev/null
}
# by_key LAB USER CMD...
by_key() {
	lab=$1 user=$2
	shift 2
	lan_ssh "$lab" "$user" -o BatchMode=yes -i "$work/key" "$lan_box" "$@"
}
# by_password LAB USER PASSWORD: a login without a key.
by_password() {
	ASKPASS_WORD=$3 SSH_ASKPASS=$work/askpass SSH_ASKPASS_REQUIRE=force lan_ssh "$1" "$2" -o PubkeyAuthentication=no \
		-o PreferredAuthentications=password,keyboard-interactive -o NumberOfPasswordPrompts=1 "$lan_box" true
}
# no_password LAB USER PASSWORD: sshd does not even ask for one.
no_password() {
	words=$(by_password "$@" 2>&1) && { echo "$2 logged in with $3"; return 1; }
	has "$words" 'Permission denied \(publickey\)'
}
# opens NAME USER PASSWORD: PAM takes the password, as the console would.
opens() {
	# shellcheck disable=SC2016 # expanded in the box
	in_box "$1" sh -c 'printf "%s\0" "$2" | unix_chkpwd "$1" nullok' sh "$2" "$3"
}
# scan LAB: the host keys that sshd shows.
scan() { ip netns exec "$1-lan" ssh-keyscan -T 2 "$lan_box" 2>/dev/null | LC_ALL=C sort; }
# first_scan LAB FILE: asks without a pause until there is a first answer, at most 60 s.
first_scan() { until_ok 60 some_scan "$1" "$2"; }
some_scan() {
	scan "$1" >"$2.new"
	[ -s "$2.new" ] && mv "$2.new" "$2"
}

# tree NAME: every file that provisioning may touch, with content, mode, owner and time of the last write.
tree() {
	(
		cd "$work/$1/root" || exit
		find etc root home var/lib/r4s boot \( -type f -o -type l \) -printf '%p %m %U:%G %T@ %l\n' | LC_ALL=C sort
		find etc root home var/lib/r4s boot -type d -printf '%p %m %U:%G\n' | LC_ALL=C sort
		find etc root home var/lib/r4s boot -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
	)
}
# same_files OLD NEW: two trees, or what differs.
same_files() { diff "$1" "$2" | grep '^[<>]'  | cut -c1-120 | LC_ALL=C sort -k2 | uniq; cmp -s "$1" "$2"; }

# boot_ms NAME UNIT: from the start of user space until UNIT was active.
boot_ms() {
	start=$(in_box "$1" systemctl show -P UserspaceTimestampMonotonic)
	end=$(in_box "$1" systemctl show -P ActiveEnterTimestampMonotonic "$2")
	echo $(((end - start) / 1000))
}
mac_of() { in_box "$1" cat "/sys/class/net/$2/address"; }
addresses_of() { in_box "$1" ip -o addr show dev "$2" scope global | awk '{ print $4 }' | LC_ALL=C sort | tr '\n' ' '; }
has_lease() { has "$(addresses_of "$1" wan0)" '^198\.51\.100\.'; }
# duid_of NAME: what networkd shows DHCPv6 servers.
duid_of() { in_box "$1" sh -c 'sed -n "s/^DHCP6_CLIENT_DUID=//p" /run/systemd/netif/links/*'; }
host_keys() { cat "$work/$1"/root/etc/ssh/ssh_host_*_key.pub; }
# is_whole NAME: each host key can be read and fits its public half.
is_whole() {
	for type in rsa ecdsa ed25519; do
		key=$work/$1/root/etc/ssh/ssh_host_${type}_key
		equal "$(cut -d ' ' -f 1,2 "$key.pub")" "$(ssh-keygen -y -P '' -f "$key" | cut -d ' ' -f 1,2)" || return
		equal "600 0:0" "$(stat -c '%a %u:%g' "$key")" || return
	done
}
# is_unique OLD NEW: no line of the one stands in the other, and both have some.
is_unique() {
	for file in "$1" "$2"; do
		[ -s "$file" ] || { echo "nothing to compare in $file"; return 1; }
	done
	awk '{ print $1, $2 }' "$1" >"$1.bare"
	! awk '{ print $1, $2 }' "$2" | grep -F -x -f "$1.bare"
}

# closed NAME: what must never exist on a box of ours.
closed() {
	r=$work/$1/root
	fails opens "$1" root 1234 || return
	[ ! -e "$r/root/.not_logged_in_yet" ] || { echo "the first-login marker is there"; return 1; }
	lacks "$(in_box "$1" systemctl cat getty@tty1 serial-getty@ttyS2 console-getty 2>/dev/null)" autologin || return
	for f in "$r"/etc/ssh/ssh_host_*_key; do
		fails cmp -s "$f" "$base/etc/ssh/${f##*/}" || return
	done
	lacks "$(cat "$work/$1/console.log")" '(root@|[Pp]assword|Press any key|login: )'
}
# sealed ROOT: what an image has before any boot.
sealed() {
	has "$(cat "$1/etc/shadow")" '^root:[*!]' || return
	equal "" "$(cd "$1" && find root/.not_logged_in_yet etc/ssh/ssh_host_* etc/systemd/system/*getty@.service.d -type f 2>/dev/null)" || return
	equal "0 444" "$(stat -c '%s %a' "$1/etc/machine-id")" || return
	equal "" "$(cd "$1" && find var/lib/r4s -type f 2>/dev/null)"
}
# none_failed NAME: no unit has failed; else what systemd says of those that have.
none_failed() {
	bad=$(in_box "$1" systemctl list-units --failed --plain --no-legend | sed 's/ .*//')
	[ -z "$bad" ] && return
	# shellcheck disable=SC2086 # a list of units
	in_box "$1" systemctl status --no-pager --full $bad
	# shellcheck disable=SC2086
	echo "failed:" $bad
	return 1
}
# no_failures NAME: and no job is left.
no_failures() {
	none_failed "$1" || return
	until_ok 20 no_jobs "$1" || { in_box "$1" systemctl list-jobs --no-legend; return 1; }
	equal running "$(in_box "$1" systemctl is-system-running)"
}
no_jobs() { [ -z "$(in_box "$1" systemctl list-jobs --no-legend)" ]; }
# exits CODE CMD...
exits() {
	want=$1
	shift
	rc=0
	out=$("$@" 2>&1) || rc=$?
	[ "$rc" = "$want" ] && return
	printf '%s\n' "$out"
	echo "exit $rc, want $want: $(printf '%s\n' "$out" | grep -E '^(DIFFERS|state|error|note)' | tr -s ' \n' ' |')"
	return 1
}
