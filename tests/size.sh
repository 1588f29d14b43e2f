#!/bin/sh
# size.sh SOURCE BUILD - the lines of C in the core, and in everything that the library and the tool are made of, do not
# exceed the bounds in tests/size.txt. Who raises a bound says why in the same commit.
set -eu
cd "$1"

# Prints the number of lines of C below the folders, without those that scripts/lists writes.
lines() {
    # shellcheck disable=SC2016 # expands in the inner shell
    find "$@" -name '*.[ch]' -exec sh -c 'for file; do
        grep -q "^/. Written by scripts/lists" "$file" || cat "$file"
    done' _ {} + | wc -l
}

# Fails unless $2, the lines of $1, are at most the bound of the file $3.
check() {
    bound=$(sed -n "s/^$1 *\([0-9]*\).*/\1/p" "$3")
    [ "$2" -le "${bound:-0}" ] || { echo "$1: $2 lines of C, and $3 allows ${bound:-none}" >&2; return 1; }
    echo "$1: $2 lines of C, at most $bound"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'core 2\n' >"$work/size.txt"
if check core 3 "$work/size.txt" 2>/dev/null || check all 1 "$work/size.txt" 2>/dev/null; then
    echo "the check itself does not work" >&2
    exit 1
fi

core=$(sed -n 's/^core: //p' docs/architecture.md)
# shellcheck disable=SC2086 # one word each
check core "$(lines $core)" tests/size.txt
# shellcheck disable=SC2086 # one word each
check all "$(lines src tool lab)" tests/size.txt
