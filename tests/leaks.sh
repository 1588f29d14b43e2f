#!/bin/sh
# leaks.sh SOURCE BUILD CC... - no command of the tool leaves memory behind.
# Run with the sanitized build, whose programs then exit with 23.
set -eu
tool=$2/polhode
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export ASAN_OPTIONS=detect_leaks=1:exitcode=23

good() {
    "$tool" "$@" >out 2>err || { echo "polhode $*: exit status $?"; cat err; exit 1; }
}
bad() {
    status=0
    "$tool" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || { echo "polhode $*: exit status $status"; cat err; exit 1; }
}

good exact --inertia 1,2,3 --velocity 0,1,1e-3 --time 0:1:11 --json
good list --json
good run --problem heavy_top --method rattle --step .1 --time 2 --out r.csv --checkpoint s
good resume s
good run --problem double_pendulum --method rkmkgl4 --step .1 --time 1 --out r.npy
good run --problem dipolar_spheres --method verlet+exact --step .001 --time .01 --out r.xyz
good check dmv4
good compare --problem free --methods exact,dmv2 --steps .1,.05 --time 1
good list figures
bad run --problem heavy_top --method verlet --step nonsense --time 1
bad run --scenario missing.yaml
