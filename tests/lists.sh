#!/bin/sh
# lists.sh SOURCE - scripts/lists.cmake reads descriptors however they are laid out, refuses
# what it cannot read, and takes what stands in the text of a figure for text; a build writes the lists
# anew after an edit, without a configuration.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$1/scripts" "$work"
# the commands are others
sed -i '/^  write_found(command/,/)/c\  write_found(command command tool second)' "$work/scripts/catalog.cmake"
mkdir -p "$work/tool" "$work/lab/papers/figures" "$work/src/integrators/expression"
: >"$work/lab/papers/page.html"
: >"$work/src/integrators/expression/operations.h"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(lists NONE)
set(POLHODE_TOOL ON)
set(POLHODE_LAB ON)
include(scripts/lists.cmake)
add_custom_target(every ALL)
add_dependencies(every polhode_lists)
END

# The configuration with this descriptor and this text.
configure() {
    printf '/* a.c */\n%s' "$1" >"$work/tool/a.c"
    printf '/* b.c */\nconst command command_second = {\n' >"$work/tool/b.c"
    printf '# figures\n\n{WHO}: we @ home\n\n## a_figure1\n\n%b\n' "$2" >"$work/lab/papers/figures/a.md"
    rm -rf "$work/build"
    cmake -S "$work" -B "$work/build" >"$work/output" 2>&1
}
fail() {
    echo "$1" >&2
    cat "$work/output" >&2
    exit 1
}
reads() {
    configure "$@" || fail "not read: $*"
}
refuses() {
    ! configure "$@" || fail "not refused: $*"
}
# shellcheck disable=SC2016 # as it stands in the text
text='A title\n\n@cite @P@ "x" \\ ; $<1:y> ${p}\n\nClaim {WHO}.\n\nSet-up.'
good='const command command_first = {'
next_line='const command command_first =
{'

for descriptor in "$good" "$next_line"; do
    reads "$descriptor" "$text"
    [ "$(grep -o '&command_[a-z]*' "$work/build/generated/found_command.h" | tr '\n' ' ')" = \
        '&command_second &command_first ' ] || fail "not in order: $descriptor"
done
# shellcheck disable=SC2016 # as it stands in the text
grep -qF '{"a_figure1", "A title", "@cite @P@ \"x\" \\ ; $<1:y> ${p}", "Claim " TEXT_WHO ".", "Set-up."},' \
    "$work/build/generated/figure_texts.h" || fail "the text is not as it was"
grep -qF '#define TEXT_WHO "we @ home"' "$work/build/generated/figure_texts.h" || fail "no definition"

refuses 'command command_first = {' "$text"
refuses 'const command first_command = {' "$text"
refuses 'const command command_First = {' "$text"
refuses 'const command command_first[MANY] = {' "$text"
refuses 'const command command_first = FIRST;' "$text"
refuses "$good" 'A title\n\nCite\n\nClaim.'
refuses "$good" "$text"'\n\nMore.'

# An edit: the lists are written by the build, which is not configured for it; an edit of what no list
# is made of changes nothing.
build() {
    sleep 1 # make compares whole seconds on some file systems
    cmake --build "$work/build" >"$work/output" 2>&1 || fail "not built"
}
configured() {
    grep -q 'Configuring done' "$work/output"
}
lists() {
    grep -q "$1" "$work/build/generated/found_command.h"
}
reads "$good" "$text"
build
printf '/* a.c */\nconst command command_other = {' >"$work/tool/a.c"
build
! configured || fail "an edit configures the build"
lists command_other || fail "an edit is not seen"
! lists command_first || fail "what is gone is still listed"
printf 'static int x;\nconst command command_other = {' >"$work/tool/a.c"
cp -p "$work/build/generated/found_command.h" "$work/before.h"
build
[ -z "$(find "$work/build/generated/found_command.h" -newer "$work/before.h")" ] || fail "the same list was written again"
printf '/* */\nconst command command_Wrong = {' >"$work/tool/a.c"
! cmake --build "$work/build" >"$work/output" 2>&1 || fail "not refused by the build"

# A new file is found; so is one that becomes a kernel, whose rule is another.
printf '/* */\nconst command command_other = {' >"$work/tool/a.c"
printf '/* */\nconst command command_new = {' >"$work/tool/new.c"
printf 'int y;\n' >"$work/src/part.c"
build
lists command_new || fail "a new file is not found"
printf '#ifdef SIMD_VECTORS\n#endif\n' >"$work/src/kernel.c"
build
grep -q 'src/kernel.c' "$work/build/generated/catalog.txt" || fail "a new kernel is not found"
printf 'int z;\n' >"$work/src/kernel.c"
build
! tail -n +2 "$work/build/generated/catalog.txt" | grep -q 'src/kernel.c' || fail "what is no kernel any more is one still"
rm "$work/tool/new.c"
build
! lists command_new || fail "a file that is gone is still listed"
echo "lists are read as they stand"
