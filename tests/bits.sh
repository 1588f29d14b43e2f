#!/bin/bash
# bits.sh all - the checksums of `polhode bits` from gcc and clang at every optimisation, from the
# other of x86-64 and aarch64 by emulation, with every instruction set that has, and from
# WebAssembly: all those of tests/vectors/bits.txt.
# bits.sh compilers | emulated | wasm - a part of it.
# bits.sh compare PROGRAM [ARGUMENT...] - those of one program alone, tests/consumer/bits.c.
# What is not installed is an error: `make bits` installs it, clang among it.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
few=100 # steps: PH_BITS_FEW_STEPS of src/measure/bits.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a program, $2 and on, that prints the checksums after few steps, and compares them.
compare() {
    local name=$1
    shift
    "$@" "$few" >"$work/lines" || { echo "bits: $name: the program failed" >&2; exit 1; }
    if ! awk '{ few = $1; $1 = $2 = ""; print few $0 }' "$source/tests/vectors/bits.txt" |
        diff - "$work/lines" >"$work/diff"; then
        echo "bits: $name: other bits (<: bits.txt)" >&2
        head -20 "$work/diff" >&2
        exit 1
    fi
    echo "$name: the same bits"
}

# Builds the library and the program in $work/$1 with the arguments that follow.
build() {
    local name=$1
    shift
    if ! { cmake -Wno-dev --log-level=ERROR -S "$source/tests/consumer" -B "$work/$name" \
        -DPOLHODE_SOURCE="$source" -DCMAKE_BUILD_TYPE=Release "$@" &&
        cmake --build "$work/$name" --target bits -j "$(nproc)"; } >"$work/log" 2>&1; then
        tail -20 "$work/log" >&2
        exit 1
    fi
}

# The flags of all files; the kernels of a Release build have -O3.
compilers() {
    local cc flags
    for cc in gcc clang; do
        for flags in -O0 -O2 -O3; do
            build "$cc$flags" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug \
                -DCMAKE_C_FLAGS_DEBUG="$flags"
            compare "$cc $flags" "$work/$cc$flags/bits"
        done
    done
}

emulated() {
    local set other=x86_64 sets="baseline avx2"
    [ "$(uname -m)" != x86_64 ] || { other=aarch64; sets=neon; }
    build "$other" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$other" \
        -DCMAKE_C_COMPILER="$other-linux-gnu-gcc"
    for set in $sets; do
        compare "$other $set" env POLHODE_ISA="$set" "qemu-$other-static" -L "/usr/$other-linux-gnu" -cpu max \
            "$work/$other/bits"
    done
}

wasm() {
    build wasm -DCMAKE_TOOLCHAIN_FILE="$source/web/wasm.cmake" -DPOLHODE_THREADS=OFF \
        -DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,stack-size=1048576
    cat >"$work/run.mjs" <<'MJS'
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2) });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
MJS
    compare wasm node --no-warnings --experimental-wasi-unstable-preview1 "$work/run.mjs" "$work/wasm/bits.wasm"
}

case ${1-} in
compare)
    shift
    compare "$1" "$@"
    ;;
compilers | emulated | wasm) "$1" ;;
all)
    compilers
    emulated
    wasm
    ;;
*)
    sed -n '2,8s/^# //p' "$0" >&2
    exit 2
    ;;
esac
