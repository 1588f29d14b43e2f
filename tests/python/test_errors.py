"""Bad input: one sentence that says what is wrong, never a crash."""

import numpy as np
import polhode
import pytest

NAN = float("nan")
BODY = polhode.Body((1, 2, 3))


def system(*args, **more):
    return polhode.System(*args, **more)


CASES = [
    (lambda: polhode.Body(), TypeError, "inertia="),
    (lambda: polhode.Body((1, 2)), ValueError, "3 numbers, not 2"),
    (lambda: polhode.Body("abc"), TypeError, "not text"),
    (lambda: polhode.Body((1, 2, 0)), ValueError, "positive"),
    (lambda: polhode.Body((1, 2, NAN)), ValueError, "finite"),
    (lambda: polhode.Body((1, 2, 3), tensor=np.eye(3)), TypeError, "not both"),
    (lambda: polhode.Body(tensor=np.eye(2)), ValueError, r"\(3, 3\)"),
    (lambda: polhode.Body(tensor=-np.eye(3)), ValueError, "positive"),
    (lambda: polhode.Body(tensor=np.triu(np.ones((3, 3)))), ValueError, "symmetric"),
    (lambda: BODY.motion(), TypeError, "one of velocity= and momentum="),
    (lambda: BODY.motion(velocity=(1, 2, 3), momentum=(1, 2, 3)), TypeError, "exactly one"),
    (lambda: BODY.motion((0, 0, 0, 0), momentum=(1, 2, 3)), ValueError, "zero quaternion"),
    (lambda: BODY.motion(momentum=(1, 2, NAN)), ValueError, "momentum must be finite"),
    (lambda: BODY.motion(momentum=np.ones((2, 3))), ValueError, r"\(3,\)"),
    (lambda: BODY.motion(momentum=(1, 2, 3))("abc"), TypeError, "real numbers"),
    (lambda: BODY.motion(momentum=(1, 2, 3))(None), TypeError, "real numbers"),
    (lambda: BODY.motion(momentum=(1, 2, 3))(1j), TypeError, "real numbers"),
    (lambda: BODY.motion(momentum=(1, 2, 3))([[1], [2, 3]]), TypeError, "real numbers"),
    (lambda: BODY.velocity((1, 2)), ValueError, r"\(\.\.\., 3\)"),
    (lambda: polhode.euler((1, 0, 0, 0), "zzx"), ValueError, "sequence"),
    (lambda: polhode.matrix((1, 0, 0)), ValueError, r"\(\.\.\., 4\)"),
    (lambda: system("heavy_tops", "vlv", 0.1), ValueError, "did you mean heavy_top"),
    (lambda: system("heavy_top", "vlw", 0.1), ValueError, "did you mean vlv"),
    (lambda: system("heavy_top", "verlt+exact", 0.1), ValueError, "did you mean verlet"),
    (lambda: system("heavy_top", "verlet+exct", 0.1), ValueError, "did you mean verlet.exact"),
    (lambda: system("heavy_top", "exact", 0.1), ValueError, r"write verlet\+exact"),
    (lambda: system("heavy_top", "verlet", 0.1), ValueError, r"write verlet\+exact"),
    (lambda: system("heavy_top", "verlet+sr2:none", 0.1), ValueError, "no method"),
    (lambda: system("heavy_top", "verlet+exact:suzuki4", 0.1), ValueError, "exact is exact"),
    (lambda: system("heavy_top", "rattle@none", 0.1), ValueError, "composition"),
    (lambda: system("heavy_top", "mkrk_rk4@suzuki4", 0.1), ValueError, "not have order 2"),
    (lambda: system("pendulum", "vlv", 0.1), ValueError, "no method"),
    (lambda: system("pendulum", "verlet+exact", 0.1), ValueError, "circle"),
    (lambda: system("double_pendulum", "verlet+circle", 0.1), ValueError, "mass"),
    (lambda: system("dipolar_spheres", "vlv", 0.1), ValueError, "one body"),
    (lambda: system(3, "vlv", 0.1), TypeError, "problem is a name"),
    (lambda: system("heavy_top", 3, 0.1), TypeError, "method is a name"),
    (lambda: system("heavy_top", "vlv"), TypeError, "step="),
    (lambda: system("heavy_top", "vlv", 0), ValueError, "zero"),
    (lambda: system("heavy_top", "vlv", NAN), ValueError, "finite"),
    (lambda: system("heavy_top", "vlv", "abc"), TypeError, "number"),
    (lambda: system("heavy_top", "gbs", 0.1), TypeError, "chooses its steps"),
    (lambda: system("heavy_top", "gbs", tolerance=1e-16), ValueError, "tolerance"),
    (lambda: system("heavy_top", "gbs").run(until=1.0, event="R34 < 0"), ValueError,
     "R34"),
    (lambda: system("heavy_top", "gbs").run(steps=2, event="R33 < 0"), TypeError,
     "until"),
    (lambda: system("heavy_top", "vlv", tolerance=1e-9), ValueError, "tolerance"),
    (lambda: system("heavy_top", "vlv", 0.1, parameters={"strenth": 1}), ValueError, "strength"),
    (lambda: system("heavy_top", "vlv", 0.1, parameters={"up": 1}), ValueError, "3 numbers"),
    (lambda: system("heavy_top", "vlv", 0.1, parameters={"strength": "x"}), TypeError, "strength"),
    (lambda: system("heavy_top", "vlv", 0.1, parameters={"strength": NAN}), ValueError, "finite"),
    (lambda: system("heavy_top", "vlv", 0.1, positions=[[0, 0, 0]]), ValueError,
     "positions cannot be used with"),
    (lambda: system("spacecraft", "mkrk_gl6", 1.0, parameters={"damping": -1}), ValueError,
     "damping is -1, but must be >= 0"),
    (lambda: system("pendulum", "rattle", 0.1, attitude=(1, 0, 0, 0)), ValueError,
     "attitude cannot be used with"),
    (lambda: system("pendulum", "rattle", 0.1, q=[[1, 1, 1]]), ValueError, "length 1.732"),
    (lambda: system("pendulum", "rattle", 0.1, q=[[1, 0]]), ValueError, r"\(n, 3\)"),
    (lambda: system("dipolar_spheres", "verlet+exact", 0.1, positions=[[0, 0]]), ValueError,
     r"\(n, 3\)"),
    (lambda: system("dipolar_spheres", "verlet+exact", 0.1, positions=[[0, 0, 0]] * 2),
     ValueError, "overlap"),
    (lambda: system("dipolar_spheres", "verlet+exact", 0.1, parameters={"lattice": 2},
                    momenta=np.ones((3, 3))), ValueError, "momenta is given without positions"),
    (lambda: system("soft_wall", "vlv", 0.1, attitude=(0, 1, 0, 0), parameters={"offset": 1}),
     ValueError, "domain"),
    (lambda: system("free", "exact", 0.1).run(), TypeError, "steps= and until="),
    (lambda: system("free", "exact", 0.1).run(steps=1.0), TypeError, "whole number"),
    (lambda: system("free", "exact", 0.1).run(steps=-1), ValueError, "negative"),
    (lambda: system("free", "exact", 0.1).run(until=0.25), ValueError, "0.2 or 0.3"),
    (lambda: system("free", "exact", 0.1).run(until=-1), ValueError, "before t = "),
    (lambda: system("free", "exact", 0.1).run(until=NAN), ValueError, "finite"),
    (lambda: system("free", "exact", 0.1).sample([NAN]), ValueError, "finite"),
    (lambda: system("free", "exact", 0.1).sample("abc"), TypeError, "real numbers"),
    (lambda: system("free", "exact", 0.1).view("place"), ValueError, "no field"),
    (lambda: system("free", "exact", 0.1).place, AttributeError, "place"),
    (lambda: system("free", "exact", 0.1).set(place=1), ValueError, "one of attitude, momentum"),
    (lambda: polhode.Scheme(kick=(0.5, 0.4), drift=(1,)), ValueError, "add up"),
    (lambda: polhode.Scheme(kick=(0.4, 0.6), drift=(1,)), ValueError, "palindrome"),
    (lambda: polhode.Scheme(kick=(0.5, 0.5), drift=(0.5, 0.5)), ValueError, "one kick more"),
    (lambda: polhode.Scheme(kick=(0.5, 0.5), drift=(1,), name="verlet"), ValueError, "library"),
    (lambda: system("heavy_top", polhode.Scheme(kick=(0.5, 0.5), drift=(1,), flow="vlv"), 0.1),
     ValueError, "a flow, and vlv is not one"),
    (lambda: polhode.check("vlx"), ValueError, "did you mean"),
    (lambda: polhode.compare("pendulum", [], [0.1], 1.0), ValueError, "one method and one step"),
    (lambda: polhode.reproduce(out="x", tool="no-such-tool"), FileNotFoundError, "tool="),
    (lambda: polhode.grade([], tool="no-such-tool"), FileNotFoundError, "tool="),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_bad_input(number):
    call, error, words = CASES[number]
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_bad_snapshots(tmp_path):
    path = tmp_path / "a"
    polhode.System("heavy_top", "vlv", 0.1).run(steps=3).save(path)
    whole = path.read_bytes()
    for bad in (b"", b"abc", whole[:-1], whole + b"x", whole[:100],
                whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        path.write_bytes(bad)
        with pytest.raises(polhode.SnapshotError):
            polhode.load(path)
    with pytest.raises(FileNotFoundError):
        polhode.load(tmp_path / "b")
    with pytest.raises(OSError):
        polhode.System("heavy_top", "vlv", 0.1).save(tmp_path / "no" / "a")


def test_the_extension_itself_refuses():
    """What the layer above never passes is refused all the same."""
    core = polhode._core
    body = core.Body((1.0, 2.0, 3.0))
    with pytest.raises(TypeError):
        core.Motion(3, (1, 0, 0, 0), (1, 2, 3))
    with pytest.raises(ValueError):
        core.Motion(body, (1, 0, 0), (1, 2, 3))
    motion = core.Motion(body, (1, 0, 0, 0), (1, 2, 3))
    t, q, m = np.zeros(4), np.zeros((4, 4)), np.zeros((4, 3))
    frozen = q.copy()
    frozen.flags.writeable = False
    for bad in ((t, q[:3], m), (t, q, m.T.copy().T), (t, frozen, m), (t.astype("f4"), q, m),
                (t, q.astype(">f8"), m), (t, 3, m)):
        with pytest.raises((TypeError, ValueError)):
            motion.fill(*bad)
    with pytest.raises((TypeError, ValueError)):
        core.batch_step(q, m, m, "exact", 0.1, 1, 0, 4)
    columns = np.zeros((4, 9)), np.ones((3, 9)), np.ones((3, 9))
    for bad in (("exact", 0.1, 1, -1, 9), ("exact", 0.1, 1, 0, 10), ("exact", 0.1, 1, 5, 4),
                ("exact", np.ones(8), 1, 0, 9), ("vlv", 0.1, 1, 0, 9), ("none", 0.1, 1, 0, 9)):
        with pytest.raises(ValueError):
            core.batch_step(*columns, *bad)
    with pytest.raises(ValueError):
        core.batch_kick(*columns, np.ones((3, 8)), 0.1, 9)
    system = core.System("heavy_top", "vlv", 0.1, None, None, 0)
    with pytest.raises(ValueError, match="number of rows"):
        system.sample(np.zeros(2), np.zeros(12), 0, None)
    with pytest.raises(TypeError):
        core.View()
    with pytest.raises(TypeError):
        core.System(1, 2)
