"""Files of rows: those of the tool, by a system or a motion; and what is wrong with them."""

import datetime
import filecmp
import os
import pickle
import subprocess
import warnings

import numpy as np
import polhode
import pytest

RUNS = [("heavy_top", "s6_10+exact", 0.01, 0.2), ("orbiter", "verlet+exact", 0.01, 0.2),
        ("double_pendulum", "rattle", 0.01, 0.2), ("spins", "rkmk4", 0.01, 0.04),
        ("dipolar_spheres", "verlet+exact", 0.01, 0.04), ("free", "exact", 0.1, 2.0),
        ("heavy_top", "gbs", None, 3.0)]
DATE = "2026-01-01T00:00:00"


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch, tool):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLHODE_TOOL", tool.path)


@pytest.mark.parametrize("problem, method, step, time", RUNS)
def test_rows_are_those_of_the_tool(tool, problem, method, step, time):
    words = ["run", "--problem", problem, "--method", method, "--time", time]
    words += [] if step is None else ["--step", step]
    system = polhode.System(problem, method, step)
    if step:
        system.run(until=time / 2)
    system.run(until=time)
    for name in ("csv", "npy") + (("xyz",) if "positions" in system.fields else ()):
        tool(*words, "--out", f"tool.{name}")
        system.write(f"python.{name}")
        assert filecmp.cmp(f"tool.{name}", f"python.{name}", shallow=False), name
    tool(*words, "--out", "tool.npz")
    system.write("python.npz")
    theirs, ours = np.load("tool.npz"), np.load("python.npz")
    assert [name for name in theirs if name != "polhode.json"] == list(ours)
    assert all((theirs[name] == ours[name]).all() for name in ours)
    system.write("rows")  # no ending: CSV
    assert filecmp.cmp("rows", "tool.csv", shallow=False)


def test_a_motion_is_that_of_the_tool(tool):
    tool("exact", "--inertia", "1,2,3", "--velocity", "1,2,3", "--time", "0:10:11", "--out", "a.csv")
    motion = polhode.Body((1, 2, 3)).motion(velocity=(1, 2, 3))
    motion.write("b.csv", np.linspace(0, 10, 11))
    assert filecmp.cmp("a.csv", "b.csv", shallow=False)


def test_ephemerides(tool):
    system = polhode.System("spacecraft", parameters={"damping": 1e-3}).run(until=600)
    date = datetime.datetime(2026, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    for epoch in (DATE, date):
        system.write("a.aem", [0, 300, 600], object_name="MY SAT", object_id="2026-001A", epoch=epoch)
        text = open("a.aem").read()
        assert "CCSDS_AEM_VERS       = 1.0" in text and "= MY SAT\n" in text and "= 2026-001A\n" in text
        first = text.split("DATA_START\n")[1].split("\n")[0]
        assert first == f"{DATE}.000000000 0 0 0 1"  # the identity, scalar part last
    tool("convert", "a.aem", "--out", "back.npy")
    right = system.sample([0, 300, 600])
    assert np.abs(np.load("back.npy")[:, 1:5] - right["attitude"]).max() < 1e-15
    system.write("a.aem", [0.0], epoch=DATE, version="2.0")
    assert "CCSDS_AEM_VERS       = 2.0" in open("a.aem").read()
    polhode.Body((1, 2, 3)).motion(velocity=(0, 2, 1e-8)).write("m.aem", [0, 1], epoch=DATE)
    assert open("m.aem").read().split("DATA_START")[1].count(DATE[:10]) == 2


@pytest.mark.parametrize("zero", ["2024-02-28T23:59:59.5", "2016-12-31T23:59:30.5"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_an_ephemeris_is_that_of_the_tool(tool, version, zero):
    """Without the line of the command and the date of now: the same text to the last digit, also through a leap
    second."""
    tool("exact", "--inertia", "1,2,3", "--velocity", "0.01,0.02,0.003", "--time", "0:90:31", "--show", "t,q",
         "--epoch", zero, "--aem", version, "--object", "MY SAT", "--out", "tool.aem")
    polhode.Body((1, 2, 3)).motion(velocity=(0.01, 0.02, 0.003)).write(
        "a.aem", np.linspace(0, 90, 31), epoch=zero, version=version, object_name="MY SAT")
    ours, theirs = ([line for line in open(name).read().split("\n")
                     if not line.startswith(("COMMENT polhode exact", "CREATION_DATE"))]
                    for name in ("a.aem", "tool.aem"))
    assert ours == theirs and len(ours) > 40


def test_leap_seconds_are_those_of_the_tool(tool):
    """The seconds 58 to 01 around the beginning of each half of a year."""
    def dates(name):
        text = open(name).read().split("DATA_START\n")[1].split("DATA_STOP")[0]
        return [line.split()[0] for line in text.splitlines()]

    motion = polhode.Body((1, 2, 3)).motion(velocity=(0.01, 0.02, 0.003))
    leaps = 0
    for year in range(1971, 2027):
        for zero in (f"{year}-06-30T23:59:58", f"{year}-12-31T23:59:58"):
            motion.write("a.aem", [0, 1, 2, 3, 4], epoch=zero)
            tool("exact", "--inertia", "1,2,3", "--velocity", "0.01,0.02,0.003", "--time", "0:4:5",
                 "--epoch", zero, "--out", "tool.aem")
            assert dates("a.aem") == dates("tool.aem")
            leaps += "T23:59:60" in dates("a.aem")[2]
    assert leaps == 27


def test_an_ephemeris_with_rows_far_apart():
    motion = polhode.Body((1, 2, 3)).motion(velocity=(0, 0, 0.1))
    with pytest.warns(UserWarning, match="up to 57 degrees"):
        motion.write("a.aem", [0, 10], epoch=DATE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion.write("a.aem", np.arange(0, 15, 5), epoch=DATE)


def test_formats_of_the_tool():
    system = polhode.System("heavy_top", "vlv", 0.01).run(steps=5)
    for name, magic in (("h5", b"\x89HDF"), ("glb", b"glTF")):
        system.write(f"a.{name}")
        assert open(f"a.{name}", "rb").read(4) == magic
    for x in b"moments", b"axes":  # are for its shape, not in its rows
        assert x not in open("a.h5", "rb").read()


def test_convert_reads_arrays_of_python(tool):
    rows = polhode.System("heavy_top", "vlv", 0.01).sample(np.linspace(0, 1, 11))
    np.save("a.npy", rows)
    np.savez("b.npz", time=rows["time"], attitude=rows["attitude"])
    names = "t,q0,q1,q2,q3,m1,m2,m3,w1,w2,w3,energy"
    for path, header in (("a.npy", names), ("b.npz", names[:13])):
        lines = tool("convert", path, "--out", "-").split("\n")
        assert lines[0] == header and len(lines) == 13
        assert [float(x) for x in lines[5].split(",")][:5] == [rows["time"][4], *rows["attitude"][4]]


def steps_of(system):
    system.write("history.npy")
    return np.load("history.npy")


@pytest.mark.parametrize("problem, method", [("double_pendulum", "rattle"), ("dipolar_spheres", "verlet+exact")])
def test_frames_are_those_of_the_tool(tool, problem, method):
    small = {"lattice": 2} if problem == "dipolar_spheres" else {}
    words = ["run", "--problem", problem, "--method", method, "--step", 0.01, "--time", 0.05]
    words += [x for name, value in small.items() for x in ("--set", f"{name}={value}")]
    system = polhode.System(problem, method, 0.01, parameters=small).run(steps=5)
    for name in ("h5", "glb") + (("xyz",) if small else ()):
        tool(*words, "--out", f"tool.{name}")
        system.write(f"python.{name}")
        ours, theirs = (open(f"{x}.{name}", "rb").read() for x in ("python", "tool"))
        if name == "xyz":
            assert ours == theirs
        assert abs(len(ours) - len(theirs)) < 200  # the command line differs
        if name == "glb":  # the numbers after the description
            cut = [x.index(b"BIN\0") for x in (ours, theirs)]
            assert ours[cut[0]:] == theirs[cut[1]:]
    times = [0, 0.013, 0.02, 0.045]
    system.write("times.glb", times)
    if small:
        system.write("times.xyz", times)
        rows = system.sample(times)
        lines = open("times.xyz").read().split("\n")
        assert [float(x.split("Time=")[1].split()[0]) for x in lines if "Time=" in x] == pytest.approx(times)
        numbers = np.array([[float(x) for x in line.split()[1:14]] for line in lines if line.startswith("X")])
        assert (numbers.reshape(4, 8, 13)[..., :3] == rows["positions"]).all()
        assert (numbers.reshape(4, 8, 13)[..., 6:10] == rows["attitudes"]).all()


@pytest.mark.parametrize("method, step", [("vlv", 0.01), ("gbs", None)])
def test_history(method, step):
    """The rows of a run that was made in parts, with events, an error and a sample on the way."""
    system = polhode.System("heavy_top", method, step)
    assert len(steps_of(system)) == 1
    system.run(until=0.5).run(steps=3)
    system.run(until=system.time + 10 * (step or 0.1), event=lambda t, q, m: t - 0.55)
    with pytest.raises(ValueError):
        system.run(until=system.time + 10 * (step or 0.1), event="R34 < 0")
    system.run(until=system.time + 300 * (step or 0.01), event="R33 < 0.5")
    system.sample([system.time + 0.315], advance=True)
    system.run(steps=2)
    for one in (system, system.copy()):
        rows = steps_of(one)
        assert len(rows) == system.steps + 1 and (np.diff(rows[:, 0]) > 0).all()
        assert rows[-1, 0] == system.time and (rows[-1, 1:5] == system.attitude).all()
    again = pickle.loads(pickle.dumps(system))  # the function is not in it
    with pytest.raises(ValueError, match="give times="):
        again.write("x.csv")
    again.write("x.csv", [0.1])
    system.set(momentum=(0, 0, 1))  # a new start
    assert len(steps_of(system)) == 1
    assert len(steps_of(pickle.loads(pickle.dumps(system.run(steps=2))))) == 3


def test_history_after_a_failure():
    def torque(t, R):
        if t > 0.25:
            raise KeyError("enough")
        return (0, 0, 1)

    system = polhode.System(polhode.Problem((1, 2, 3), torque=torque), "verlet+exact", step=0.1)
    with pytest.raises(KeyError):
        system.run(steps=10)
    assert len(steps_of(system)) == system.steps + 1 == 3


def test_refusals(monkeypatch, tmp_path):
    system = polhode.System("heavy_top", "vlv", 0.01).run(steps=2)
    pair = polhode.System("double_pendulum", "rattle", 0.01)
    before = open("a.aem", "w").write("older") and os.listdir()
    cases = [(lambda: system.write("a.dat"), ValueError, "csv, npy, npz, xyz, h5, aem, glb"),
             (lambda: system.write("a.aem"), ValueError, "give epoch="),
             (lambda: system.write("a.aem", epoch="yesterday"), ValueError, "is not a date"),
             (lambda: system.write("a.aem", epoch=DATE, version="3"), ValueError, "1.0 or 2.0"),
             (lambda: system.write("a.aem", [1, 0], epoch=DATE), ValueError, "times that increase"),
             (lambda: system.write("no/a.csv"), FileNotFoundError, "no/a.csv"),
             (lambda: system.write("a.xyz"), ValueError, "frames of molecules"),
             (lambda: pair.write("a.aem", epoch=DATE), ValueError, "attitude of one body"),
             (lambda: pair.write("a.h5", [0.02, 0.01]), ValueError, "out of order")]
    for call, kind, said in cases:
        with pytest.raises(kind, match=said) as info:
            call()
        assert "\n" not in str(info.value)
    monkeypatch.delenv("POLHODE_TOOL")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="polhode.*was not found"):
        system.write("a.glb")
    assert os.listdir() == before and open("a.aem").read() == "older"
    system.write("a.aem", epoch=DATE)  # needs no tool
    assert open("a.aem").read().startswith("CCSDS_AEM_VERS       = 1.0\n")


def test_a_full_disk(tool):
    system = polhode.System("heavy_top", "vlv", 0.01).run(steps=2)
    with pytest.raises(OSError):
        system.write("/dev/full/a.csv")
    assert subprocess.run(["ls"], capture_output=True).stdout == b""


@pytest.mark.parametrize("name", ["a.csv", "a.npy", "a.npz", "a.aem"])
def test_what_is_no_ordinary_file_stays(name):
    """A device or a folder is never replaced; a link stays a link."""
    motion = polhode.Body((1, 2, 3)).motion(velocity=(1, 2, 3))

    def write():
        motion.write(name, np.linspace(0, 1, 1000), epoch=DATE if name == "a.aem" else None)

    os.symlink("/dev/full", name)
    with pytest.raises(OSError):
        write()
    assert os.readlink(name) == "/dev/full" and not os.path.isfile(name)
    os.unlink(name)
    os.symlink("target", name)
    write()
    assert os.readlink(name) == "target" and os.path.getsize("target") > 1000
    os.unlink(name)
    os.mkdir(name)
    with pytest.raises(OSError):
        write()
    assert os.listdir() == [name, "target"] or os.listdir() == ["target", name]


def test_snapshots_and_documents_stay():
    """The same of snapshots and animations."""
    os.symlink("/dev/full", "full")
    system = polhode.System("heavy_top", "vlv", 0.1)
    for save in (system.save, polhode.Body((1, 2, 3)).motion(velocity=(1, 2, 3)).animate(1).save):
        with pytest.raises(OSError):
            save("full")
        assert os.readlink("full") == "/dev/full" and not os.path.isfile("full")
