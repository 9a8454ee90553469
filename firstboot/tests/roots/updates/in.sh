# Armbian's own ways of looking for upgrades, and those of unattended-upgrades; sources that stay as they are offline.
# shellcheck shell=sh disable=SC2154
put 0755 usr/bin/apt-get </dev/null
put 0644 etc/cron.d/armbian-updates <<'TEXT'
@reboot root /usr/lib/armbian/armbian-apt-updates
TEXT
put 0644 var/lib/dpkg/diversions <<'TEXT'
/bin/sh
/bin/sh.distrib
dash
TEXT
put 0644 etc/apt/apt.conf.d/02-armbian-periodic <<'TEXT'
APT::Periodic::Enable "0";
APT::Periodic::Unattended-Upgrade "7";
TEXT
put 0644 etc/apt/apt.conf.d/20auto-upgrades <<'TEXT'
APT::Periodic::Unattended-Upgrade "1";
TEXT
put 0644 etc/apt/sources.list.d/armbian.sources <<'TEXT'
Types: deb
URIs: http://apt.armbian.example
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/armbian-archive-keyring.gpg
TEXT
put 0644 var/lib/apt/lists/apt.armbian.example_dists_bookworm_InRelease </dev/null
put 0644 var/lib/apt/lists/left.example_dists_bookworm_InRelease </dev/null
