#!/bin/sh
# version.sh SOURCE - every file that says the version says the same; and one that differs is found.
set -eu
version=$1/scripts/version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$version" --check "$1"

copy() { # the files that scripts/version names, and the header
    rm -rf "$work/tree"
    for file in include/polhode/version.h $files; do
        mkdir -p "$work/tree/$(dirname "$file")"
        cp "$1/$file" "$work/tree/$file"
    done
}
files=$(sed -n "/^places()/,/^}/s/^\\([^ |]*\\)|.*/\\1/p" "$version")
for file in $files; do
    copy "$1"
    sed -i "s/$("$version" | sed 's/\./\\./g')/7.6.5/" "$work/tree/$file"
    if "$version" --check "$work/tree" 2>"$work/said" || ! grep -q "^$file: has the version '7.6.5'" "$work/said"; then
        echo "another version in $file is not found" >&2
        exit 1
    fi
    "$version" --write "$work/tree" >/dev/null
    "$version" --check "$work/tree"
    diff "$1/$file" "$work/tree/$file"
done
echo "version $("$version"): $(echo "$files" | wc -l) files agree"
