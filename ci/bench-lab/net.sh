# A shaped line in network namespaces: client (192.0.2.1) - router - server (198.51.100.2), IPv4 and IPv6.
# shellcheck shell=sh disable=SC2154
# Needs root. Sourced by the suite; $lab is the prefix of the namespaces' names, $tmp a scratch directory.

peer4=198.51.100.2 peer6=fd00:5:2::2
inside() { ip netns exec "$lab-$1" sh -c 'shift; exec "$@"' sh "$@"; }

# link NS DEV NS DEV: a veth pair between two namespaces.
link() {
	ip link add "$2" netns "$lab-$1" type veth peer name "$4" netns "$lab-$3"
	ip -n "$lab-$1" link set "$2" up
	ip -n "$lab-$3" link set "$4" up
	# A packet of many segments would be one packet for a counter.
	ip -n "$lab-$1" link set "$2" gso_max_segs 1
	ip -n "$lab-$3" link set "$4" gso_max_segs 1
}

# net_up: the namespaces and their addresses.
net_up() {
	for ns in client router server; do
		ip netns add "$lab-$ns"
		ip -n "$lab-$ns" link set lo up
		ip netns exec "$lab-$ns" sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 \
			net.ipv4.tcp_congestion_control=cubic 2>/dev/null || :
	done
	link client wan0 router c0
	link router s0 server eth0
	ip netns exec "$lab-router" sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	ip -n "$lab-client" addr add 192.0.2.1/24 dev wan0
	ip -n "$lab-client" addr add fd00:5:1::1/64 dev wan0 nodad
	ip -n "$lab-router" addr add 192.0.2.254/24 dev c0
	ip -n "$lab-router" addr add fd00:5:1::fe/64 dev c0 nodad
	ip -n "$lab-router" addr add 198.51.100.254/24 dev s0
	ip -n "$lab-router" addr add fd00:5:2::fe/64 dev s0 nodad
	ip -n "$lab-server" addr add $peer4/24 dev eth0
	ip -n "$lab-server" addr add $peer6/64 dev eth0 nodad
	ip -n "$lab-client" route add default via 192.0.2.254
	ip -n "$lab-client" -6 route add default via fd00:5:1::fe
	ip -n "$lab-server" route add default via 198.51.100.254
	ip -n "$lab-server" -6 route add default via fd00:5:2::fe
}

net_down() {
	for ns in client router server; do
		ip netns del "$lab-$ns" 2>/dev/null || :
	done
}

# shape RATE: the line's rate, on both ports of the router: a sender's own shaper would block it instead of dropping.
shape() {
	for dev in c0 s0; do
		tc -n "$lab-router" qdisc replace dev $dev root tbf rate "$1" burst 16k latency 20ms
	done
}
