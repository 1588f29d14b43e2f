#!/bin/sh
# readme.sh SOURCE BUILD CC FLAG... - the first C program in README.md compiles and runs.
set -eu
source=$1 build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk '/^```/ { if (inside) exit; inside = /^```c$/; next } inside' "$source/README.md" >"$work/readme.c"
[ -s "$work/readme.c" ] || { echo "README.md has no \`\`\`c block" >&2; exit 1; }
"$@" -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/readme.c" \
    "$build/libpolhode.a" -lm -o "$work/readme"
"$work/readme"
