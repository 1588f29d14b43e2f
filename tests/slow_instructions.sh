#!/bin/sh
# slow_instructions.sh SOURCE BUILD CC [--record] - the instructions of a step of every flow, as
# callgrind counts them, against those recorded for this processor and compiler: what makes a
# step dearer does not go unnoticed on a noisy machine. With --record prints the lines to put
# into tests/vectors/instructions.txt. Exit 77, skipped, where nothing is recorded.
set -eu
recorded=$1/tests/vectors/instructions.txt
program=$2/tests/instructions
percent=10 # more than recorded: the step has become dearer; libm differs by less
export OMP_NUM_THREADS=1

skip() {
    echo "SKIPPED: $1"
    exit 77
}

command -v valgrind >/dev/null || skip "valgrind is not installed"
case $("$3" --version | head -n 1) in *clang*) compiler=clang ;; *) compiler=gcc ;; esac
version=$("$3" -dumpversion)
key="$(uname -m) $compiler-${version%%.*}"
grep -q "^$key " "$recorded" || [ "${4-}" = --record ] || skip "nothing recorded for $key"

count() { # instructions of the program with these arguments
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

units=$("$program" | head -n 1)
failed=0
for name in $("$program" | tail -n +2); do
    few=$(count "$name" 2)
    many=$(count "$name" 18)
    steps=$((16 * units))
    now=$(((many - few + steps / 2) / steps))
    if [ "${4-}" = --record ]; then
        echo "$key $name $now"
        continue
    fi
    then=$(sed -n "s/^$key $name \([0-9]*\)$/\1/p" "$recorded")
    if [ -z "$then" ]; then
        echo "$name: $now instructions, not recorded"
    elif [ "$now" -gt $((then * (100 + percent) / 100)) ]; then
        echo "$name: $now instructions, $then recorded"
        failed=1
    elif [ "$now" -lt $((then * (100 - percent) / 100)) ]; then
        echo "$name: $now instructions, fewer than the $then recorded: record them"
    fi
done
exit $failed
