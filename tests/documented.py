#!/usr/bin/env python3
"""documented.py SOURCE TOOL [--quick | --measure] [PAGE...] - runs the commands of README.md, CONTRIBUTING.md and docs/*.md
that print numbers, and compares what stands beside them.

A command is a line `polhode ...` of an indented block, or `polhode ...` in backticks. Beside it are:
of a block, the paragraph before and the paragraph, list or table after it; of backticks, their own
paragraph, row or item, and what follows it if it ends with a colon. The tool alone has computed these numbers, so that
no round-off of another compiler is allowed for (printed.py). Every number there must be

  - in what one of these commands prints, rounded to the digits that the page has,
  - in a command beside it, or in backticks,
  - a time: before s, ms, us, ns, minutes, hours, or in the column `seconds` of a table,
  - a count: an integer below 100, or a power of ten such as 10^4, of a text; not of a table,
  - a year, the number of a section, figure or equation; or in a column without a heading or `where`,
  - the angle between the ends of a command and of `<!-- angle from: COMMAND -->` in its section,
  - or named in `<!-- not printed: NUMBER NUMBER; why -->` in the same section.

A number that is named so and is not on the page is an error. A command with METHOD, TOLERANCE or
NAME in it runs for each row of its table that has a column of that name. Commands that need a
file which is not in the repository, and those that serve, draw or convert, are not run; a command
that the tool refuses is an error, in backticks only if there are numbers beside it.

--quick leaves out the commands of tests/slow_commands.txt, and the numbers beside them: those that take a second
of processor time or more. --measure finds these and writes the file, with the date and the machine.
"""
import datetime
import itertools
import json
import math
import os
import pathlib
import platform
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from printed import rounds_to

PRINTING = {"run", "exact", "compare", "check", "fit", "reproduce"}
NUMBER = re.compile(r"(?<![\w.^])[-+−]?\d+(?:[ ,]\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w^]|\.\d)")
TIME = re.compile(r"\s*(?:s|ms|us|µs|ns|seconds?|minutes?|min|hours?|h|times as (?:fast|long))\b")
PLACES = re.compile(r"(?:[Ss]ections?|[Ff]igures?|Figs?\.|[Tt]ables?|[Cc]hapter|Remark|Algorithm|Theorem|Prop\.|[A-Z]+\d\d,|"
                    r"status|CCSDS|AEM)\s+[\d.]+\b|\(\d+(?:\.\d+)*[a-z]?\)|\b(?:19|20)\d\d\b")
LOOSE = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
SMALL = 100
LIMIT = 300  # seconds
SLOW = "tests/slow_commands.txt"
HEAD = """# Commands of the documentation that take a second of processor time or more. `make test` leaves them out, with the
# numbers beside them, and `make test PARTS=slow` runs them. Written by
#     tests/documented.py SOURCE TOOL --measure
"""


def blocks(text):
    """The page as (kind, text, section); kind: text, code, row, head, note, mark."""
    section, kind, lines, found, marked = 0, "", [], [], False

    def flush():
        nonlocal lines
        if lines:
            found.append((kind, "\n".join(lines), section))
        lines = []

    for line in text.splitlines():
        now = ("head" if line.startswith("#") else "note" if line.startswith("<!--") else
               "code" if line.startswith("    ") and kind != "item" or
               line.startswith("        ") else
               "row" if line.startswith("|") else
               "" if not line.strip() else "text")
        if line.startswith("```"):
            now = "fence"
        if marked:  # what `make regenerate` writes
            marked = not line.startswith("<!-- end")
            continue
        if line.startswith("<!-- polhode"):
            marked = True
            flush()
            continue
        if now != kind or now in ("row", "head", "note") or line.startswith("- "):
            flush()
        if now == "head":
            section += 1
        kind = now
        if now:
            lines.append(line)
    flush()
    return found


def commands_of(text, indented):
    """The command lines of a block of code, or those in backticks."""
    if not indented:
        text = " ".join(text.split())
        return re.findall(r"`(polhode [^`]+)`", text)
    joined = re.sub(r"\\\n\s*", "", text)
    return [m.group(1) for line in joined.splitlines()
            if (m := re.match(r"\s*(?:\$ )?(polhode .*?)(?:\s{2,}[#a-z].*)?$", line))]


def runnable(command, source):
    """Its words, or None: it prints no numbers, or needs what is not there."""
    try:
        words = shlex.split(command)[1:]
    except ValueError:
        return None
    if not words or words[0] not in PRINTING or len(words) == 1:
        return None
    if any(re.search(r"[\[\]…]|\.\.\.|^[A-Z]{2,}[A-Z.a-z]*$", w) for w in words):
        return None
    if words[0] == "reproduce" and not any("_" in w for w in words[1:]):
        return None
    if {"--help", "--serve", "--plot", "--film", "--all"} & set(words):
        return None
    for i, word in enumerate(words):
        path = re.search(r"\.(csv|npy|npz|yaml|snapshot|c|so|stl|obj|glb|json)$", word)
        if path and words[i - 1] != "--out" and not (source / word).exists():
            return None
    return words


def limit():
    """Ends a process after a second of processor time."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))


class Tool:
    def __init__(self, tool, slow, measure):
        self.tool, self.slow, self.measure, self.printed = tool, slow, measure, {}

    def run(self, words):
        key = tuple(words)
        if key not in self.printed:
            with tempfile.TemporaryDirectory() as folder:
                extra = ["--out", folder + "/out"] if words[0] == "reproduce" and \
                    "--out" not in words else []
                done = subprocess.run([self.tool, *words, *extra], cwd=folder, text=True,
                                      capture_output=True, timeout=LIMIT, check=False,
                                      preexec_fn=limit if self.measure else None)
                text = done.stdout + done.stderr
                for path in sorted(pathlib.Path(folder).rglob("*.json")):
                    text += path.read_text()
                self.printed[key] = (done.returncode, text)
        return self.printed[key]

    def incomplete(self, words):
        """Whether it only names an option: `polhode run --out`."""
        return words[-1].startswith("--") and "needs a value" in self.run(words)[1]

    def angle(self, words, other):
        """Between the attitudes at the end of two runs, in radians, as a text."""
        try:
            a, b = (json.loads(self.run(w)[1].splitlines()[-1])["final"]["attitude"]
                    for w in (words, other))
        except (ValueError, KeyError, IndexError):
            return ""
        return repr(2 * math.asin(min(1, min(math.dist(a, b), math.dist(a, [-x for x in b])) / 2)) * 2)


def numbers_in(text):
    return [float(x) for x in LOOSE.findall(text)]


def plain(text):
    """A text without code and links."""
    return PLACES.sub(" ", re.sub(r"\]\([^)]*\)|`[^`]*`", " ", text))


def said_numbers(kind, text, header):
    """(number as written, whether it may be a count) of what stands beside a command."""
    found = []
    cells = enumerate(text.strip("|").split("|")) if kind == "row" else [(0, text)]
    for column, cell in cells:
        if kind == "row" and (column >= len(header) or
                              re.search("second|time|where|printed|^$", header[column])):
            continue
        cell = plain(cell)
        for match in NUMBER.finditer(cell):
            after = cell[match.end():]
            if not TIME.match(after):
                number = match.group(0).replace("−", "-").replace(",", "").replace(" ", "")
                found.append((number, kind != "row"))
    return found


def expanded(command, rows):
    """The command, or one for each row with the columns that it names in capitals."""
    names = [n for n in re.findall(r"\b[A-Z]{4,}\b", command)]
    header = [c.strip().lower() for c in rows[0].strip("|").split("|")] if rows else []
    if not names or not all(n.lower() in header for n in names):
        return [command]
    out = []
    for row in rows[2:]:
        cells = [c.strip().strip("`") for c in row.strip("|").split("|")]
        text = command
        for name in names:
            text = text.replace(name, cells[header.index(name.lower())])
        out.append(text)
    return out


def neighbours(found, at):
    """The blocks beside that of a command."""
    kind, text, section = found[at]
    beside = [] if kind == "code" else [at]
    before = at - 1
    while before >= 0 and found[before][0] == "note":
        before -= 1
    if kind == "code" and before >= 0 and found[before][0] == "text":
        beside.append(before)
    if kind == "code" or text.rstrip().endswith(":"):
        follow = at + 1
        while follow < len(found) and found[follow][0] in ("note", "code"):
            follow += 1
        while follow < len(found) and found[follow][2] == section:
            this = found[follow][0]
            if this not in ("row", "text") or (this == "text" and beside and
                                               beside[-1] > at):
                break
            beside.append(follow)
            follow += 1
            if this == "text" and not found[follow - 1][1].startswith("- "):
                break
    return [i for i in beside if found[i][2] == section]


def check_page(tool, source, path):
    found, errors = blocks(path.read_text()), []
    beside, allowed, used, asked, reference, skipped = {}, {}, {}, set(), {}, set()
    for at, (kind, text, section) in enumerate(found):
        note = re.match(r"<!-- not printed: ([^;]*);", text)
        if note:
            allowed.setdefault(section, set()).update(note.group(1).split())
        origin = re.match(r"<!-- angle from: polhode (.*) -->", text)
        if origin:
            reference[section] = shlex.split(origin.group(1))
        if kind not in ("text", "code", "row"):
            continue
        near_by = neighbours(found, at)
        rows = [found[i][1] for i in near_by if found[i][0] == "row"]
        for command in itertools.chain.from_iterable(
                expanded(c, rows) for c in commands_of(text, kind == "code")):
            words = runnable(command, source)
            if words and shlex.join(words) in tool.slow:
                skipped.update(near_by)
                continue
            if words and (kind == "code" or not tool.incomplete(words)):
                for i in near_by:
                    beside.setdefault(i, []).append(words)
                beside.setdefault(at, [])
                used.setdefault(tuple(words), words)
                if kind == "code":
                    asked.add(tuple(words))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(tool.run, used.values()))
    if tool.measure:  # a process is ended by its limit
        return [], len(used)
    for words, (status, text) in zip(used.values(), results):
        if tuple(words) in asked and status != 0:
            errors.append(f"`polhode {' '.join(words)}`: {text.strip()[:200]}")
    seen = {}
    for i, commands in sorted(beside.items()):
        kind, text, section = found[i]
        if i in skipped:
            continue
        start = i
        while start > 0 and found[start - 1][0] == "row" and kind == "row":
            start -= 1
        header = [c.strip() for c in found[start][1].strip("|").split("|")] if kind == "row" else []
        if kind == "row" and i - start < 2:
            continue
        printed = list(itertools.chain.from_iterable(
            numbers_in(tool.run(words)[1]) for words in commands))
        if section in reference:
            printed += [float(x) for x in (tool.angle(words, reference[section])
                                           for words in commands) if x]
        given = numbers_in(" ".join(" ".join(words) for words in commands))
        for said, countable in said_numbers(kind, text, header) if commands else []:
            if said in allowed.get(section, ()):
                seen.setdefault(section, set()).add(said)
                continue
            count = countable and re.fullmatch(r"\d+", said) and int(said) < SMALL
            if not count and not any(rounds_to(said, x) for x in itertools.chain(printed, given)):
                errors.append(f"{said} is in no output: {text[:100]!r}")
    for section, names in allowed.items() if not tool.slow else ():
        for name in names - seen.get(section, set()):
            errors.append(f"`not printed: {name}`, but no such number stands beside a command")
    return errors, len(used)


def processor():
    """The name of the processor, if /proc/cpuinfo or lscpu has it."""
    done = subprocess.run(["lscpu"], capture_output=True, text=True, check=False) if os.path.exists("/usr/bin/lscpu") else None
    found = re.search(r"Model name:\s*(.*)", done.stdout) if done else None
    return found.group(1) if found else platform.machine()


def main():
    options = [x for x in sys.argv[3:] if x.startswith("--")]
    source, measure = pathlib.Path(sys.argv[1]).resolve(), "--measure" in options
    slow = {line for line in (source / SLOW).read_text().splitlines() if line[:1] not in ("#", "")} if "--quick" in options else set()
    tool = Tool(pathlib.Path(sys.argv[2]).resolve(), slow, measure)
    pages = [source / p for p in sys.argv[3:] if not p.startswith("--")] or \
        [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").glob("*.md"))]
    failed = False
    for path in pages:
        errors, count = check_page(tool, source, path)
        print(f"{path.name}: {count} commands, {len(errors)} errors", flush=True)
        for error in errors:
            print("  " + error)
            failed = True
    if measure:
        lines = sorted(shlex.join(words) for words, (status, _) in tool.printed.items()
                       if status < 0 or words[0] == "reproduce")  # whose processes the limit ends one by one
        (source / SLOW).write_text(HEAD + f"# {datetime.date.today()}, {processor()}\n" + "\n".join(lines) + "\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
