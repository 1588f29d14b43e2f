#!/bin/sh
# lists.sh SOURCE - the tables of descriptors are as their folders say. scripts/lists reads descriptors however they are laid
# out, finds a new one and forgets one that is gone, and refuses what it cannot read.
set -eu
lists=$1/scripts/lists
"$lists" --check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests"
cp -r "$1/src" "$1/lab" "$1/tool" "$work"
cp -r "$1/tests/kinds" "$work/tests"
cp "$1/tests/catalog_files.h" "$work/tests"
fail() {
    echo "$1" >&2
    exit 1
}
"$lists" --root "$work" --check || fail "a copy of the tree is not as it should be"

# A descriptor, laid out in two ways, is a row of its table; without the file it is none.
table=src/motion/catalog_flow.h
for text in 'const ph_flow ph_flow_new = {' 'const ph_flow ph_flow_new =
{'; do
    printf '/* new.c */\n%s' "$text" >"$work/src/motion/flows/new.c"
    ! "$lists" --root "$work" --check 2>/dev/null || fail "a new flow is not noticed"
    [ "$("$lists" --root "$work" | xargs)" = "$table tests/catalog_files.h" ] || fail "other tables than those of flows are written"
    grep -q '^    &ph_flow_new,$' "$work/$table" || fail "a new flow is not in the table"
    rm "$work/src/motion/flows/new.c"
    "$lists" --root "$work" >/dev/null
    cmp -s "$1/$table" "$work/$table" || fail "the table keeps a flow that is gone"
done

# A file with a part for kernels gets a kernel.
printf '#ifdef SIMD_VECTORS\n#endif\n' >"$work/src/base/new.c"
[ "$("$lists" --root "$work")" = src/kernels/kernel_new.c ] || fail "a new kernel is not found"
rm "$work/src/base/new.c"
"$lists" --root "$work" >/dev/null
[ ! -e "$work/src/kernels/kernel_new.c" ] || fail "what is no kernel any more is one still"

# What cannot be read is an error.
for text in 'ph_flow ph_flow_new = {' 'const ph_flow flow_new = {' 'const ph_flow ph_flow_New = {' 'static int x;'; do
    printf '/* new.c */\n%s' "$text" >"$work/src/motion/flows/new.c"
    ! "$lists" --root "$work" 2>/dev/null >&2 || fail "not refused: $text"
done
echo "the tables are as their folders say"
