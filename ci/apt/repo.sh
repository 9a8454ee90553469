# Signed repositories for the apt suite, made with dpkg-deb, apt-ftparchive and throw-away keys.
# The caller has set work. Trees: $work/www/KIND; packages: $work/pool/REPO.
# shellcheck shell=sh disable=SC2154

# filler: a package that is only talked about, so that a list has a size that takes time to fetch.
filler() {
	printf 'Package: zz-filler\nVersion: 1\nArchitecture: all\nMaintainer: test <test@home.arpa>\nFilename: pool/none.deb\nSize: 1\n'
	printf 'SHA256: %064d\nDescription: filler\n' 0
	openssl enc -aes-128-ctr -pass pass:x -nosalt -md sha256 </dev/zero 2>/dev/null | head -c 300000 | base64 | sed 's/^/ /'
}

# key NAME: a key pair; the public half becomes $work/NAME.gpg.
key() {
	gpg --batch --quiet --passphrase '' --quick-gen-key "$1 <$1@home.arpa>" ed25519 sign 1y
	gpg --batch --quiet --export "$1@home.arpa" >"$work/$1.gpg"
}

# deb REPO NAME VERSION [FIELD...]: packs $work/src (which it then removes) as a package of REPO.
deb() {
	repo=$1 name=$2 version=$3
	shift 3
	mkdir -p "$work/src/DEBIAN" "$work/src/usr/share/$name" "$work/pool/$repo"
	echo "$version" >"$work/src/usr/share/$name/version"
	{
		printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: test <test@home.arpa>\n' "$name" "$version"
		for field in "$@"; do echo "$field"; done
		echo "Description: for a test"
	} >"$work/src/DEBIAN/control"
	chmod -R go=rX "$work/src"
	dpkg-deb -Zgzip --root-owner-group -b "$work/src" "$work/pool/$repo/${name}_${version}_all.deb" >/dev/null
	rm -rf "$work/src"
}
# script NAME: a maintainer script of the next deb, from standard input.
script() {
	mkdir -p "$work/src/DEBIAN"
	cat >"$work/src/DEBIAN/$1"
	chmod 0755 "$work/src/DEBIAN/$1"
}
# file PATH: a file of the next deb, from standard input.
file() {
	mkdir -p "$work/src/$(dirname "$1")"
	cat >"$work/src/$1"
}

# tree KIND REPO ORIGIN SUITE KEY [DATE]: $work/www/KIND is a signed mirror of REPO; KEY "" leaves it unsigned.
tree() {
	dists=$work/www/$1/dists/$4
	mkdir -p "$dists/main/binary-amd64" "$work/www/$1/pool"
	[ ! -d "$work/pool/$2" ] || cp "$work/pool/$2"/*.deb "$work/www/$1/pool/"
	(cd "$work/www/$1" && apt-ftparchive packages pool) >"$dists/main/binary-amd64/Packages"
	cat "$work/filler" >>"$dists/main/binary-amd64/Packages"
	gzip -9nkf "$dists/main/binary-amd64/Packages"
	apt-ftparchive -o "APT::FTPArchive::Release::Origin=$3" -o "APT::FTPArchive::Release::Suite=$4" \
		-o "APT::FTPArchive::Release::Codename=$4" -o APT::FTPArchive::Release::Components=main \
		-o APT::FTPArchive::Release::Architectures=amd64 release "$dists" >"$work/Release"
	[ -z "${6:-}" ] || sed -i "s/^Date: .*/Date: $6/" "$work/Release"
	rm -f "$dists/InRelease" "$dists/Release"
	if [ -n "$5" ]; then
		gpg --batch --quiet --local-user "$5@home.arpa" --clearsign -o "$dists/InRelease" "$work/Release"
	else
		cp "$work/Release" "$dists/Release"
	fi
	chmod -R a+rX "$work/www"
}
