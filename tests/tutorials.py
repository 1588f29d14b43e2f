#!/usr/bin/env python3
"""tutorials.py SOURCE TOOL [PYTHON] [--only NAME] [--compiled] [--keep FOLDER] - runs the code of docs/tutorials/*.md and
compares what it prints with the pages.

Every block of a page runs, in its order, in a temporary folder of the page:

  - ```sh          the shell runs the lines; `polhode` is TOOL, and $POLHODE is the folder SOURCE;
  - ```python      PYTHON, which has the package, runs the block after the blocks before it;
  - another kind   is saved to the file that its first line names in a comment, as in /* step.c */ or # torque.yaml;
  - ```text        is what the block before it prints; `...` in it stands for anything.

What polhode prints must have the digits of the page. After a block of Python or a block that calls `cc`, numbers may differ
from the page by round-off: tests/printed.py has the rule. `cc` is tests/users_cc.

Other blocks are errors: a page has no code that does not run. A picture of a page, ![...](NAME.png), is drawn by its code into
a file of that name. Without PYTHON, pages with blocks of Python are skipped. With --compiled, only pages that call `cc` run.
With --keep, the pictures are copied to FOLDER.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import printed as rule

LIMIT = 1500  # seconds, for a block: other programs may use the machine
PRINT_MARK = "----end of block----"
COMPILES = re.compile(r"^\s*cc ", re.M)


def blocks(text):
    """[(line, kind, code)] of a page."""
    found, start = [], None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            if start is None:
                start = (number, line[3:].strip(), [])
            else:
                found.append((start[0], start[1], "\n".join(start[2]) + "\n"))
                start = None
        elif start is not None:
            start[2].append(line)
        elif line.startswith("    ") and line.strip() and not line.lstrip().startswith(("- ", "* ")):
            found.append((number, "indented", line))
    return found


def run_page(page, tool, source, python, keep):
    """The errors of a page."""
    text, errors, printed, session, near = page.read_text(), [], "", [], False
    found = blocks(text)
    if not any(kind in ("sh", "python") for _, kind, _ in found):
        return [f"{page.name}: it has no code"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/polhode").symlink_to(tool)
        (folder / "bin/cc").symlink_to(source / "tests/users_cc")
        environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", POLHODE=str(source), MPLBACKEND="Agg", LC_ALL="C")
        environment.setdefault("POLHODE_CC", shutil.which("cc") or "cc")  # not that of the folder
        for line, kind, code in found:
            where = f"{page.name}:{line}"
            if kind == "text":
                if not rule.agrees(code, printed, near):
                    errors.append(f"{where}: the page says\n{code}but the block before prints\n{printed}")
                continue
            if kind in ("sh", "python"):
                near = near or kind == "python" or COMPILES.search(code) is not None
                if kind == "python":  # all blocks so far, of which only the last is heard
                    program = "".join(session) + f"print({PRINT_MARK!r})\n" + code
                    command = [python, "-c", program]
                    session.append(code)
                else:
                    command = ["bash", "-euc", code]
                done = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, timeout=LIMIT,
                                      check=False)
                printed = done.stdout.split(PRINT_MARK + "\n")[-1]
                if done.returncode:
                    errors.append(f"{where}: status {done.returncode}\n{done.stderr[-1000:]}")
                    break
                continue
            target = re.match(r"(?:/\*|//|#)\s*([\w.]+)", code)
            if kind in ("", "indented") or not target:
                errors.append(f"{where}: no test runs this block: {code[:60]!r}")
                continue
            (folder / target.group(1)).write_text(code)
            printed = ""
        for picture in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", text):
            if not (page.parent / picture).is_file() and not keep:
                errors.append(f"{page.name}: the picture {picture} is not there")
            if not (folder / picture).is_file():
                errors.append(f"{page.name}: its code does not draw {picture}")
            elif keep:
                shutil.copyfile(folder / picture, pathlib.Path(keep) / picture)
        if not re.search(r"!\[", text):
            errors.append(f"{page.name}: it has no picture")
    return errors


SKIPPED = 77  # the exit status


def main():
    words, named = sys.argv[1:], {}
    for option in ("--only", "--keep"):
        if option in words:
            at = words.index(option)
            named[option] = words[at + 1]
            del words[at:at + 2]
    compiled = "--compiled" in words
    words = [word for word in words if word != "--compiled"]
    source, tool = pathlib.Path(words[0]).resolve(), pathlib.Path(words[1]).resolve()
    python = words[2] if len(words) > 2 else None
    rule.check_itself()
    pages = sorted((source / "docs/tutorials").glob(named.get("--only", "*") + ".md"))
    pages = [page for page in pages if not compiled or COMPILES.search(page.read_text())]
    failed = not pages
    left_out = False
    for page in pages:
        if python is None and "```python" in page.read_text():
            print(f"SKIPPED: {page.name} needs the Python package, with which make docs-check runs it")
            left_out = True
            continue
        errors = run_page(page, tool, source, python, named.get("--keep"))
        print(f"{page.name}: {len(blocks(page.read_text()))} blocks, {len(errors)} errors", flush=True)
        for error in errors:
            print("  " + error)
            failed = True
    return SKIPPED if left_out and not failed else failed


if __name__ == "__main__":
    sys.exit(main())
