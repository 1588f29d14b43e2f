# skip.sh - for tests that are scripts: `. "$(dirname "$0")/skip.sh"`. Such a script calls left_out with the reason where it leaves out a part,
# and ends with `finish`: status 77 then, which ctest reports as a skip.
# shellcheck shell=sh
skipped=0
left_out() {
    echo "SKIPPED: $1"
    skipped=77
}
finish() { exit "$skipped"; }
