#!/bin/sh
# paths.sh SOURCE - files and folders of the tree that the pages name in code, as in `src/base`, are
# there; NAME and FOLDER stand for any name.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints what the files $@, in the tree $1, name and is not there, as "FILE:LINE: PATH".
missing() (
    cd "$1"
    shift
    # shellcheck disable=SC2016 # as in a page
    grep -noE '`[a-z]+/[A-Za-z0-9_./-]+`' "$@" /dev/null | tr -d '`' |
        while IFS=: read -r file line path; do
            case $path in *NAME* | *FOLDER* | build/* | polhode/*) continue ;; esac
            # a first folder that is no folder of the tree is none: a rate, a package
            [ -d "${path%%/*}" ] || continue
            [ -e "$path" ] || echo "$file:$line: $path"
        done
)

# The check must be able to fail.
mkdir "$work/src"
: >"$work/src/there.c"
# shellcheck disable=SC2016 # as in a page
printf 'See `src/there.c`, `src/NAME.c`, `km/h` and\n`src/gone.c`.\n' >"$work/page.md"
[ "$(missing "$work" page.md)" = "page.md:2: src/gone.c" ] ||
    { echo "the check itself does not work" >&2; exit 1; }

found=$(cd "$1" && missing . docs/*.md CONTRIBUTING.md README.md)
[ -z "$found" ] || { echo "these are not in the tree:" "$found" >&2; exit 1; }
