#!/bin/sh
# newton.sh SOURCE BUILD CC - the library with a Newton that counts its iterations, and
# tests/newton.c, which says how many a step may take.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
# shellcheck disable=SC2046 # one word per file
"$3" -std=c11 -O1 -ffp-contract=off -fno-math-errno -DPH_VERSION='"test"' -include tests/newton.h \
    -Iinclude -Isrc -I"$2/generated" $(find src -name '*.c' ! -path 'src/io/*' ! -path 'src/evidence/*') tests/newton.c \
    -lm -o "$work/newton"
"$work/newton"
