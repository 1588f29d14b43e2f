#!/bin/sh
# md_loop.sh SOURCE BUILD CC - the Fortran module compiles without a warning; its structures have the
# sizes of those in C; examples/md_loop.f90 prints the digits of examples/md_loop.c, which do not
# depend on OpenMP. Every line of code in docs/md_loop.md stands in one of these files. Status 77
# without gfortran.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
export LC_ALL=C
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"

# Lines of the page that no file has.
awk '/^```/ { inside = !inside && ($0 == "```c" || $0 == "```fortran"); next } inside' docs/md_loop.md |
    sed 's/^ *//' | grep -v '^$' | sort -u >"$work/page"
cat examples/md_loop.c examples/md_loop.f90 bindings/fortran/polhode.f90 | sed 's/^ *//' | sort -u >"$work/code"
[ "$(wc -l <"$work/page")" -gt 20 ] || { echo "docs/md_loop.md has no code" >&2; exit 1; }
comm -23 "$work/page" "$work/code" >"$work/other"
[ ! -s "$work/other" ] || { echo "code in docs/md_loop.md that nothing compiles:" >&2; cat "$work/other" >&2; exit 1; }

compile() { # to $1, with the flags $2 ...
    out=$1
    shift
    "$cc" -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror "$@" -Iinclude examples/md_loop.c "$build/libpolhode.a" -lm -o "$out"
}
compile "$work/c"
"$work/c" >"$work/expected"
if echo 'int main(void) { return 0; }' | "$cc" -fopenmp -x c - -o "$work/none" 2>/dev/null; then
    compile "$work/openmp" -fopenmp
    OMP_NUM_THREADS=3 "$work/openmp" | diff "$work/expected" - || { echo "OpenMP changes the digits" >&2; exit 1; }
else
    left_out "$cc has no OpenMP"
fi

command -v gfortran >/dev/null || { left_out 'gfortran is not installed'; finish; }
fortran() { # the program $1 to $2
    gfortran -std=f2008 -O2 -ffp-contract=off -Wall -Wextra -Werror -Wno-compare-reals -J "$work" \
        bindings/fortran/polhode.f90 "$1" "$build/libpolhode.a" -lm -lpthread -o "$2"
}
fortran examples/md_loop.f90 "$work/fortran"
"$work/fortran" >"$work/printed" 2>"$work/notes" || { cat "$work/printed" "$work/notes" >&2; exit 1; }
sed 's/E\([-+]\)/e\1/; /^top/d' "$work/printed" | diff "$work/expected" - ||
    { echo "Fortran prints other digits than C" >&2; exit 1; }

# The sizes of the structures, in both languages.
names=$(sed -n 's/^ *type, bind(c) :: \(ph_[a-z0-9_]*\)$/\1/p' bindings/fortran/polhode.f90)
{
    printf '#include <polhode/batch.h>\n#include <polhode/polhode.h>\n#include <stdio.h>\nint main(void) {\n'
    for name in $names; do printf 'printf("%s %%zu\\n", sizeof(%s));\n' "$name" "$name"; done
    echo 'return 0; }'
} >"$work/sizes.c"
"$cc" -std=c11 -Iinclude "$work/sizes.c" -o "$work/c"
{
    printf 'program sizes\nuse polhode\nimplicit none\n'
    for name in $names; do printf 'type(%s) :: of_%s\n' "$name" "$name"; done
    for name in $names; do printf "print '(a, i0)', '%s ', c_sizeof(of_%s)\n" "$name" "$name"; done
    echo 'end program'
} >"$work/sizes.f90"
gfortran -w -J "$work" bindings/fortran/polhode.f90 "$work/sizes.f90" "$build/libpolhode.a" -lm -lpthread -o "$work/fortran"
"$work/c" >"$work/expected"
[ "$(wc -l <"$work/expected")" -ge 9 ] || { echo "no structures found" >&2; exit 1; }
"$work/fortran" | diff "$work/expected" - || { echo "structures differ: C (<) and Fortran (>)" >&2; exit 1; }
finish
