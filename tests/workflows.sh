#!/bin/sh
# workflows.sh SOURCE - every goal that a workflow of .github calls is one of the Makefile; workflows build and
# test by make alone, and run on x86-64 and arm64, macOS and Windows.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The commands of the workflow $1, one a line: what follows `run:`, and the lines of a block after `run: |`.
commands() {
    awk '
        function indent(line) { match(line, /^ */); return RLENGTH }
        inside && (NF == 0 || indent($0) > depth) { sub(/^ */, ""); if (NF) print; next }
        { inside = 0 }
        /^[ -]*run:/ {
            depth = indent($0)
            text = $0
            sub(/^[ -]*run: */, "", text)
            if (text ~ /^[|>]/) inside = 1
            else if (text != "") print text
        }' "$1"
}

# Prints what is wrong with the workflow $1, whose commands may call the goals of the Makefile $2.
wrong() {
    commands "$1" | sed 's/ *&& */\n/g; s/ *; */\n/g' | while read -r command words; do
        case $command in
        make)
            for word in $words; do
                case $word in
                *=* | -*) continue ;; # a variable, an option
                esac
                grep -qE "^$word:.*## " "$2" || echo "$1: \`make $word\`: the Makefile has no such goal"
            done ;;
        apt-get | brew) ;; # installs make, or what its goals need
        *) echo "$1: \`$command $words\`: call a goal of the Makefile" ;;
        esac
    done
}

# The check must be able to fail.
printf 'goal: ## does it\n' >"$work/Makefile"
cat >"$work/test.yml" <<'END'
jobs:
  one:
    steps:
      - run: make goal X=1
      - name: Two
        run: make missing
      - run: |
          make goal
          ctest
      - uses: other
END
[ "$(wrong "$work/test.yml" "$work/Makefile" | grep -c .)" = 2 ] ||
    { echo "the check itself does not work" >&2; exit 1; }

cd "$1"
found=0 bad=
for file in .github/workflows/*.yml; do
    found=$((found + $(commands "$file" | grep -c '^make ')))
    bad="$bad$(wrong "$file" Makefile)"
done
[ -z "$bad" ] || { echo "$bad" >&2; exit 1; }
[ "$found" -ge 4 ] || { echo "the workflows call make $found times" >&2; exit 1; }
for word in 'ubuntu-[0-9.]*$' 'ubuntu-[0-9.]*-arm' 'macos-' 'windows-'; do
    sed 's/ *#.*//; s/[][,]/\n/g' .github/workflows/*.yml | grep -qE "$word" ||
        { echo "no workflow runs on $word" >&2; exit 1; }
done
for file in SECURITY.md .github/pull_request_template.md .github/ISSUE_TEMPLATE/bug.md; do
    [ -s "$file" ] || { echo "$file is missing" >&2; exit 1; }
done
echo "$found calls of make in workflows, all of goals that exist"
