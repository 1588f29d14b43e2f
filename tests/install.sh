#!/bin/sh
# install.sh SOURCE BUILD CC - installs, moves the result elsewhere, and builds the project
# tests/consumer against it: by CMake and by pkg-config, shared and static, C and C++.
set -eu
consumer=$1/tests/consumer build=$2
export CC="$3"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR=$work/stage cmake --install "$build" --prefix /usr >"$work/log"
mv "$work/stage/usr" "$work/moved"
cd "$work"

cmake --log-level=NOTICE -S "$consumer" -B cmake -DCMAKE_PREFIX_PATH="$work/moved"
cmake --build cmake >log || { cat log; exit 1; }
cmake/consumer
cmake/consumer_static

make -f "$consumer/Makefile" SOURCE="$consumer" \
    PKG_CONFIG_PATH="$(dirname "$(find "$work/moved" -name polhode.pc)")" >log || { cat log; exit 1; }
LD_LIBRARY_PATH=$(dirname "$(find "$work/moved" -name libpolhode.so)") ./consumer
./consumer_static

moved/bin/polhode --version
