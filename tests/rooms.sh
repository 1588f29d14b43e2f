#!/bin/sh
# rooms.sh SOURCE BUILD CC kinds|device|lab|extra|all - builds the library and the tool without this folder, or without all
# four. Runs the tests that remain, and compares the tool with that of BUILD.
set -eu
source=$(cd "$1" && pwd)
whole=$(cd "$2" && pwd)/polhode
CC=$3
export CC
shift 3
[ "$*" != all ] || set -- kinds device lab extra
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=$(nproc 2>/dev/null || echo 2)
fail() { echo "$*" >&2; exit 1; }

switches=
for folder; do
    switches="$switches -DPOLHODE_$(echo "$folder" | tr '[:lower:]' '[:upper:]')=OFF"
done
# shellcheck disable=SC2086 # one word each
cmake --log-level=NOTICE -S "$source" -B "$work/build" $switches -DPOLHODE_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >/dev/null
MAKEFLAGS='' cmake --build "$work/build" -j "$jobs" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
core=$work/build/polhode

# Nothing of these folders is compiled, and what they add is named.
for folder; do
    case $folder in kinds) folder=src/kinds ;; device) folder="*/device" ;; extra) folder=tool/optional ;; esac
    ! find "$work/build/CMakeFiles" -path "*.dir/$folder/*.o" | grep . || fail "a file of $folder was compiled"
done
refused() { # WORD SWITCH COMMAND...
    word=$1 switch=$2
    shift 2
    if said=$("$core" "$@" 2>&1); then
        fail "polhode $* works without $switch"
    fi
    case $said in
    "polhode: $word is not part of this tool, which was built with $switch=OFF"*) ;;
    *) fail "polhode $*: $said" ;;
    esac
}
run='run --problem free --method exact --step 1 --time 2'
for folder; do
    # shellcheck disable=SC2086 # one word each
    case $folder in
    kinds) ! "$core" list problems | grep -q ' \(spheres\|molecules\|orbiter\) ' || fail "kinds are listed" ;;
    device) refused --device POLHODE_DEVICE $run --device any ;;
    lab)
        for command in check compare reproduce grade bits; do refused "$command" POLHODE_LAB "$command"; done
        printf 'method: {integrator: verlet+exact, composition: [1]}\n' >"$work/own.yaml"
        said=$("$core" run "$work/own.yaml" --problem free --step 1 --time 2 2>&1) && fail "coefficients are read without POLHODE_LAB"
        case $said in *"POLHODE_LAB=OFF"*) ;; *) fail "coefficients: $said" ;; esac
        ;;
    extra)
        for command in view inertia; do refused "$command" POLHODE_EXTRA "$command"; done
        refused --film POLHODE_EXTRA $run --film a.mp4
        refused --serve POLHODE_EXTRA $run --serve 8000
        ;;
    esac
done

# The core gives the same results.
for command in run exact fit list convert plot; do
    "$core" "$command" --help >/dev/null
done
same() {
    "$whole" "$@" >"$work/one"
    "$core" "$@" >"$work/other"
    cmp "$work/one" "$work/other" || fail "polhode $* differs"
}
same exact --inertia 0.376,0.627,1 --momentum 0,0.6,-0.8 --time 0:40:11 --out -
same run --problem heavy_top --method srkn6_14a+exact --step 0.1 --time 5 --out -
same run --problem spacecraft --tolerance 1e-9 --time 0:1000@100 --out -
mkdir "$work/whole" "$work/core" # files name the command that wrote them
for format in csv npy npz; do
    set -- exact --inertia 1,2,3 --momentum 1,1,1 --time 0:1:5 --show t,q --out "rows.$format"
    (cd "$work/whole" && "$whole" "$@" >/dev/null)
    (cd "$work/core" && "$core" "$@" >/dev/null)
    cmp "$work/whole/rows.$format" "$work/core/rows.$format" || fail "$format differs"
done

ctest --test-dir "$work/build" -LE 'slow|extremes' -j "$jobs" >"$work/tests" 2>&1 || { tail -n 40 "$work/tests" >&2; exit 1; }
grep 'tests passed' "$work/tests"
