#!/bin/sh
# layers.sh SOURCE BUILD CC - includes and calls point down. The order of the folders is the list
# in docs/architecture.md: a file needs its own folder and those of earlier lines, and not those
# that share its line. Public headers need only each other. Flows, methods, problems and figures
# are files that do not know each other. The core, which that page names too, needs nothing outside it. No two files need each other, also not by way of
# others; NAME.c and NAME.h count as one. What the build writes from folders counts as no need.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints who needs whom in the tree $1, whose objects are in $2, as "FROM TO WHERE". An object
# needs another if that defines what it uses.
needs() (
    build=$2
    cd "$1"
    find include src kinds device lab extra cli -name '*.[ch]' 2>/dev/null | sort >"$work/files"
    # shellcheck disable=SC2016 # awk's dollars
    xargs awk -v list="$work/files" '
        BEGIN { while ((getline file <list) > 0) there[file] }
        /^ *# *include *"/ {
            folder = FILENAME
            sub(/[^\/]*$/, "", folder)
            split($0, quoted, "\"")
            n = split(folder " src/ include/", places, " ")
            places[++n] = ""
            for (i = 1; i <= n; i++)
                if ((places[i] quoted[2]) in there) {
                    print FILENAME, places[i] quoted[2], FILENAME ":" FNR
                    break
                }
        }' <"$work/files"
    find "$build" -path '*.dir/*' -name '*.c.o' | while read -r object; do
        file=${object##*.dir/}
        file=${file%.o}
        [ ! -f "$file" ] || nm -P "$object" | sed "s|^|$file |"
    done | awk '
        $3 ~ /[TDRBVWC]/ { defined[$2] = $1 }
        $3 ~ /[DRBVC]/ && $2 ~ /^(format|ph_(flow|method|problem)|list_kind|problem_reader|method_reader|film_maker|run_observer|device_runner)_/ { descriptor[$2] }
        $3 == "T" && $2 ~ /^ph_(batch|columns|torque|each)_.*_(baseline|avx2|avx512)$/ { descriptor[$2] }
        $3 == "U" && $2 !~ /^(ph_kind|command)_/ { used[$1 " " $2] }
        END {
            for (u in used) {
                split(u, part, " ")
                if (part[2] in defined && !(part[2] in descriptor))
                    print part[1], defined[part[2]], part[2]
            }
        }'
)

# Prints what breaks the rule in the list of needs $1, by the order in the page $2.
violations() {
    awk -v page="$2" '
        BEGIN {
            while ((getline line <page) > 0)
                if (line ~ /^    [a-z]+\// || line ~ /^    cli /) {
                    rank++
                    n = split(line, words, " ")
                    for (i = 1; i <= n && words[i] ~ /\/|^(device|cli)$/; i++)
                        order[words[i]] = rank
                } else if (sub(/^core: /, "", line)) {
                    n = split(line, words, " ")
                    for (i = 1; i <= n; i++)
                        core[words[i]]
                }
        }
        function in_core(file,    word) {
            for (word in core)
                if (file == word || index(file, word "/") == 1)
                    return 1
            return 0
        }
        # The longest folder of the list that a file is in.
        function room(file,    folder) {
            folder = file
            while (sub(/\/[^\/]*$/, "", folder))
                if (folder in order)
                    return folder
            return ""
        }
        {
            own = room($1)
            other = room($2)
            folder = $1
            sub(/[^\/]*$/, "", folder)
            if (own == "" || other == "")
                why = "one of which is in no folder of the list"
            else if (in_core($1) && !in_core($2) && $2 !~ /^include\//)
                why = "which is outside the core"
            else if (order[own] < order[other] || (order[own] == order[other] && own != other))
                why = "which is not below it"
            else if (folder ~ /\/(flows|methods|problems|figures)\/$/ && index($2, folder) == 1 &&
                     substr($1, 1, length($1) - 2) != substr($2, 1, length($2) - 2))
                why = "its neighbour"
            else
                next
            print $3 ": " $1 " needs " $2 ", " why
        }' "$1"
}

# Prints the files that need each other in the list of needs $1.
circles() {
    awk '{ sub(/\.[ch]$/, "", $1); sub(/\.[ch]$/, "", $2) }
         $1 != $2 { print $1, $2 }' "$1" |
        tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)$/\1/p'
}

# The checks must be able to fail: six includes that are wrong, and files that need each
# other by an include and by a call.
bad=$work/bad
mkdir -p "$bad/include/polhode" "$bad/src/base" "$bad/src/motion/flows" "$bad/src/attic" \
    "$bad/kinds/spheres" "$bad/kinds/molecules" "$bad/o.dir/src/base" "$bad/cli/run"
echo '#include "base/b.h"' >"$bad/include/polhode/public.h"
echo '#include "motion/flows/exact.h"' >"$bad/src/base/low.c"
echo '#include "exact.h"' >"$bad/src/motion/flows/zon.c"
: >"$bad/src/motion/flows/exact.h"
echo '#include "base/b.h"' >"$bad/src/attic/old.c"
echo '#include "kinds/spheres/one.h"' | tee "$bad/cli/run/three.c" >"$bad/kinds/molecules/two.c"
: >"$bad/kinds/spheres/one.h"
printf '#include "base/b.h"\nvoid a(void) {}\n' >"$bad/src/base/a.c"
printf 'void a(void);\nvoid b(void);\nvoid b(void) { a(); }\n' >"$bad/src/base/b.c"
: >"$bad/src/base/b.h"
for name in a b; do
    "$3" -c -I"$bad/src" "$bad/src/base/$name.c" -o "$bad/o.dir/src/base/$name.c.o"
done
page=$1/docs/architecture.md
needs "$bad" "$bad" >"$work/needs"
[ "$(violations "$work/needs" "$page" | wc -l) $(circles "$work/needs" | wc -l)" = "6 2" ] ||
    { echo "the check itself does not work" >&2; exit 1; }

needs "$1" "$2/CMakeFiles" >"$work/needs"
[ "$(wc -l <"$work/needs")" -gt 1000 ] || { echo "no includes or no objects found" >&2; exit 1; }
found=$(violations "$work/needs" "$page")
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
found=$(circles "$work/needs")
[ -z "$found" ] || { echo "these files need each other:" "$found" >&2; exit 1; }
