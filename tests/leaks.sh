#!/bin/sh
# leaks.sh SOURCE BUILD CC... - no command of the tool leaves memory behind, and no format's writer
# or reader does, with any kind of system. Run with the sanitized build, whose programs then exit
# with 23. Commands, formats and kinds are those that the tool lists.
set -eu
tool=$2/polhode
inputs=$1/tests/corpus/convert
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

# The command lines that the help of a command gives as examples of itself.
examples() {
    "$tool" "$1" --help | sed -n '/^Examples*:/,$p' | sed -e ':join' -e '/\\$/{N;s/\\\n *//;b join' -e '}' |
        sed -n -e 's/  *#.*//' -e "s/^ *polhode \($1 .*\)/\1/p"
}

# Every command that the tool has. One that is not known here does its examples; a file that
# they name may be missing.
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
    fit)
        good exact --inertia .5,.8,1 --velocity .3,1,.2 --time 0:9:20 --show t,q0,q1,q2,q3 --out a.csv
        good fit a.csv --json --out b.csv && good fit a.csv --problem free --inertia .5,.8,1 --free attitude,velocity
        bad fit r.csv && bad fit missing.csv
        ;;
    reproduce) bad reproduce no_such_figure ;;
    list) good list --json && good list figures ;;
    plot) ends '0|2' plot r.csv --out r.svg ;; # 2 without gnuplot
    view) ends '0|2' view r.csv --out r.html ;; # 2 without the page
    convert) good convert r.csv --show t,euler_zyx --out - ;;
    bits) good bits ;;
    man | completion) ends '0|2' "$command" bash ;;
    *)
        examples "$command" >lines
        [ -s lines ] || { echo "polhode $command --help: give an example"; exit 1; }
        while read -r line; do
            # shellcheck disable=SC2086 # words
            ends '0|1|2' $line
        done <lines
        ;;
    esac
done

# Every format: written of each kind of system, or refused; read again, whole and cut, or refused.
formats=$("$tool" run --help | sed -n 's/^ *[.]\([a-z0-9]*\)  .*/\1/p')
: "${formats:?its help lists none}"
# The first problem of each kind, which it calls space.
"$tool" list problems --json | sed -n 's/^    "\(name\|space\)": "\(.*\)",$/\2/p' | paste -d' ' - - |
    awk '!seen[$2]++ { print $1 }' >first_problems
[ "$(wc -l <first_problems)" -ge 4 ] || { echo "not all kinds of system are found"; exit 1; }
for format in $formats; do
    while read -r problem; do
        rm -f "f.$format"
        ends '0|2' run --problem "$problem" --step .001 --time .002 --out "f.$format" \
            --epoch 2026-01-01T00:00:00
        [ -f "f.$format" ] || continue
        ends '0|2' convert "f.$format" --out again.csv
        size=$(wc -c <"f.$format")
        head -c $((size * 3 / 4)) "f.$format" >"cut.$format"
        ends '0|2' convert "cut.$format" --out again.csv
    done <first_problems
done

# What readers met before, right and wrong.
for input in "$inputs"/*; do
    ends '0|2' convert "$input" --out again.csv
done
