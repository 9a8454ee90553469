# No chrony.conf, no resolved, no hosts; sshd_config without drop-ins; .ssh of root is a link, a home is a file, and a group of the system bears the name of a user.
# shellcheck shell=sh disable=SC2154
rm "$root/etc/chrony/chrony.conf" "$root/etc/hosts" "$root/usr/lib/systemd/systemd-resolved"
rm "$root/usr/lib/systemd/system/systemd-resolved.service" "$root/etc/systemd/system/sysinit.target.wants/systemd-resolved.service"
put 0644 etc/ssh/sshd_config <<'END'
PermitRootLogin yes
END
link /tmp root/.ssh
printf 'OPENSSHD_REGENERATE_HOST_KEYS=true' | put 0600 etc/default/armbian-firstrun
mkdir -p "$root/home"
echo 'in the way' >"$root/home/daemon1"
echo 'photos:x:150:' >>"$root/etc/group"
