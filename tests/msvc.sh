#!/bin/sh
# msvc.sh SOURCE - the headers are valid for the dialect of MSVC, as far as clang can tell without the headers
# of its C library: those of the sources are not here, so that the sources are compiled by MinGW alone.
set -eu
command -v clang >/dev/null || exit 77
check() { clang --target=x86_64-pc-windows-msvc -fsyntax-only -ffreestanding -std=c11 -Wall -Wextra -I"$1/include" -x c "$2"; }
for header in "$1"/include/polhode/*.h; do
    check "$1" "$header"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include <unistd.h>' >"$work/posix.h"
if check "$1" "$work/posix.h" 2>/dev/null; then
    echo "the check itself does not work" >&2
    exit 1
fi
echo "the headers are valid for MSVC's dialect"
