"""Tables: compare, check, reproduce; and what the documentation shows."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import numpy as np
import polhode
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import printed  # of tests


def test_compare_shows_the_orders():
    table = polhode.compare("heavy_top", ["vlv", "s4_6+exact"], [0.1, 0.05], 2.0)
    assert len(table) == 4 and "error_attitude" in table.columns
    for k, order in ((0, 2), (2, 4)):
        ratio = table[k]["error"] / table[k + 1]["error"]
        assert abs(np.log2(ratio) - order) < 0.3
    assert table[0]["kicks"] == 40 and table[1]["steps"] == 40
    text = str(table).splitlines()
    assert len(text) == 5 and text[0].split()[:2] == ["method", "step"]
    assert table._repr_html_().count("<tr>") == 5
    assert table._repr_html_().startswith('<div style="overflow-x:auto')  # a wide one is not cut off


@pytest.mark.parametrize("problem, method, step, time, parameters", [
    ("heavy_top", "vlv", 0.1, 2, {}), ("free", "mr", 0.1, 2, {}),
    ("double_pendulum", "rattle", 0.05, 1, {}), ("pendulum", "verlet+circle", 0.05, 1, {}),
    ("dipolar_spheres", "verlet+exact", 0.05, 0.5, {"lattice": 2})])
def test_compare_is_that_of_the_tool(tool, problem, method, step, time, parameters):
    ours = polhode.compare(problem, [method], [step], time, parameters=parameters)[0]
    words = [f"--set={name}={value}" for name, value in parameters.items()]
    told = tool("compare", "--problem", problem, "--methods", method, "--steps", step, "--time",
                time, *words, "--json")[0]
    assert told.keys() - ours.keys() == {"order", "floor"} and not ours.keys() - told.keys()
    for name, value in ours.items():
        if name.startswith("error"):
            assert np.isclose(told[name], value, rtol=1e-6), name
        elif name != "seconds":
            assert told[name] == value, name


def test_compare_takes_a_failed_run():
    table = polhode.compare("heavy_top", ["rattle"], [2.0], 4.0)
    assert table[0]["error"] is None and table[0]["seconds"] is None


def test_compare_with_a_torque_of_ones_own():
    problem = polhode.Problem((1, 1.6, 2.2), torque=lambda t, R: (R[2, 1], -R[2, 0], 0))
    row = polhode.compare(problem, ["s6_10+exact"], [0.05], 1.0, velocity=(0.1, 0.2, 3))[0]
    assert row["error"] < 1e-8


def test_check():
    vlv, rk4, exact = polhode.check("vlv", "mkrk_rk4", "exact", quick=True)
    assert vlv["order"] == 2 and vlv["symplectic"] is True and vlv["energy"] is None
    assert rk4["order"] == 4 and rk4["symplectic"] is False and rk4["energy"] == "drift"
    assert exact["exact"] and exact["energy"] is None and exact["free_energy"] == "exact"
    own = polhode.check(polhode.Scheme(kick=(0.5, 0.5), drift=(1,), name="mine"), quick=True)[0]
    assert own["name"] == "mine+exact" and own["order"] == 2


def test_tables_become_data_frames():
    table = polhode.Table([{"a": 1, "b": "x"}])
    for module, make in (("pandas", table.to_pandas), ("polars", table.to_polars)):
        try:
            importlib.import_module(module)
        except ImportError:
            with pytest.raises(ImportError):
                make()
        else:
            assert list(make().columns) == ["a", "b"]


def test_grade(tool, tmp_path):
    J, w = (1, 2, 3), (0.4, 0.2, 2)
    times = [6.0 * i for i in range(1, 11)]
    states = polhode.Body(inertia=J).motion(velocity=w)(times)
    rows = [("brick", t, *q, *v) for t, q, v in zip(times, states.attitude, states.velocity)]
    graded = polhode.grade(rows, tool=tool.path)
    assert (graded["passed"], graded["of"], graded["missing"]) == (1, 1, 69)
    graded = polhode.grade(rows[:3] + [("brick", 24.0, *[float("nan")] * 7)], case=["brick", "plate"], tool=tool.path)
    assert (graded["passed"], graded["of"], graded["missing"]) == (0, 1, 1)
    assert graded["cases"]["brick"]["diverged"] == 24
    graded = polhode.grade(rows, case="brick", tool=tool.path)
    assert (graded["passed"], graded["of"], graded["missing"]) == (1, 1, 0)
    graded = polhode.grade(rows, case="brick", tool=tool.path, precision="float")
    assert graded["precision"] == "float" and 0.001 < graded["cases"]["brick"]["bound"] < 0.0012
    assert graded["cases"]["brick"]["attitude_error"] < 1e-13
    reversed_velocity = [(*row[:6], *(-x for x in row[6:])) for row in rows]
    graded = polhode.grade(reversed_velocity, case="brick", tool=tool.path)
    brick = graded["cases"]["brick"]
    assert graded["passed"] == 0 and brick["velocity_error"] > 1.9 and brick["speed_error"] < 1e-13
    turned = {"case": ["brick"] * 10, "t": times}
    for i in range(4):
        turned[f"q{i}"] = (1 if i == 0 else -1) * states.attitude[:, i]
    for i in range(3):
        turned[f"w{i + 1}"] = states.velocity[:, i]
    graded = polhode.grade(turned, case="brick", tool=tool.path)
    assert graded["passed"] == 0
    assert graded["cases"]["brick"]["looks_like"] == "transposed attitude"
    path = tmp_path / "rows.csv"
    path.write_text("case,t,q0,q1,q2,q3,w1,w2,w3\nbrick,6,1,0,0,0,0,0,0\n")
    assert polhode.grade(path, tool=tool.path)["cases"]["brick"]["rows"] == 1
    with pytest.raises(ValueError, match="brick"):
        polhode.grade([("brik", 6, 1, 0, 0, 0, 0, 0, 0)], tool=tool.path)


def test_reproduce(tool, tmp_path):
    index = polhode.reproduce("krysl_figure5", out=str(tmp_path / "f"), tool=tool.path)
    assert "krysl_figure5" in open(index).read()
    with pytest.raises(RuntimeError, match="polhode: "):
        polhode.reproduce("no_such_figure", out=str(tmp_path / "g"), tool=tool.path)


@pytest.mark.parametrize("name", ["__init__"] + [
    m.name for m in pkgutil.iter_modules(polhode.__path__) if not m.name.startswith("_")])
def test_examples_of_docstrings(name):
    if name == "torch":
        pytest.importorskip("torch", reason="PyTorch is not installed")
    module = polhode if name == "__init__" else importlib.import_module("polhode." + name)
    runner = doctest.DocTestRunner(checker=printed.Checker())
    for test in doctest.DocTestFinder().find(module):
        runner.run(test)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_code_of_the_documentation(page, tmp_path, monkeypatch):
    """The Python on a page, block after block."""
    root = pathlib.Path(__file__).resolve().parents[2]
    blocks = re.findall(r"^```python\n(.*?)^```", (root / page).read_text(), re.S | re.M)
    assert blocks
    monkeypatch.chdir(tmp_path)
    space = {}
    for n, block in enumerate(blocks):
        exec(compile(block, f"{page}, block {n}", "exec"), space)


def test_tutorial_for_python(tool):
    """The code of docs/tutorials/python.md runs and prints what the page says."""
    root = pathlib.Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-B", root / "tests/tutorials.py", root, tool.path, sys.executable, "--only", "python"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_public_is_documented():
    import inspect

    for name in polhode.__all__:
        x = getattr(polhode, name)
        if inspect.isclass(x) or inspect.isfunction(x):
            assert x.__doc__, name
            for member, value in vars(x).items():
                if not member.startswith("_") and (
                        inspect.isfunction(value) or isinstance(value, property)
                        or inspect.isdatadescriptor(value)):
                    text = inspect.getdoc(value) or ""
                    assert text and not text.startswith("Alias for field"), f"{name}.{member}"
