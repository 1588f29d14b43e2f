#!/bin/sh
# layers.sh SOURCE BUILD CC - a file includes and calls only its own room and the rooms that this one uses. The table of
# rooms is in docs/architecture.md; no two rooms of it use each other, also not by way of others. Flows, methods, problems
# and figures are files that do not know each other. The core, which that page names too, needs nothing outside it. No
# two files need each other, also not by way of others; NAME.c and NAME.h count as one. What the build writes from folders
# counts as no need.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints who needs whom in the tree $1, whose objects are in $2, as "FROM TO WHERE". An object
# needs another if that defines what it uses.
needs() (
    build=$2
    cd "$1"
    find include src lab tool bindings conformance bench examples -path '*/node_modules/*' -prune -o -path '*/kernels/kernel_*' -prune -o \
        \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp' \) -print 2>/dev/null | sort >"$work/files"
    # shellcheck disable=SC2016 # awk's dollars
    xargs awk -v list="$work/files" '
        BEGIN { while ((getline file <list) > 0) there[file] }
        /^ *# *include *["<]/ {
            folder = FILENAME
            sub(/[^\/]*$/, "", folder)
            split($0, quoted, /["<>]/)
            room = folder
            sub(/\/.*/, "/", room)
            n = split(folder " src/ include/ " room, places, " ")
            places[++n] = ""
            for (i = 1; i <= n; i++) {
                path = places[i] quoted[2]
                while (sub(/[^\/.]+\/\.\.\//, "", path))
                    ;
                if (path in there) {
                    print FILENAME, path, FILENAME ":" FNR
                    break
                }
            }
        }' <"$work/files"
    find "$build" -path '*.dir/*' -name '*.c.o' | while read -r object; do
        file=${object##*.dir/}
        file=${file%.o}
        case $file in # a kernel is the file that it includes
        */kernels/*)
            of=$(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file")
            file=src/$of
            [ -f "$file" ] || file=$of
            ;;
        esac
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

# Prints what breaks the rule in the list of needs $1, by the rooms of the page $2.
violations() {
    awk -v page="$2" '
        BEGIN {
            while ((getline line <page) > 0) {
                n = split(line, words, " ")
                if (words[1] == "room:") {
                    rooms[words[2]]
                    for (i = 4; i <= n; i++)
                        uses[words[2], words[i]]
                } else if (words[1] == "core:")
                    for (i = 2; i <= n; i++)
                        core[words[i]]
            }
        }
        function in_core(file,    word) {
            for (word in core)
                if (file == word || index(file, word "/") == 1)
                    return 1
            return 0
        }
        # The table names the other room, or a folder that it is in.
        function may_use(own, other) {
            while (!((own, other) in uses))
                if (!sub(/\/[^\/]*$/, "", other))
                    return 0
            return 1
        }
        # The longest room that a file is in.
        function room(file,    folder) {
            folder = file
            while (sub(/\/[^\/]*$/, "", folder))
                if (folder in rooms)
                    return folder
            return ""
        }
        {
            own = room($1)
            other = room($2)
            folder = $1
            sub(/[^\/]*$/, "", folder)
            if (own == "" || other == "")
                why = "one of which is in no room of the table"
            else if (in_core($1) && !in_core($2) && $2 !~ /^include\//)
                why = "which is outside the core"
            else if (own != other && !may_use(own, other))
                why = "which its room may not use"
            else if (folder ~ /\/(flows|methods|problems|figures)\/$/ && index($2, folder) == 1 &&
                     substr($1, 1, length($1) - 2) != substr($2, 1, length($2) - 2))
                why = "its neighbour"
            else
                next
            print $3 ": " $1 " needs " $2 ", " why
        }' "$1"
}

# Prints rooms of the page $1 that use each other, also by way of others.
round_rooms() {
    awk '$1 == "room:" { for (i = 4; i <= NF; i++) print $2, $i; if ($2 ~ /^src\//) print "src", $2 }' "$1" |
        tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)$/\1/p'
}

# Prints the files that need each other in the list of needs $1.
circles() {
    awk '{ sub(/\.[ch]$/, "", $1); sub(/\.[ch]$/, "", $2) }
         $1 != $2 { print $1, $2 }' "$1" |
        tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)$/\1/p'
}

# The checks must be able to fail: seven includes that are wrong, files that need each other by an include and by a
# call, and rooms that use each other.
bad=$work/bad
mkdir -p "$bad/include/polhode" "$bad/src/base" "$bad/src/motion/flows" "$bad/src/attic" "$bad/bindings/rust" \
    "$bad/src/kinds/spheres" "$bad/src/kinds/molecules" "$bad/o.dir/src/base" "$bad/tool/run"
echo '#include "base/b.h"' >"$bad/include/polhode/public.h"
echo '#include "motion/flows/exact.h"' >"$bad/src/base/low.c"
echo '#include "exact.h"' >"$bad/src/motion/flows/zon.c"
: >"$bad/src/motion/flows/exact.h"
echo '#include "base/b.h"' >"$bad/src/attic/old.c"
echo '#include "kinds/spheres/one.h"' | tee "$bad/tool/run/three.c" >"$bad/src/kinds/molecules/two.c"
: >"$bad/src/kinds/spheres/one.h"
echo '#include "../../src/base/b.h"' >"$bad/bindings/rust/four.c"
printf '#include "base/b.h"\nvoid a(void) {}\n' >"$bad/src/base/a.c"
printf 'void a(void);\nvoid b(void);\nvoid b(void) { a(); }\n' >"$bad/src/base/b.c"
: >"$bad/src/base/b.h"
for name in a b; do
    "$3" -c -I"$bad/src" "$bad/src/base/$name.c" -o "$bad/o.dir/src/base/$name.c.o"
done
page=$1/docs/architecture.md
needs "$bad" "$bad" >"$work/needs"
[ "$(violations "$work/needs" "$page" | wc -l) $(circles "$work/needs" | wc -l)" = "7 2" ] ||
    { echo "the check itself does not work" >&2; exit 1; }
printf 'room: src/a uses src/b\nroom: src/b uses src/a\n' >"$work/rooms"
[ -n "$(round_rooms "$work/rooms")" ] || { echo "the check of rooms itself does not work" >&2; exit 1; }
found=$(round_rooms "$page")
[ -z "$found" ] || { echo "these rooms of $page use each other:" "$found" >&2; exit 1; }

needs "$1" "$2/CMakeFiles" >"$work/needs"
[ "$(wc -l <"$work/needs")" -gt 1000 ] || { echo "no includes or no objects found" >&2; exit 1; }
found=$(violations "$work/needs" "$page")
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
found=$(circles "$work/needs")
[ -z "$found" ] || { echo "these files need each other:" "$found" >&2; exit 1; }
