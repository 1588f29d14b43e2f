#!/bin/bash
# bits.sh all - the checksums of `polhode bits` from gcc and clang at every optimisation, from the
# other of x86-64 and aarch64 by emulation, with every instruction set that has, and from
# WebAssembly: all those of tests/vectors/bits.txt. By emulation also the tests that are named below, and
# those of documents whose code is compiled: examples, README, tutorials.
# bits.sh compilers | emulated | wasm - a part of it.
# bits.sh compare PROGRAM [ARGUMENT...] - those of one program alone, tests/consumer/bits.c.
# What is not installed is an error: `make bits` installs it, clang among it.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
few=100 # steps: PH_BITS_FEW_STEPS of polhode/measure.h
# Numbers that are not initialised are NaN by clang, and large by gcc, so that none is zero by luck.
fill=-ftrivial-auto-var-init=pattern
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a program, $2 and on, that prints the checksums after few steps, and compares them.
compare() {
    local name=$1 lines=$work/lines.$BASHPID
    shift
    "$@" "$few" >"$lines" || { echo "bits: $name: the program failed" >&2; exit 1; }
    if ! awk '{ few = $1; $1 = $2 = ""; print few $0 }' "$source/tests/vectors/bits.txt" |
        diff - "$lines" >"$lines.diff"; then
        echo "bits: $name: other bits (<: bits.txt)" >&2
        head -20 "$lines.diff" >&2
        exit 1
    fi
    echo "$name: the same bits"
}

# Builds the library and the program in $work/$1 with the arguments that follow.
build() {
    local name=$1
    shift
    if ! { cmake -Wno-dev --log-level=ERROR -S "$source/tests/consumer" -B "$work/$name" \
        -DPOLHODE_SOURCE="$source" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" &&
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
    [ "$(uname -m)" != x86_64 ] || "$source/scripts/masks" "$work/gcc-O3"
}

# Builds the whole project for the other architecture, with the libraries of that. In the tests
# POLHODE_QUICK leaves out what would take minutes (tests/support/quick.h).
emulated() {
    local set other=x86_64 sets="baseline avx2" fill=$fill at emulator tests examples running=()
    local documents="readme engines tutorials"
    [ "$(uname -m)" != x86_64 ] || { other=aarch64; sets=neon; }
    at=$source/build/emulated/$other
    emulator=("qemu-$other-static" -cpu max -L "$at/sysroot")
    # What takes minutes by emulation is left out here, and in tests by the function is_emulated(): `polhode bits` has its numbers.
    tests="test_golden_expression test_golden_functions test_golden_message test_golden_runs test_modified test_system_settings"
    tests="$tests test_measure test_cli_check test_derivative test_system_derivatives test_ensemble"
    # Those with a GPU need a driver of that architecture, those over MPI its library; two take minutes.
    examples=$(cd "$source/examples" && printf '%s\n' *.c | sed '/^gpu_/d; /^mpi_/d; /^dipolar_fluid/d; /^own_method/d; s/^/example_/; s/\.c$//' | xargs)
    "$source/scripts/sysroot" "$other" "$at/sysroot" libc6-dev libjansson-dev libfyaml-dev libcmocka-dev \
        libflint-dev libflint-arb-dev
    "$other-linux-gnu-gcc" $fill -E -x c /dev/null >"$work/log" 2>&1 || fill= # gcc before version 12
    # In a file, so that `cmake --build` alone configures with it too.
    cat >"$at/toolchain.cmake" <<CMAKE
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $other)
set(CMAKE_C_COMPILER $other-linux-gnu-gcc)
set(CMAKE_C_FLAGS_INIT "$fill")
set(CMAKE_SYSROOT "$at/sysroot")
set(CMAKE_CROSSCOMPILING_EMULATOR "$(IFS=';' && echo "${emulator[*]}")")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "$at/sysroot")
set(ENV{PKG_CONFIG_LIBDIR} "$at/sysroot/usr/lib/$other-linux-gnu/pkgconfig")
CMAKE
    # shellcheck disable=SC2086 # one word each
    if ! { CFLAGS='' cmake -Wno-dev --log-level=ERROR -S "$source" -B "$at" -DPOLHODE_TESTS=ON -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_TOOLCHAIN_FILE="$at/toolchain.cmake" &&
        cmake --build "$at" -j "$(nproc)" --target bits polhode_tool $tests $examples; } >"$work/log" 2>&1; then
        tail -20 "$work/log" >&2
        exit 1
    fi
    [ "$other" != x86_64 ] || "$source/scripts/masks" "$at" # no emulator has AVX-512
    for set in $sets; do
        compare "$other $set" env POLHODE_ISA="$set" "${emulator[@]}" "$at/tests/bits" &
        running+=($!)
    done
    for set in "${running[@]}"; do
        wait "$set" || exit 1
    done
    tests="$tests $examples $documents"
    if ! POLHODE_QUICK=emulated ctest --test-dir "$at" --output-on-failure --timeout 1800 -j "$(nproc)" \
        ${TEST_RESULTS:+--test-output-size-passed 100000 --output-junit "$TEST_RESULTS/emulated.xml"} --no-tests=error -R "^(${tests// /|})\$" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        echo "bits: $other: a test fails under emulation that passes on this machine, or fails on both" >&2
        exit 1
    fi
    echo "$other: $(echo "$tests" | wc -w) tests pass"
}

wasm() {
    CFLAGS=$fill build wasm -DCMAKE_TOOLCHAIN_FILE="$source/bindings/web/wasm.cmake" -DPOLHODE_THREADS=OFF \
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
    sed -n '2,9s/^# //p' "$0" >&2
    exit 2
    ;;
esac
