#!/bin/sh
# sentences.sh SOURCE - counts the sentences of docs/*.md and CONTRIBUTING.md that have more than
# 40 words, prints each as "FILE:LINE: COUNT words: BEGINNING", and fails if there are any.
# Headings, tables and code between paragraphs do not count. A sentence ends with ".", "!" or "?"
# before a blank; a heading, a table, an item of a list and the end of a paragraph end it too,
# unless the next paragraph goes on in lower case. The text of a link counts, its address does not.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the long sentences of the files $@.
long_sentences() {
    awk '
        function finish() {
            if (words > 40)
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
            fenced = in_list = open = after_blank = in_code = 0
        }
        /^ *```/ { fenced = !fenced; end_paragraph(); next }
        fenced { next }
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

# The check must be able to fail: one sentence of 41 words, one of 41 around code, none in a list.
twenty="a b c d e f g h i j k l m n o p q r s t"
{
    printf '# %s %s %s\n\n%s\n%s end. Short.\n\n' "$twenty" "$twenty" "$twenty" "$twenty" "$twenty"
    printf '%s\n\n    code. Code.\n\nand %s.\n\n- %s\n- %s\n\nX %s\n' "$twenty" "$twenty" "$twenty" "$twenty" "$twenty"
} >"$work/bad.md"
long_sentences "$work/bad.md" >"$work/long"
[ "$(grep -c ' 41 words' "$work/long") $(wc -l <"$work/long")" = "2 2" ] ||
    { echo "the check itself does not work" >&2; exit 1; }

cd "$1"
long_sentences docs/*.md CONTRIBUTING.md >"$work/long"
cat "$work/long"
echo "$(wc -l <"$work/long") sentences have more than 40 words"
[ ! -s "$work/long" ]
