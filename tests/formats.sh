#!/bin/sh
# formats.sh SOURCE BUILD - what the tool writes is read again by readers that know nothing of it:
# formats.py.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# the system's own, which has h5py if anything has
python=/usr/bin/python3
[ -x $python ] || python=python3
$python "$1/tests/formats.py" "$2/polhode"
