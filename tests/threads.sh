#!/bin/sh
# threads.sh SOURCE BUILD CC - the library and tests/threads.c under ThreadSanitizer: two runs at
# once do not see each other.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
# shellcheck disable=SC2046 # one word per file
"$3" -std=c11 -O1 -g -fsanitize=thread -ffp-contract=off -fno-math-errno -DPH_VERSION='"test"' \
    -Iinclude -Isrc -I"$2/generated" $(find src -name '*.c' ! -path 'src/io/*' ! -path 'src/evidence/*') tests/threads.c \
    -lm -lpthread -o "$work/threads"
"$work/threads"
