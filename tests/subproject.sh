#!/bin/sh
# subproject.sh SOURCE BUILD CC - inside a project without a build type the library is compiled with -O2,
# its kernels with -O3, and the project's own files as the project says; with one, as that says. Its source
# is what the Rust crate has of it: folders of the tool are not needed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# levels BUILD_TYPE FLAGS FILE: the options -O of a file, in their order
levels() {
    rm -rf "$work/build"
    CC=$cc cmake --log-level=ERROR -S "$source/tests/consumer" -B "$work/build" -DPOLHODE_SOURCE="$work/library" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_BUILD_TYPE="$1" -DCMAKE_C_FLAGS="$2" >"$work/log"
    grep "\"command\".*$3" "$work/build/compile_commands.json" | head -n 1 | grep -o ' -O[^ ]*' | tr -d '\n'
}
expect() { # LEVELS BUILD_TYPE FLAGS FILE
    is=$(levels "$2" "$3" "$4" || true)
    [ "$is" = "$1" ] || { echo "build type '$2', flags '$3': $4 is compiled with '$is', not '$1'" >&2; exit 1; }
}
source=$1 cc=$3
mkdir "$work/library"
(cd "$source" && cp -r CMakeLists.txt include src lab scripts "$work/library")
expect ' -O2' '' '' src/motion/motion.c
expect ' -O2 -O3' '' '' 'PH_ISA=baseline.*kernels/kernel_exact.c'
expect '' '' '' consumer/main.c
expect ' -O0' '' -O0 src/motion/motion.c
expect '' Debug '' src/motion/motion.c
expect '' Debug '' 'PH_ISA=baseline.*kernels/kernel_exact.c'
expect ' -O2 -O3' RelWithDebInfo '' 'PH_ISA=baseline.*kernels/kernel_exact.c'
