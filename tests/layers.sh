#!/bin/sh
# layers.sh SOURCE BUILD - includes and calls point down: a file needs its own folder and those
# before it in the list; public headers (polhode) only each other. Flows, methods, problems
# and figures are files that do not know each other. No two files of the library, of what is
# above it, or of the figures need each other, also not by way of others; NAME.c and NAME.h
# count as one.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Who needs whom in the tree $1, whose objects are in $2, as "FROM TO WHERE", files of src
# without that name: "x.h" is of the same folder, "core/x.h" of that folder of src. An object
# needs another if that defines what it uses.
needs() (
    build=$2
    cd "$1"
    # shellcheck disable=SC2016 # awk's dollars
    find include src cli figures -name '*.[ch]' 2>/dev/null | sort | xargs awk '
        /^ *# *include *"/ {
            from = FILENAME
            sub(/^(src|include)\//, "", from)
            folder = from
            sub(/\/[^\/]*$/, "", folder)
            split($0, quoted, "\"")
            if (quoted[2] !~ /^catalog_/) # which the build writes
                print from, (quoted[2] ~ /\// ? quoted[2] : folder "/" quoted[2]), FILENAME ":" FNR
        }'
    find "$build" -path '*.dir/*' -name '*.c.o' | while read -r object; do
        file=${object##*.dir/}
        file=${file%.o}
        [ ! -f "$file" ] || nm -P "$object" | sed "s|^|$file |"
    done | awk '
        { sub(/^src\//, "", $1) }
        $3 ~ /[TDRBVWC]/ { defined[$2] = $1 }
        $3 == "U" { used[$1 " " $2] }
        END {
            for (u in used) {
                split(u, part, " ")
                if (part[2] in defined)
                    print part[1], defined[part[2]], part[2]
            }
        }'
)

# Prints what breaks the rule of layers in the list of needs $1.
violations() {
    awk '
        BEGIN {
            n = split("polhode core expression elliptic motion batch flows schemes methods adaptive problems " \
                      "catalog device system body spheres molecules kinds measure io evidence " \
                      "figures cli", layers)
            for (i = 1; i <= n; i++)
                rank[layers[i]] = i
        }
        {
            from = $1
            to = $2
            folder = from
            sub(/\/[^\/]*$/, "", folder)
            split(from, own, "/")
            split(to, other, "/")
            if (!(own[1] in rank) || !(other[1] in rank))
                why = "one of which is in no layer"
            else if (rank[own[1]] < rank[other[1]])
                why = "which is above it"
            else if (folder ~ /(^|\/)(flows|methods|problems|figures)$/ &&
                     index(to, folder "/") == 1 &&
                     substr(from, 1, length(from) - 2) != substr(to, 1, length(to) - 2))
                why = "its neighbour"
            else
                next
            print $3 ": " from " needs " to ", " why
        }' "$1"
}

# Prints the files that need each other in the list of needs $1; those of the tool may.
circles() {
    awk '{ sub(/\.[ch]$/, "", $1); sub(/\.[ch]$/, "", $2) }
         $1 !~ /^cli\// && $2 !~ /^cli\// && $1 != $2 { print $1, $2 }' "$1" |
        tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)$/\1/p'
}

# The checks must be able to fail: four includes that are wrong, and files that need each
# other by an include and by a call.
bad=$work/bad
mkdir -p "$bad/include/polhode" "$bad/src/core" "$bad/src/flows" "$bad/src/attic" "$bad/o.dir/src/core"
echo '#include "core/vec.h"' >"$bad/include/polhode/public.h"
echo '#include "flows/exact.h"' >"$bad/src/core/low.c"
echo '#include "exact.h"' >"$bad/src/flows/zon.c"
echo '#include "core/vec.h"' >"$bad/src/attic/old.c"
printf '#include "core/b.h"\nvoid a(void) {}\n' >"$bad/src/core/a.c"
printf 'void a(void);\nvoid b(void);\nvoid b(void) { a(); }\n' >"$bad/src/core/b.c"
: >"$bad/src/core/b.h"
for name in a b; do
    "$3" -c -I"$bad/src" "$bad/src/core/$name.c" -o "$bad/o.dir/src/core/$name.c.o"
done
needs "$bad" "$bad" >"$work/needs"
[ "$(violations "$work/needs" | wc -l) $(circles "$work/needs" | wc -l)" = "4 2" ] ||
    { echo "the check itself does not work" >&2; exit 1; }

needs "$1" "$2/CMakeFiles" >"$work/needs"
[ "$(wc -l <"$work/needs")" -gt 1000 ] || { echo "no includes or no objects found" >&2; exit 1; }
found=$(violations "$work/needs")
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
found=$(circles "$work/needs")
[ -z "$found" ] || { echo "these files need each other:" "$found" >&2; exit 1; }
