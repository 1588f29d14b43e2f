#!/bin/sh
# conformance.sh SOURCE - cases of conformance/ are regenerated bit for bit, one of each kind that
# takes no time; the list of the CSV is that of the folder. Needs gcc, which has binary128.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
cd "$1/conformance"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v gcc >/dev/null; then
    left_out 'gcc is not installed'
    finish
fi
gcc -std=gnu11 -O2 generate.c -o "$work/generate" -lm
mkdir "$work/cases"
for name in detect_left_handed detect_half_step spin_second separatrix at_rest tensor regular_precession \
    heavy_top gyrostat gravity_gradient_pendulum damped shaken; do
    "$work/generate" "$work" "$name"
    cmp "$work/cases/$name.json" "cases/$name.json"
done
for file in cases/*.json; do basename "$file" .json; done | LC_ALL=C sort >"$work/folder"
cut -d, -f1 cases.csv | tail -n +2 | LC_ALL=C sort -u | diff "$work/folder" -
finish
