#!/bin/sh
# lists.sh SOURCE - tools/catalog.cmake reads descriptors however they are laid out, refuses
# what it cannot read, and takes what stands in the text of a figure for text.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$1/tools" "$work"
mkdir -p "$work/cli" "$work/papers/figures"
: >"$work/papers/page.html"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(lists NONE)
set(POLHODE_TOOL ON)
include(tools/catalog.cmake)
write_found(command command cli second)
END

# The configuration with this descriptor and this text.
configure() {
    printf '/* a.c */\n%s' "$1" >"$work/cli/a.c"
    printf '/* b.c */\nconst command command_second = {\n' >"$work/cli/b.c"
    printf '# figures\n\n{WHO}: we @ home\n\n## a_figure1\n\n%b\n' "$2" >"$work/papers/figures/a.md"
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
echo "lists are read as they stand"
