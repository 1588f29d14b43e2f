#!/bin/sh
# symbols.sh SOURCE BUILD CC - the libraries define ph_ names only, the shared one exports
# exactly what the headers mark PH_API, at most 185 functions, and it needs nothing but libc and libm.
# A program that steps one body is linked with little of the static one.
set -eu
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

defined() { nm -g --defined-only -P "$@" | awk 'NF > 1 { print $1 }' | sort -u; }
only_ph() { ! defined "$@" | grep -v '^ph_'; }
needs_libm_only() { ! readelf -d "$1" | grep NEEDED | grep -vE '\[lib(c|m)\.so\.[0-9]+\]'; }

# The names declared with PH_API in header $1 and what it includes.
marked() {
    "$cc" -E -P -I"$source/include" "$1" | tr '\n' ' ' |
        grep -o '__attribute__((visibility("default")))[^;(]*[;(]' |
        sed 's/^[^"]*"default")))//; s/\[[0-9]*\]//' | grep -o '[a-z0-9_]* *[;(]$' | tr -d ' ;(' | sort -u
}
exports_marked() {
    defined -D "$1" >"$work/exported"
    marked "$2" >"$work/marked"
    diff "$work/marked" "$work/exported"
}

# Whether the shared library $1 exports at most $2 functions. What only tests and the tool call is
# declared in src: each public function is a promise to keep.
few_functions() { [ "$(nm -D --defined-only "$1" | grep -c ' T ')" -le "$2" ]; }

# The bytes of a program that steps one body by a flow, an expression in C.
one_body() {
    cat >"$work/one.c" <<C
#include <polhode/catalog.h>
int main(void)
{
    ph_body b;
    ph_state s = {{1, 0, 0, 0}, {0.1, 1, 0.2}};
    const ph_flow *flow = $1;
    return ph_body_from_moments(&b, (ph_vec3){1, 2, 3}) || ph_flow_step(flow, &b, &s, 0.1);
}
C
    "$cc" -I"$source/include" "$work/one.c" "$build/libpolhode.a" -Wl,--gc-sections -s -lm -o "$work/one"
    "$work/one" && wc -c <"$work/one"
}
is_small() { test "$(one_body "$1")" -lt 100000; }
by_name_is_small() { is_small '(ph_flow_named("exact", &flow), flow)'; }

# Each check must be able to fail: a library in which everything is wrong, a program that names all flows.
cat >"$work/bad.c" <<'C'
__attribute__((visibility("default"))) void ph_unmarked(void);
__attribute__((visibility("default"))) void unprefixed(void);
void ph_unmarked(void) {}
void unprefixed(void) {}
C
"$cc" -shared -fPIC "$work/bad.c" -o "$work/bad.so" -Wl,--no-as-needed -ldl -lpthread "$build/libpolhode.so"
"$cc" -c "$work/bad.c" -o "$work/bad.o"
for check in "only_ph $work/bad.o" "needs_libm_only $work/bad.so" \
    "exports_marked $work/bad.so $source/include/polhode/polhode.h" \
    by_name_is_small "few_functions $work/bad.so 1"; do
    if $check >"$work/said"; then
        echo "the check itself does not work: $check" >&2
        exit 1
    fi
done

umbrella=$work/all.h
for header in "$source"/include/polhode/*.h; do echo "#include \"$header\""; done >"$umbrella"
only_ph "$build/libpolhode.a" || { echo "these names of the static library lack ph_" >&2; exit 1; }
only_ph -D "$build/libpolhode.so" || { echo "these exported names lack ph_" >&2; exit 1; }
needs_libm_only "$build/libpolhode.so" || { echo "the shared library needs more than libc and libm" >&2; exit 1; }
exports_marked "$build/libpolhode.so" "$umbrella" ||
    { echo "marked PH_API but not exported (<), or exported but not marked (>)" >&2; exit 1; }
few_functions "$build/libpolhode.so" 185 || { echo "the shared library exports more than 185 functions" >&2; exit 1; }
is_small "&ph_flow_exact" || { echo "a program that steps one body has 100 kB or more" >&2; exit 1; }
echo "$(wc -l <"$work/exported") names exported, all of them marked"
