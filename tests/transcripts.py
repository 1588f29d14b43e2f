#!/usr/bin/env python3
"""transcripts.py TOOL BUILD FILE...         - runs the commands of transcripts, and compares what they print, write and return
transcripts.py TOOL BUILD --write FILE... - writes recorded output anew, after it has shown the difference
transcripts.py --check                    - whether the comparison can fail

A transcript, tests/transcripts/NAME.txt, has commands of the shell and what must come of them. TOOL is `polhode` there, BUILD the
folder of its build. The commands of one file run one after the other in a new folder, which is empty. What a line is follows from
how it begins:

    # TEXT            a comment
    == TITLE          a section begins
    $ COMMAND         a command. It must return 0, and print no error, unless the lines below say otherwise
    $ COMMAND  ! TEXT  the same with the line `! TEXT` below it
    | TEXT            a line of standard output, digit by digit. The lines `|` of a command are all that it prints; `...` stands for
                      any text within a line, and a line `| ...` for any lines
    : TEXT            the same, with numbers that may differ by round-off (printed.py)
    ~ TEXT            standard output contains this; `...` as above. `!~ TEXT`: it does not contain this
    ! TEXT            bad input: the command returns 2 and prints one line `polhode: ...` that contains TEXT to standard error, nothing
                      to standard output, and changes no file
    !1 TEXT           it fails: it returns 1, and prints one such line
    * TEXT            a line of standard error; there are as many as these lines, in this order
    exit N            it returns N; standard error is not examined, unless the lines `*` say what it is
    ? EXPRESSION      is true; an expression of Python of the names below
    keep NAME         the result of the command is NAME in expressions that follow: NAME.out, NAME.json ...
    NAME := VALUE     an expression too. A text or a number is also the variable $NAME of the shell. A, B := VALUE: names for its members
    let NAME = TEXT   the same of a text, in which $OTHER stands for the value of that variable
    file NAME         writes a file: the lines that follow, indented by four blanks
    python            runs the indented lines that follow, which may define functions for expressions
    each A B          for each of the indented lines that follow, a value for each name, repeats the lines up to `end`;
                      the names are variables of both kinds
    each A B in VALUE the same for the members of an expression
    needs WHAT        skips the rest of the section without it: gnuplot, ffmpeg, hdf5, a program, or a folder that a build can
                      leave out (kinds, device, lab, extra); of the whole file before the first section
    unless HOW        leaves out the rest of the section in a run that is to be quick: quick, sanitized, emulated (quick.h)
    leaves PATTERN    files that may be left at the end; a file that no line names may not

A backslash at the end of a line continues it, but for files and lines of output. In lines `~`, `!~`, `!`, `!1` and `*`, $NAME stands for
the value of that variable.

Names in expressions: out, err and status of the command; json, its output as JSON, with members as attributes; rows, its output as CSV:
rows.x is a column of numbers, rows[0].x one of them, rows.header the names; text(FILE), raw(FILE), load(FILE) of JSON,
csv(FILE or TEXT), npy(FILE), write(FILE, TEXT or BYTES), files(PATTERN), near(A, B, TOLERANCE) of numbers and lists of them,
apart(A, B), the largest difference of the attitudes and momenta at the ends of two runs as JSON, SOURCE, the folder of the sources,
and Python's modules math, re and struct, with the functions of math.
"""
import ast
import csv
import difflib
import fnmatch
import functools
import io
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

import printed

SKIPPED = 77  # the exit status of a test that leaves out a part
FOLDERS = ("kinds", "device", "lab", "extra")  # which a build can leave out
INDENT = "    "
MARKS = {"| ": "exact", ": ": "near", "~ ": "contains", "!~ ": "lacks", "! ": "refused", "* ": "warns", "? ": "true"}
EXPANDED = ("contains", "lacks", "refused", "fails")  # in which $NAME stands for its value
WORDS = ("needs", "unless", "let", "file", "python", "each", "end", "exit", "keep", "leaves")


class Fault(Exception):
    """A transcript that nobody can read."""


class Missing(Exception):
    """What a section needs and is not there; without a text, what a quick run leaves out."""


# ---- the names of expressions ------------------------------------------------------------

class Members(dict):
    """An object of JSON; its members are attributes."""

    def __getattr__(self, name):
        if name not in self:
            raise AttributeError(f"there is no {name}: {', '.join(self)}")
        return self[name]

    def __getattribute__(self, name):
        if not name.startswith("_") and dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)


def parse(said):
    return json.loads(said, object_hook=Members)


def number(word):
    try:
        return float(word)
    except ValueError:
        return word


class Table(list):
    """Rows of CSV, each as Members of numbers and texts; a column is an attribute."""

    def __init__(self, said):
        lines = [next(csv.reader([line])) if line else [""] for line in said.split("\n") if not line.startswith("#")]
        if lines[-1] != [""]:
            raise ValueError("the last line has no end")
        self.header = lines[0]
        for cells in lines[1:-1]:
            if len(cells) != len(self.header):
                raise ValueError(f"{len(cells)} cells below {len(self.header)} names: {','.join(cells)}")
            self.append(Members(zip(self.header, map(number, cells))))

    def __getattr__(self, name):
        if name not in self.header:
            raise AttributeError(f"there is no column {name}: {','.join(self.header)}")
        return [row[name] for row in self]


def read_npy(data):
    """(shape, names of fields or [], numbers in order)."""
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + size].decode())
    kinds = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "u8": "Q", "u4": "I"}
    fields = head["descr"] if isinstance(head["descr"], list) else [("", head["descr"])]
    layout = "<" + "".join(kinds[kind[1:]] for _, kind in fields)
    rows = list(struct.iter_unpack(layout, data[10 + size:]))
    names = [name for name, _ in fields if name]
    return Members(shape=list(head["shape"]), names=names, data=[tuple(r) for r in rows] if names else [r[0] for r in rows])


def near(a, b, tolerance):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(near(x, y, tolerance) for x, y in zip(a, b))
    return abs(a - b) <= tolerance


def apart(a, b):
    x, y = ([*run.final.attitude, *run.final.momentum] for run in (a, b))
    return max(abs(p - q) for p, q in zip(x, y, strict=True))


class Result:
    """What came of a command."""

    def __init__(self, done):
        self.raw = done.stdout
        self.out, self.err = (data.decode(errors="surrogateescape") for data in (done.stdout, done.stderr))
        self.status = done.returncode if done.returncode >= 0 else 128 - done.returncode

    @functools.cached_property
    def json(self):
        return parse(self.out)

    @functools.cached_property
    def rows(self):
        return Table(self.out)


def helpers(folder):
    def raw(name):
        return (folder / name).read_bytes()

    def text(name):
        return raw(name).decode()

    def read_csv(name):
        return Table(name if "\n" in name else text(name))

    def npy(name):
        if name.endswith(".npy"):
            return read_npy(raw(name))
        with zipfile.ZipFile(io.BytesIO(raw(name))) as archive:
            return Members((member.removesuffix(".npy"), read_npy(archive.read(member))) for member in archive.namelist())

    def write(name, content):
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def files(pattern="*"):
        return sorted(str(path.relative_to(folder)) for path in folder.glob(pattern))

    mathematics = {name: value for name, value in vars(math).items() if not name.startswith("_")}
    return mathematics | {"math": math, "re": re, "struct": struct, "raw": raw, "text": text, "write": write, "npy": npy, "files": files,
                          "near": near, "apart": apart, "csv": read_csv, "load": lambda name: parse(text(name)), "parse": parse}


# ---- what a transcript says --------------------------------------------------------------

class Line:
    def __init__(self, number, kind, text, rows=()):
        self.number, self.kind, self.text, self.rows, self.body = number, kind, text, rows, []


def read_line(number, line):
    mark = next((m for m in MARKS if line.startswith(m) or line == m.rstrip()), None)
    if line.startswith("$ "):
        return Line(number, "command", line[2:])
    if mark is not None:
        return Line(number, MARKS[mark], line[len(mark):])
    if line.startswith("!1 "):
        return Line(number, "fails", line[3:])
    if line.startswith("== "):
        return Line(number, "section", line[3:])
    word, _, rest = line.partition(" ")
    if word in WORDS:
        return Line(number, word, rest.strip())
    if re.match(r"\w+(, \w+)* := ", line):
        return Line(number, "value", line)
    raise Fault(f"{number}: what is this line: {line}")


def read_lines(text):
    """The lines of a transcript; those between `each` and `end` are its body."""
    lines, open_blocks = [], []
    source = text.split("\n")
    at = 0
    while at < len(source):
        line, first = source[at].rstrip(), at + 1
        at += 1
        if not line or line.startswith("#"):
            continue
        while line.endswith("\\") and not line.startswith(("| ", ": ")):
            line = line[:-1] + source[at].strip()
            at += 1
        found = read_line(first, line)
        inline = re.match(r"(.*?)\s{2,}! (.*)", found.text) if found.kind == "command" else None
        if found.kind in ("file", "python", "each"):
            rows = []
            while at < len(source) and (source[at].startswith(INDENT) or (not source[at] and found.kind != "each"
                                        and at + 1 < len(source) and source[at + 1].startswith(INDENT))):
                row = source[at][len(INDENT):]
                at += 1
                while found.kind == "each" and row.endswith("\\"):
                    row = row[:-1] + source[at].strip()
                    at += 1
                rows.append(row)
            found.rows = rows
        if found.kind == "end":
            open_blocks.pop()
            continue
        here = open_blocks[-1].body if open_blocks else lines
        if inline:
            here += [Line(first, "command", inline[1]), Line(first, "refused", inline[2])]
        else:
            here.append(found)
        if found.kind == "each":
            open_blocks.append(found)
    if open_blocks:
        raise Fault(f"{open_blocks[-1].number}: no `end`")
    return lines


def contains(said, part):
    return re.search(re.escape(part).replace(r"\.\.\.", ".*"), said) is not None


# ---- running it --------------------------------------------------------------------------

class Run:
    def __init__(self, tool, build, path, folder):
        self.text = path.read_text()
        self.lines = read_lines(self.text)
        self.build, self.path, self.folder = build, path, folder / "scratch"
        self.folder.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        (programs / "polhode").symlink_to(tool)
        self.environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        self.names = helpers(self.folder)
        self.failures, self.skips, self.said, self.left = [], [], {}, []
        self.set("SOURCE", str(pathlib.Path(__file__).resolve().parent.parent))

    def fail(self, line, text):
        self.failures.append(f"{self.path.name}:{line.number}: {text}")

    def value(self, line, expression, result=None):
        names = self.names
        if result is not None:
            names |= {"out": result.out, "err": result.err, "status": result.status, "raw_out": result.raw}
            used = {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
            names |= {name: getattr(result, name) for name in ("json", "rows") if name in used}
        return eval(expression, names), names  # pylint: disable=eval-used

    def set(self, name, value):
        self.names[name] = value
        if isinstance(value, (str, int, float)):
            self.environment[name] = str(value)

    def expand(self, text):
        return re.sub(r"\$(\w+)", lambda found: self.environment.get(found[1], found[0]), text)

    def folder_state(self):
        return {str(p): (s.st_size, s.st_mtime_ns) for p in self.folder.rglob("*") for s in (p.lstat(),)}

    def run_lines(self, lines):
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.kind == "command":
                first = at
                while at < len(lines) and lines[at].kind in (*MARKS.values(), "fails", "exit", "keep"):
                    at += 1
                self.command(line, lines[first:at])
            elif line.kind == "each":
                self.repeat(line)
            elif line.kind == "file":
                path = self.folder / line.text
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(row + "\n" for row in line.rows))
            elif line.kind == "python":
                exec("\n".join(line.rows), self.names)  # pylint: disable=exec-used
            elif line.kind == "let":
                name, _, text = line.text.partition("=")
                self.set(name.strip(), self.expand(text.strip()))
            elif line.kind == "value":
                name, _, expression = line.text.partition(" := ")
                self.assign(line, name.split(", "), expression)
            elif line.kind == "leaves":
                self.left.append(line.text)
            elif line.kind == "needs":
                self.need(line.text)
            elif line.kind == "unless":
                if os.environ.get("POLHODE_QUICK") == line.text or (line.text == "quick" and "POLHODE_QUICK" in os.environ):
                    raise Missing
            elif line.kind == "true":
                self.check(line, self.last)
            else:
                raise Fault(f"{self.path.name}:{line.number}: no command before it")

    last = None

    def assign(self, line, names, expression):
        """A value that cannot be computed is a failure, and ends the section."""
        try:
            value = self.value(line, expression, self.last)[0]
            for name, its_value in zip(names, value if len(names) > 1 else [value], strict=True):
                self.set(name, its_value)
        except Exception as error:
            self.fail(line, f"{line.text}: {type(error).__name__}: {error}")
            raise Missing from error

    def repeat(self, line):
        names, _, expression = line.text.partition(" in ")
        names = names.split()
        if expression:
            values = [v if len(names) > 1 else (v,) for v in self.value(line, expression)[0]]
        else:
            values = [[self.expand(word) for word in shlex.split(row)] for row in line.rows if row.strip()]
        for row in values:
            if len(row) != len(names):
                raise Fault(f"{self.path.name}:{line.number}: {len(row)} values for {len(names)} names: {row}")
            before = len(self.failures)
            for name, value in zip(names, row):
                self.set(name, value)
            self.run_lines(line.body)
            if len(self.failures) > before:
                self.failures.append(f"    with {', '.join(f'{n} = {v}' for n, v in zip(names, row))}")

    def need(self, what):
        if what in FOLDERS:
            cache = self.build / "CMakeCache.txt"
            if cache.exists() and re.search(rf"^POLHODE_{what.upper()}:BOOL=OFF", cache.read_text(), re.MULTILINE):
                raise Missing(f"the folder {what} is left out")
        elif what == "hdf5":
            cache = self.build / "CMakeCache.txt"
            if not (cache.exists() and re.search(r"^hdf5_FOUND:INTERNAL=1", cache.read_text(), re.MULTILINE)):
                raise Missing("hdf5 is not installed")
        elif shutil.which(what, path=self.environment["PATH"]) is None:
            raise Missing(f"{what} is not installed")

    def command(self, line, wanted):
        kinds = [w.kind for w in wanted]
        before = self.folder_state() if "refused" in kinds else None
        done = subprocess.run(["/bin/sh", "-c", line.text], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        result = self.last = Result(done)
        before_it = len(self.failures)
        status = 2 if "refused" in kinds else 1 if "fails" in kinds else 0
        status = next((int(w.text) for w in wanted if w.kind == "exit"), status)
        if result.status != status:
            self.fail(line, f"returns {result.status}, not {status}")
        if not {"refused", "fails", "warns", "exit"} & set(kinds) and result.err:
            self.fail(line, "prints to standard error")
        if "refused" in kinds:
            if result.out:
                self.fail(line, "prints something although its input is bad")
            if self.folder_state() != before:
                self.fail(line, "changes a file although its input is bad")
        errors = result.err.splitlines()
        for w in wanted:
            w = Line(w.number, w.kind, self.expand(w.text)) if w.kind in EXPANDED else w
            if w.kind in ("refused", "fails") and not (len(errors) == 1 and errors[0].startswith("polhode: ") and
                                                       "warning" not in errors[0] and contains(errors[0], w.text)):
                self.fail(w, f"the error is not this one: {w.text}")
            elif w.kind == "contains" and not contains(result.out, w.text):
                self.fail(w, f"is not printed: {w.text}")
            elif w.kind == "lacks" and contains(result.out, w.text):
                self.fail(w, f"is printed: {w.text}")
            elif w.kind == "keep":
                self.names[w.text] = result
            elif w.kind == "true":
                self.check(w, result)
        warnings = [w for w in wanted if w.kind == "warns"]
        if warnings and (len(warnings) != len(errors) or not all(contains(e, self.expand(w.text)) for w, e in zip(warnings, errors))):
            self.fail(warnings[0], "standard error has other lines")
        self.output(line, [w for w in wanted if w.kind in ("exact", "near")], result)
        if len(self.failures) > before_it:
            self.failures.append(f"    {line.text}\n    prints\n" + shown(result.out) + "    and to standard error\n" + shown(result.err))

    def output(self, line, wanted, result):
        """Compares all of standard output."""
        if not wanted:
            return
        page = "\n".join(w.text for w in wanted)
        if wanted[0].number not in self.said:
            self.said[wanted[0].number] = wanted, result.out
        if not printed.agrees(page, result.out, wanted[0].kind == "near"):
            self.fail(wanted[0], "prints something else than\n" + shown(page))

    def check(self, w, result):
        try:
            true, names = self.value(w, w.text, result)
        except Exception as error:  # pylint: disable=broad-except
            self.fail(w, f"{w.text}: {type(error).__name__}: {error}")
            return
        if not true:
            self.fail(w, f"is not true: {w.text}{sides(w.text, names)}")

    def run_all(self):
        sections, now = [], []
        for line in self.lines:
            if line.kind == "section":
                sections.append(now)
                now = []
            else:
                now.append(line)
        for k, section in enumerate([*sections, now]):
            try:
                self.run_lines(section)
            except Missing as missing:
                if str(missing) and str(missing) not in self.skips:
                    self.skips.append(str(missing))
                if k == 0:
                    break
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            if name not in self.text and not any(fnmatch.fnmatch(name, p) for p in self.left):
                self.failures.append(f"{self.path.name}: the file {name} is left, which no line names")

    def written_anew(self):
        """The transcript with the output that there is now; a line with `...` that agrees stays."""
        source = self.text.split("\n")
        for _, (wanted, out) in sorted(self.said.items(), reverse=True):
            if any(w.text.strip() == printed.ANYTHING for w in wanted):
                continue
            is_near = wanted[0].kind == "near"
            mark, now = ": " if is_near else "| ", out.rstrip("\n").split("\n")
            old = [w.text for w in wanted]
            if not printed.agrees("\n".join(old), out, is_near):
                first = wanted[0].number - 1
                source[first:first + len(wanted)] = [
                    (mark + (old[k] if k < len(old) and printed.lines_agree(old[k], line, is_near) else line)).rstrip()
                    for k, line in enumerate(now)]
        return "\n".join(source)


def sides(expression, names):
    """The values of what an expression compares."""
    node = ast.parse(expression, mode="eval").body
    if not isinstance(node, ast.Compare):
        return ""
    values = [repr(eval(compile(ast.Expression(part), "", "eval"), names))  # pylint: disable=eval-used
              for part in (node.left, *node.comparators)]
    return "".join(f"\n    {v[:300]}" for v in values)


def shown(text, most=12):
    lines = text.splitlines()
    if len(lines) > most:
        lines = [*lines[:most], f"({len(lines) - most} more lines)"]
    return "".join(f"        {line[:300]}\n" for line in lines)


def run_file(tool, build, path):
    with tempfile.TemporaryDirectory(prefix="polhode-transcript-") as folder:
        run = Run(tool, build, path, pathlib.Path(folder))
        run.run_all()
        return run


# ---- the comparison itself ---------------------------------------------------------------

SELF = [  # a transcript and whether it passes
    ("$ echo a 1.0; echo b\n| a 1.0\n| b\n~ a...0\n!~ c\n? out == 'a 1.0\\nb\\n' and status == 0", True),
    ("$ echo a 1.0\n| a 1.00", False), ("$ echo a\n~ b", False), ("$ echo a\n!~ a", False), ("$ echo a\n| a\n| b", False),
    ("$ echo 1.5e-12\n: 1.6e-12", True), ("$ echo 1.5e-12\n| 1.6e-12", False), ("$ echo 0.5\n: 0.7", False),
    ("$ echo; exit 3\nexit 3", True), ("$ exit 3", False), ("$ echo a >&2", False), ("$ echo a >&2\n* a", True),
    ("$ echo a >&2\n* b", False), ("$ echo a >&2; echo b >&2\n* a", False),
    ("$ echo polhode: no >&2; exit 2  ! no", True), ("$ echo polhode: no >&2; exit 2  ! yes", False),
    ("$ echo polhode: no >&2; exit 1  ! no", False), ("$ echo polhode: no >&2; echo a; exit 2  ! no", False),
    ("$ echo polhode: no >&2; >a; exit 2  ! no", False), ("$ echo polhode: no >&2; exit 1\n!1 no", True),
    ("$ echo no >&2; exit 2  ! no", False), ("$ echo polhode: warning no >&2; exit 2  ! no", False),
    ("$ echo '{\"a\": {\"b\": [1, 2]}}'\n? json.a.b[1] == 2", True), ("$ echo '{\"a\": 1}'\n? json.a == 2", False),
    ("$ echo '{\"a\": 1}'\n? json.b == 2", False), ("$ printf 'x,y\\n1,2\\n'\n? rows.y == [2] and rows[0].x == 1", True),
    ("$ printf 'x,y\\n1\\n'\n? len(rows) == 1", False), ("$ printf 'x\\n1'\n? len(rows) == 1", False),
    ("each A B\n    1 2\n    3 '4 5'\n$ echo $A $B\n? out.split()[0] == A\nend", True),
    ("each A in [1, 2]\n$ echo $A\n? out == '1\\n'\nend", False), ("let V = x y\n$ echo $V\n| x y", True),
    ("$ echo 2\nkeep two\nx := two.json + 1\n$ echo $x\n| 3", True), ("file a/b\n    c\n\n    d\n$ cat a/b\n| c\n|\n| d", True),
    ("$ n=hidden; echo 1 >${n}_file", False), ("leaves hid*\n$ n=hidden; echo 1 >${n}_file", True), ("? 1 == 2", False),
    ("let A = a\nlet B = $A b\n$ echo $B\n| a b\n? B == 'a b'\nx, y := [1, 2]\n? x + y == 3", True),
    ("python\n    def f(x):\n        return x + 1\n? f(1) == 2", True),
    ("$ echo a\nx := json.b\n$ true", False), ("== One\nneeds no_such_program\n$ false\n== Two\n$ true", True), ("== One\nneeds no_such_program\n== Two\n$ false", False),
]


def check_itself():
    printed.check_itself()
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "itself.txt"
        for text, right in SELF:
            path.write_text(text)
            run = run_file("/bin/true", pathlib.Path(name), path)
            if (not run.failures) != right:
                sys.exit(f"{text}\nmust {'pass' if right else 'fail'}: {run.failures}")
        path.write_text("$ echo 1; echo 2; echo 3\n| 1\n| 5\n| ...3\n")
        run = run_file("/bin/true", pathlib.Path(name), path)
        if run.written_anew() != "$ echo 1; echo 2; echo 3\n| 1\n| 2\n| ...3\n":
            sys.exit("output is not written anew")
    return 0


def main():
    words = sys.argv[1:]
    if words == ["--check"]:
        return check_itself()
    write = "--write" in words
    words = [word for word in words if word != "--write"]
    if len(words) < 3:
        sys.exit("\n".join(__doc__.split("\n")[:3]))
    tool, build, *paths = map(pathlib.Path, words)
    status = 0
    for path in paths:
        run = run_file(tool.resolve(), build, path)
        for skip in run.skips:
            print(f"SKIPPED: {skip}")
        if write:
            new = run.written_anew()
            sys.stdout.writelines(difflib.unified_diff(run.text.splitlines(True), new.splitlines(True), str(path), "now", n=1))
            path.write_text(new)
        elif run.failures:
            print("\n".join(run.failures))
            status = 1
        elif run.skips and status == 0:
            status = SKIPPED
    return status


if __name__ == "__main__":
    sys.exit(main())
