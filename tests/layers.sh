#!/bin/sh
# layers.sh SOURCE - includes point down: a file includes from its own folder and from those
# before it in the list; public headers (polhode) only each other. Flows, methods, problems
# and figures are files that do not know each other.
set -eu

# Prints the includes that break the rule in the tree $1. "x.h" is of the same folder,
# "core/x.h" of that folder of src.
violations() {
    cd "$1"
    # shellcheck disable=SC2016 # awk's dollars
    find include src cli figures -name '*.[ch]' 2>/dev/null | sort | xargs awk '
        BEGIN {
            n = split("polhode core elliptic motion batch flows schemes methods problems body " \
                      "spheres molecules system catalog measure io evidence figures cli", layers)
            for (i = 1; i <= n; i++)
                rank[layers[i]] = i
        }
        /^ *# *include *"/ {
            from = FILENAME
            sub(/^(src|include)\//, "", from)
            folder = from
            sub(/\/[^\/]*$/, "", folder)
            split($0, quoted, "\"")
            to = quoted[2] ~ /\// ? quoted[2] : folder "/" quoted[2]
            split(from, own, "/")
            split(to, other, "/")
            if (!(own[1] in rank) || !(other[1] in rank))
                why = "one of which is in no layer"
            else if (rank[own[1]] < rank[other[1]])
                why = "which is above it"
            else if (folder ~ /(^|\/)(flows|methods|problems|figures)$/ &&
                     index(to, folder "/") == 1 && substr(from, 1, length(from) - 2) ".h" != to)
                why = "its neighbour"
            else
                next
            print FILENAME ":" FNR ": " from " includes " to ", " why
        }'
}

# The check must be able to fail: four includes, each of them wrong.
bad=$(mktemp -d)
trap 'rm -rf "$bad"' EXIT
mkdir -p "$bad/include/polhode" "$bad/src/core" "$bad/src/flows" "$bad/src/attic"
echo '#include "core/vec.h"' >"$bad/include/polhode/public.h"
echo '#include "flows/exact.h"' >"$bad/src/core/low.c"
echo '#include "exact.h"' >"$bad/src/flows/zon.c"
echo '#include "core/vec.h"' >"$bad/src/attic/old.c"
[ "$(violations "$bad" | wc -l)" = 4 ] || { echo "the check itself does not work" >&2; exit 1; }

found=$(violations "$1")
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
