#!/bin/sh
# full_figures.sh - what figures gave at full length, lab/papers/full: checksums, the verdicts of all figures, and the
# numbers of figures 12 and 13 that docs/papers.md takes from there.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here/lab/papers/full"
sha256sum --quiet -c SHA256SUMS
bad=0

# The largest error of splittings with the exact motion at T0 = 1, over epsilon: with all steps, without those of 8 units.
for figure in "12 1e-6" "13 1e-3"; do
    number=${figure% *} epsilon=${figure#* }
    said=$(gzip -dc "celledoni_figure$number.csv.gz" | awk -F, -v epsilon="$epsilon" '
        $1 == "T0 = 1" && $2 ~ /\+exact$/ {
            split($2, scheme, "+"); kicks = scheme[1] == "verlet" ? 1 : substr(scheme[1], index(scheme[1], "_") + 1) + 0
            if ($4 > all) all = $4
            if ($3 * 10 / kicks < 7.9 && $4 > rest) rest = $4
        }
        END { if (NR == 451) printf "%.2f and %.2f", all / epsilon, rest / epsilon }')
    echo "figure $number: $said"
    if [ -z "$said" ] || ! tr '\n' ' ' < "$here/docs/papers.md" | grep -qF "$said"; then
        echo "full_figures: docs/papers.md does not say $said of figure $number"
        bad=1
    fi
done

# Each figure of the page has the verdict that it has at full length, but for those that depend on times.
times='celledoni_(figure1|figure2|figure16|table1),|hairer_vilmart_(figure1|section4),|ortolan_(figure4_3|table7_.),'
full=$(gzip -dc claims.csv.gz | awk -F, 'NR > 1 && $1 != last { print $1 "," $2; last = $1 }' | grep -vE "$times" | sort)
page=$(sed -n 's/^| .\([a-z]*_[a-z0-9_]*\). | [^|]* | \([a-z ]*\) |.*/\1,\2/p' "$here/docs/papers.md" | grep -vE "$times" | sort)
if [ -z "$full" ] || [ "$full" != "$page" ]; then
    printf 'full_figures: verdicts at full length\n%s\nand of docs/papers.md\n%s\n' "$full" "$page"
    bad=1
fi
exit $bad
