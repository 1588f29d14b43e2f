#!/bin/sh
# paths.sh SOURCE - files and folders of the tree that the pages name in code, as in `src/base`, are
# there, and files that sources, scripts and lists name; NAME and FOLDER stand for any name.
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
            case $path in *NAME* | *FOLDER* | build/* | polhode/* | extra/special/*) continue ;; esac # the last is LAMMPS's
            # a first folder that is no folder of the tree is none: a rate, a package
            [ -d "${path%%/*}" ] || continue
            [ -e "$path" ] || echo "$file:$line: $path"
        done
)

# The same for files that any text names: src/base/isa.h.
named() (
    cd "$1"
    shift
    grep -noE '(^|[^A-Za-z0-9_/.$}*-])[a-z]+/[A-Za-z0-9_/-]+\.(cmake|cpp|cl|sh|py|mjs|md|txt|gp|c|h)\>' "$@" /dev/null |
        sed -E 's/^([^:]*:[0-9]+:)[^A-Za-z0-9]/\1/' |
        while IFS=: read -r file line path; do
            case $path in *NAME* | build/* | polhode/* | lammps/fix.h | kinds/catalog_kind.h) continue ;; esac
            [ -d "${path%%/*}" ] || continue
            # a header of src is included by its name there
            [ -e "$path" ] || [ -e "src/$path" ] || [ -e "$(dirname "$file")/$path" ] || echo "$file:$line: $path"
        done
)

# The check must be able to fail.
mkdir "$work/src"
: >"$work/src/there.c"
# shellcheck disable=SC2016 # as in a page
printf 'See `src/there.c`, `src/NAME.c`, `km/h` and\n`src/gone.c`.\n' >"$work/page.md"
[ "$(missing "$work" page.md)" = "page.md:2: src/gone.c" ] ||
    { echo "the check itself does not work" >&2; exit 1; }

printf '/* src/there.c\n * and (src/gone.c), src/NAME.c, of/course.c */\n' >"$work/text.c"
[ "$(named "$work" text.c)" = "text.c:2: src/gone.c" ] ||
    { echo "the check of files itself does not work" >&2; exit 1; }

found=$(cd "$1" && missing . docs/*.md docs/tutorials/*.md CONTRIBUTING.md README.md
    find src lab tool include bench bindings examples -type f -not -path '*/node_modules/*' \
        -name '*.[chjp]*' -print >"$work/files"
    find scripts tests CMakeLists.txt Makefile -type f -not -path 'tests/corpus/*' \
        -not -name paths.sh -not -name lists.sh -not -name layers.sh -print >>"$work/files"
    # shellcheck disable=SC2046 # no name has a blank
    named . $(cat "$work/files"))
[ -z "$found" ] || { echo "these are not in the tree:" "$found" >&2; exit 1; }
