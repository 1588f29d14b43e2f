"""Problems of the user: functions of Python and of C, exceptions, snapshots."""

import copy
import ctypes
import gc
import pickle
import threading
import weakref

import numpy as np
import polhode
import pytest

START = {"attitude": (0.9, 0.1, 0.3, 0.2), "velocity": (0.1, 0.2, 3.0)}
INERTIA = (1, 1.6, 2.2)


def torque(t, R):
    return (2.0 * R[2, 1], -2.0 * R[2, 0], 0.0)


def potential(t, R):
    return 2.0 * R[2, 2]


def library_run(method, steps=200):
    return polhode.System("heavy_top", method, 0.01, inertia=INERTIA,
                          parameters={"strength": 2}, **START).run(steps=steps)


def own_run(method, steps=200, **functions):
    problem = polhode.Problem(INERTIA, **functions)
    return polhode.System(problem, method, 0.01, **START).run(steps=steps)


@pytest.mark.parametrize("method", ["verlet+exact", "s6_10+exact", "vlv", "mkrk_rk4"])
def test_python_torque_moves_as_the_library(method):
    a = library_run(method)
    b = own_run(method, torque=torque, potential=potential)
    assert np.allclose(a.attitude, b.attitude, rtol=0, atol=1e-13)
    assert np.isclose(a.energy, b.energy, rtol=1e-13)


def test_results_of_any_kind():
    kinds = [lambda t, R: (1.0, 2, 0.5), lambda t, R: [1, 2, 0.5],
             lambda t, R: np.array([1, 2, 0.5]), lambda t, R: np.array([1, 2, 0.5], np.float32),
             lambda t, R: np.array([1, 9, 2, 9, 0.5])[::2]]
    ends = [own_run("verlet+exact", 20, torque=f).attitude for f in kinds]
    assert all((e == ends[0]).all() for e in ends)


def test_potential_alone():
    a = library_run("s6_10+exact")
    b = own_run("s6_10+exact", potential=potential)
    assert np.allclose(a.attitude, b.attitude, rtol=0, atol=1e-11)


def test_c_functions(c_torque):
    a = own_run("s6_10+exact", torque=torque, potential=potential)
    b = own_run("s6_10+exact", torque=c_torque.torque, potential=c_torque.potential)
    assert (a.attitude == b.attitude).all() and a.energy == b.energy
    c = own_run("s6_10+exact", potential=c_torque.potential)
    assert np.allclose(a.attitude, c.attitude, rtol=0, atol=1e-11)
    callback = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double),
                                ctypes.POINTER(ctypes.c_double))

    @callback
    def by_python(t, R, out):
        out[0], out[1], out[2] = 2.0 * R[7], -2.0 * R[6], 0.0

    assert (own_run("s6_10+exact", torque=by_python).attitude == a.attitude).all()


def test_numba():
    numba = pytest.importorskip("numba", reason="Numba is not installed")
    signature = numba.types.void(numba.types.double, numba.types.CPointer(numba.types.double),
                                 numba.types.CPointer(numba.types.double))

    @numba.cfunc(signature)
    def f(t, R, out):
        out[0], out[1], out[2] = 2.0 * R[7], -2.0 * R[6], 0.0

    a, b = own_run("s6_10+exact", torque=f), own_run("s6_10+exact", torque=torque)
    assert (a.attitude == b.attitude).all()


def test_velocity(c_torque):
    def damped(t, R, w):
        return np.asarray(torque(t, R)) - 0.1 * w

    a = own_run("mkrk_rk4", torque=damped, velocity=True)
    b = own_run("mkrk_rk4", torque=c_torque.damped, velocity=True)
    assert np.allclose(a.attitude, b.attitude, rtol=0, atol=1e-14)
    assert np.linalg.norm(a.velocity) < np.linalg.norm(library_run("mkrk_rk4").velocity)
    with pytest.raises(ValueError, match="use gbs, mkrk_rk4"):
        own_run("verlet+exact", torque=damped, velocity=True)


def test_time_is_told():
    times = []
    own_run("verlet+exact", 3, torque=lambda t, R: times.append(t) or (0, 0, 0))
    assert np.allclose(sorted(set(times)), [0, 0.01, 0.02, 0.03], atol=1e-15)


@pytest.mark.parametrize("method", ["verlet+exact", "vlv", "rattle", "mkrk_gl4"])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, KeyError])
def test_an_exception_stops_and_propagates(method, error):
    calls = 0

    def bad(t, R):
        nonlocal calls
        calls += 1
        if calls == 100:
            raise error("here")
        return torque(t, R)

    system = polhode.System(polhode.Problem(INERTIA, torque=bad), method, 0.01, **START)
    with pytest.raises(error, match="here"):
        system.run(steps=1000)
    assert calls == 100
    n = system.steps
    expected = polhode.System(polhode.Problem(INERTIA, torque=torque), method, 0.01, **START)
    assert (expected.run(steps=n).attitude == system.attitude).all()
    system.run(steps=5)  # it goes on
    assert (expected.run(steps=5).attitude == system.attitude).all()


def test_bad_results():
    for bad, error in ((lambda t, R: (1, 2), ValueError), (lambda t, R: "abc", TypeError),
                       (lambda t, R: None, TypeError), (lambda t: (0, 0, 0), TypeError),
                       (lambda t, R: ("a", "b", "c"), TypeError)):
        with pytest.raises(error):
            own_run("verlet+exact", torque=bad)
    with pytest.raises(polhode.RunError, match="not finite"):
        own_run("verlet+exact", torque=lambda t, R: (float("nan"), 0, 0))
    with pytest.raises(TypeError):
        own_run("verlet+exact", potential=lambda t, R: None)


def test_a_run_inside_its_own_torque_is_refused():
    def inside(t, R):
        system.run(steps=1)
        return (0, 0, 0)

    system = polhode.System(polhode.Problem(INERTIA, torque=inside), "verlet+exact", 0.01)
    with pytest.raises(RuntimeError, match="in use"):
        system.run(steps=1)


def test_snapshots(tmp_path):
    problem = polhode.Problem(INERTIA, torque=torque)
    a = polhode.System(problem, "verlet+exact", 0.01, **START).run(steps=10)
    a.save(tmp_path / "own")
    with pytest.raises(polhode.SnapshotError, match="problem="):
        polhode.load(tmp_path / "own")
    with pytest.raises(polhode.SnapshotError, match="another system"):
        polhode.load(tmp_path / "own", problem=polhode.Problem((1, 2, 3), torque=torque))
    others = [polhode.load(tmp_path / "own", problem=problem), pickle.loads(pickle.dumps(a)),
              copy.copy(a)]
    a.run(steps=10)
    for b in others:
        assert (b.run(steps=10).attitude == a.attitude).all()
    rows = a.sample([0.05, 0.2, 0.3])
    assert (rows["attitude"][1] == a.attitude).all()


def test_two_threads_with_one_problem():
    problem = polhode.Problem(INERTIA, torque=torque)
    ends = []

    def run(speed):
        system = polhode.System(problem, "verlet+exact", 0.01, velocity=(0.1, 0.2, speed))
        ends.append((speed, system.run(steps=3000).attitude))

    threads = [threading.Thread(target=run, args=(s,)) for s in (1.0, 2.0, 3.0, 4.0)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for speed, attitude in ends:
        alone = polhode.System(problem, "verlet+exact", 0.01, velocity=(0.1, 0.2, speed))
        assert (alone.run(steps=3000).attitude == attitude).all()


def test_cycles_are_collected():
    class Holder:
        def torque(self, t, R):
            return (0, 0, 0)

    holder = Holder()
    holder.system = polhode.System(polhode.Problem(INERTIA, torque=holder.torque),
                                   "verlet+exact", 0.01).run(steps=2)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


def test_refused_problems():
    with pytest.raises(TypeError, match="torque=, potential="):
        polhode.Problem(INERTIA)
    with pytest.raises(TypeError, match="function"):
        polhode.Problem(INERTIA, torque=3)
    with pytest.raises(ValueError, match="library"):
        polhode.Problem(INERTIA, torque=torque, name="free")
    with pytest.raises(TypeError, match="inertia"):
        polhode.Problem(torque=torque)
    with pytest.raises(ValueError, match="flow"):
        own_run("exact", torque=torque)


def test_refused_c_functions(c_torque):
    with pytest.raises(TypeError, match="3 arguments"):
        polhode.Problem(INERTIA, torque=c_torque.damped)
    with pytest.raises(TypeError, match="4 arguments"):
        polhode.Problem(INERTIA, torque=c_torque.torque, velocity=True)


# ---- texts --------------------------------------------------------------------------

def text_run(method, steps=200, **texts):
    problem = polhode.Problem(INERTIA, **texts)
    return polhode.System(problem, method, 0.01, **START).run(steps=steps)


@pytest.mark.parametrize("method", ["verlet+exact", "s6_10+exact", "vlv", "nystrom4+exact"])
def test_texts_move_as_the_library(method):
    a = library_run(method)
    for texts in ({"potential": "k*R33"}, {"torque": ["k*R32", "-k*R31", "0"]},
                  {"potential": "k*R33/2", "torque": ["R32", "-R31", 0]}):
        b = text_run(method, parameters={"k": 2}, **texts)
        assert np.allclose(a.attitude, b.attitude, rtol=0, atol=1e-13), texts
        assert b.problem == "expression"
    energy = text_run(method, potential="k*R33", parameters={"k": 2}).energy
    assert np.isclose(a.energy, energy, rtol=1e-13)


def test_texts_have_the_bits_of_a_scenario(tool, tmp_path):
    (tmp_path / "s.yaml").write_text(
        'problem: {potential: "k*(1 - R33) + c2*R13^2", torque: ["0", "a*sin(t)", "0"]}\n'
        "parameters: {k: 2, c: [0.1, 0.3], a: 0.2}\n")
    problem = polhode.Problem(potential="k*(1 - R33) + c2*R13^2", torque=["0", "a*sin(t)", "0"],
                              parameters={"k": 2, "c": [0.1, 0.3], "a": 0.2})
    for method in ("s6_10+exact", "gbs"):
        length = {"tolerance": 1e-11} if method == "gbs" else {"step": 0.01}
        words = [x for key, value in length.items() for x in (f"--{key}", value)]
        said = tool("run", tmp_path / "s.yaml", "--method", method, *words, "--time", 2, "--json")
        system = polhode.System(problem, method, **length).run(until=2)
        assert tuple(system.attitude) == tuple(said["final"]["attitude"])
        assert tuple(system.velocity) == tuple(said["final"]["velocity"])


def test_texts_of_the_velocity():
    damped = {"torque": ["-d*w1", "-d*w2", "-d*w3"], "parameters": {"d": 0.1}}
    for method in ("mkrk_rk4", "mkrk_gl4"):
        a = own_run(method, torque=lambda t, R, w: -0.1 * w, velocity=True)
        assert np.allclose(a.attitude, text_run(method, **damped).attitude, rtol=0, atol=1e-14)
    with pytest.raises(ValueError, match="use gbs, mkrk_rk4"):
        text_run("verlet+exact", **damped)


def test_texts_take_parameters_and_keep_them(tmp_path):
    problem = polhode.Problem(INERTIA, potential="k*R33", parameters={"k": 7})
    a = polhode.System(problem, "vlv", 0.01, parameters={"k": 2}, **START)
    assert a.parameters == {"k": 2}
    assert np.allclose(a.run(steps=200).attitude, library_run("vlv").attitude, rtol=0, atol=1e-13)
    a.save(tmp_path / "a")
    others = [polhode.load(tmp_path / "a"), polhode.load(tmp_path / "a", problem=problem),
              pickle.loads(pickle.dumps(a)), copy.copy(a)]
    a.run(steps=10)
    for b in others:
        assert b.parameters == {"k": 2}
        assert (b.run(steps=10).attitude == a.attitude).all()
        b.set(velocity=(1, 2, 3))
        assert np.allclose(b.momentum, np.multiply(INERTIA, (1, 2, 3)))
    with pytest.raises(ValueError, match="has no parameter c: its parameters are k"):
        polhode.System(problem, "vlv", 0.01, parameters={"c": 2})
    rows = a.sample([0.05, 0.2])
    assert np.isclose(rows["energy"], a.energy, rtol=1e-4).all()


def test_texts_are_resumed_by_the_tool(tool, tmp_path):
    problem = polhode.Problem(INERTIA, potential="k*R33", parameters={"k": 2})
    a = polhode.System(problem, "vlv", 0.01, **START).run(steps=10)
    a.save(tmp_path / "a")
    said = tool("resume", tmp_path / "a", "--time", 0.5, "--json")
    assert tuple(a.run(steps=40).attitude) == tuple(said["final"]["attitude"])


def test_texts_are_compared():
    problem = polhode.Problem(INERTIA, potential="k*R33", parameters={"k": 2})
    own = polhode.compare(problem, ["vlv", "s6_10+exact"], [0.1, 0.05], 1.0, **START)
    library = polhode.compare("heavy_top", ["vlv", "s6_10+exact"], [0.1, 0.05], 1.0,
                              inertia=INERTIA, parameters={"strength": 2}, **START)
    for a, b in zip(own, library):
        assert a["kicks"] == b["kicks"] and np.isclose(a["error"], b["error"], rtol=1e-3)
    stronger = polhode.compare(problem, ["vlv"], [0.1], 1.0, parameters={"k": 20}, **START)
    assert stronger[0]["error"] > 2 * own[0]["error"]


def test_texts_run_without_the_lock():
    problem = polhode.Problem(INERTIA, potential="2*R33")
    system = polhode.System(problem, "s6_10+exact", 0.001)
    thread = threading.Thread(target=system.run, kwargs={"steps": 200000})
    thread.start()
    with pytest.raises(RuntimeError, match="in use"):  # this thread goes on meanwhile
        while thread.is_alive():
            system.run(steps=1)
    thread.join()


@pytest.mark.parametrize("texts, message", [
    ({"potential": "k*(1 - R34)", "parameters": {"k": 1}}, 'potential, column 8: .*"R34"'),
    ({"potential": "2*R33 +"}, "potential, column 8"),
    ({"potential": "w1"}, "potential, column 1"),
    ({"potential": "q0"}, "potential, column 1: .*even"),
    ({"torque": ["0", "sin(", "0"]}, "torque 2, column 5"),
    ({"potential": "R33", "parameters": {"R11": 1}}, 'parameter, column 1: "R11"'),
    ({"potential": "R33", "parameters": {"a b": 1}}, 'parameter, column 1: "a b"'),
    ({"potential": "R33", "parameters": {"a": range(10)}}, "more than nine"),
    ({"potential": "R33", "parameters": {f"a{i}x": 1 for i in range(60)}}, "48 numbers"),
])
def test_errors_of_texts_point_at_the_column(texts, message):
    with pytest.raises(ValueError, match=message):
        polhode.Problem(**texts)


@pytest.mark.parametrize("texts, message", [
    ({"torque": ["0", "0"]}, "three"), ({"torque": "R33"}, "three"),
    ({"torque": ["0", None, "0"]}, "three texts"),
    ({"potential": "R33", "torque": torque}, "both texts or both functions"),
    ({"potential": potential, "torque": ["0", "0", "0"]}, "both texts or both functions"),
    ({"potential": "R33", "velocity": True}, "functions"),
    ({"potential": "R33", "name": "mine"}, "functions"),
    ({"potential": "R33", "parameters": {"k": "a"}}, "k must be"),
    ({"torque": torque, "inertia": INERTIA, "parameters": {"k": 1}}, "texts"),
])
def test_refused_texts(texts, message):
    with pytest.raises((TypeError, ValueError), match=message):
        polhode.Problem(**texts)
