# Shared by the suites that are shell scripts: one result line a test, details on standard error.
# shellcheck shell=sh disable=SC2034

failed=0
ok() { printf 'ok %s\n' "$1"; }
# not_ok NAME REASON
not_ok() {
	printf 'not ok %s - %s\n' "$1" "$(printf '%s' "$2" | tr '\n' '|' | cut -c1-400)"
	failed=1
}
# holds NAME COMMAND...: the command succeeds; else the last line it said is the reason.
holds() {
	name=$1
	shift
	if output=$("$@" 2>&1); then
		ok "$name"
	else
		printf '%s\n' "$output" >&2
		not_ok "$name" "$(printf '%s\n' "$output" | tail -n 1)"
	fi
}
# same NAME WANTED GOT: equal texts.
same() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		printf '%s: wanted:\n%s\ngot:\n%s\n' "$1" "$2" "$3" >&2
		not_ok "$1" "wanted \"$2\", got \"$3\""
	fi
}
