# The card of a box that ran, put into another machine: its identity stays, and so does what its owner changed by hand.
# shellcheck shell=sh disable=SC2154
put 0644 var/lib/r4s/state.json <<'END'
{
  "format": 1,
  "provisioned": true,
  "result": "ready",
  "error": "",
  "notes": [],
  "follow-ups": []
}
END
chmod u+w "$root/etc/machine-id"
put 0444 etc/machine-id <<'END'
0123456789abcdef0123456789abcdef
END
rm "$root/root/.not_logged_in_yet"
put 0644 etc/systemd/network/05-wan0.link <<'END'
# Written by r4s-firstboot from provision.conf; edit that file instead.
# MACAddress: random, drawn once on this box
[Match]
Path=platform-4010000000.pcie-pci-0000:00:02.0

[Link]
Name=wan0
MACAddressPolicy=none
MACAddress=02:11:22:33:44:55
END
chmod 0600 "$root/etc/update-motd.d/10-header"
