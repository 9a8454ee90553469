# Upgrades by themselves: off, off again after the packages come again, and on when asked for.
# shellcheck shell=sh disable=SC2154

# What apt would do by itself: each period that is not "0".
periods() { box apt-config dump APT::Periodic | grep -v -e '"0";$' -e '^APT::Periodic "";$' || :; }
is_masked() { [ "$(readlink "$work/box/root/etc/systemd/system/$1")" = /dev/null ] || { echo "$1 is not masked"; return 1; }; }
cron_jobs() { find "$work/box/root/etc/cron.d" -name '*armbian*' ! -name '*.*' -printf '%f\n'; }
timers() { for timer in apt-daily.timer apt-daily-upgrade.timer; do ! box systemctl -q is-active $timer || printf '%s ' $timer; done; }
row() { box r4s-firstboot verify | grep "apt.unattended-upgrades"; }

story_updates() {
	conf "$mine" "$nothing"
	apply >/dev/null
	holds "off: no period is left" equal "" "$(periods)"
	for unit in apt-daily.timer apt-daily-upgrade.timer apt-daily.service apt-daily-upgrade.service unattended-upgrades.service; do
		holds "off: $unit is masked" is_masked $unit
	done
	holds "off: no timer of apt runs" equal "" "$(timers)"
	holds "off: Armbian's job is where cron does not read it" equal "" "$(cron_jobs)"
	holds "off: Armbian's job is kept" box grep -q armbian-updates-ran /etc/cron.d/armbian-updates.r4s

	box env DEBIAN_FRONTEND=noninteractive apt-get -q -y install /root/debs/unattended-upgrades_1.0_all.deb >>"$work/updates.log" 2>&1
	box env DEBIAN_FRONTEND=noninteractive apt-get -q -y --reinstall install /root/debs/armbian-bsp-cli-nanopi-r4s_1.0_all.deb >>"$work/updates.log" 2>&1
	holds "packages came again: they did write their part" box grep -q 'Unattended-Upgrade "1"' /etc/apt/apt.conf.d/20auto-upgrades
	holds "packages came again: no period" equal "" "$(periods)"
	holds "packages came again: the service does not run" fails box systemctl -q is-active unattended-upgrades.service
	holds "packages came again: no job of cron" equal "" "$(cron_jobs)"
	holds "packages came again: verify holds" has "$(row)" '^held'

	conf "$mine" 'unattended-upgrades = true packages = { } upgrade = false'
	holds "on: exit 0 or 2" has "$(apply)" '^[02]$'
	holds "on: apt looks and installs" equal 3 "$(periods | grep -c '"1"')"
	holds "on: the timer runs" equal "apt-daily.timer apt-daily-upgrade.timer " "$(timers)"
	holds "on: Armbian's job is back" equal armbian-updates "$(cron_jobs)"
	holds "on: verify holds" has "$(row)" '^held'
	holds "on: second run: 0 changes" has "$(apply >/dev/null; cat "$work/apply.log")" '^0 changes'

	conf "$mine" "$nothing"
	apply >/dev/null
	holds "off once more: no period, no timer, no job" equal "" "$(periods)$(timers)$(cron_jobs)"
}
