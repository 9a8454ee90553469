# What the mirrors of the apt suite hold. The caller has set work.
# shellcheck shell=sh disable=SC2154

# The pool as it is before the mirrors move on.
packages_old() {
	deb distro demo 1.0
	deb distro demo-held 1.0
	file etc/demo-conf.conf <<-'END'
		version = 1
	END
	file DEBIAN/conffiles <<-'END'
		/etc/demo-conf.conf
	END
	deb distro demo-conf 1.0
	deb armbian linux-image-current-rockchip64 1.0
	file etc/cron.d/armbian-updates <<-'END'
		@reboot root touch /run/armbian-updates-ran
	END
	file usr/lib/armbian/armbian-apt-updates <<-'END'
		#!/bin/sh
	END
	deb armbian armbian-bsp-cli-nanopi-r4s 1.0
	# Writes what the real one's debconf question writes, at each installation.
	script postinst <<-'END'
		#!/bin/sh
		set -e
		cat >/etc/apt/apt.conf.d/20auto-upgrades <<-'CONF'
			APT::Periodic::Update-Package-Lists "1";
			APT::Periodic::Unattended-Upgrade "1";
		CONF
		deb-systemd-helper unmask unattended-upgrades.service >/dev/null || true
		deb-systemd-helper enable unattended-upgrades.service >/dev/null || true
		deb-systemd-invoke start unattended-upgrades.service >/dev/null || true
	END
	file lib/systemd/system/unattended-upgrades.service <<-'END'
		[Service]
		ExecStart=/bin/sleep infinity
		[Install]
		WantedBy=multi-user.target
	END
	file usr/bin/unattended-upgrade <<-'END'
		#!/bin/sh
	END
	deb distro unattended-upgrades 1.0
	# Asks a question that nobody answers, as some do.
	script postinst <<-'END'
		#!/bin/sh
		set -e
		[ "$DEBIAN_FRONTEND" = noninteractive ]
		touch /root/demo-new-was-set-up
	END
	deb distro demo-new 1.0
	deb distro demo-provider 1.0 'Provides: demo-virtual'
	# Holds dpkg's lock for a while.
	script postinst <<-'END'
		#!/bin/sh
		touch /run/slow-holds-the-lock
		sleep 63
	END
	deb distro demo-slow 1.0
}

packages_new() {
	deb distro demo 2.0
	deb distro demo-held 2.0
	file etc/demo-conf.conf <<-'END'
		version = 2
	END
	file DEBIAN/conffiles <<-'END'
		/etc/demo-conf.conf
	END
	deb distro demo-conf 2.0
	script postinst <<-'END'
		#!/bin/sh
		touch /run/reboot-required
	END
	deb armbian linux-image-current-rockchip64 2.0
	# Writes the sources of the box anew, as Armbian's package has done.
	script postinst <<-'END'
		#!/bin/sh
		sed -i 's|^URIs:.*|URIs: http://apt.armbian.example|' /etc/apt/sources.list.d/armbian.sources
	END
	deb armbian armbian-tools 2.0
}

mirrors() {
	key distro
	key armbian
	key stranger
	filler >"$work/filler"
	packages_old
	script postinst <<-'END'
		#!/bin/sh
	END
	deb armbian armbian-tools 1.0
	tree good armbian Armbian bookworm armbian
	old=$(date -u -d '20 days ago' '+%a, %d %b %Y %H:%M:%S UTC')
	tree stale armbian Armbian bookworm armbian "$old"
	tree unsigned armbian Armbian bookworm ''
	tree stranger armbian Armbian bookworm stranger
	tree suite armbian Armbian trixie armbian
	for copy in cut half lag trickle; do
		cp -a "$work/www/good" "$work/www/$copy"
	done
	truncate -s 400 "$work/www/cut/dists/bookworm/InRelease"
	truncate -s 1000 "$work/www/half/dists/bookworm/main/binary-amd64/Packages.gz"
	for suite in bookworm bookworm-updates; do
		tree debian distro Debian $suite distro
	done
	cp -a "$work/www/debian" "$work/www/debian-lag"
	ln -s ../debian-lag "$work/www/lag/debian"
	find "$work/pool" -name '*_1.0_*' -exec cp {} "$work/" \;
}

# mirrors_move_on: the mirrors get newer packages.
mirrors_move_on() {
	packages_new
	for kind in good lag; do tree $kind armbian Armbian bookworm armbian; done
	for suite in bookworm bookworm-updates; do tree debian distro Debian $suite distro; done
}
