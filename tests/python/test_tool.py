"""The same bits as the tool, and the same snapshots."""

import numpy as np
import polhode
import pytest

RUNS = [("heavy_top", "s6_10+exact", 0.01, 2.0), ("heavy_top", "vlv", 0.01, 2.0),
        ("well", "rattle", 0.125, 10.0), ("free", "exact", 0.1, 10.0), ("free", "dmv8", 0.1, 10.0),
        ("soft_wall", "imidm", 0.01, 1.0), ("double_pendulum", "rkmkgl4", 0.01, 1.0),
        ("magnets", "s4_6+circle", 0.001, 0.05), ("dipolar_spheres", "verlet+exact", 0.01, 0.1)]


def agree(final, system):
    """Whether what the tool told of the end, fields and observables, is the system's."""
    for name, value in final.items():
        ours = getattr(system, name) if name in system.fields else system.observables[name].value
        assert (np.asarray(value) == ours).all(), name


@pytest.mark.parametrize("problem, method, step, time", RUNS)
def test_bits_of_a_run(tool, problem, method, step, time):
    told = tool("run", "--problem", problem, "--method", method, "--step", step, "--time", time,
                "--json")
    system = polhode.System(problem, method, step, watch=True).run(until=time)
    agree(told["final"], system)
    assert system.steps == told["steps"]
    for key, value in told["energy"].items():
        assert system.energy_record[key] == value, key


def test_bits_of_another_start(tool):
    told = tool("run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", 0.01,
                "--time", 1, "--tensor", "12,10,9,1,-0.5,0.2", "--attitude", "1,2,3,4",
                "--velocity", "0.1,0.2,0.3", "--set", "strength=2", "--set", "up=0,1,1", "--json")
    tensor = [[12, 1, -0.5], [1, 10, 0.2], [-0.5, 0.2, 9]]
    system = polhode.System("heavy_top", "s6_10+exact", 0.01, tensor=tensor,
                            attitude=(1, 2, 3, 4), velocity=(0.1, 0.2, 0.3),
                            parameters={"strength": 2, "up": (0, 1, 1)}).run(until=1.0)
    agree(told["final"], system)


def test_bits_of_the_exact_motion(tool):
    told = tool("exact", "--inertia", "1,2,3", "--velocity", "0,2,1e-8", "--time", "30", "--json")
    motion = polhode.Body((1, 2, 3)).motion(velocity=(0, 2, 1e-8))
    state = told["states"][0]
    for name in ("attitude", "momentum", "velocity"):
        assert (np.asarray(state[name]) == getattr(motion(30.0), name)).all()
    assert state["phase_digits"] == motion.phase_digits(30.0)


def test_catalog(tool):
    listed = tool("list", "--json")
    for kind in ("flow", "scheme", "method", "problem"):
        ours = getattr(polhode, kind + "s")()
        theirs = [x for x in listed if x["kind"] == kind]
        assert [x["name"] for x in ours] == [x["name"] for x in theirs]
        for a, b in zip(ours, theirs):
            assert a["title"] == b["title"] and a["cite"] == b["cite"]
            if kind == "problem":
                numbers = [p for p in b["parameters"] if p["default"] is not None]  # no files
                assert [p["name"] for p in a["parameters"]] == [p["name"] for p in numbers]


@pytest.mark.parametrize("problem, method, step, time", RUNS)
def test_snapshots_of_the_tool_open(tool, tmp_path, problem, method, step, time):
    path = tmp_path / "a.snapshot"
    tool("run", "--problem", problem, "--method", method, "--step", step, "--time", time,
         "--checkpoint", path)
    system = polhode.load(path)
    whole = polhode.System(problem, method, step, watch=True).run(until=2 * time)
    system.run(until=2 * time)
    for name, f in system.fields.items():
        assert (system.view(name) == whole.view(name)).all(), name
    assert system.energy_record == whole.energy_record


@pytest.mark.parametrize("problem, method, step, time", RUNS)
def test_the_tool_resumes_from_ours(tool, tmp_path, problem, method, step, time):
    path = tmp_path / "a.snapshot"
    polhode.System(problem, method, step, watch=True).run(until=time).save(path)
    told = tool("resume", path, "--time", 2 * time, "--json")
    system = polhode.System(problem, method, step, watch=True).run(until=2 * time)
    agree(told["final"], system)
    assert told["energy"]["max_error"] == system.energy_record["max_error"]


IDS = [2**53, 2**53 + 1, 2**63 - 1, -(2**63), 7]


@pytest.mark.parametrize("source", ["ids.csv", "ids.npz", "ids.npy"])
@pytest.mark.parametrize("words", [("exact",), ("run", "--problem", "heavy_top", "--method", "vlv",
                                                "--step", 0.1, "--time", "0:0.2@0.1")])
def test_large_identifiers(tool, tmp_path, monkeypatch, source, words):
    """Two numbers that are one double stay two, from each format to each."""
    monkeypatch.chdir(tmp_path)
    ids, moments = np.array(IDS), np.array([1.0, 2.0, 2.5])
    columns = {"I1": moments[0], "I2": moments[1], "I3": moments[2], "m1": 1.0, "m2": 0.5, "m3": 2.0}
    if words[0] == "exact":
        columns["t"] = 3.0
    table = np.zeros(len(ids), [("id", "i8"), *((name, "f8") for name in columns)])
    table["id"] = ids
    for name, x in columns.items():
        table[name] = x
    np.save("ids.npy", table)
    np.savez("ids.npz", **{name: table[name] for name in table.dtype.names})
    with open("ids.csv", "w") as f:
        f.write(",".join(table.dtype.names) + "\n")
        f.writelines(",".join(str(x) for x in row) + "\n" for row in table.tolist())
    many = (*words, "--cases", source, "--show", "id,q0")
    tool(*many, "--out", "out.csv")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    at = lines[0].split(",").index("id")
    written = [line.split(",")[at] for line in lines[1:]]
    assert list(dict.fromkeys(written)) == [str(x) for x in IDS]
    if source == "ids.csv" and words[0] == "exact":  # it cannot know that all words are integers
        with pytest.raises(AssertionError, match="would be rounded"):
            tool(*many, "--out", "out.npz")
    else:
        tool(*many, "--out", "out.npz")
        found = np.load("out.npz")["id"]
        assert found.dtype == np.int64 and (found == ids).all()
    with pytest.raises(AssertionError, match="would be rounded"):
        tool(*many, "--out", "out.npy")
