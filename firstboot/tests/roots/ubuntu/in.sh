# What is different in an Ubuntu image: NetworkManager, no networkd enabled, a chrony.conf with several pools, comments in sshd_config.
# shellcheck shell=sh disable=SC2154
rm "$root/etc/systemd/system/multi-user.target.wants/systemd-networkd.service"
rm "$root/etc/netplan/10-dhcp-all-interfaces.yaml"
put 0600 etc/netplan/00-default-use-network-manager.yaml <<'END'
network:
  version: 2
  renderer: NetworkManager
END
put 0600 etc/netplan/50-by-hand.yaml <<'END'
network:
  version: 2
END
put 0644 usr/lib/systemd/system/NetworkManager.service </dev/null
put 0644 etc/chrony/chrony.conf <<'END'
pool ntp.ubuntu.com        iburst maxsources 4
 pool 0.ubuntu.pool.ntp.org iburst maxsources 1
server 192.0.2.9
# pool commented.example
keyfile /etc/chrony/chrony.keys
END
put 0644 etc/ssh/sshd_config <<'END'
# a comment
include /etc/ssh/sshd_config.d/*.conf
UsePAM yes
END
