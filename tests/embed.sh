#!/bin/sh
# embed.sh SOURCE BUILD CC - the library alone, inside another project, by the other of gcc
# and clang, without a warning.
set -eu
source=$1
case $("$3" --version) in *clang*) other=gcc ;; *) other=clang ;; esac
command -v $other >/dev/null || { echo "there is no $other"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

CC=$other cmake --log-level=NOTICE -S "$source/tests/consumer" -B "$work" \
    -DPOLHODE_SOURCE="$source" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DCMAKE_BUILD_TYPE=Release
cmake --build "$work" -j 2 >"$work/log" || { cat "$work/log"; exit 1; }
"$work/consumer"
"$work/consumer_static"
