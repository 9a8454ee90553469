# Surroundings of the apt suite: mirrors and a box of the cached Debian root, both in a network namespace that leads nowhere.
# The caller has set top, run and is in a mount namespace of its own.
# shellcheck shell=sh disable=SC1091,SC2034,SC2154 # others use what is set here
. "$top/ci/roots/common.sh"
. "$top/ci/lab/lib.sh"
. "$top/ci/system/box.sh"
. "$top/ci/tap.sh"
. "$top/ci/system/expect.sh"
. "$top/ci/apt/repo.sh"

logs=${BUILD:-$top/build}/log/apt
work=${TMPDIR:-/tmp}/$run
cgroups=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
address=192.0.2.80
m=http://mirror.home.arpa s=https://mirror.home.arpa
export GNUPGHOME="$work/gnupg"

finish() {
	rc=$?
	trap '' EXIT INT TERM
	[ ! -e "$work/box/pid" ] || box_cut box
	stop_pid "$work" mirror
	gpgconf --kill all 2>/dev/null || :
	[ ! -e "$work/box/console.log" ] || cp "$work/box/console.log" "$logs/"
	find "$work" -maxdepth 1 -type f \( -name '*.log' -o -name notes \) -exec cp {} "$logs/" \;
	ip netns delete "$run" 2>/dev/null || :
	umount -l "$work" 2>/dev/null || :
	rmdir "$work" 2>/dev/null || :
	exit $rc
}

setup() {
	[ -n "$cgroups" ] || die "no cgroup2 file system is mounted; systemd in a container needs one"
	rm -rf "$logs"
	mkdir -p "$logs" "$work"
	trap finish EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	mount -t tmpfs -o size=2g,mode=0755 "$run" "$work"
	mkdir -m 0700 "$GNUPGHOME"
	ip netns add "$run"
	ip -n "$run" link set lo up
	ip -n "$run" address add $address/32 dev lo
	make -s -C "$top" all deb >"$logs/make.log" 2>&1 || die "make all deb; log: $logs/make.log"
	certificate
	mirrors
	ip netns exec "$run" python3 "$top/ci/apt/mirror.py" "$work/www" $address "$work/tls.crt" "$work/tls.key" "$work/mirror.log" \
		>"$work/mirror.ready" 2>"$work/mirror-errors.log" &
	keep_pid "$work" mirror $!
	until_ok 20 grep -q ready "$work/mirror.ready" || die "the mirrors did not start; log: $work/mirror-errors.log"
	box_prepare
}

# A certification authority of its own, and what it signs.
certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=test CA" \
		-keyout "$work/ca.key" -out "$work/ca.crt" 2>/dev/null
	openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=mirror.home.arpa" \
		-keyout "$work/tls.key" -out "$work/tls.csr" 2>/dev/null
	printf 'subjectAltName=DNS:mirror.home.arpa\n' >"$work/tls.ext"
	openssl x509 -req -in "$work/tls.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial -days 2 \
		-extfile "$work/tls.ext" -out "$work/tls.crt" 2>/dev/null
}

# box_prepare: $work/box is a card with our package on it, its sources in both forms, and nothing enabled.
box_prepare() {
	tar=$("$top/ci/roots/make" system-amd64)
	base=${tar%.tar}.root
	exec 9>"$cache/roots/system-amd64.lock"
	flock 9
	if [ ! -e "$base/.unpacked" ]; then
		rm -rf "$base"
		mkdir "$base"
		tar -C "$base" --numeric-owner --xattrs --xattrs-include='*' -xf "$tar"
		touch "$base/.unpacked"
	fi
	exec 9>&-
	layer box "$base"
	r=$work/box/root
	image_for_nspawn "$r"
	dpkg-deb --fsys-tarfile "$top"/build/deb/r4s-router_*_amd64.deb | tar -C "$r" --keep-directory-symlink -x
	mkdir -p "$r/usr/share/r4s-router"
	cp "$top/ci/system/board/board.conf" "$r/usr/share/r4s-router/"
	rm -f "$r/etc/apt/sources.list" "$r"/etc/apt/sources.list.d/* "$r/root/.not_logged_in_yet"
	rm -rf "$r/var/lib/apt/lists"
	mkdir -p "$r/var/lib/apt/lists" "$r/root/debs"
	cp "$work/distro.gpg" "$r/usr/share/keyrings/debian-archive-keyring.gpg"
	cp "$work/armbian.gpg" "$r/usr/share/keyrings/armbian-archive-keyring.gpg"
	cp "$work"/pool/*/*.deb "$r/root/debs/"
	cp "$work/ca.crt" "$r/usr/local/share/ca-certificates/test.crt"
	printf '%s mirror.home.arpa\n' $address >>"$r/etc/hosts"
	echo box >"$r/etc/hostname"
	systemd-id128 new >"$r/etc/machine-id"
	box_units
	rm -f "$r/etc/netplan/"* "$r/etc/systemd/system/multi-user.target.wants/armbian-firstrun.service"
}

# box_on: boots it, with the mirrors' network namespace for its own.
box_on() {
	cg=$cgroups/$run-box
	mkdir "$cg"
	echo "$cg" >"$work/box/cgroup"
	# shellcheck disable=SC2016
	SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 SYSTEMD_NSPAWN_API_VFS_WRITABLE=network sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$cg" \
		timeout -k 5 "$box_limit" systemd-nspawn --quiet --register=no --keep-unit --machine="$run" --directory="$work/box/root" --boot \
		--timezone=off --resolv-conf=off --link-journal=no --console=pipe --network-namespace-path="/run/netns/$run" \
		</dev/null >>"$work/box/console.log" 2>&1 &
	echo $! >"$work/box/pid"
	until_ok 20 box_leader box || die "the box did not start; log: $work/box/console.log"
	box_wait box 60 multi-user.target
}

# box CMD...: in the box, at most 300 s.
box() {
	timeout -k 2 300 nsenter -t "$(cat "$work/box/leader")" -m -u -i -n -p -C -- \
		env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 SYSTEMD_PAGER= SYSTEMD_COLORS=0 "$@" </dev/null
}

# conf LINE...: provision.conf with this section apt; what else a box needs is there.
conf() {
	{
		printf 'login { root-keys = { "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRoaXMgaXMgYW4gZXhhbXBsZSwgbm90IHlvdXIga2V5 me@pc" } }\n'
		printf 'apt {\n'
		printf '%s\n' "$@"
		printf '}\n'
	} >"$work/box/root/boot/provision.conf"
}

# apply: prints the exit code; what was said is in $work/apply.log.
# The program in the sandbox of the online stage, by hand: all stages at once, and no waiting for ports that are not there.
apply() {
	rm -f "$work/apply.log"
	box rm -f /run/apply.log
	box systemctl start r4s-firstboot-apply.service >/dev/null 2>&1 || :
	box cat /run/apply.log >"$work/apply.log"
	cat "$work/apply.log" >>"$work/applies.log"
	box cat /run/r4s/apply.rc
}

# box_units: the unit of apply(): sandbox and rights of the online stage, without its way of waiting and trying again.
box_units() {
	{
		printf '[Unit]\nDescription=Apply, for a test\n'
		sed -n '/^\[Service\]/,$p' "$top/firstboot/units/r4s-firstboot-online.service" |
			sed -e '/^ExecStartPost=/d' -e '/^Restart/d' -e 's/^ExecStart=.*/ExecStart=\/usr\/bin\/r4s-firstboot apply/'
		printf 'StandardOutput=append:/run/apply.log\nStandardError=inherit\n'
		# shellcheck disable=SC2016 # of systemd
		printf 'ExecStopPost=/bin/sh -c "echo $EXIT_STATUS >/run/r4s/apply.rc"\n'
	} >"$work/box/root/etc/systemd/system/r4s-firstboot-apply.service"
	ln -sf /dev/null "$work/box/root/etc/systemd/system/systemd-networkd-wait-online.service"
}
