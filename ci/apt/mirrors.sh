# Which mirror is taken, what is refused and why, and what becomes of apt's files.
# shellcheck shell=sh disable=SC2154

sources_lay() {
	r=$work/box/root
	cat >"$r/etc/apt/sources.list.d/armbian.sources" <<-'END'
		# Armbian, as the image has it
		Types: deb
		URIs: http://apt.armbian.example
		Suites: bookworm
		Components: main
		Signed-By: /usr/share/keyrings/armbian-archive-keyring.gpg
	END
	cat >"$r/etc/apt/sources.list.d/armbian-config.sources" <<-'END'
		Types: deb
		URIs: http://config.armbian.example/configng
		Suites: stable
		Components: main
		Enabled: no
		Signed-By: /usr/share/keyrings/armbian-archive-keyring.gpg
	END
	cat >"$r/etc/apt/sources.list.d/debian.sources" <<-'END'
		# by hand
		Types: deb
		URIs:
		 http://old.example/debian
		# the second one
		 http://other.example/debian/
		Suites: bookworm
		 bookworm-updates
		Components: main
		X-Note: kept
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

		Types: deb
		Enabled: no
		URIs: http://old.example/debian
		Suites: bookworm-backports
		Components: main
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	END
	cat >"$r/etc/apt/sources.list" <<-'END'
		# deb http://old.example/debian bookworm main
		deb   [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]  http://old.example/debian bookworm-updates   main	# by hand
	END
	chmod 0640 "$r/etc/apt/sources.list"
	: >"$r/var/lib/apt/lists/old.example_debian_dists_bookworm_InRelease"
	rm -rf "$work/before"
	cp -a "$r/etc/apt" "$work/before"
}

# refused KIND REASON: the report says why.
refused() { holds "refused: $1, with its reason" has "$(cat "$work/notes")" "$2"; }
notes() { box sed -n '/"notes"/,/^  \]/p' /var/lib/r4s/state.json >"$work/notes"; cat "$work/notes" >>"$work/notes.log"; }
armbian_uri() { sed -n 's/^URIs: //p' "$work/box/root/etc/apt/sources.list.d/armbian.sources"; }
nothing='packages = { } upgrade = false'

story_mirrors() {
	sources_lay
	conf "armbian-mirrors = { \"$m/unsigned\", \"$m/stranger\", \"$m/cut\", \"$m/half\", \"$m/nowhere\", \"$m/suite\", \"$s/good\", \"http://192.0.2.80:81/\" }" "$nothing"
	holds "no mirror is good: exit 75" equal 75 "$(apply)"
	notes
	holds "no mirror is good: the sources stay" diff -r "$work/before/sources.list.d" "$work/box/root/etc/apt/sources.list.d"
	refused unsigned 'mirror.home.arpa/unsigned: .*not signed'
	refused "signed by a stranger" 'mirror.home.arpa/stranger: .*NO_PUBKEY'
	refused "list cut" 'mirror.home.arpa/cut: .*(Clearsigned|not signed|NODATA|signature)'
	refused "index cut" 'mirror.home.arpa/half: .*Packages.gz has 1000 bytes, and the signed list says [0-9]+: it is cut'
	refused "HTTP status 404" 'mirror.home.arpa/nowhere: .*does not have a Release file'
	refused "wrong suite" 'mirror.home.arpa/suite: .*does not have a Release file'
	refused "certificate of an unknown authority" 'https://mirror.home.arpa/good: .*[Cc]ertificate'
	refused "no answer" 'http://192.0.2.80:81/: .*(connect|unreachable|timed out|limit|too long)'
	holds "scratch files are removed" fails test -e "$work/box/root/run/r4s/mirror"

	box update-ca-certificates >/dev/null 2>&1
	conf "armbian-mirrors = { \"$m/stale\", \"$m/trickle\", \"$m/lag\", \"$s/good/\" }" "mirrors = { \"$m/debian\" }" "$nothing"
	began=$(date +%s)
	holds "one good mirror among bad ones: exit 2 at most" has "$(apply)" '^[02]$'
	holds "a mirror that trickles holds up for 30 s at most" at_most 45 $(($(date +%s) - began)) "s for the whole run"
	holds "the fast good one is taken, by HTTPS with its own CA" equal "$s/good/" "$(armbian_uri)"
	mirrors_files
	holds "second run: 0 changes" has "$(apply >/dev/null; cat "$work/apply.log")" '^0 changes'

	conf "armbian-mirrors = { \"$s/good/\", \"$m/lag\" }" "$nothing"
	sed -i "s|^URIs: .*|URIs: $m/lag|" "$work/box/root/etc/apt/sources.list.d/armbian.sources"
	holds "in use and good: it stays, though another is faster" equal "0or2 $m/lag" "$(apply | sed 's/^[02]$/0or2/') $(armbian_uri)"
	mv "$work/www/lag/dists" "$work/www/lag/gone"
	holds "in use and no longer good: another is taken" equal "0or2 $s/good/" "$(apply | sed 's/^[02]$/0or2/') $(armbian_uri)"
	mv "$work/www/lag/gone" "$work/www/lag/dists"
	conf "armbian-mirrors = { \"$m/stale\" }" "$nothing"
	box apt-get -qq update >/dev/null 2>&1 || :
	holds "stale: exit 75" equal 75 "$(apply)"
	notes
	refused "stale" 'mirror.home.arpa/stale: its list of bookworm is of [-0-9]+, and one of [-0-9]+ is known: it is stale'
	holds "stale: what was there stays" equal "$s/good/" "$(armbian_uri)"
	holds "the program asked no mirror that nobody named" fails grep -q -i -E 'old|other' "$work/mirror.log"
}

# All but the addresses is byte for byte as before.
mirrors_files() {
	now=$work/box/root/etc/apt
	sed "s|http://apt.armbian.example|$s/good/|" "$work/before/sources.list.d/armbian.sources" >"$work/want"
	holds "deb822: all but the address stays" diff "$work/want" "$now/sources.list.d/armbian.sources"
	holds "disabled file of another repository stays" diff "$work/before/sources.list.d/armbian-config.sources" "$now/sources.list.d/armbian-config.sources"
	awk -v to="$m/debian" 'NR == 4 { print " " to; next } NR == 6 { next } { print }' "$work/before/sources.list.d/debian.sources" >"$work/want"
	holds "several addresses on lines of their own, comments, a disabled stanza" diff "$work/want" "$now/sources.list.d/debian.sources"
	sed "s|]  http://old.example/debian|]  $m/debian|" "$work/before/sources.list" >"$work/want"
	holds "one-line form with options and comments" diff "$work/want" "$now/sources.list"
	holds "mode of the file stays" equal 640 "$(stat -c %a "$now/sources.list")"
	holds "lists of left hosts are removed" fails ls "$work/box/root/var/lib/apt/lists/old.example_debian_dists_bookworm_InRelease"
	holds "apt itself likes the files" box apt-get -qq update
}
