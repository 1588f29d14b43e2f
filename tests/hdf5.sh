#!/bin/sh
# hdf5.sh SOURCE BUILD CC - a tool that was configured without HDF5 gets it from the next build
# after that is installed.
set -eu
# shellcheck source=tests/skip.sh
. "$(dirname "$0")/skip.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pkg-config --exists hdf5-serial || pkg-config --exists hdf5 || { left_out 'HDF5 is not installed'; finish; }

# What pkg-config finds here, with HDF5 and without.
mkdir "$work/packages"
pkg-config --variable pc_path pkg-config | tr : '\n' | while read -r folder; do
    find "$folder" -name '*.pc' -exec ln -sf {} "$work/packages" \; 2>/dev/null || true
done
mkdir "$work/hidden"
mv "$work"/packages/hdf5* "$work/hidden"
export PKG_CONFIG_LIBDIR="$work/packages"
unset MAKEFLAGS MAKELEVEL # below `make test` another make would say where it is

# Whether the tool would be built with it.
has_hdf5() { grep -rqs POLHODE_HDF5 "$work/build/CMakeFiles/polhode_files.dir"; }
next_build() { cmake --build "$work/build" --target cmake_check_build_system >"$work/said"; }

cmake -G 'Unix Makefiles' -S "$1" -B "$work/build" -DCMAKE_C_COMPILER="$3" >/dev/null
if has_hdf5; then echo "HDF5 was found that is hidden" >&2; exit 1; fi
next_build
if [ -s "$work/said" ]; then echo "a build without changes configures again" >&2; cat "$work/said" >&2; exit 1; fi
sleep 1 # file times of whole seconds
mv "$work"/hidden/* "$work/packages"
next_build
has_hdf5 || { echo "a build does not find HDF5, which was installed" >&2; exit 1; }
finish
