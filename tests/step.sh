#!/bin/sh
# step.sh SOURCE - polhode_step.h as C and C++, by every compiler at hand, optimised and not, and
# polhode_step.rs by rustc and bindings/web/npm/step.js by node: no warning, and the bits of
# tests/vectors/step_bits.txt.
# `step.sh SOURCE write` writes these.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
cd "$1/tests"
expected=vectors/step_bits.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${2-}" = write ]; then
    cc -std=c99 -ffp-contract=off -I../include step_bits.c -o "$work/bits" -lm
    "$work/bits" >"$expected"
    exit
fi
try() {
    command -v "$1" >/dev/null || { left_out "$1 is not installed"; return 0; }
    for level in -O0 -O3; do
        "$@" $level -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I../include \
            step_bits.c -o "$work/bits" -lm
        "$work/bits" | diff "$expected" - || { echo "other bits (<: recorded): $* $level" >&2; exit 1; }
        echo "$* $level: the same bits"
    done
}
try gcc -std=c99 -x c
try clang -std=c99 -x c
try g++ -std=c++11 -x c++
try clang++ -std=c++11 -x c++

# The same in Rust, also as a crate without std.
if command -v rustc >/dev/null; then
    for level in 0 3; do
        rustc --edition 2021 -D warnings -C opt-level=$level step_bits.rs -o "$work/bits"
        "$work/bits" | diff "$expected" - || { echo "other bits (<: recorded): rustc $level" >&2; exit 1; }
        echo "rustc, opt-level $level: the same bits"
    done
    { echo '#![no_std]'; echo "#[path = \"$(cd ../include && pwd)/polhode_step.rs\"]"; echo 'pub mod step;'; } >"$work/lib.rs"
    rustc --edition 2021 -D warnings --crate-type lib --out-dir "$work" "$work/lib.rs"
else
    left_out 'rustc is not installed'
fi

# And in JavaScript.
if command -v node >/dev/null; then
    node step_bits.mjs | diff "$expected" - || { echo 'other bits (<: recorded): node' >&2; exit 1; }
    echo 'node: the same bits'
else
    left_out 'node is not installed'
fi
finish
