# Shared by the lab's scripts: addresses, names, child processes that are stopped by their pid.
# A lab is a directory DIR (pids, logs, keys) and two network namespaces NAME-wan and NAME-lan.
# shellcheck shell=sh disable=SC2034

wan_net=198.51.100
lan_client=192.168.77.100
lan_box=192.168.77.1
ntp_nict="$wan_net.121 $wan_net.122 $wan_net.123 $wan_net.124"
ntp_jst=$wan_net.131

# keep_pid DIR NAME PID: remembers a process of the lab.
keep_pid() { echo "$3" >"$1/$2.pid"; }

# is_running DIR NAME
is_running() { [ -s "$1/$2.pid" ] && kill -0 "$(cat "$1/$2.pid")" 2>/dev/null; }

# stop_pid DIR NAME: TERM, then KILL after 5 s.
stop_pid() {
	if is_running "$1" "$2"; then
		pid=$(cat "$1/$2.pid")
		kill "$pid" 2>/dev/null || :
		n=0
		while kill -0 "$pid" 2>/dev/null && [ $n -lt 50 ]; do
			n=$((n + 1))
			sleep 0.1
		done
		kill -9 "$pid" 2>/dev/null || :
	fi
	rm -f "$1/$2.pid"
}

# until_ok SECONDS CMD...: repeats CMD every 0.2 s until it succeeds; fails after SECONDS.
until_ok() {
	ends=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt $ends ] || return 1
		sleep 0.2
	done
}
