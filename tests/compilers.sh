#!/bin/bash
# compilers.sh SOURCE BUILD - the documents hold for what a user compiles with gcc and clang, without optimisation and with it,
# and with products and sums that the compiler fuses: readme.sh, engines.sh and the tutorials that compile. Status 77 without
# one of the two compilers.
set -euo pipefail
source=$1 build=$2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || { echo "SKIPPED: $compiler is not installed"; exit 77; }
done
fused=-march=native
[ "$(uname -m)" = x86_64 ] || fused=-mcpu=native
for compiler in gcc clang; do
    for flags in -O0 -O2 "-O2 $fused -ffp-contract=fast"; do
        export POLHODE_CC="$compiler $flags"
        if ! { "$source/tests/readme.sh" "$source" "$build" && "$source/tests/engines.sh" "$source" "$build" &&
            python3 -B "$source/tests/tutorials.py" "$source" "$build/polhode" --compiled; } >"$log" 2>&1; then
            echo "the documents do not hold for $POLHODE_CC:" >&2
            cat "$log" >&2
            exit 1
        fi
        echo "$POLHODE_CC: the documents hold"
    done
done
