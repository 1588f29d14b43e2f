#!/bin/sh
# readme.sh SOURCE BUILD CC FLAG... - the first C program in README.md and in docs/c.md compiles and
# runs. That of docs/c.md prints the digits of the page: the library has computed them. The page lists
# thirty functions, all of them declared by polhode/polhode.h. POLHODE_CC is another compiler with its
# flags (tests/users_cc).
set -eu
source=$1 build=$2
shift 2
export POLHODE_CC="${POLHODE_CC:-${*:-cc}}"
cc=$source/tests/users_cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the first block of a page $1 that begins with ```$2.
block() {
    awk -v kind="$2" '/^```/ { if (inside) exit; inside = $0 == "```" kind; next } inside' "$source/$1"
}

# Compiles and runs the first C program of the page $2; $1 is its name.
run() {
    name=$1 page=$2
    block "$page" c >"$work/$name.c"
    [ -s "$work/$name.c" ] || { echo "$page has no \`\`\`c block" >&2; exit 1; }
    "$cc" -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/$name.c" \
        "$build/libpolhode.a" -lm -o "$work/$name"
    "$work/$name" >"$work/$name.out"
    cat "$work/$name.out"
}

run readme README.md
run page docs/c.md
block docs/c.md text | python3 -B "$source/tests/printed.py" equal - "$work/page.out"

# shellcheck disable=SC2016 # as in a page
sed -n 's/^| `\(ph_[a-z0-9_]*\)`.*/\1/p' "$source/docs/c.md" | sort -u >"$work/named"
[ "$(wc -l <"$work/named")" = 30 ] || { echo "docs/c.md lists other than thirty functions" >&2; exit 1; }
{
    echo '#include <polhode/polhode.h>'
    echo 'int main(void) {'
    sed 's/.*/(void)\&&;/' "$work/named"
    echo 'return 0; }'
} >"$work/named.c"
"$cc" -std=c11 -Wall -Wextra -Werror -I"$source/include" -fsyntax-only "$work/named.c"
