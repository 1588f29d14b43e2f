#!/bin/sh
# reached.sh SOURCE BUILD CC - the public functions that no line of `polhode bits` calls are those of
# tests/vectors/unreached.txt. In a shared library that is linked lazily, the first call of a public
# function, also by the library itself, is a binding that the loader of glibc reports.
set -eu
source=$1 build=$2 cc=$3
list=$source/tests/vectors/unreached.txt
steps=1000 # from there on no line is left out
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cc" -fPIC -Dmain=run_bits -I"$source/src" -I"$source" -I"$source/include" -c "$source/tests/consumer/bits.c" -o "$work/bits.o"
"$cc" -shared -Wl,-z,lazy "$work/bits.o" -Wl,--whole-archive "$build/libpolhode.a" -Wl,--no-whole-archive \
    -lm -lpthread -ldl -o "$work/libbits.so"
echo 'int run_bits(int, char **); int main(int n, char **words) { return n > 2 ? 0 : run_bits(n, words); }' >"$work/main.c"
"$cc" "$work/main.c" -L"$work" -lbits -Wl,-rpath,"$work" -o "$work/main"

nm -D --defined-only "$build/libpolhode.so" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort >"$work/public"
# What is bound before the program begins are addresses, not calls.
unreached() {
    rm -f "$work"/bound.*
    LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/bound "$work/main" "$@" >"$work/lines"
    sed '1,/transferring control/d' "$work"/bound.* | sed -n "s/.*symbol .\(ph_[a-z0-9_]*\).*/\1/p" |
        LC_ALL=C sort -u | LC_ALL=C comm -23 "$work/public" -
}
is_listed() { sed '/^#/d; /^$/d' "$list" | LC_ALL=C sort | diff - "$work/found" >"$work/diff"; }

unreached none at-all >"$work/found"
if is_listed; then
    echo "the check itself does not work: a program that calls nothing passes" >&2
    exit 1
fi
unreached $steps >"$work/found"
if ! is_listed; then
    grep '^[<>]' "$work/diff" >&2
    echo "no line of polhode bits reaches these (>): add them to lab/measure/bits_interface.c, or, if they" \
        "give no floating-point number, to $list; one does reach these (<): remove them there" >&2
    exit 1
fi
echo "$(wc -l <"$work/public") public functions, $(wc -l <"$work/found") of which no line of polhode bits reaches"
