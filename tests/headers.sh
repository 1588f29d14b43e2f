#!/bin/sh
# headers.sh SOURCE - each public header compiles alone and without a warning, as C and C++ of
# old and new standards, by every compiler at hand.
set -eu
cd "$1/include"
try() {
    command -v "$1" >/dev/null || return 0
    for header in *.h polhode/*.h; do
        printf '#include "%s"\nint main(void);\n' "$header" |
            "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. - ||
            { echo "$header does not compile alone: $*" >&2; exit 1; }
    done
    echo "$* compiles each header alone"
}
for standard in c99 c11; do
    try gcc -std=$standard -x c
    try clang -std=$standard -x c
done
for standard in c++11 c++20; do
    try g++ -std=$standard -x c++
    try clang++ -std=$standard -x c++
done
