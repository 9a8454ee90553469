# Box trace: its first boot with every program start recorded, so that no secret can hide in a command line.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

story_trace() {
	lab_up "$run-t"
	box_make trace
	conf_for "$top/ci/system/dhcp.conf" >"$work/trace/root/boot/provision.conf"
	BOX_TRACE=$work/trace.execs box_start trace "$run-t"
	holds "argv: box up" box_wait trace 90 r4s-ready.target
	box_cut trace
	"$top/ci/lab/net" down "$run-t" "$work/$run-t-lab"
	holds "argv: the record has our tools" has "$(grep -c execve "$work/trace.execs"; grep ssh-keygen "$work/trace.execs")" 'ssh-keygen.*-t'
	holds "argv: no hash in any command line or environment" fails grep -q -F -e "$hash" "$work/trace.execs"
	holds "argv: no part of it" fails grep -q -F -e "$(echo "$hash" | cut -c 12-40)" "$work/trace.execs"
}
