#!/bin/sh
# msvc.sh SOURCE BUILD - the headers are valid for the dialect of MSVC, and so are the sources of the
# library, as far as clang can tell with the C library's headers of MinGW; threads, which are POSIX's, apart.
set -eu
source=$1 build=$2
command -v clang >/dev/null || exit 77
check() { clang --target=x86_64-pc-windows-msvc -fsyntax-only -std=c11 -Werror=implicit-function-declaration -w "$@" -I"$source/include" \
    -I"$source/src" -I"$build/generated"; }

for header in "$source"/include/polhode/*.h; do
    check -ffreestanding -x c "$header"
done
if echo 'this is no C' | check -x c - 2>/dev/null; then echo "the check itself does not work" >&2; exit 1; fi
mingw=/usr/share/mingw-w64/include
[ -d "$mingw" ] || { echo "the headers alone: there are none of MinGW"; exit 0; }
find "$source/src" -name '*.c' ! -path '*/kernels/*' | sort | while read -r file; do
    check -DPH_THREADS=0 -DTIME_UTC=1 -Dtimespec_get=timespec_get_of_c11 -Wno-error=implicit-function-declaration \
        -isystem "$mingw" "$file" || { echo "$file is not valid for MSVC's dialect" >&2; exit 1; }
done
echo "headers and sources: valid for MSVC's dialect"
