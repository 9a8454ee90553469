# What is different in trixie: no /etc/timezone, the distribution's time servers in a file of their own, no netplan,
# no cpufrequtils.
# shellcheck shell=sh disable=SC2154
rm "$root/etc/default/cpufrequtils"
rm "$root/etc/timezone" "$root/etc/gshadow" "$root/etc/netplan/10-dhcp-all-interfaces.yaml"
rm "$root/etc/systemd/system/sysinit.target.wants/systemd-resolved.service"
link /usr/lib/systemd/system/systemd-resolved.service etc/systemd/system/multi-user.target.wants/systemd-resolved.service
link ../run/systemd/resolve/stub-resolv.conf etc/resolv.conf
put 0644 etc/chrony/chrony.conf <<'END'
# Our own text in the shape of trixie's file.
confdir /etc/chrony/conf.d
sourcedir /run/chrony-dhcp
sourcedir /etc/chrony/sources.d
makestep 1 3
END
put 0644 etc/chrony/sources.d/debian.sources <<'END'
pool 2.debian.pool.ntp.org iburst
END
