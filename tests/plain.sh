#!/bin/sh
# plain.sh SOURCE BUILD - every file of the library compiles without a flag but the folders of
# its headers, by every compiler at hand: in its default language, with what that declares.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
cd "$1"
for cc in gcc clang; do
    command -v $cc >/dev/null || { left_out "$cc is not installed"; continue; }
    find src lab/measure lab/motion lab/flows -name '*.c' \
        -exec $cc -fsyntax-only -Iinclude -Isrc -I. -I"$2/generated" {} +
    echo "$cc compiles each file"
done
finish
