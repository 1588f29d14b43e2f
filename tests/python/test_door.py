"""What a user meets first: warnings, recommendations, what is printed, names."""

import importlib.metadata
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np
import polhode
import pytest

PROBLEMS = polhode.problems()
BAD = {"> 0": (0.0, -1.0), ">= 0": (-1.0,), ">= 0 and < 1": (-0.5, 1.0),
       "a whole number >= 1": (0.0, 1.5, -2.0), "any": ()}


@pytest.mark.parametrize("facts", PROBLEMS, ids=lambda p: p["name"])
def test_parameters_out_of_range_are_refused(tool, facts):
    for p in facts["parameters"]:
        for bad in BAD[p["range"]]:
            values = np.array(p["default"], float).reshape(-1)
            values[-1] = bad
            with pytest.raises(ValueError) as info:
                polhode.System(facts["name"], facts["method"], None if facts["method"] == "gbs"
                               else 0.01, parameters={p["name"]: values})
            said = subprocess.run(
                [tool.path, "run", "--problem", facts["name"], "--step", "0.01", "--time", "0.01",
                 "--set", f"{p['name']}={','.join(map(repr, values.tolist()))}"],
                capture_output=True, text=True)
            assert said.returncode == 2 and said.stderr == f"polhode: {info.value}\n"


@pytest.mark.parametrize("facts", PROBLEMS, ids=lambda p: p["name"])
def test_the_recommended_method_works(facts):
    """With the defaults, and with each parameter and table changed, where it may be so."""
    rows = [[0, 0.1, 0.2, 0.3], [1, 0.1, 0.2, 0.4]]
    sets = [{}] + [{p["name"]: 0.5 if np.ndim(p["default"]) == 0 else [0.5] * len(p["default"])}
                   for p in facts["parameters"]] + [{name: rows} for name, *_ in facts["tables"]]
    done = set()
    for parameters in sets:
        if facts["name"] == "dipolar_spheres" and "lattice" not in parameters:
            parameters |= {"lattice": 2}
        try:
            system = polhode.System(facts["name"], step=1e-4, parameters=parameters)
        except ValueError as error:  # not a refusal of the method
            said = str(error)
            assert any(x in said for x in ("must be", "start", "overlap", "lattice", "a box", "dielectric")), said
            continue
        except TypeError as error:
            assert "recommended method gbs" in str(error)
            system = polhode.System(facts["name"], parameters=parameters)
        assert system.run(steps=2).steps == 2
        done.add(system.method)
    assert facts["method"] in done
    if facts["name"] == "spacecraft":
        assert done == {"srkn6_14a+exact", "gbs", "aba10_6_4+exact"}  # with weak torques


def test_without_a_method():
    assert polhode.System("heavy_top", step=0.01).method == "srkn6_14a+exact"
    assert polhode.System("heavy_top").method == "gbs"
    assert polhode.System("heavy_top", tolerance=1e-12).tolerance == 1e-12
    damped = {"damping": 1e-3, "wheels": (0, 0.1, 0)}
    assert polhode.System("spacecraft", parameters=damped).run(until=100.0).method == "gbs"
    own = polhode.Problem((1, 2, 3), torque=lambda t, R, w: -w, velocity=True)
    assert polhode.System(own).run(until=1.0).method == "gbs"
    with pytest.raises(TypeError, match="recommended method gbs chooses its steps"):
        polhode.System("spacecraft", step=1.0, parameters=damped)
    with pytest.raises(TypeError, match="step= is missing: .* rkmkgl6"):
        polhode.System("double_pendulum")


def names_in(text):
    return text.replace(",", " ").replace("`", " ").replace("?", " ").replace(";", " ").split()


def test_a_refused_method_names_one_that_does():
    tried = [f["name"] for f in polhode.flows()[::5]] + ["nystrom4+exact", "verlet+circle"]
    tried += sorted({m["name"] for m in polhode.methods()})
    chooses = {m["name"] for m in polhode.methods() if m["adaptive"]}
    refused = 0
    for facts in PROBLEMS:
        damped = {"damping": 1.0} if facts["name"] == "spacecraft" else None
        small = {"lattice": 2} if facts["name"] == "dipolar_spheres" else damped

        def works(name):
            try:
                polhode.System(facts["name"], name, 0.01, parameters=small)
            except (ValueError, TypeError) as error:
                return "chooses its steps" in str(error)
            return True

        for name in tried:
            try:
                step = None if name in chooses else 0.01
                polhode.System(facts["name"], name, step, parameters=small)
            except ValueError as error:
                if "did you mean" in str(error):  # a slip, if it is near enough
                    continue
                refused += 1
                assert any(map(works, set(names_in(str(error).split(":", 1)[-1])))), error
    assert refused > 100


def test_warnings():
    with pytest.warns(UserWarning, match="no rigid body can have the moments of inertia 1, 2, 9") as told:
        polhode.Body(inertia=(1, 2, 9))
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="no rigid body") as told:
        system = polhode.System("free", "exact", 0.1, inertia=(1, 2, 9))
    assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(UserWarning, match="satellite: the Earth is at rest"):
        polhode.System("satellite", "vlv", 1e-4, inertia=(1, 2, 2.5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # not again
        system.sample([0.5])
        system.copy()


def test_warnings_of_angles():
    def turned(x):
        return polhode.System("spacecraft", parameters={"inclination": x})

    with pytest.warns(UserWarning, match="inclination: 97.4 rad is more than a turn") as told:
        turned(97.4)
    assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(UserWarning, match="node: -6.4 rad is more than a turn") as told:
        many = polhode.Ensemble("spacecraft", bodies=3, parameters={"node": -6.4})
    assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(UserWarning, match="perigee: 90 rad is more than a turn") as told:
        polhode.Ensemble("spacecraft", parameters={"perigee": [0.1, 90, 180, 270]})
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        turned(-6.28)
        many.sample([0.5])


def test_schemes_are_checked_where_they_are_written():
    for flow, said in (("exct", "did you mean exact"), ("vlv", "vlv is not one"), ("", "no method")):
        with pytest.raises(ValueError, match=said):
            polhode.Scheme(kick=(0.5, 0.5), drift=(1,), flow=flow)


def test_tables_over_time(tool, tmp_path):
    rows = np.array([[0, 0, 0.1, 0], [50, 0.2, 0.1, 0], [100, 0.2, 0, 0.3]])
    np.savetxt(tmp_path / "w.csv", rows, delimiter=",", header="t,x,y,z", comments="", fmt="%.17g")
    told = tool("run", "--problem", "spacecraft", "--set", f"wheels_table={tmp_path / 'w.csv'}",
                "--time", 100, "--json")
    system = polhode.System("spacecraft", parameters={"wheels_table": rows}).run(until=100.0)
    assert system.method == told["method"] == "gbs"
    assert (system.attitude == told["final"]["attitude"]).all()
    assert (system.attitude == polhode.System(
        "spacecraft", parameters={"wheels_table": rows.tolist()}).run(until=100.0).attitude).all()
    torque = polhode.System("spacecraft", "s6_10+exact", 1.0, parameters={"torque_table": 1e-4 * rows + [[1, 0, 0, 0]]})
    assert (torque.run(steps=10).momentum != polhode.System("spacecraft", "s6_10+exact", 1.0).run(steps=10).momentum).any()
    for bad in (rows.T, rows[:, :3], rows.ravel(), rows[0], [rows]):
        with pytest.raises(ValueError, match=r"shape \(n, 4\)"):
            polhode.System("spacecraft", parameters={"wheels_table": bad})
    with pytest.raises(ValueError, match="do not increase"):
        polhode.System("spacecraft", parameters={"wheels_table": rows[::-1]})


def test_bits_of_a_motion(tool):
    random = np.random.default_rng(5)
    for _ in range(8):
        J, m = random.uniform(1, 1.9, 3), random.normal(size=3)
        motion = polhode.Body(J).motion(momentum=m)
        times = random.uniform(-1, 1, 40) * 10 ** random.uniform(-8, 8, 40)
        all_at_once = motion(times)
        one_by_one = [motion(float(t)) for t in times]
        for name in ("attitude", "momentum", "velocity"):
            assert (getattr(all_at_once, name) == [getattr(s, name) for s in one_by_one]).all()
        told = tool("exact", "--inertia", ",".join(map(repr, J.tolist())), "--momentum",
                    ",".join(map(repr, m.tolist())), "--time", ",".join(map(repr, times.tolist())), "--json")
        for name in ("attitude", "momentum", "velocity"):
            assert (getattr(all_at_once, name) == [s[name] for s in told["states"]]).all()
        fast = motion(times[np.abs(times) < 10], fast=True)
        assert np.abs(fast.attitude - all_at_once.attitude[np.abs(times) < 10]).max() < 1e-13


def test_what_is_printed():
    body = polhode.Body((1, 2, 3))
    motion = body.motion(velocity=(0, 2, 1e-8))
    assert "Body(inertia=(1.0, 2.0, 3.0))" in repr(motion) and "period 69.1" in repr(motion)
    states = motion(np.linspace(0, 60, 13))
    for text in (repr(states), states._repr_html_()):
        assert "Body(inertia=(1.0, 2.0, 3.0)), 13 times, 0 to 60" in text
    lines = repr(states).split("\n")
    assert lines[1].split() == "t q0 q1 q2 q3 m1 m2 m3 w1 w2 w3".split()
    assert lines[2].split()[:5] == ["0", "1", "0", "0", "0"] and lines[-1].split()[0] == "60"
    assert len(repr(motion(1.0)).split("\n")) == 3 and "0 times" in repr(motion([]))
    assert states._repr_html_().count("<tr>") == 12
    q = np.zeros((4, 5))
    q[0] = 1
    lines = repr(polhode.Batch((1, 2, 3), q, np.ones((3, 5)))).split("\n")
    assert lines[0] == "Batch of 5 bodies at t = 0" and lines[2] == "  4: J (1, 2, 3), q (1, 0, 0, 0), m (1, 1, 1)"
    own = polhode.Problem(potential="k*R33", parameters={"k": 2})
    assert "k*R33" in repr(own) and "k: 2" in repr(own) and "<td>k*R33</td>" in own._repr_html_()
    assert "&lt;lambda&gt;" in polhode.Problem((1, 2, 3), torque=lambda t, R: (0, 0, 1))._repr_html_()
    for listed in (polhode.problems, polhode.methods, polhode.flows, polhode.schemes, polhode.compositions):
        text = repr(listed())
        assert text.split("\n")[0].startswith("name") and len(text.split("\n")) == len(listed()) + 1
        assert listed()._repr_html_().count("<tr>") == len(listed()) + 1
        assert isinstance(listed()[0], dict)


def test_the_glibc_that_the_page_names():
    try:
        tag = importlib.metadata.distribution("polhode").read_text("WHEEL")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("not installed from a wheel")
    needed = re.findall(r"manylinux_\d+_\d+", tag or "")
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
    assert not needed or re.findall(r"manylinux_\d+_\d+", page) == [needed[0]]


def test_names():
    assert set(dir(polhode)) == set(polhode.__all__)
    for name in dir(polhode):
        assert name == "__version__" or getattr(polhode, name).__doc__
    code = "import sys, polhode; assert 'matplotlib' not in sys.modules; polhode.plots.ellipsoid"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    with pytest.raises(AttributeError, match="nothing"):
        polhode.nothing
