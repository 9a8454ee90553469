# Conditions for holds of ci/tap.sh: 0, or 1 with the reason on the last line.
# shellcheck shell=sh disable=SC2154,SC1091 # setup.sh sets what is used here

# equal WANT GOT
equal() { [ "$1" = "$2" ] || { echo "want '$1', got '$2'"; return 1; }; }
# has TEXT PATTERN: an extended regular expression that fits a line.
has() { printf '%s\n' "$1" | grep -q -E -e "$2" || { echo "no line fits '$2' in: $(echo "$1" | tr '\n' '|' | cut -c1-250)"; return 1; }; }
# lacks TEXT PATTERN
lacks() { ! printf '%s\n' "$1" | grep -E -e "$2"; }
# at_most LIMIT NUMBER WHAT
at_most() { [ "$2" -le "$1" ] || { echo "$3: $2, want at most $1"; return 1; }; }
# fails CMD...
fails() { ! "$@" >/dev/null 2>&1 || { echo "succeeded, but must fail: $*"; return 1; }; }
