# What is installed and upgraded, what is left alone, and what happens when it cannot be done now.
# shellcheck shell=sh disable=SC2154

# shellcheck disable=SC2016 # of dpkg-query
version() { box dpkg-query -W -f '${Version} ${db:Status-Status}' "$1" 2>/dev/null || echo absent; }
once() { box sed -n '/"once"/,/^  \]/p' /var/lib/r4s/state.json; }
holds_lock() { box test -e /run/slow-holds-the-lock; }

packages_lay() {
	r=$work/box/root
	rm -f "$r/etc/apt/sources.list" "$r/etc/apt/sources.list.d/armbian-config.sources"
	printf 'Types: deb\nURIs: %s\nSuites: bookworm\nComponents: main\nSigned-By: %s\n' "$m/debian" \
		/usr/share/keyrings/debian-archive-keyring.gpg >"$r/etc/apt/sources.list.d/debian.sources"
	for name in demo demo-held demo-conf linux-image-current-rockchip64 armbian-tools armbian-bsp-cli-nanopi-r4s; do
		set -- "$@" "/root/debs/${name}_1.0_all.deb"
	done
	box dpkg -i "$@" >/dev/null
	box apt-mark hold demo-held >/dev/null
	echo 'version = mine' >"$r/etc/demo-conf.conf"
	printf 'Package: demo-nothing\nPin: release *\nPin-Priority: 100\n' >"$r/etc/apt/preferences"
	mirrors_move_on
}

mine="armbian-mirrors = { \"$s/good/\" }"
story_packages() {
	packages_lay
	# Another mirror list than before, and names that no source has.
	conf "$mine" 'packages = { "demo-new", "demo-virtual", "nosuch-package", "armbian-config" }'

	box mount -t tmpfs -o size=30m full /var/cache/apt
	holds "full disk: exit 75" equal 75 "$(apply)"
	holds "full disk: it says how much is needed" has "$(cat "$work/apply.log")" 'the disk is too full: packages need [0-9]+ MiB, [0-9]+ MiB are free'
	holds "full disk: nothing was touched" equal "absent 1.0 installed" "$(version demo-new) $(version demo)"
	box umount /var/cache/apt

	mv "$work/www/debian" "$work/www/debian-away"
	holds "a source is silent: exit 75" equal 75 "$(apply)"
	holds "a source is silent: the report says which and why" has "$(cat "$work/apply.log")" 'Failed to fetch .*mirror.home.arpa/debian/.* 404'
	holds "a source is silent: no half upgrade" equal "1.0 installed" "$(version demo)"
	mv "$work/www/debian-away" "$work/www/debian"

	(box env DEBIAN_FRONTEND=noninteractive apt-get -q -y install /root/debs/demo-slow_1.0_all.deb >"$work/slow.log" 2>&1) &
	slow=$!
	until_ok 30 holds_lock || say "demo-slow did not start"
	began=$(date +%s)
	rc=$(apply)
	took=$(($(date +%s) - began))
	wait $slow
	holds "dpkg's lock is held for a minute: the run waits and ends well" equal "2 1.0 installed" "$rc $(version demo-slow)"
	holds "dpkg's lock is held for a minute: it did wait" test "$took" -ge 50
	holds "missing package is installed, without a question" box test -e /root/demo-new-was-set-up
	holds "a name that another package provides" equal "1.0 installed" "$(version demo-provider)"
	holds "a name that no source has is told, and does not stop the others" has "$(cat "$work/apply.log")" 'no source has "nosuch-package"'
	holds "armbian-config is not missed where no source has it" lacks "$(cat "$work/apply.log")" 'armbian-config"'
	holds "upgrade: done" equal "2.0 installed" "$(version demo)"
	holds "upgrade: kernel is held" equal "1.0 installed" "$(version linux-image-current-rockchip64)"
	holds "upgrade: what the owner holds is held" equal "1.0 installed" "$(version demo-held)"
	holds "upgrade: the owner's hold is there, and no other" equal demo-held "$(box apt-mark showhold)"
	holds "upgrade: changed file of the owner is kept" equal "2.0 installed version = mine" "$(version demo-conf) $(box cat /etc/demo-conf.conf)"
	holds "upgrade: the owner's preferences are untouched" has "$(cat "$r/etc/apt/preferences")" demo-nothing
	holds "sources that a package wrote anew are set right again" equal "2.0 installed $s/good/" "$(version armbian-tools) $(armbian_uri)"

	conf "$mine" 'packages = { "demo-new", "demo-virtual" }'
	holds "the list is shorter now: all is done" has "$(apply)" '^[02]$'
	holds "packages are marked as wanted" has "$(box apt-mark showmanual)" '^demo-new$'
	box apt-get -q -y remove demo-new >/dev/null 2>&1
	holds "removed by the owner: not installed again" equal "0 changes absent" \
		"$(apply >/dev/null; grep -o '^[0-9]* changes' "$work/apply.log") $(version demo-new | sed 's/.*config-files/absent/')"
	holds "removed by the owner: verify tells" has "$(box r4s-firstboot verify)" 'DIFFERS +apt.packages .*missing: demo-new'

	box rm -f /run/reboot-required
	box dpkg --unpack /root/debs/demo-new_1.0_all.deb >/dev/null
	: >"$r/var/lib/dpkg/updates/0001"
	conf "$mine" 'packages = { "demo-new", "demo-virtual", "demo" } kernel-upgrade = true'
	holds "cut in the midst of dpkg: repaired, and the rest goes on" has "$(apply)" '^[02]$'
	holds "cut in the midst of dpkg: the package is whole" equal "1.0 installed" "$(version demo-new)"
	holds "kernel-upgrade = true: the kernel too" equal "2.0 installed" "$(version linux-image-current-rockchip64)"
	holds "the upgrade asks for a restart: it is owed" has "$(box cat /var/lib/r4s/state.json | tr -d ' \n')" '"impact":"reboot"'
	holds "a restart is owed once" equal 1 "$(box grep -c '"restart-after-upgrade: ' /var/lib/r4s/state.json)"
	holds "second run: 0 changes" has "$(apply >/dev/null; cat "$work/apply.log")" '^0 changes'
}
