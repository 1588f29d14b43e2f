#!/bin/sh
# headers.sh SOURCE - each public header compiles alone and without a warning, as C and C++ of
# old and new standards, by every compiler at hand. A comment that contains a whole sentence stands
# directly above each public function. No member of an enum is broken after "=". No header is written for
# the compilers of devices, which read it without pointers to functions (scripts/device.cmake).
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints what breaks these rules in the headers $@, as "FILE:LINE: WHAT".
badly_written() {
    awk '
        # Whether a text has a sentence: a capital letter, four words or more, a full stop.
        function has_sentence(text,    n, i, sentences, words) {
            gsub(/[ \t]+/, " ", text)
            n = split(text, sentences, /\. |\.$/)
            for (i = 1; i < n; i++) {
                sub(/^ */, "", sentences[i])
                if (sentences[i] ~ /^[A-Z]/ && split(sentences[i], words, " ") >= 4)
                    return 1
            }
            return 0
        }
        FNR == 1 { inside = 0; above = 0; text = "" }
        !inside && /^\/\*/ { inside = 1; text = "" }
        inside {
            line = $0
            sub(/^ *\/?\*/, "", line)
            inside = !sub(/\*\/.*/, "", line)
            text = text " " line
            if (!inside)
                above = FNR
            next
        }
        /__OPENCL_VERSION__/ { print FILENAME ":" FNR ": a public header does not know OpenCL" }
        /=[ \t]*$/ { print FILENAME ":" FNR ": this line is broken after \"=\"" }
        /^PH_API / { first = FNR; declaration = "" }
        first {
            declaration = declaration $0
            if (declaration ~ /;/) {
                if (declaration ~ /\(/ && above != first - 1)
                    print FILENAME ":" first ": no comment directly above this function"
                else if (declaration ~ /\(/ && !has_sentence(text " "))
                    print FILENAME ":" first ": the comment has no whole sentence"
                first = 0
            }
        }' "$@"
}

# The check must be able to fail: functions without a comment, below another function, below a blank
# line, with a fragment, with three words; and an enum. The first and the last are well written.
cat >"$work/bad.h" <<'H'
/* Returns the number of things.
 * The caller frees nothing. */
PH_API int good(int a,
                int b);
PH_API int second(void); /* Returns the number of things. */

PH_API int none(void);
/* Returns the number of things. */

PH_API int apart(void);
/* the number of things, or NULL. */
PH_API int fragment(void);
/* Returns a number. */
PH_API int three(void);
enum { A =
        1 };
/* number; see above. Returns the number of things. */
PH_API int last(void);
#ifndef __OPENCL_VERSION__
#endif
H
badly_written "$work/bad.h" | cut -d: -f2 | tr '\n' ' ' >"$work/found"
[ "$(cat "$work/found")" = "5 7 10 12 14 15 19 " ] ||
    { echo "the check itself does not work: $(cat "$work/found")" >&2; exit 1; }

cd "$1/include"
badly_written polhode/*.h >"$work/found"
[ ! -s "$work/found" ] || { cat "$work/found" >&2; exit 1; }
[ "$(cat polhode/*.h | grep -c "^PH_API ")" -gt 100 ] || { echo "no functions found" >&2; exit 1; }

try() {
    command -v "$1" >/dev/null || { left_out "$1 is not installed"; return 0; }
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
for standard in c++11 c++17 c++20; do
    try g++ -std=$standard -x c++
    try clang++ -std=$standard -x c++
done
finish
