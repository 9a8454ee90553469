# A user of an older image, in more groups than the file says, and one that the file does not know.
# shellcheck shell=sh disable=SC2154
cat >>"$root/etc/passwd" <<'END'
armbian:x:1000:1000:made by hand:/home/armbian:/bin/sh
guest:x:1001:1001::/home/guest:/bin/bash
END
cat >>"$root/etc/shadow" <<'END'
armbian:$6$old$old:0:0:99999:7:::
guest:!:20000:0:99999:7:::
END
printf 'armbian:x:1000:\nguest:x:1001:\n' >>"$root/etc/group"
printf 'armbian:!::\nguest:!::\n' >>"$root/etc/gshadow"
sed -i -e 's/^sudo:x:27:$/sudo:x:27:armbian,guest/' -e 's/^adm:x:4:$/adm:x:4:guest/' "$root/etc/group"
sed -i 's/^sudo:\*::$/sudo:*::armbian,guest/' "$root/etc/gshadow"
mkdir -p "$root/home/armbian/.ssh"
chmod 0777 "$root/home/armbian"
echo 'kept' >"$root/home/armbian/.bashrc"
echo 'ssh-rsa old' >"$root/home/armbian/.ssh/authorized_keys"
chown -R 1000:1000 "$root/home/armbian"
