"""Rigid bodies that turn, computed so that the physics survives.

>>> import polhode
>>> motion = polhode.Body(inertia=(1, 2, 3)).motion(velocity=(0, 2, 1e-8))
>>> motion(60.0).attitude.shape
(4,)

Quaternions are scalar first (w, x, y, z) and take body to space coordinates; momenta and
velocities are in the body frame, the one in which the inertia was given. Units are the
caller's, as long as they agree. NumPy is imported when arrays are first asked for.
"""

from __future__ import annotations

from ._core import RunError, SnapshotError
from ._core import version as __version__
from .animations import Animation, page
from .batches import Batch
from .bodies import Bodies, Body, Derivatives, Motion, Motions, States
from .catalog import compositions, flows, methods, problems, schemes
from .fits import Fit, fit
from .ensembles import Ensemble, Samples
from .rotations import euler, from_euler, from_scipy, matrix, rotation, to_scipy
from .studies import bits, check, compare, grade, reproduce
from .systems import Observable, Problem, Scheme, System, load
from .tables import Table

__all__ = [
    "Animation", "Batch", "Bodies", "Body", "Derivatives", "Ensemble", "Fit", "Motion", "Motions",
    "Observable", "Problem", "RunError", "Samples", "Scheme", "SnapshotError", "States", "System",
    "Table", "bits", "check", "compare", "compositions", "euler", "fit", "flows", "from_euler",
    "from_scipy", "grade", "load", "matrix", "methods", "page", "plots", "problems", "reproduce",
    "rotation", "schemes", "to_scipy", "__version__",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name == "plots":  # is imported when it is first used
        from importlib import import_module

        return import_module(".plots", __name__)
    raise AttributeError(f"polhode has no {name!r}")
