# Boxes for the system tests: copies of one image that boot a real systemd in systemd-nspawn, each in a cgroup of its own.
# Everything of a box is in $work/NAME: root (its file system), console.log, cgroup, pid. $run is unique to this run.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here
box_limit=${BOX_LIMIT:-400} # seconds after which a forgotten box ends by itself

# image_make TOP: $work/image becomes the shaped Debian root with our stage on it; boxes are layers above.
image_make() {
	tar=$("$1/ci/roots/make" system-amd64) || return
	base=${tar%.tar}.root
	exec 9>"$cache/roots/system-amd64.lock"
	flock 9
	if [ ! -e "$base/.unpacked" ]; then
		rm -rf "$base"
		mkdir "$base"
		tar -C "$base" --numeric-owner --xattrs --xattrs-include='*' -xf "$tar"
		touch "$base/.unpacked"
	fi
	exec 9>&-
	"$1/ci/stage" "$1/ci/system/board" "$work/stage" amd64 >"$logs/stage.log" 2>&1 || return
	layer image "$base"
	image_for_nspawn "$work/image/root"
	"$1/userpatches/extensions/r4s-router/lay" "$work/image/root" "$work/stage" >"$logs/lay.log" 2>&1 || return
	umount "$work/image/root"
	lower=$work/image/up:$base
}

# layer NAME LOWER: $work/NAME/root shows LOWER and keeps what is written to it in $work/NAME/up.
layer() {
	mkdir -p "$work/$1/up" "$work/$1/work" "$work/$1/root"
	mount -t overlay -o "lowerdir=$2,upperdir=$work/$1/up,workdir=$work/$1/work" overlay "$work/$1/root"
}

# image_for_nspawn ROOT: what a container lacks. Its root has no label to be mounted by, it may not set the clock, and
# /proc/sys is read-only in it; the host name there is that of the container.
image_for_nspawn() {
	sed -i '/LABEL=armbi_root/d' "$1/etc/fstab"
	rm -f "$1/.unpacked"
	mkdir -p "$1/etc/systemd/system/chrony.service.d"
	cat >"$1/etc/systemd/system/chrony.service.d/nspawn.conf" <<-'END'
		[Unit]
		ConditionCapability=
		[Service]
		ExecStart=
		ExecStart=!/usr/sbin/chronyd -x $DAEMON_OPTS
	END
	cat >"$1/etc/systemd/system/nspawn-proc.service" <<-'END'
		[Unit]
		DefaultDependencies=no
		Before=r4s-firstboot-early.service sysinit.target
		[Service]
		Type=oneshot
		RemainAfterExit=yes
		ExecStart=mount --bind /proc/sys/kernel/hostname /proc/sys/kernel/hostname
		ExecStart=mount -o remount,bind,rw /proc/sys/kernel/hostname
	END
	ln -s ../nspawn-proc.service "$1/etc/systemd/system/sysinit.target.wants/"
}

# box_make NAME: a new card with the image on it.
box_make() { layer "$1" "$lower"; }

# box_drop NAME: away with a card.
box_drop() {
	umount "$work/$1/root"
	rm -rf --one-file-system "${work:?}/$1"
}

# box_start NAME LAB: LAB's namespace LAB-box holds its ports. A boot finds them down, with the factory's MAC, the same for all
# boxes, or with that of the .link file: there is no udev in a container, so its part is played here.
box_start() {
	b=$work/$1
	for port in wan0=52:54:00:00:00:01 lan0=52:54:00:00:00:02; do
		dev=${port%%=*}
		mac=$(sed -n 's/^MACAddress=//p' "$b/root/etc/systemd/network/05-$dev.link" 2>/dev/null) || :
		ip -n "$2-box" link set "$dev" down
		ip -n "$2-box" addr flush dev "$dev"
		ip -n "$2-box" link set "$dev" address "${mac:-${port#*=}}"
	done
	cg=$cgroups/$run-$1
	mkdir "$cg"
	echo "$cg" >"$b/cgroup"
	name=$1 lab=$2
	set -- timeout -k 5 "$box_limit"
	[ -z "${BOX_TRACE:-}" ] || set -- "$@" strace -f --seccomp-bpf -e trace=execve,execveat -e signal=none -v -s 4096 -o "$BOX_TRACE"
	# /sys must show the ports of the namespace. The inner shell enters the box's cgroup.
	# shellcheck disable=SC2016
	SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 SYSTEMD_NSPAWN_API_VFS_WRITABLE=network sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$cg" \
		"$@" systemd-nspawn --quiet --register=no --keep-unit --machine="$run-$name" --directory="$b/root" --boot \
		--timezone=off --resolv-conf=off --link-journal=no --console=pipe --network-namespace-path="/run/netns/$lab-box" --capability=CAP_NET_ADMIN \
		</dev/null >>"$b/console.log" 2>&1 &
	echo $! >"$b/pid"
	until_ok 20 box_leader "$name" || die "box $name did not start; log: $b/console.log"
}

# box_leader NAME: finds PID 1 of the box and keeps it in $work/NAME/leader.
box_leader() {
	init=$(cat "$work/$1/cgroup")/payload/init.scope/cgroup.procs
	[ -e "$init" ] || return
	while read -r p; do
		if [ "$(awk '/^NSpid:/ { print $NF }' "/proc/$p/status" 2>/dev/null)" = 1 ]; then
			echo "$p" >"$work/$1/leader"
			return
		fi
	done <"$init"
	return 1
}

# in_box NAME CMD...: at most 30 s.
in_box() {
	leader=$(cat "$work/$1/leader")
	shift
	timeout -k 2 30 nsenter -t "$leader" -m -u -i -n -p -C -- \
		env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 SYSTEMD_PAGER= SYSTEMD_COLORS=0 "$@" </dev/null
}

# box_wait NAME SECONDS UNIT: until UNIT is active.
box_wait() { until_ok "$2" in_box "$1" systemctl --quiet is-active "$3" 2>/dev/null || { echo "$3 not active after $2 s"; return 1; }; }

is_empty() { grep -q '^populated 0' "$1/cgroup.events"; }

# box_off NAME: clean power off; 1 if it had to be killed.
box_off() {
	kill -s RTMIN+4 "$(cat "$work/$1/leader")" 2>/dev/null || :
	if until_ok 30 is_empty "$(cat "$work/$1/cgroup")"; then
		box_gone "$1"
		return
	fi
	say "$1 did not power off within 30 s; log: $work/$1/console.log"
	box_cut "$1"
	return 1
}

# box_cut NAME: the power fails.
box_cut() {
	kill -9 "$(cat "$work/$1/leader")" "$(cat "$work/$1/pid")" 2>/dev/null || :
	until_ok 10 is_empty "$(cat "$work/$1/cgroup")" || :
	box_gone "$1"
}

# box_gone NAME: the remains of a box whose processes have ended.
box_gone() {
	wait "$(cat "$work/$1/pid")" 2>/dev/null || :
	find "$(cat "$work/$1/cgroup")" -depth -type d -exec rmdir {} + 2>/dev/null || :
	rm -f "$work/$1/pid" "$work/$1/leader" "$work/$1/cgroup"
}
