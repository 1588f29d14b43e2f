"""Every script and notebook of examples/python runs; the cells of a notebook one after the
other in one namespace, as a kernel would run them, without one. `make test PARTS=notebooks` runs them in one."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import polhode
import pytest

matplotlib = pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.glob("*.py")))
def test_script(name, tmp_path):
    if "polhode.torch" in (EXAMPLES / name).read_text():
        pytest.importorskip("torch", reason="PyTorch is not installed")
    done = subprocess.run([sys.executable, "-B", EXAMPLES / name], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    picture = tmp_path / name.replace(".py", ".png")
    assert picture.stat().st_size > 20_000 and done.stdout
    if name == "heavy_top.py":
        assert "energy kept to" in done.stdout
    if name == "learn_inertia.py":
        learned = [float(x) for x in done.stdout.split("learned: ")[1].split(" after")[0].split(",")]
        assert np.allclose(learned, [1.0, 1.6, 2.2], atol=0.02)


@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.glob("*.ipynb")))
def test_notebook(name, tmp_path, monkeypatch, tool):
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLHODE_TOOL", tool.path)
    notebook = json.loads((EXAMPLES / name).read_text())
    assert notebook["nbformat"] == 4
    cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    assert [c["execution_count"] for c in cells] == list(range(1, len(cells) + 1))  # run from start to end
    kinds = [kind for c in cells for o in c["outputs"] for kind in o.get("data", {})]
    assert kinds.count("image/png") >= 4 and "text/html" in kinds and not any(o["output_type"] == "error" for c in cells for o in c["outputs"])
    assert any("animate(" in "".join(c["source"]) for c in cells)
    space, drawn = {"__name__": "__main__"}, 0
    for n, cell in enumerate(cells):
        plt.close("all")
        exec(compile("".join(cell["source"]), f"{name}, cell {n}", "exec"), space)
        for number in plt.get_fignums():
            plt.figure(number).savefig(tmp_path / f"{n}.png")
            drawn += 1
    assert drawn >= 4
    if name == "tumbling_satellite.ipynb":
        assert space["slow"].met and 15 < space["slow"].time / 3600 < 20
        assert len(np.loadtxt(tool("convert", "satellite.aem", "--out", "-").split()[1:], delimiter=",")) == 2881
        frame = polhode.matrix(space["system"].view("orbit_frame"))  # its orbital frame is the library's
        assert abs(space["orbital_frame"](space["times"][-1:])[0] - frame).max() < 1e-9
    if name == "rocket_stage.ipynb":
        best = space["stage"]("averaged", quality=4e6, tolerance=1e-12).run(until=60 * space["year"])
        assert np.allclose(np.ravel(best.view("momentum_space")), space["H"][-1], rtol=1e-5)
        assert space["flat"].met and 5 < space["flat"].time / space["year"] < 7
        assert space["off"].max() < space["average"].observables["error_estimate"].value
    plt.close("all")
