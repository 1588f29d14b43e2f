"""A body whose centre of mass moves, from Python."""
import numpy as np
import pytest

import polhode


def test_run_and_state(tmp_path):
    system = polhode.System("orbiter", "srkn6_14a+exact", step=0.05, parameters={"mass": 2.0},
                            position=(0, 1.5, 0), centre_velocity=(-0.8, 0, 0.1),
                            velocity=(0.1, 0.2, 0.3))
    energy = system.energy
    system.run(until=10.0)
    assert abs(system.energy - energy) < 1e-11
    assert system.position.shape == system.centre_velocity.shape == (3,)
    assert np.linalg.norm(system.position) > 0.5
    system.save(tmp_path / "o.snapshot")
    again = polhode.load(tmp_path / "o.snapshot")
    system.run(steps=20)
    again.run(steps=20)
    assert np.array_equal(system.position, again.position)
    assert np.array_equal(system.attitude, again.attitude)


def test_rows_and_events():
    system = polhode.System("orbiter", "verlet+exact", step=0.05)
    rows = system.sample(np.linspace(0, 5, 11))
    assert rows["position"].shape == (11, 3)
    system = polhode.System("orbiter", "srkn6_14a+exact", step=0.05)
    assert system.run(until=10.0, event="x1 < 0")
    assert abs(system.position[0]) < 1e-11


def test_refused():
    for wrong in ({"position": (0, 0, 0)}, {"parameters": {"mass": 0}},
                  {"parameters": {"mu": -1}}, {"position": (1, 2)}):
        with pytest.raises(ValueError):
            polhode.System("orbiter", "verlet+exact", step=0.1, **wrong)
    with pytest.raises(ValueError, match="can move only one body"):
        polhode.System("orbiter", "vlv", step=0.1)
    assert "orbiter" in [p["name"] for p in polhode.problems()]
