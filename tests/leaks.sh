#!/bin/sh
# leaks.sh SOURCE BUILD CC... - no command of the tool leaves memory behind, and no format's writer
# or reader does, with any kind of system. Run with the sanitized build. Commands, formats and kinds
# are those that the tool lists. The script writes all command lines into a file, and tool_lines runs them
# in one process: on arm64 LeakSanitizer takes 4 s for each process that it searches.
set -eu
tool=$2/polhode
many=$2/tests/tool_lines
leaks=23 # the exit status of a process that left memory behind
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export ASAN_OPTIONS=detect_leaks=0

# Adds a command line that ends with one of these: a status, or 0|2 where either is right.
ends() { echo "$*" >>lines; }
good() { ends 0 "$@"; }
bad() { ends 2 "$@"; }

# Whether the first so many of the lines leave memory behind.
leak() {
    head -n "$1" lines >first
    status=0
    ASAN_OPTIONS=detect_leaks=1:exitcode=$leaks "$many" first >said 2>&1 || status=$?
    [ "$status" = "$leaks" ]
}

# Runs the lines, and forgets them. If memory is left behind, finds the first line that does so.
run_lines() {
    low=0 high=$(wc -l <lines)
    if ! leak "$high"; then
        cat said
        [ "$status" = 0 ] || exit 1
        rm lines
        return
    fi
    while [ $((high - low)) -gt 1 ]; do
        middle=$(((low + high) / 2))
        if leak "$middle"; then high=$middle; else low=$middle; fi
    done
    leak "$high"
    cat said
    echo "memory is left behind by polhode$(sed -n "${high}s/^[^ ]*//p" lines)"
    exit 1
}

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
        examples "$command" >example_lines
        [ -s example_lines ] || { echo "polhode $command --help: give an example"; exit 1; }
        while read -r line; do
            # shellcheck disable=SC2086 # words
            ends '0|1|2' $line
        done <example_lines
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
while read -r problem; do
    for format in $formats; do
        ends '0|2' run --problem "$problem" --step .001 --time .002 --out "$problem.$format" \
            --epoch 2026-01-01T00:00:00
        ends '0|2' convert "$problem.$format" --out again.csv
    done
done <first_problems
run_lines

# The files that were written, cut; and what readers met before, right and wrong.
while read -r problem; do
    for format in $formats; do
        [ -f "$problem.$format" ] || continue
        size=$(wc -c <"$problem.$format")
        head -c $((size * 3 / 4)) "$problem.$format" >"cut_$problem.$format"
        ends '0|2' convert "cut_$problem.$format" --out again.csv
    done
done <first_problems
"$1/scripts/corpus" unpack convert inputs
for input in inputs/*; do
    ends '0|2' convert "$input" --out again.csv
done
run_lines
