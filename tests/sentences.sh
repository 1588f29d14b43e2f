#!/bin/sh
# sentences.sh SOURCE - counts the sentences of docs/*.md, docs/tutorials/*.md, README.md and CONTRIBUTING.md
# and comments of the public headers that have more than 35 words.
# It prints each as "FILE:LINE: COUNT words: BEGINNING", and fails if there are any.
# Headings, tables, formulas between paragraphs and code do not count. A sentence ends with ".", "!" or "?"
# before a blank; a heading, a table, an item of a list and the end of a paragraph end it too,
# unless the next paragraph goes on in lower case. The text of a link counts, its address does not.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the sentences of the files $2 ... that have more than $1 words.
long_sentences() {
    most=$1
    shift
    awk -v most="$most" '
        function finish() {
            if (words > most)
                print file ":" first ": " words " words: " substr(sentence, 1, 60)
            words = 0
            sentence = ""
        }
        function take(text,    n, i, word, parts) {
            gsub(/\]\([^)]*\)/, "", text) # the address of a link
            n = split(text, parts, /[ \t]+/)
            for (i = 1; i <= n; i++) {
                word = parts[i]
                if (word == "")
                    continue
                if (words == 0)
                    first = FNR
                words++
                sentence = sentence word " "
                if (gsub(/`/, "`", word) % 2)
                    in_code = !in_code
                if (!in_code && word ~ /[.!?]["*_)`\]]*$/ &&
                    word !~ /^[(]*(e\.g|i\.e|cf|al|eq|vs|no|p|pp|[A-Z])\.$/)
                    finish()
            }
        }
        function end_paragraph() {
            in_code = 0
            open = words > 0
        }
        FNR == 1 {
            finish()
            file = FILENAME
            fenced = in_list = open = after_blank = in_code = formula = 0
        }
        /^ *```/ { fenced = !fenced; end_paragraph(); next }
        fenced { next }
        /^ *\$\$/ || formula { # ends at the next $$
            n = gsub(/\$\$/, "&")
            if (n % 2)
                formula = !formula
            next
        }
        /^[ \t]*$/ { end_paragraph(); after_blank = 1; next }
        /^#/ || /^ *\|[ -]/ || /^ *<!--/ { finish(); end_paragraph(); in_list = 0; next }
        after_blank && !in_list && /^(    |\t)/ { next }
        after_blank && in_list && /^(      |\t)/ { next }
        {
            item = $0 ~ /^ *([-*+]|[0-9]+[.)]) /
            if (item || (open && $1 !~ /^[a-z`]/))
                finish()
            if (item)
                in_list = 1
            else if (after_blank && $0 !~ /^ /)
                in_list = 0
            open = after_blank = 0
            sub(/^ *([-*+]|[0-9]+[.)]) /, "")
            take($0)
        }
        END { finish() }' "$@"
}

# Prints the comments of a header as a page with the same lines: each comment is an item, and lines
# that are indented in it (code, formulas) are code.
comments() {
    awk '{
        line = $0
        out = ""
        while (line != "") {
            if (inside) {
                end = index(line, "*/")
                text = end ? substr(line, 1, end - 1) : line
                if (!first)
                    sub(/^ *\* ?/, "", text)
                if (!first && text ~ /^  /)
                    sub(/^/, "      ", text)
                out = out (first ? "- " : "") text
                inside = !end
                first = 0
                line = end ? substr(line, end + 2) : ""
            } else {
                begin = index(line, "/*")
                line = begin ? substr(line, begin + 2) : ""
                inside = first = begin > 0
            }
        }
        print out
    }' "$1"
}

# The check must be able to fail: one sentence of 41 words, one of 41 around code, none in a list.
twenty="a b c d e f g h i j k l m n o p q r s t"
{
    printf '# %s %s %s\n\n%s\n%s end. Short.\n\n' "$twenty" "$twenty" "$twenty" "$twenty" "$twenty"
    printf '%s\n\n    code. Code.\n\nand %s.\n\n- %s\n- %s\n\nX %s\n' "$twenty" "$twenty" "$twenty" "$twenty" "$twenty"
} >"$work/bad.md"
long_sentences 40 "$work/bad.md" >"$work/long"
[ "$(grep -c ' 41 words' "$work/long") $(wc -l <"$work/long")" = "2 2" ] ||
    { echo "the check itself does not work" >&2; exit 1; }
# In a header: one sentence of 21 words over two lines of a comment, none in code, in a formula, or
# of two comments together.
{
    printf '/* Short. %s\n * end. Short.\n *\n *     int %s;\n *\n *   %s %s\n */\n' \
        "$twenty" "$twenty" "$twenty" "$twenty"
    printf 'int %s %s; /* a b */\nint b; /* %s */\n' "$twenty" "$twenty" "$twenty"
} >"$work/bad.h"
comments "$work/bad.h" >"$work/bad.md"
long_sentences 20 "$work/bad.md" >"$work/long"
[ "$(cut -d: -f2,3 "$work/long")" = "1: 21 words" ] ||
    { echo "the check of headers itself does not work" >&2; exit 1; }

cd "$1"
long_sentences 35 docs/*.md docs/tutorials/*.md README.md CONTRIBUTING.md >"$work/long"
for header in include/polhode/*.h; do
    comments "$header" >"$work/comments"
    long_sentences 35 "$work/comments" | sed "s|^$work/comments|$header|" >>"$work/long"
done
cat "$work/long"
echo "$(wc -l <"$work/long") sentences are too long"
[ ! -s "$work/long" ]
