"""Moving bodies for notebooks, and the page with a run."""

import json
import pathlib
import re

import numpy as np
import polhode
import pytest


def data(animation):
    return json.loads(re.search(r"const DATA = (\{.*?\});\n", animation.html, re.S).group(1))


def test_motion():
    motion = polhode.Body((1, 2, 3)).motion(velocity=(0.1, 2, 0))
    animation = motion.animate(10.0, frames=50)
    found = data(animation)
    assert len(found["rows"]) == 50 and found["rows"][-1][0] == 10.0 and found["seconds"] == 10.0
    for t, R, m, w in found["rows"][::7]:
        state = motion(t)
        assert np.allclose(np.reshape(R, (3, 3)), polhode.matrix(state.attitude), atol=1e-5)
        direction = polhode.matrix(state.attitude) @ state.momentum
        assert np.allclose(np.array(m) / np.linalg.norm(m), direction / np.linalg.norm(direction), atol=1e-3)
    edges = np.array(found["edges"])  # of a box with these moments
    assert np.allclose((np.sum(edges**2) - edges**2) / (np.sum(edges**2) - edges[0]**2), [1, 2, 3], rtol=1e-3, atol=0.01)
    shown = animation._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "http" not in animation.html
    assert "<svg" in motion._repr_html_() and "polygon" in motion._repr_html_()
    assert len(data(motion.animate())["rows"]) == 400


def test_system(tmp_path):
    system = polhode.System("heavy_top", "s6_10+exact", step=0.01)
    animation = system.animate(3.0, frames=31)
    assert system.time == 0 and repr(animation) == "<Animation of heavy_top by s6_10+exact, 31 frames>"
    rows = data(animation)["rows"]
    there = polhode.System("heavy_top", "s6_10+exact", step=0.01).run(until=2.0)
    assert np.allclose(np.reshape(rows[20][1], (3, 3)), polhode.matrix(there.attitude), atol=1e-5)
    animation.save(tmp_path / "top.html")
    assert (tmp_path / "top.html").read_text().startswith("<!doctype html>")
    assert "<svg" in system._repr_html_()
    other = polhode.System("double_pendulum", "rattle", step=0.01)
    assert "<svg" not in other._repr_html_()
    with pytest.raises(ValueError, match="one body"):
        other.animate()


def test_tensor():
    J = np.array([[3, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 1.5]])
    found = data(polhode.Body(tensor=J).motion(velocity=(1, 0, 0)).animate(1.0, frames=2))
    A = np.reshape(found["rows"][0][1], (3, 3))  # the principal axes
    D = A.T @ J @ A
    assert np.allclose(D, np.diag(np.diag(D)), atol=1e-3)


def test_page(tmp_path, tool):
    if not (pathlib.Path(tool.path).parent / "polhode.html").exists():
        pytest.skip("the page is not built")
    for run in (polhode.System("heavy_top", "s6_10+exact", step=0.01),
                polhode.Body((1, 2, 3)).motion(velocity=(0, 2, 0.1))):
        path = polhode.page(run, tmp_path / "run.html", open=False)
        assert '"snapshot"' in pathlib.Path(path).read_text()
