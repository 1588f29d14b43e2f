"""Systems: runs, samples, tables, snapshots, copies; over every problem of the catalog."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import polhode
import pytest

STEPS = {"satellite": 1e-4, "magnets": 1e-3}
PROBLEMS = [p["name"] for p in polhode.problems()]


def system_of(problem, **more):
    facts = next(p for p in polhode.problems() if p["name"] == problem)
    small = {"lattice": 2}  # where there can be many
    parameters = {p["name"]: small[p["name"]] for p in facts["parameters"] if p["name"] in small}
    adaptive = any(m["name"] == facts["method"] and m["adaptive"] for m in polhode.methods())
    return polhode.System(problem, "mkrk_gl6" if adaptive else facts["method"],
                          STEPS.get(problem, 0.01), parameters=parameters, **more)


def state(system):
    return {name: system.view(name).copy() for name in system.fields}


def same(a, b):
    x, y = state(a), state(b)
    return a.time == b.time and a.steps == b.steps and all((x[k] == y[k]).all() for k in x)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_parts_of_a_run_are_the_run(problem):
    whole, parts = system_of(problem), system_of(problem)
    whole.run(steps=20)
    for n in (1, 7, 12):
        parts.run(steps=n)
    assert same(whole, parts)
    assert whole.steps == 20


@pytest.mark.parametrize("problem", PROBLEMS)
def test_snapshots_copies_and_pickles_go_on_with_the_same_bits(problem, tmp_path):
    whole = system_of(problem, watch=True).run(steps=20)
    half = system_of(problem, watch=True).run(steps=10)
    half.save(tmp_path / "a.snapshot")
    others = [polhode.load(tmp_path / "a.snapshot"), half.copy(), copy.deepcopy(half),
              pickle.loads(pickle.dumps(half))]
    for other in (half, *others):
        other.run(steps=10)
        assert same(whole, other)
        assert other.observables == whole.observables
        assert other.energy_record == whole.energy_record
    assert os.listdir(tmp_path) == ["a.snapshot"]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_samples(problem):
    system = system_of(problem)
    h = system.step
    before = state(system)
    times = np.array([7, 2, 2, 3.25, 0, 19.75, 20]) * h
    rows = system.sample(times)
    assert rows.shape == (7,) and (rows["time"] == times).all()
    assert system.steps == 0 and all((state(system)[k] == before[k]).all() for k in before)
    assert rows.dtype.names[0] == "time" and rows.dtype.names[-1] == "energy"
    shown = [n for n, f in system.fields.items() if f["shown"]]
    assert list(rows.dtype.names[1:-1]) == shown
    system.run(steps=7)
    for name in shown:
        assert (rows[name][0] == system.view(name)).all()
        assert (rows[name][1] == rows[name][2]).all()
    assert rows["energy"][0] == system.energy
    again = system.sample(times)  # some of them behind now
    assert (again == rows).all()


def test_sample_before_the_start_and_on():
    system = polhode.System("heavy_top", "s6_10+exact", 0.01)
    rows = system.sample([-1.005, 0.0, 1.005])
    back = polhode.System("heavy_top", "s6_10+exact", -0.01).sample(-1.005)
    assert (rows["attitude"][0] == back["attitude"]).all() and back.shape == ()
    rows = system.sample(np.arange(5) * 0.3, advance=True)
    assert system.time == 1.2 and (rows["attitude"][-1] == system.attitude).all()
    with pytest.raises(ValueError, match="before t = "):
        system.sample([0.5], advance=True)
    assert system.sample(np.zeros((2, 3)) + 2).shape == (2, 3)
    assert system.sample([]).shape == (0,)


@pytest.mark.filterwarnings("ignore:no rigid body")
def test_contract():
    system = polhode.System("heavy_top", "s6_10+exact", step=0.01, parameters={"strength": 2.0})
    assert system.run(until=10.0) is system
    assert system.time == 10.0 and system.steps == 1000 and system.parameters["strength"] == 2
    assert system.attitude.shape == (4,) and system.momentum.shape == system.velocity.shape == (3,)
    assert isinstance(system.energy, float) and system.kind == "body"
    assert system.problem == "heavy_top" and system.method == "s6_10+exact"
    start = polhode.System("heavy_top", "vlv", 0.1, attitude=(2, 0, 0, 0), velocity=(1, 2, 3),
                           inertia=(1, 2, 4))
    assert (start.attitude == (1, 0, 0, 0)).all() and (start.momentum == (1, 4, 12)).all()
    tensor = polhode.System("heavy_top", "vlv", 0.1, momentum=(1, 2, 3),
                            tensor=np.diag([1.0, 2, 4]))
    assert np.allclose(tensor.velocity, (1, 1, 0.75), atol=1e-15)


def test_views_are_live_and_read_only():
    system = polhode.System("heavy_top", "vlv", 0.1)
    view, kept = system.view("attitude"), system.attitude
    system.run(steps=3)
    assert (view == system.attitude).all() and not (kept == view).all()
    with pytest.raises(ValueError):
        view[0] = 1
    del system
    assert np.isfinite(view).all()
    molecules = system_of("dipolar_spheres")
    for name, f in molecules.fields.items():
        assert molecules.view(name).shape == ((f["count"], f["width"]) if f["list"]
                                              else (f["width"],))


def test_set():
    system = polhode.System("heavy_top", "vlv", 0.1)
    system.set(attitude=(0, 2, 0, 0), velocity=(1, 1, 1))
    assert (system.attitude == (0, 1, 0, 0)).all() and (system.momentum == (1, 1.6, 2.2)).all()
    before = state(system)
    for bad in ({"attitude": (0, 0, 0, 0)}, {"attitude": (1, 0, 0)}, {"momentum": "abc"},
                {"momentum": (np.nan, 0, 0)}):
        with pytest.raises((ValueError, TypeError)):
            system.set(**bad)
        assert all((state(system)[k] == before[k]).all() for k in before)
    system.run(steps=1)
    system.step = 0.05
    assert system.step == 0.05
    system.run(steps=2)
    assert abs(system.time - 0.2) < 1e-15
    loaded = pickle.loads(pickle.dumps(polhode.System("free", "exact", 0.1)))
    loaded.set(velocity=(0, 0, 1))
    assert np.allclose(loaded.momentum, (0, 0, 1.66), atol=1e-16)


def test_starts_of_spheres_and_molecules():
    q, w = np.array([[0.0, 0, 1]]), np.array([[1.0, 0, 0]])
    pendulum = polhode.System("pendulum", "rattle", 0.01, q=q, w=w)
    assert (pendulum.q == q).all() and (pendulum.w == w).all()
    x = np.array([[0.0, 0, 0], [3, 0, 0], [0, 3, 0]])
    m = polhode.System("dipolar_spheres", "verlet+exact", 0.01, positions=x,
                       masses=(1, 2, 3), inertia=(1, 2, 3), angular_momenta=(0.1, 0, 0.2))
    assert (m.positions == x).all() and (m.view("masses")[:, 0] == (1, 2, 3)).all()
    assert (m.angular_momenta == (0.1, 0, 0.2)).all() and (m.view("inertias") == (1, 2, 3)).all()
    one, other = m.copy().run(steps=5), m.run(steps=5)
    assert same(one, other)


def test_watching():
    system = polhode.System("heavy_top", "vlv", 0.05, watch=True).run(steps=200)
    energy = system.observables["energy"]
    record = system.energy_record
    assert 0 < energy.error < 0.01 and record["max_error"] > 0
    assert energy.start == record["initial"] and energy.value == record["final"]
    counted = polhode.System("heavy_top", "vlv", 0.05).run(steps=10)
    assert counted.evaluations == 20


def test_own_scheme(tmp_path):
    yoshida = polhode.Scheme(kick=(0.5, 0.5), drift=(1,), name="mine")
    a = polhode.System("heavy_top", yoshida, 0.01, parameters={"strength": 3}, inertia=(1, 2, 2.5))
    b = polhode.System("heavy_top", "verlet+exact", 0.01, parameters={"strength": 3},
                       inertia=(1, 2, 2.5))
    assert (a.run(steps=50).attitude == b.run(steps=50).attitude).all()
    assert a.method == "mine+exact"
    a.save(tmp_path / "own")
    again = [polhode.load(tmp_path / "own"), polhode.load(tmp_path / "own", method=yoshida)]
    a.run(steps=9)
    assert all((b.run(steps=9).attitude == a.attitude).all() for b in again)
    drift = polhode.Scheme(kick=(1,), drift=(0.5, 0.5))
    assert (polhode.System("heavy_top", drift, 0.01).run(steps=9).attitude == polhode.System(
        "heavy_top", "verlet_drift+exact", 0.01).run(steps=9).attitude).all()


def test_a_run_that_fails_leaves_the_last_good_state():
    system = polhode.System("heavy_top", "rattle", 5.0)
    before = state(system)
    with pytest.raises(polhode.RunError, match="step 1, from t = 0"):
        system.run(steps=10)
    assert system.steps == 0 and all((state(system)[k] == before[k]).all() for k in before)


def test_progress(capsys):
    parts = []
    polhode.System("heavy_top", "s6_10+exact", 0.01).run(steps=200_000, progress=parts.append)
    assert parts[-1] == 1.0 and parts == sorted(parts) and all(0 <= p <= 1 for p in parts)
    polhode.System("heavy_top", "vlv", 0.01).run(steps=10, progress=True)
    assert "100 %" in capsys.readouterr().err


INTERRUPTED = """
import numpy, polhode, sys  # numpy now, not within the time that is left to the run
system = polhode.System("heavy_top", "s6_10+exact", 0.001)
print("ready", flush=True)
try:
    {what}
except KeyboardInterrupt:
    n = system.steps
    again = polhode.System("heavy_top", "s6_10+exact", 0.001).run(steps=n)
    assert (again.attitude == system.attitude).all()
    system.run(steps=1)
    print("stopped", n > 0, flush=True)
"""


@pytest.mark.parametrize("what", ["system.run(steps=10**9)",
                                  "system.sample([1e9 * 0.001], advance=True)"])
def test_ctrl_c_stops_at_a_step(what):
    # A shell ignores Ctrl-C for what it runs in the background; here it counts.
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED.format(what=what)], text=True,
                          stdout=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
                          ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=60)[0] == "stopped True\n"
        finally:
            process.kill()


def test_one_thread_at_a_time():
    system = polhode.System("heavy_top", "s6_10+exact", 0.001)
    seen = []

    def look(part):
        try:
            system.energy
        except RuntimeError as error:
            seen.append(str(error))

    system.run(steps=600_000, progress=look)
    assert seen and "in use" in seen[0]
    errors = []

    def run():
        try:
            system.run(steps=50_000)
        except RuntimeError as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert system.steps == 600_000 + 50_000 * (4 - len(errors))


# -- digits

TUMBLING = dict(parameters={"wheels": (0.1, 0.05, 0.02), "damping": 1e-5},
                velocity=(2e-4, 9e-4, -3.5e-4), tolerance=1e-11)


def test_digits_that_do_not_hold(tool):
    """A motion that magnifies errors warns, with the time that the tool gives; nothing else
    changes, and other runs do not."""
    with pytest.warns(UserWarning, match="correct until t = ") as seen:
        system = polhode.System("spacecraft", "gbs", **TUMBLING).run(until=172800.0)
    assert len(seen) == 1
    run = tool("run", "--problem", "spacecraft", "--method", "gbs", "--set",
               "wheels=0.1,0.05,0.02", "--set", "damping=1e-5", "--velocity=2e-4,9e-4,-3.5e-4",
               "--tolerance", "1e-11", "--time", "172800", "--json")
    held = run["digits_hold_until"]
    assert 1e4 < held < 172800 and f"t = {held:.4g}:" in str(seen[0].message)
    assert list(system.attitude) == run["final"]["attitude"]


@pytest.mark.filterwarnings("error")
def test_digits_that_hold():
    polhode.System("spacecraft", "gbs", **TUMBLING).run(until=3600.0)
    polhode.System("spacecraft", "gbs", **TUMBLING).run(until=172800.0, companion=False)
    polhode.System("well", "gauss16").run(until=50.0).run(until=100.0)
