#!/bin/sh
# headers.sh SOURCE - each public header compiles alone, as C11 and as C++17, by every
# compiler at hand.
set -eu
cd "$1/include"
try() {
    command -v "$1" >/dev/null || return 0
    for header in polhode/*.h; do
        printf '#include "%s"\nint main(void);\n' "$header" |
            "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. - ||
            { echo "$header does not compile alone: $*" >&2; exit 1; }
    done
    echo "$* compiles each header alone"
}
try gcc -std=c11 -x c
try clang -std=c11 -x c
try g++ -std=c++17 -x c++
try clang++ -std=c++17 -x c++
