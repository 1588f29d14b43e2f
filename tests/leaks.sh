#!/bin/sh
# leaks.sh SOURCE BUILD CC... - no command of the tool leaves memory behind, and no format's writer
# or reader does. Run with the sanitized build, whose programs then exit with 23.
set -eu
tool=$2/polhode
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export ASAN_OPTIONS=detect_leaks=1:exitcode=23

# Whether the tool ends with one of these: a status, or 0|2 where either is right.
ends() {
    wanted=$1
    shift
    status=0
    "$tool" "$@" >out 2>err </dev/null || status=$?
    case "|$wanted|" in *"|$status|"*) return ;; esac
    echo "polhode $*: exit status $status"
    cat err
    exit 1
}
good() { ends 0 "$@"; }
bad() { ends 2 "$@"; }

# Every command that the tool has; one that is not known here shows its help, and refuses.
commands=$("$tool" --help | sed -n '/^Commands:/,/^$/s/^    \([a-z]*\) .*/\1/p')
: "${commands:?the tool lists none}"
for command in $commands; do
    good "$command" --help
    bad "$command" --no-such-option
    case $command in
    exact) good exact --inertia 1,2,3 --velocity 0,1,1e-3 --time 0:1:11 --json ;;
    run)
        good run --problem heavy_top --method rattle --step .1 --time 2 --out r.csv --checkpoint s
        bad run --problem heavy_top --method verlet --step nonsense --time 1
        bad run --scenario missing.yaml
        ;;
    resume) good resume s ;;
    check) good check dmv4 ;;
    compare) good compare --problem free --methods exact,dmv2 --steps .1,.05 --time 1 ;;
    list) good list --json && good list figures ;;
    plot) ends '0|2' plot r.csv --out r.svg ;; # 2 without gnuplot
    view) ends '0|2' view r.csv --out r.html ;; # 2 without the page
    convert) good convert r.csv --show t,euler_zyx --out - ;;
    man | completion) ends '0|2' "$command" bash ;;
    esac
done

# Every format: written of each kind of system, or refused; read again, whole and cut, or refused.
formats=$("$tool" run --help | sed -n 's/^ *[.]\([a-z0-9]*\)  .*/\1/p')
: "${formats:?its help lists none}"
for format in $formats; do
    for run in "heavy_top rattle .1" "double_pendulum rkmkgl4 .1" "dipolar_spheres verlet+exact .001"; do
        # shellcheck disable=SC2086 # three words
        set -- $run
        rm -f "f.$format"
        ends '0|2' run --problem "$1" --method "$2" --step "$3" --time "$3" --out "f.$format" \
            --epoch 2026-01-01T00:00:00
        [ -f "f.$format" ] || continue
        ends '0|2' convert "f.$format" --out again.csv
        size=$(wc -c <"f.$format")
        head -c $((size * 3 / 4)) "f.$format" >"cut.$format"
        ends '0|2' convert "cut.$format" --out again.csv
    done
done
