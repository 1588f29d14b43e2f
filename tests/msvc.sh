#!/bin/sh
# msvc.sh SOURCE BUILD - the headers, and the sources of the library without threads, are valid for the dialect of MSVC, as
# far as clang can tell. Its C library is not free, so that the headers are compiled without one, and the sources with
# the headers of MinGW's, where they are.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
command -v clang >/dev/null || { left_out 'clang is not installed'; finish; }
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check() { clang --target=x86_64-pc-windows-msvc -fsyntax-only -std=c11 -Iinclude "$@"; }
headers() { check -ffreestanding -Wall -Wextra -x c "$@"; }
# Two attributes stand behind a declaration in MinGW's headers, where MSVC's do not stand.
cat >"$work/first.h" <<'C'
#include <_mingw.h>
#undef __attribute__
#undef __MINGW_ATTRIB_DEPRECATED
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_NORETURN
C
mingw=/usr/share/mingw-w64/include
sources() { check -w -D_UCRT -DPH_THREADS=0 -include "$work/first.h" -Isrc -I. -I"$build/generated" -isystem "$mingw" "$@"; }
build=$2

headers include/polhode/*.h
echo '#include <unistd.h>' >"$work/posix.h"
echo "__float128 x;" >"$work/wrong.c"
if headers "$work/posix.h" 2>/dev/null; then
    echo "the check of headers does not work" >&2
    exit 1
fi
[ -e "$mingw/_mingw.h" ] || { left_out "mingw-w64-common is not installed"; finish; }
# shellcheck disable=SC2046 # one word each
sources $(find src lab/measure lab/motion lab/flows -name '*.c' ! -path '*/kernels/*')
# shellcheck disable=SC2046 # one word each
sources -DSIMD_VECTORS -DPH_ISA=avx2 -mavx2 src/kernels/*.c src/kinds/kernels/*.c
if sources "$work/wrong.c" 2>/dev/null; then
    echo "the check of sources does not work" >&2
    exit 1
fi
echo "headers and sources are valid for MSVC's dialect"
finish
