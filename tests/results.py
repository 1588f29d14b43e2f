#!/usr/bin/env python3
"""results.py SOURCE SKIPS CTEST - what scripts/test makes of results: it counts passes, failures and skips with their reasons, and with
--strict it rejects a skip that tests/skips.txt does not accept. SKIPS is the program of skips.c, CTEST the program ctest."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

SOURCE, SKIPS, CTEST = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
loader = importlib.machinery.SourceFileLoader("results", str(SOURCE / "scripts" / "test"))
test = importlib.util.module_from_spec(importlib.util.spec_from_loader("results", loader))
sys.dont_write_bytecode = True
loader.exec_module(test)

KNOWN = ["test_cli_film", "ffmpeg is not installed"]
PYTEST = """<testsuites><testsuite name="pytest" tests="4">
<testcase classname="tests.python.test_a" name="test_one"/>
<testcase classname="tests.python.test_a" name="test_two"><failure message="assert 1 == 2">...</failure></testcase>
<testcase classname="tests.python.test_a" name="test_three"><skipped type="pytest.skip" message="no reason is known"/></testcase>
<testcase classname="tests.python.test_b" name="test_four"><error message="failed on setup">...</error></testcase>
</testsuite></testsuites>"""


def by_ctest(folder, tests):
    """The results of ctest for these tests: name -> a command of the shell."""
    (folder / "CTestTestfile.cmake").write_text("".join(
        f'add_test({name} "sh" "-c" "{command}")\nset_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n'
        for name, command in tests.items()))
    subprocess.run([CTEST, "--test-dir", folder, "--output-junit", folder / "ctest.xml"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    return test.read_junit(folder / "ctest.xml")


def reported(rows, strict=True):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = test.report(rows, strict)
    return status, said.getvalue()


def row(passed=1, failed=(), skipped=()):
    return test.Row("tests", passed, list(failed), [list(s) for s in skipped], 1.0, [])


def check_bare():
    """What the root of scripts/bare leaves are rows of their own; where no root can be made, the tests run on the machine."""
    with tempfile.TemporaryDirectory() as name:
        test.RESULTS, test.BARE_RESULTS = pathlib.Path(name) / "here", pathlib.Path(name) / "there"
        inner = json.dumps([row(5, ["x"], [KNOWN])])
        leave = f"mkdir -p {test.BARE_RESULTS} && echo {shlex.quote(inner)} >{test.BARE_RESULTS}/{test.SUMMARY}; exit 1"
        other = {"bare": "exit 77", "run": "true", "tests": "false", "python": "true"}
        with contextlib.redirect_stdout(io.StringIO()):
            rows = test.run_part(test.part("bare", "", leave))
            test.parts = lambda: [test.part(part, "", command) for part, command in other.items()]
            instead = test.run_parts(["bare"])
        assert [(r.part, r.passed, r.failed, r.skipped) for r in rows] == [("bare", 0, [], []), ("tests", 5, ["x"], [KNOWN])], rows
        assert [(r.part, r.passed, len(r.failed)) for r in instead] == [("run", 1, 0), ("tests", 0, 1), ("python", 1, 0)], instead


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = by_ctest(folder, {"good": "true", "bad": "exit 1", "part": f"{SKIPS}", "both": f"{SKIPS} fail",
                                  "mute": "exit 77", "script": "echo SKIPPED: no such engine; exit 77"})
        assert found[0] == 1 and found[1] == ["bad", "both"], found
        assert found[2] == [["part", "a reason"], ["part", "no reason given"], ["mute", "no reason given"],
                            ["script", "no such engine"]], found
        (folder / "pytest.xml").write_text(PYTEST)
        found = test.read_junit(folder / "pytest.xml")
        assert found == (1, ["test_a.test_two", "test_b.test_four"], [["test_a.test_three", "no reason is known"]]), found
    assert reported([row()])[0] == 0
    status, said = reported([row(failed=["x"]), row(3)])
    assert status == 1 and "\n4 passed, 1 failed, 0 skipped\n" in said and "x" in said, said
    # A skip is accepted for its test and reason only, and an unknown one is an error with --strict alone.
    assert reported([row(skipped=[KNOWN])])[0] == 0
    for other in (["test_cli", KNOWN[1]], [KNOWN[0], "it rains"], [KNOWN[0], test.NO_REASON]):
        status, said = reported([row(skipped=[KNOWN, other])])
        assert status == 1 and "1 passed, 0 failed, 2 skipped" in said and f"{other[0]}: {other[1]} (not accepted" in said, said
        assert reported([row(skipped=[other])], strict=False)[0] == 0
    # A command that fails is a failure of its part, and the parts after it run.
    with tempfile.TemporaryDirectory() as name:
        test.RESULTS = pathlib.Path(name)
        this = test.part("some", "commands", "false", "echo SKIPPED: no coffee", "exit 3")
        with contextlib.redirect_stdout(io.StringIO()):
            rows = test.run_part(this)
        assert (rows[0].passed, len(rows[0].failed), rows[0].skipped) == (1, 2, [["some", "no coffee"]]), rows
    check_bare()
    for line in test.accepted():
        assert len(line) == 3, line


main()
