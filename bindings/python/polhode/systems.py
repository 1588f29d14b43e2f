"""What moves: problems, integrators, runs, snapshots."""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core, files
from .bodies import Body, Derivatives, body_quietly
from .catalog import fact, names
from .tables import html_table, window_rows
from .values import (MOST_STEPS, Quantity, doubles, duration, number, shown, vector, whole,
                     without_units)

if TYPE_CHECKING:
    import datetime

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .animations import Animation

    Array = NDArray[np.float64]

SAME_TIME, ROUND_OFF = 1e-9, 2.0**-50  # when two times are one, as in the library
MOST_ORDER = 100  # of a scheme of the user
ADDRESSES = 1, 2**64 - 1
COMPANION, LEAST_TOLERANCE = 0.1, 1e-15  # as in the tool
DEFAULT_TOLERANCE = 1e-10  # of the library, for a splitting in a field without a step
NO_STEP = "gbs"  # for those who give neither a method nor a step


# ---- what the user gives ------------------------------------------------------------

def _address(function: Any, arguments: int) -> int | None:
    """The address of a C function: a cfunc of numba, a function pointer of ctypes; None for
    a function of Python."""
    address = getattr(function, "address", None)
    if isinstance(address, int):
        return whole(address, "the address of a function", *ADDRESSES)
    ctypes = sys.modules.get("ctypes")
    if ctypes is None or not isinstance(function, ctypes._CFuncPtr):
        return None
    if function.argtypes is not None and len(function.argtypes) != arguments:
        raise TypeError(f"the C function must take {arguments} arguments, not "
                        f"{len(function.argtypes)}")
    return whole(ctypes.cast(function, ctypes.c_void_p).value or 0,
                 "the address of a function", *ADDRESSES)


def _is_text(x: Any) -> bool:
    return isinstance(x, str) or (isinstance(x, (list, tuple)) and not callable(x))


def _part(given: Any, name: str, what: str) -> Any:
    if not isinstance(given, dict) or name not in given:
        raise TypeError(f"{what} must be a dictionary that contains {name!r}")
    return given[name]


def _with_wheels(extends: str | None, parameters: dict[str, Any] | None,
                 wheel: Any) -> dict[str, Any]:
    """The parameters, with the momenta of wheels added to `wheels`."""
    if extends is None:
        raise TypeError("wheel= needs a problem with wheels: give extends='spacecraft'")
    total = list((parameters or {}).get("wheels", (0.0, 0.0, 0.0)))
    for one in [wheel] if isinstance(wheel, dict) else wheel:
        axis = vector(_part(one, "axis", "a wheel"), 3, "axis")
        inertia = number(_part(one, "inertia", "a wheel"), "inertia")
        speed = without_units(_part(one, "speed", "a wheel"), "speed", "rad/t")
        momentum = inertia * number(speed, "speed")
        size = math.hypot(*axis)
        if size == 0 or not inertia > 0:
            raise ValueError("a wheel has an axis of length 0, or no inertia: change it")
        total = [x + momentum * a / size for x, a in zip(total, axis)]
    return {**(parameters or {}), "wheels": total}


class Problem:
    """A body in a field of your own: texts, or functions.

    Texts are the expressions of a scenario, in t, q0 ... q3, R11 ... R33, a torque also in
    w1 ... w3 and m1 ... m3, and in `parameters`: numbers, or sequences k whose numbers are k1,
    k2 ... The torque of a potential is its exact derivative, and everything runs at the speed of
    C. Body and start are those of the problem `free` unless told.

    >>> top = Problem(inertia=(1, 1.6, 2.2), potential="k*R33", parameters={"k": 2})
    >>> System(top, "s6_10+exact", step=0.01, parameters={"k": 3}).run(steps=10).steps
    10
    >>> Problem(torque=["-d*w1", "-d*w2", "a*sin(t"], parameters={"d": 0.1, "a": 1})
    Traceback (most recent call last):
    ValueError: torque 3, column 8: the expression ends here: write an operator or )

    Functions: `torque(t, R)` returns the three components of the torque in the body frame; R is the
    rotation matrix, body to space, one array that every call finds refilled: copy it to keep
    it. With `velocity=True` it is `torque(t, R, w)`. `potential(t, R)` is the potential
    energy; without a torque it is differentiated, 18 calls for one torque, to some 1e-13.

    With `many=True` the torque is called for up to eight bodies of an `Ensemble` at once: t is an
    array (n,), R (n, 3, 3) and w (n, 3), and it returns (n, 3).

    Both may be C functions, as a `cfunc` of numba or a ctypes function pointer:
    `void torque(double t, const double *R, double *torque)`, with velocity
    `void torque(double t, const double *R, const double *w, double *torque)`, and
    `double potential(double t, const double *R)`, R row by row.

    With `extends`, the torque is added to that of a problem of the catalog, whose `parameters` and
    tables stay. Texts then may use its parameters, and on the orbit of `spacecraft` u1 ... u3, the
    unit vector from the Earth, B1 ... B3, the magnetic field in tesla, both in the body, x1 ... x3,
    v1 ... v3, H1 ... H3 and `eclipse` (docs/attitude.md). `wheel` is a list of dictionaries with an
    axis, an inertia and a speed in rad/s; `facets` one of area, normal, centre, specular and diffuse,
    on which sunlight presses; `field="tilted_dipole"` that of a dipole that rotates with the Earth.
    Sunlight and this field need `epoch`, the date of t = 0.

    `control` holds a torque or a dipole from one sample to the next: a dictionary of a `period` and a
    `torque` or `dipole`, three texts or a function. The function gets the measured state, with the
    attributes t, attitude, matrix, velocity, momentum, up, field, position, orbit_velocity and sun,
    and returns three numbers.

    >>> damped = Problem(extends="spacecraft", torque=["-d*w1", "-d*w2", "-d*w3"],
    ...                  parameters={"d": 1e-3, "inclination": 1.2}, inertia=(12, 10, 8),
    ...                  wheel=[{"axis": (0, 0, 1), "inertia": 1e-3, "speed": 250}])
    >>> System(damped, "gbs", velocity=(0.01, 0, 0)).run(until=10).time
    10.0

    >>> spring = Problem(inertia=(1, 2, 3), torque=lambda t, R: (0.0, -R[0, 2], 0.0))
    >>> System(spring, "verlet+exact", step=0.01, velocity=(0, 1, 0)).run(steps=10).steps
    10
    """

    def __init__(self, inertia: Sequence[float] | Body | None = None, *,
                 tensor: ArrayLike | None = None,
                 torque: Sequence[str] | Callable[..., Sequence[float]] | Any | None = None,
                 potential: str | Callable[..., float] | Any | None = None,
                 parameters: dict[str, Any] | None = None,
                 velocity: bool = False, many: bool = False, name: str = "own",
                 extends: str | None = None,
                 wheel: dict[str, Any] | Sequence[dict[str, Any]] | None = None,
                 facets: Sequence[dict[str, Any]] = (), field: str | None = None,
                 control: dict[str, Any] | None = None,
                 epoch: str | datetime.datetime | None = None) -> None:
        self.body: Body | None
        self.parameters: dict[str, tuple[float, ...]] = {}
        self.extends = extends
        functions = torque is not None and not _is_text(torque)
        more = bool(facets) or field is not None or control is not None or epoch is not None
        self.text = _is_text(torque) or _is_text(potential) or (
            not functions and potential is None and (extends is not None or more))
        if extends is not None and (not isinstance(extends, str) or "\0" in extends):
            raise TypeError(f"extends must be the name of a problem, not {shown(extends)}")
        if wheel is not None:
            parameters = _with_wheels(extends, parameters, wheel)
        if self.text:
            self._read_surroundings(facets, field, control, epoch)
            self._read_texts(inertia, tensor, torque, potential, parameters)
            if velocity or many or name != "own":
                raise TypeError("velocity=, many= and name= can be used only with functions, "
                                "not with texts: remove them")
            return
        if more:
            raise TypeError("facets=, field=, control= and epoch= can be used only with texts, or "
                            "with extends= and no function: remove them")
        if parameters is not None and extends is None:
            raise TypeError("parameters= can be used only with texts: a function of your own uses its "
                            "own variables")
        if extends is not None and potential is not None:
            raise TypeError("a function that extends a problem must be a torque, not a potential: "
                            "give torque=")
        self._read_parameters(parameters)
        given = extends is None or inertia is not None or tensor is not None
        self.body = (inertia if isinstance(inertia, Body) else
                     Body(inertia, tensor=tensor) if given else None)
        for function, what in ((torque, "torque"), (potential, "potential")):
            if function is not None and not callable(function) and (
                    _address(function, 0) is None):
                raise TypeError(f"{what} must be a function")
        if torque is None and potential is None:
            raise TypeError("give torque=, potential= or both; "
                            "for neither, use the problem `free`")
        if (velocity or many) and torque is None:
            raise TypeError("velocity=True and many=True need a torque: give torque=")
        if many and _address(torque, 4 if velocity else 3) is not None:
            raise TypeError("many=True can be used only with a Python function, not with a C function: "
                            "remove it")
        if name in names("problem"):
            raise ValueError(f"{name} is a problem of the library: choose another name")
        self.torque, self.potential, self.velocity, self.name = torque, potential, velocity, name
        self.many = many
        self._parts()

    def _read_texts(self, inertia: Any, tensor: Any, torque: Any, potential: Any,
                    parameters: dict[str, Any] | None) -> None:
        if not (torque is None or _is_text(torque)) or not isinstance(potential, str | None):
            raise TypeError("torque and potential must be both texts or both functions")
        if isinstance(torque, str) or (torque is not None and len(torque) != 3):
            raise TypeError("a torque of texts must be a list of three texts")
        for x in torque or ():
            if not isinstance(x, (str, int, float)):
                raise TypeError(f"torque must be three texts, not {shown(x)}")
        self._read_parameters(parameters)
        given = inertia is not None or tensor is not None
        self.body = (inertia if isinstance(inertia, Body) else
                     Body(inertia, tensor=tensor) if given else None)
        self.torque = None if torque is None else tuple(map(str, torque))
        self.potential, self.name = potential, "expression"
        self._check_names()
        self.velocity = _core.texts(*self._parts())

    def _read_parameters(self, parameters: dict[str, Any] | None) -> None:
        for key, value in (parameters or {}).items():
            value = without_units(value, key, _unit(self, key))
            size = len(value) if hasattr(value, "__len__") else 1
            self.parameters[key] = vector(value if hasattr(value, "__len__") else (value,),
                                          size, key)

    def _check_names(self) -> None:
        """A parameter of a problem that extends another is used, or one of that problem."""
        facts: Any = fact("problem", self.extends) if self.extends is not None else None
        law: Any = self.control[2]
        torque: Any = self.torque or ()
        texts = " ".join(x for x in (self.potential, *torque, *law) if x)
        for name in self.parameters if facts else ():
            if name not in {row["name"] for row in facts["parameters"]} and (
                    not re.search(rf"\b{re.escape(name)}[1-9]?\b", texts)):
                raise ValueError(f"parameter {name} does not occur in a text, and "
                                 f"{self.extends} has no parameter of this name: remove it")

    def _read_surroundings(self, facets: Any, field: Any, control: Any, epoch: Any) -> None:
        self.epoch = None if epoch is None else files.days_from_j2000(epoch)
        if field not in (None, "tilted_dipole"):
            raise ValueError(f"field must be 'tilted_dipole', not {shown(field)}")
        self.field = field
        self.facets = tuple(
            (number(_part(f, "area", "a facet"), "area"),
             *vector(_part(f, "normal", "a facet"), 3, "normal"),
             *vector(_part(f, "centre", "a facet"), 3, "centre"),
             number(f.get("specular", 0.0), "specular"), number(f.get("diffuse", 0.0), "diffuse"))
            for f in facets)
        self.law: Any = None
        self.control: tuple[Any, ...] = (0.0, False, (None, None, None))
        if control is None:
            return
        period = duration(_part(control, "period", "a control"), "period")
        held = [name for name in ("torque", "dipole") if name in control]
        unknown = set(control) - {"period", "torque", "dipole"}
        if len(held) != 1 or unknown or not period > 0:
            raise ValueError("a control needs a positive period, and a torque or a dipole: give both")
        law = control[held[0]]
        if not callable(law) and (not isinstance(law, (list, tuple)) or len(law) != 3):
            raise TypeError(f"{held[0]} of a control must be a function, or three texts")
        self.law = law if callable(law) else None
        texts = (None, None, None) if callable(law) else tuple(map(str, law))
        self.control = (period, held[0] == "dipole", texts)

    def _measured(self, instant: bytes) -> Sequence[float]:
        import numpy as np

        x = np.frombuffer(instant)
        seen = [None if np.isnan(v).any() else v for v in x[20:].reshape(5, 3)]
        result: Sequence[float] = self.law(SimpleNamespace(
            t=float(x[0]), attitude=x[1:5], matrix=x[5:14].reshape(3, 3), momentum=x[14:17],
            velocity=x[17:20], up=seen[0], field=seen[1], position=seen[2], orbit_velocity=seen[3],
            sun=seen[4]))
        return result

    def _parts(self) -> tuple[Any, ...]:
        if self.text:
            return (self.potential, self.torque or (None, None, None),
                    tuple(self.parameters.items()), self.body._core if self.body else None,
                    self.extends, self.epoch, self.facets, self.field is not None,
                    (*self.control, self._measured if self.law is not None else None))
        assert self.body is not None or self.extends is not None
        torque = _address(self.torque, 4 if self.velocity else 3)
        potential = _address(self.potential, 2)
        return (self.name, self.body._core if self.body else None, (1.0, 0.0, 0.0, 0.0),
                (0.0, 0.0, 0.0),
                self._block if self.many else self.torque if torque is None else None,
                self.potential if potential is None else None, torque, potential, self.velocity,
                self.many, self.extends, tuple(self.parameters.items()))

    def _block(self, instants: bytes, n: int) -> Array:
        import numpy as np

        x = np.frombuffer(instants).reshape(n, 13)
        given = (x[:, 0], x[:, 1:10].reshape(n, 3, 3)) + ((x[:, 10:],) if self.velocity else ())
        function: Any = self.torque
        torque = np.ascontiguousarray(function(*given), np.float64)
        if torque.shape != (n, 3):
            raise ValueError(f"the torque must have the shape ({n}, 3), not {torque.shape}")
        return torque

    def _facts(self) -> dict[str, str]:
        texts = {"extends": self.extends, "potential": self.potential, "torque": self.torque}
        facts = {name: ", ".join(x) if isinstance(x, tuple) else x if isinstance(x, str) else
                 getattr(x, "__name__", type(x).__name__)
                 for name, x in texts.items() if x is not None}
        facts |= {name: ", ".join(f"{y:g}" for y in x) for name, x in self.parameters.items()}
        return facts | {"body": repr(self.body) if self.body else f"that of {self.extends or 'free'}"}

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}: {x}" for name, x in self._facts().items())
        return f"<Problem {self.name}, {facts}>"

    def _repr_html_(self) -> str:
        return html_table((f"Problem {self.name}", ""), *self._facts().items())


class Scheme:
    """A splitting scheme of your own: a palindrome of kicks and drifts by turns, over a flow.

    It begins and ends with the kind there is one more of.

    >>> own = Scheme(kick=(0.5, 0.5), drift=(1,), flow="exact")
    >>> a = System("heavy_top", own, step=0.01).run(steps=100)
    >>> b = System("heavy_top", "verlet+exact", step=0.01).run(steps=100)
    >>> bool((a.attitude == b.attitude).all())
    True
    """

    def __init__(self, *, kick: Sequence[float], drift: Sequence[float], flow: str = "exact",
                 order: int = 2, name: str = "own") -> None:
        self.kick = vector(kick, len(kick), "kick")
        self.drift = vector(drift, len(drift), "drift")
        check_method(flow)
        self.flow, self.name = flow, name
        self.order = whole(order, "order", 1, MOST_ORDER)
        if abs(len(self.kick) - len(self.drift)) != 1:
            raise ValueError("a scheme needs one kick more than drifts, or one drift more than kicks")
        for row, what in ((self.kick, "kick"), (self.drift, "drift")):
            if abs(math.fsum(row) - 1) > 1e-12:
                raise ValueError(f"the coefficients of {what} must add up to 1")
            if any(a != b for a, b in zip(row, reversed(row))):
                raise ValueError(f"the coefficients of {what} must be a palindrome")
        if name in names("scheme"):
            raise ValueError(f"{name} is a scheme of the library: choose another name")
        check_method(self)

    def _parts(self) -> tuple[Any, ...]:
        first, second = self.kick, self.drift
        if len(first) < len(second):
            first, second = second, first
        stages = [0.0] * (len(first) + len(second))
        stages[::2], stages[1::2] = first, second
        return (self.name, self.order, len(self.kick) > len(self.drift),
                tuple(stages[:(len(stages) + 1) // 2]), self.flow)

    def __repr__(self) -> str:
        return f"<Scheme {self.name}+{self.flow}>"


class Observable(NamedTuple):
    """What can be measured of a system: its value now, at the first step that was watched,
    and the largest deviation since."""

    value: Any
    start: Any
    error: float
    unit: str
    text: str
    conserved: bool


Observable.value.__doc__ = "The value now."
Observable.start.__doc__ = "The value at the first step that was watched."
Observable.error.__doc__ = "The largest deviation from `start` since then."
Observable.unit.__doc__ = "The unit of the value."
Observable.text.__doc__ = "What is measured, in words."
Observable.conserved.__doc__ = "Whether the exact motion conserves it."


# ---- names and numbers ---------------------------------------------------------------

def check_method(method: Any) -> None:
    """Whether there is such an integrator of a free body."""
    _make(_Recipe("free", method, 1.0, None, None, {}, 0))


def _chooses_steps(method: Any) -> bool:
    row = fact("method", method) if isinstance(method, str) else None
    return bool(row and row.get("adaptive"))


def _time_unit(problem: Any) -> float:
    """The unit of time of a problem, in seconds; 1 where the user chooses it."""
    facts = fact("problem", problem) if isinstance(problem, str) else None
    return (facts["time_unit"] if facts else 0.0) or 1.0


def _unit(problem: Any, name: str) -> str:
    """The unit in which a problem has a parameter or a part of its start; empty if it has none."""
    if name in ("velocity", "rotvec"):
        return "rad" if name == "rotvec" else "rad/t"
    of = getattr(problem, "extends", None) if isinstance(problem, Problem) else problem
    facts = fact("problem", of) if isinstance(of, str) else None
    units = [row["unit"] for row in (facts["parameters"] if facts else ()) if row["name"] == name]
    return units[0] if units else ""


def _numbers(value: Any, name: str, problem: Any) -> Any:
    """Finite numbers, one or many, as the library takes them. Texts may have units."""
    value = without_units(value, name, _unit(problem, name), _time_unit(problem))
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"{name} must be numbers, not text")
    if isinstance(value, (list, tuple)) and value and not hasattr(value[0], "__len__"):
        return vector(value, len(value), name)
    return (number(value, name),) if not hasattr(value, "__len__") else doubles(
        value, name, finite=True).copy()


# ---- progress -----------------------------------------------------------------------

def _hears(progress: bool | Callable[[float], Any], total: float) -> Any:
    """What a run tells how far it is: ten times a second at most."""
    if not progress or total <= 0:
        return None
    if callable(progress):
        return lambda done: progress(done / total) and None
    import time

    begun = time.monotonic()

    def show(done: float) -> None:
        part = done / total
        left = (time.monotonic() - begun) * (1 - part) / part if part > 0 else math.inf
        print(f"\r{100 * part:3.0f} %, {left:.0f} s left   ", end="", file=sys.stderr,
              flush=True)

    return show


def _end_progress(progress: Any, hears: Any) -> None:
    if hears is not None:
        if callable(progress):
            progress(1.0)
        else:
            print("\r100 %                ", file=sys.stderr)


# ---- the system ---------------------------------------------------------------------

DERIVATIVES = {"start": 1, "inertia": 2, "parameters": 4}


class _Recipe(NamedTuple):
    """All that a system is made of."""

    problem: str | Problem
    method: str | Scheme | None  # None: the one that is recommended
    step: float
    parameters: dict[str, Any] | None
    body: Body | None
    start: dict[str, Any]  # by the names of the settings of its kind
    options: int
    tolerance: float = 0.0  # of a method that chooses its steps; 0: the library's
    longest_step: float = 0.0  # the same
    derivatives: int = 0  # bits of DERIVATIVES


def _parts(x: Any, what: str) -> Any:
    if not isinstance(x, (str, Problem, Scheme)):
        raise TypeError(f"a {what} is a name or a polhode."
                        f"{'Problem' if what == 'problem' else 'Scheme'}, not {shown(x)}")
    if isinstance(x, str) and "\0" in x:
        raise ValueError(f"a {what} must not contain a null character")
    return x if isinstance(x, str) else x._parts()


def _make(r: _Recipe) -> _core.System:
    start: dict[str, Any] = {}
    later: dict[str, Any] = {}
    if r.body is not None:
        inertia, tensor = r.body._given
        if tensor is None:
            start["inertia"] = vector(inertia, 3, "inertia")
        else:
            x = doubles(tensor, "tensor")
            start["tensor"] = (x[0, 0], x[1, 1], x[2, 2], x[0, 1], x[0, 2], x[1, 2])
    for name, value in r.start.items():
        width, listed = _start_width(r.problem, name)
        x = doubles(value, name, finite=True) if listed else value
        if width and not listed and getattr(x, "ndim", 1) > 1:
            raise ValueError(f"{name} must be one vector, not an array of the shape {x.shape}")
        if listed and x.ndim < 2 and x.size == width:
            later[name] = x if width > 1 else x.reshape(())  # one for all
        elif listed and width > 1 and (x.ndim != 2 or x.shape[1] != width):
            raise ValueError(f"{name} must have the shape (n, {width}), not {x.shape}")
        else:
            start[name] = x
    core = _core.System(_parts(r.problem, "problem"),
                        None if r.method is None else _parts(r.method, "method"), r.step,
                        r.parameters, start, r.options, r.tolerance, r.longest_step,
                        r.derivatives)
    if later:
        _write(core, later)
    return core


def _may_find_step(method: str | Scheme) -> bool:
    """Whether the library finds a step for its default tolerance if a body is in a field."""
    return not isinstance(method, str) or "+" in method


def _step_settings(problem: Any, method: str | Scheme | None, step: Quantity | None,
                   tolerance: float | None,
                   longest_step: Quantity | None) -> tuple[float, float, float]:
    """The three numbers, 0 where none is given; what does not go together raises."""
    unit = _time_unit(problem)
    chooses = _chooses_steps(method)
    if step is not None and chooses:
        raise TypeError(f"{method} chooses its steps: give tolerance=, not step=")
    if (step is None and not chooses and tolerance is None and longest_step is None
            and method is not None and not _may_find_step(method)):
        raise TypeError("step= is missing: give the step")
    h = 0.0 if step is None else duration(step, "step", unit)
    if step is not None and h == 0:
        raise ValueError("step must not be zero")
    allowed_error = 0.0 if tolerance is None else number(tolerance, "tolerance")
    if tolerance is not None and allowed_error == 0:
        raise ValueError("tolerance must not be zero")
    longest = 0.0 if longest_step is None else duration(longest_step, "longest_step", unit)
    if longest_step is not None and not longest > 0:
        raise ValueError(f"longest_step must be positive, not {longest_step!r}")
    return h, allowed_error, longest


def _recommended(r: _Recipe, step_given: bool) -> str:
    """The method for a system of which none is given: what the library recommends with its
    parameters; without a step one that needs none, where there is one."""
    method = _make(r._replace(method=None, step=1.0, tolerance=0.0, longest_step=0.0,
                              derivatives=0)).method
    if step_given or _chooses_steps(method):
        return method
    try:
        return _make(r._replace(method=NO_STEP)).method
    except ValueError:
        raise TypeError(f"step= is missing: give the step, because the recommended method "
                        f"{method} has fixed steps") from None


def _check_tables(problem: str | Problem, parameters: dict[str, Any]) -> None:
    facts = fact("problem", problem) if isinstance(problem, str) else None
    for name, *_ in facts["tables"] if facts else ():
        if name in parameters:
            shape = getattr(doubles(parameters[name], name), "shape")
            if len(shape) != 2 or shape[1] != 4:
                raise ValueError(f"{name} must have the shape (n, 4), rows t, x, y, z, not "
                                 f"{shape}")


def _start_width(problem: Any, name: str) -> tuple[int, bool]:
    """The numbers of an entry in the start of a problem, 0 if it has none of that name; and
    whether there is a list of them."""
    facts = fact("problem", problem if isinstance(problem, str) else "free")
    for start, width, listed in facts["start"] if facts else ():
        if start == name:
            return width, listed
    return 0, False


def _write(core: _core.System, values: dict[str, Any]) -> None:
    """Writes fields; a system that cannot be so stays as it was."""
    import numpy as np

    table = {f["name"]: f for f in core.fields()}
    copies = {}  # of all before the first is written: they may be views of the system
    for name, value in values.items():
        f = table[name]
        shape = (f["count"], f["width"]) if f["list"] else (f["width"],)
        if f["width"] == 1:
            shape = (f["count"],)
        x = doubles(value, name, finite=True)
        try:
            copies[name] = np.array(np.broadcast_to(x, shape), order="C")
        except ValueError:
            raise ValueError(f"{name} must have the shape {shape}, not {x.shape}") from None
    before = core.save(None)
    try:
        for name, x in copies.items():
            core.write(name, x)
        core.changed()
    except Exception:
        if not any(table[name]["constant"] for name in values):
            core.restore(before)
        raise


class System:
    """A problem and an integrator, with state and time.

    `problem` is a name of `problems()` or a `Problem`, `method` a name (`flow`,
    `scheme+flow`, `method`) or a `Scheme`. Without a method it is the one that the library
    recommends for the problem and its parameters; without a step as well it is `gbs`, which
    needs none, where that applies. The start is the problem's own unless told by arrays with
    the names that `problems()` lists as `start`: of one body `attitude`, `velocity` or
    `momentum`, `inertia` or `tensor`. With `watch` the observables are measured after every step, with `plain` a free
    body carries no low-order parts along.

    Methods that choose their steps (`gbs`, `gauss16`, `dop853`) take a `tolerance` in place of
    the step, the error allowed in one of them (1e-10), and go to any time. None is longer than
    `longest_step`; where the torque may depend on time this is 1/32 of the run unless told.

    A splitting takes a `tolerance`, too: its step is found before the run, and then constant.
    `step` is then a whole number of these, as is the time from `run` to `run(until=)`. Where the
    torque changes at times that are known, as in the rows of a table, each part between them has
    a step of its own. Without step and tolerance a splitting in a field has the tolerance 1e-10.

    With `derivatives`, any of "start", "inertia", "parameters", the derivatives of the state are
    computed beside it.

    >>> system = System("heavy_top", "s6_10+exact", step=0.01, parameters={"strength": 2.0})
    >>> system.run(until=10.0).time
    10.0
    >>> System("satellite", "aba10_6_4+exact", tolerance=1e-9).run(until=10).steps < 200
    True
    >>> system = System("heavy_top", "s6_10+exact", step=0.01, derivatives=("parameters",))
    >>> system.run(until=1.0).derivatives.columns[0]
    'strength'
    >>> System("heavy_top", "gbs", tolerance=1e-12).run(until=3.21, event="R33 < 0").met
    True
    """

    __slots__ = {"_core": None, "_recipe": None, "_begun": None, "_runs": None, "_shown": None,
                 "met": "Whether the last run ended at its event.", "__weakref__": None}

    def __init__(self, problem: str | Problem, method: str | Scheme | None = None,
                 step: Quantity | None = None, *,
                 parameters: dict[str, Any] | None = None,
                 inertia: Sequence[float] | None = None, tensor: ArrayLike | None = None,
                 attitude: Sequence[float] | None = None,
                 velocity: Sequence[Quantity] | None = None,
                 momentum: Sequence[float] | None = None,
                 tolerance: float | None = None, longest_step: Quantity | None = None,
                 derivatives: Sequence[str] = (), watch: bool = False, plain: bool = False,
                 **start: ArrayLike) -> None:
        h, allowed_error, longest = _step_settings(problem, method, step, tolerance, longest_step)
        if isinstance(problem, Problem) and parameters and not problem.text:
            raise TypeError("parameters= can be used only with a problem of the library or of texts: "
                            "a function of your own uses its own variables")
        all_given: dict[str, Any] = {**start, "attitude": attitude, "velocity": velocity,
                                     "momentum": momentum}
        values = {name: _numbers(x, name, problem) for name, x in all_given.items() if x is not None}
        body = None
        if inertia is not None or tensor is not None:
            body = body_quietly(inertia, tensor)
        given = {name: _numbers(x, name, problem) for name, x in (parameters or {}).items()}
        _check_tables(problem, given)
        asked = (derivatives,) if isinstance(derivatives, str) else tuple(derivatives)
        for name in asked:
            if name not in DERIVATIVES:
                raise ValueError(f"derivatives must be among {', '.join(DERIVATIVES)}, not "
                                 f"{shown(name)}")
        recipe = _Recipe(problem, method, h, given or None, body, values,
                         _core.PLAIN * bool(plain), allowed_error, longest,
                         sum(DERIVATIVES[name] for name in set(asked)))
        if method is None:
            recipe = recipe._replace(method=_recommended(recipe, step is not None))
            if step is not None and _chooses_steps(recipe.method):
                raise TypeError(f"the recommended method {recipe.method} chooses its steps: "
                                "remove step=, or name a method")
        self._take(None, recipe)
        if step is None and not self.adaptive and tolerance is None:
            if self.step == 0:
                raise TypeError("step= is missing: give the step")
            self._recipe: _Recipe | None = recipe._replace(tolerance=DEFAULT_TOLERANCE)
        for text in self._core.warnings:
            import warnings

            warnings.warn(text, stacklevel=2)
        if watch:
            self._core.watch(True)

    def _take(self, core: Any, recipe: _Recipe | None) -> None:
        self._core = _make(recipe) if core is None and recipe else core
        self._recipe = recipe
        self.met = False
        self._start_here()
        self._shown = {f["name"]: f for f in self._core.fields() if f["shown"]}

    def _start_here(self) -> None:
        """From here on the rows of `write` are; and the runs that make them, (steps, time, event),
        of which one of the first two counts."""
        self._begun = self._core.save(None)
        self._runs: list[tuple[int, float, Any]] | None = []

    @contextlib.contextmanager
    def _running(self, time: float = math.nan, event: Any = None) -> Iterator[None]:
        """Takes note of a run to a time, or of the steps it took, however it ends."""
        before = self.steps, self.time
        try:
            yield
        finally:
            steps = self.steps - before[0]
            if self._runs is not None and (self.steps, self.time) != before:
                if math.isnan(time) and self._runs and math.isnan(self._runs[-1][1]):
                    steps += self._runs.pop()[0]
                self._runs.append((steps, time, event))

    def _again(self, snapshot: bytes) -> System:
        """Another system of the same parts, as a snapshot of this one tells it."""
        other = System.__new__(System)
        if self._recipe is None:
            other._take(_core.System.open(snapshot), None)
        else:
            core = _make(self._recipe)
            core.restore(snapshot)
            other._take(core, self._recipe)
        return other

    # -- running

    def run(self, steps: int | None = None, until: Quantity | None = None, *,
            event: str | Callable[..., float] | None = None,
            epoch: str | datetime.datetime | None = None,
            progress: bool | Callable[[float], Any] = False,
            companion: bool = True) -> System:
        """Takes steps, or goes to a time that is a whole number of steps away, or any if the
        method chooses its steps; returns the system. A step that fails raises RunError and
        leaves the last good state; so do Ctrl-C and an exception in a function of yours.

        With an `event` the run to a time ends where that becomes true, found to 1e-12 of a
        step, and `met` tells whether it did: a condition such as "R33 < 0", or a function
        `event(t, q, m)` that becomes positive. With `epoch`, the date of t = 0, the condition may
        have the direction `sun`.

        `progress=True` shows how far it is, on standard error; or a function of the part done.

        A run to a tolerance from the start of the system has a companion to a tenth of the
        tolerance, and warns if the attitude is off by more than 20 tolerances for each turn
        before the end. `companion=False` leaves it out; a torque that is a function of
        Python has none.
        """
        if (steps is None) == (until is None):
            raise TypeError("give exactly one of steps= and until=")
        self.met = False
        if event is not None and until is None:
            raise TypeError("event= needs until=, the time at which a run without the event ends")
        if isinstance(event, str) and "\0" in event:
            raise ValueError("event must not contain a null character")
        if event is not None and not {"attitude", "momentum", "velocity"} <= self._shown.keys():
            raise TypeError(f"an event needs a system of one body, not {self.kind}")
        if epoch is not None:
            self._core.set_epoch(files.days_from_j2000(epoch))
        if event is not None or (steps is None and self._any_time()):
            return self._run_to(self._duration(until, "until"), event, progress,
                                self._companion() if companion and event is None else None)
        if steps is None:
            steps = self._steps_to(self._duration(until, "until"))
        steps = whole(steps, "steps", 0, MOST_STEPS)
        hears = _hears(progress, steps)
        with self._running():
            self._core.run(steps, hears)
        _end_progress(progress, hears)
        return self

    def _duration(self, value: Any, name: str) -> float:
        return duration(value, name, _time_unit(self._core.problem))

    def _run_to(self, time: float, event: Any, progress: Any, companion: Any) -> System:
        if not self._any_time():
            self._steps_to(time)
        hears = _hears(progress, abs(time - self.time))
        with self._running(time, event):
            self.met, held = self._core.run_to(time, event, hears, companion)
        _end_progress(progress, hears)
        if held is not None:
            import warnings

            warnings.warn(held, stacklevel=3)
        return self

    def events(self, condition: Any, until: Quantity, *,
               epoch: str | datetime.datetime | None = None,
               progress: bool | Callable[[float], Any] = False) -> np.recarray[Any, Any]:
        """Runs to a time, as `run` does, and returns all windows in which a condition holds, as
        records with `event`, `enter`, `leave`, `extremum_time` and `extremum`.

        The condition is one as in `run(event=)`, a list of them, or a dictionary whose keys name
        them. `extremum` is that of the left minus the right side, or of a function. A window that
        holds at the start or at the end of the run begins or ends there. With `epoch`, the date of
        t = 0, `sun` is the direction to the Sun.

        >>> top = System("heavy_top", "s6_10+exact", step=0.01)
        >>> top.events({"down": "angle([0,0,1], [0,0,-1]) < 85deg"}, until=5).enter.round(6)
        array([1.288892])
        """
        if isinstance(condition, dict):
            names, conditions = list(condition), tuple(condition.values())
        else:
            conditions = tuple(condition) if isinstance(condition, (list, tuple)) else (condition,)
            names = [c if isinstance(c, str) else getattr(c, "__name__", "event")
                     for c in conditions]
        for c in conditions:
            if isinstance(c, str) and "\0" in c:
                raise ValueError("condition must not contain a null character")
            if not isinstance(c, str) and not callable(c):
                raise TypeError(f"a condition must be a text or a function, not {shown(c)}")
        if not {"attitude", "momentum", "velocity"} <= self._shown.keys():
            raise TypeError(f"an event needs a system of one body, not {self.kind}")
        time = self._duration(until, "until")
        if not self._any_time():
            self._steps_to(time)
        if epoch is not None:
            self._core.set_epoch(files.days_from_j2000(epoch))
        hears = _hears(progress, abs(time - self.time))
        with self._running(time):
            found = self._core.events(time, conditions, hears)
        _end_progress(progress, hears)
        return window_rows(found, "event", [str(name) for name in names] or [""])

    def _companion(self) -> _core.System | None:
        """A system that starts as this one, to another tolerance; or None."""
        r = self._recipe
        if r is None or not self.adaptive or self.steps > 0 or (
                isinstance(r.problem, Problem) and not (r.problem.text and r.problem.law is None)):
            return None
        smaller = COMPANION * self.tolerance
        other = _make(r._replace(
            method="gbs" if r.method == "dop853" else r.method,
            tolerance=smaller if smaller >= LEAST_TOLERANCE else self.tolerance / COMPANION))
        _write(other, {name: self.view(name).copy() for name, f in self._shown.items()
                       if not f["derived"]})
        return other if other.time == self.time else None

    def _any_time(self) -> bool:
        """Whether a run goes to any time: in steps that are chosen, or were found for a tolerance
        and can be shorter."""
        return self.adaptive or (self._recipe is not None and self._recipe.tolerance > 0)

    def _in_parts(self) -> bool:
        """Whether a run is divided at the times at which the torque or the wheels change."""
        parts = {f["name"] for f in self._core.fields()}
        return "parts" in parts and self.view("parts")[3] == 0

    def _steps_away(self, time: float) -> float:
        steps = (time - self.time) / self.step
        if not abs(steps) < MOST_STEPS:
            raise ValueError(f"{time:.10g} is {steps:.3g} steps away: a run can have at most "
                             f"{MOST_STEPS}")
        return steps

    def _steps_to(self, time: float) -> int:
        now, h = self.time, self.step
        exactly = self._steps_away(time)
        steps = round(exactly)
        if not abs(exactly - steps) <= SAME_TIME * max(1.0, abs(exactly)):
            low = math.floor(exactly)
            raise ValueError(f"until={time:.10g} is not a whole number of steps of {h:.10g} from "
                             f"t = {now:.10g}: use {now + low * h:.10g} or "
                             f"{now + (low + 1) * h:.10g}")
        if steps < 0:
            raise ValueError(f"until={time:.10g} is before t = {now:.10g}: a step of "
                             f"{h:.10g} leads away from it")
        return steps

    def sample(self, times: ArrayLike, *, advance: bool = False,
               progress: bool | Callable[[float], Any] = False) -> NDArray[Any]:
        """The rows at any times, in any order: a structured array with `time`, every field
        that is shown, and `energy`.

        A time between two steps is reached by a step of its own from the last one, or to the
        method's full order if it chooses its steps, so that asking changes nothing; the system
        stays where it is. Times between its start and now
        are those of the run it made, computed anew; times before the start are reached by
        steps back. With `advance` the system itself goes on to the last step before the last
        time, which must not lie behind.

        >>> rows = System("heavy_top", "s6_10+exact", step=0.01).sample([0.5, 0.123])
        >>> rows["attitude"].shape, rows.dtype.names
        ((2, 4), ('time', 'attitude', 'momentum', 'velocity', 'energy'))
        """
        import numpy as np

        t = doubles(times, "times", finite=True)
        rows = np.empty(t.size, self.dtype)
        forward = math.copysign(1.0, self.step)
        flat = t.ravel()
        now = self.time
        same = SAME_TIME * abs(self.step) + ROUND_OFF * abs(now)
        behind = forward * (flat - now) < -same
        if advance and behind.any():
            raise ValueError(f"a time is before t = {now:.10g}, the time of the system: use later times")
        ahead = self if advance else None
        todo = [(ahead or self._again(self._core.save(None)), ~behind)] if (~behind).any() else []
        if behind.any():
            start = self._again(self._begun)
            before = forward * (flat - start.time) < -same
            if (behind & ~before).any():
                todo.append((start, behind & ~before))
            if before.any():
                back = self._again(self._begun)
                back._core.set_step(-self.step)
                todo.append((back, before))
        for system, where in todo:
            system._sample(np.flatnonzero(where), flat, rows, progress)
        return rows.reshape(t.shape) if t.ndim else rows[0]

    def _sample(self, which: NDArray[Any], times: Array, rows: NDArray[Any],
                progress: Any) -> None:
        import numpy as np

        h = self.step
        to_time = self.adaptive or self._in_parts()
        order = which[np.argsort(times[which] * math.copysign(1.0, h), kind="stable")]
        t = np.ascontiguousarray(times[order])
        found = np.empty(len(t), rows.dtype)
        steps = 0
        if not to_time:
            steps = max(0, math.floor(self._steps_away(float(t[-1])) + SAME_TIME))
        hears = _hears(progress, max(steps, len(t)))
        with self._running(float(t[-1]) if to_time else math.nan):
            self._core.sample(t, found.view(np.float64), steps, hears)
        _end_progress(progress, hears)
        rows[order] = found

    # -- what it holds

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a row of `sample`."""
        import numpy as np

        columns: list[Any] = [("time", "f8")]
        for f in self._shown.values():
            shape = (f["count"], f["width"]) if f["list"] else (f["width"],)
            columns.append((f["name"], "f8", shape))
        return np.dtype([*columns, ("energy", "f8")])

    @property
    def time(self) -> float:
        """The time: the number of steps times the step."""
        return self._core.time

    @property
    def steps(self) -> int:
        """The steps taken so far."""
        return self._core.steps

    @property
    def step(self) -> float:
        """The step; may be changed between runs."""
        return self._core.step

    @step.setter
    def step(self, value: float) -> None:
        h = self._duration(value, "step")
        if self.adaptive:
            raise TypeError(f"{self.method} chooses its steps: the step cannot be set")
        if h == 0:
            raise ValueError("step must not be zero")
        self._core.set_step(h)
        if self._recipe is not None and not self.adaptive:
            self._recipe = self._recipe._replace(step=h, tolerance=0.0)
        self._start_here()

    @property
    def adaptive(self) -> bool:
        """Whether the method chooses its steps."""
        return _chooses_steps(self.method)

    @property
    def derivatives(self) -> Derivatives:
        """The derivatives of the state by what the system was made with."""
        import numpy as np

        rows = self._core.derivatives()
        if not rows:
            raise TypeError("this system was made without derivatives: give "
                            "derivatives=(\"start\", ...)")
        names, *parts = zip(*rows)
        d = Derivatives(np.array(self.time), names)
        d.attitude, d.momentum, d.velocity = (np.array(part).T for part in parts)
        return d

    def event_derivatives(self, event: str | Callable[..., float]) -> Any:
        """How the time of an event, at which `run(until, event=event)` ended, changes with each
        column of `derivatives`. A parameter that stands in the event is a constant there.

        >>> top = System("heavy_top", "gbs", tolerance=1e-12, derivatives="start")
        >>> top.run(until=3.21, event="R33 < 0").event_derivatives("R33 < 0").shape
        (6,)
        """
        import numpy as np

        if not self.derivatives.columns or not self.met:
            raise ValueError("no run has ended at this event: call run(until=..., event=...) first")
        return np.array(self._core.event_derivatives(event))

    @property
    def tolerance(self) -> float:
        """The error allowed per turn, of a method that chooses its steps; or that for which
        the step was found."""
        if not self.adaptive and self._recipe is not None and self._recipe.tolerance:
            return self._recipe.tolerance
        if not self.adaptive:
            raise AttributeError(f"{self.method} has fixed steps and no tolerance")
        return float(self.view("tolerance")[0])

    @property
    def longest_step(self) -> float:
        """The longest step that is allowed, of a method that chooses them; 0: the default."""
        return float(self.view("longest_step")[0]) if "longest_step" in self.fields else 0.0

    @property
    def energy(self) -> float:
        """Kinetic and potential energy."""
        return self._core.energy

    @property
    def kind(self) -> str:
        """The kind of system, the `space` of its problem in `problems()`."""
        return self._core.kind

    @property
    def problem(self) -> str:
        """The name of the problem."""
        return self._core.problem

    @property
    def method(self) -> str:
        """The name of the integrator."""
        return self._core.method

    @property
    def evaluations(self) -> int:
        """How often forces or torques were computed."""
        return self._core.evaluations

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the problem."""
        return self._core.parameters()

    @property
    def fields(self) -> dict[str, dict[str, Any]]:
        """What the system holds: of each array its unit, text, columns and use."""
        return {f["name"]: f for f in self._core.fields()}

    @property
    def observables(self) -> dict[str, Observable]:
        """What can be measured; `start` and `error` are of the steps that were watched."""
        def one(x: tuple[float, ...]) -> Any:
            return x[0] if len(x) == 1 else x

        return {o["name"]: Observable(one(o["value"]), one(o["start"]), o["error"], o["unit"],
                                      o["text"], o["conserved"])
                for o in self._core.observables()}

    def watch(self, on: bool = True) -> None:
        """From now on the observables are measured after every step, or not."""
        self._core.watch(on)

    @property
    def energy_record(self) -> dict[str, float]:
        """The energy as it was watched: initial, final, max_error, slope."""
        return dict(zip(("initial", "final", "max_error", "slope"),
                        self._core.energy_record()))

    def view(self, field: str) -> Array:
        """A field as an array in the memory of the system: read-only, and it changes as the
        system does. `system.attitude` and the like are copies."""
        import numpy as np

        return np.asarray(self._core.view(field))

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_") or name not in self._shown:
            raise AttributeError(f"a system has no {name!r}")
        return self.view(name).copy()

    @property
    def attitude(self) -> Array:
        """The attitude of one body: scalar first, body to space."""
        return self.__getattr__("attitude")

    @property
    def momentum(self) -> Array:
        """The angular momentum of one body, in its frame."""
        return self.__getattr__("momentum")

    @property
    def velocity(self) -> Array:
        """The angular velocity of one body, in its frame."""
        return self.__getattr__("velocity")

    def set(self, **values: ArrayLike) -> None:
        """Writes fields of the state, such as `attitude`, and of a body also `velocity`. What
        cannot be a state is refused, and the old one stays.

        >>> system = System("free", "exact", step=0.1)
        >>> system.set(momentum=(0, 0, 1))
        >>> system.momentum
        array([0., 0., 1.])
        """
        values = dict(values)
        if "velocity" in values and self._shown.get("velocity", {}).get("derived"):
            if "momentum" in values:
                raise TypeError("give velocity= or momentum=, not both")
            values["momentum"] = self._core.momentum_of(
                vector(without_units(values.pop("velocity"), "velocity", "rad/t"), 3, "velocity"))
        for name in values:
            f = self._shown.get(name)
            if f is None or f["derived"]:
                able = [n for n, g in self._shown.items() if not g["derived"]]
                raise ValueError(f"{name} cannot be set: set one of {', '.join(able)}")
        _write(self._core, values)
        self._start_here()

    # -- copies and files

    def copy(self) -> System:
        """A system that goes on from here by itself, with the same bits."""
        other = self._again(self._core.save(None))
        other._begun = self._begun
        other._runs = None if self._runs is None else list(self._runs)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> System:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        runs = self._runs
        if any(event is not None and not isinstance(event, str) for *_, event in runs or ()):
            runs = None  # functions may not be pickled
        return _unpickle, (self._recipe, self._core.save(None), self._begun, runs)

    def _note(self) -> str:
        """What `polhode resume` and `load` want to know."""
        import json

        note: dict[str, Any] = {"problem": self.problem, "method": self.method}
        if self._recipe is not None:
            r = self._recipe
            inertia, tensor = r.body._given if r.body else (None, None)
            parameters = r.parameters and {name: [*map(float, doubles(x, name).ravel())]
                                           for name, x in r.parameters.items()}
            note |= {"parameters": parameters, "options": r.options,
                     "derivatives": r.derivatives,
                     "inertia": None if inertia is None else list(map(float, inertia)),
                     "tensor": None if tensor is None else doubles(tensor, "tensor").tolist()}
        # What the tool resumes from: a run that wrote no rows.
        run = {"run": 1, "every": "1", "out": None, "rows_in": None, "hash": "0", "bytes": 0,
               "rows": 0, "seconds": 0.0, "checkpoint_seconds": 60.0, "checkpoint_steps": "0",
               "until": None, "file": None, "file_sum": "0",
               "show": {"columns": None, "degrees": False, "epoch": None, "frames": []}}
        steps, h = self.steps, self.step
        if self.adaptive:
            note |= run | {"tolerance": self.tolerance, "longest_step": self.longest_step,
                           "step": 0.0, "time": self.time, "steps": str(2**64 - 1),
                           "complete": True}
        elif abs(self.time - steps * h) <= SAME_TIME * abs(h):
            note |= run | {"step": h, "time": self.time, "steps": str(steps)}
        return json.dumps(note)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a snapshot, from which `load` and `polhode resume` go on with the same bits.
        It takes its place at once: an older file stays until the new one is whole."""
        files.replace(path, lambda file: file.write(self._core.save(self._note())))

    def _history(self) -> NDArray[Any]:
        """The rows of the run from its start to now: at the start and after every step."""
        import numpy as np

        if self._runs is None:
            raise ValueError("the rows of this system cannot be computed again, because a run had a "
                             "function as an event: give times=")
        again, now, parts = self._again(self._begun), self.steps, []
        for n, (steps, time, event) in enumerate(self._runs or [(0, math.nan, None)]):
            rows = np.frombuffer(again._core.rows(steps, time, event, now), self.dtype)
            parts.append(rows[1:] if n > 0 else rows)
        return np.concatenate(parts)

    def _frames(self, times: ArrayLike | None) -> Iterator[bytes]:
        """The same as snapshots, of a system that takes steps of one length; or at times, which
        must ascend from the start of the run on."""
        again = self._again(self._begun)
        h = again.step
        if times is None:
            yield again._core.save(None)
            for _ in range(self.steps - again.steps):
                again._core.run(1, None)
                yield again._core.save(None)
            return
        for t in doubles(times, "times", finite=True).ravel().tolist():
            away = again._steps_away(t)
            if away < -SAME_TIME:
                raise ValueError(f"t = {t:.10g} is out of order, or before the start: sort the "
                                 "times")
            again._core.run(math.floor(away + SAME_TIME), None)
            there, rest = again, t - again.time
            if abs(rest) > SAME_TIME * abs(h):
                there = self._again(again._core.save(None))
                there._core.set_step(rest)
                there._core.run(1, None)
            yield there._core.save(None)

    def write(self, path: str | os.PathLike[str], times: ArrayLike | None = None, *,
              object_name: str | None = None, object_id: str | None = None,
              epoch: str | datetime.datetime | None = None,
              version: str | None = None) -> None:
        """Writes rows to a file, in the format that its name ends in: csv, npy, npz, xyz, h5, aem
        or glb, with the columns of `polhode run --out`.

        The rows are those of `sample(times)`. Without times they are those of the run so far:
        the start, and the end of every step that was taken since the system was made, or its
        state or step were last set. Rows are not kept as the system runs: they are computed
        anew, by a copy that makes the same run, which takes as long again.

        The package itself writes csv, npy, npz and aem. The command-line tool writes the others: it
        must be beside this Python or on the PATH, or POLHODE_TOOL in the environment names it.
        `epoch`, the date of t = 0, `object_name`, `object_id` and `version` ("1.0" or "2.0") are
        for aem. An older file stays until the new one is whole.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "top.csv")
        >>> System("heavy_top", "vlv", step=0.01).run(steps=100).write(path)
        >>> sum(1 for line in open(path))
        102
        """
        fields = self.fields
        constants = {name: self.view(name) for name, f in fields.items() if f["constant"]}
        many = any(f["list"] for f in self._shown.values())
        files.write(path, fields, lambda: self._history() if times is None else
                    self.sample(times).reshape(-1), constants,
                    frames=(lambda: self._frames(times)) if many else None,
                    object_name=object_name, object_id=object_id, epoch=epoch, version=version,
                    method=self.method)

    def animate(self, until: float | None = None, *, frames: int = 400) -> Animation:
        """The moving body, for a notebook, from here to `until`, by default three turns; the
        system stays where it is. Of systems of one body.

        >>> System("heavy_top", "s6_10+exact", step=0.01).animate(5.0)
        <Animation of heavy_top by s6_10+exact, 400 frames>
        """
        import numpy as np

        from .animations import animation_of, times_of

        if "velocity" not in (self.dtype.names or ()) or "moments" not in self.fields:
            raise ValueError(f"{self.problem} is not a problem of one body: use polhode.page(system)")
        rate = float(np.linalg.norm(self.view("velocity")))
        rows = self.sample(times_of(until, frames, self.time, rate))
        body = SimpleNamespace(moments=self.view("moments").ravel(), axes=self.view("axes").ravel())
        return animation_of(body, rows["time"], rows["attitude"], rows["momentum"], rows["velocity"],
                            f"{self.problem} by {self.method}")

    def _repr_html_(self) -> str:
        from html import escape

        from .animations import still

        picture = still(self.animate(frames=2)) if "moments" in self.fields else ""
        return f"<p>{escape(repr(self))}</p>{picture}"

    def __repr__(self) -> str:
        return f"<System {self.problem} by {self.method}, t = {self.time:.10g}>"


def _unpickle(recipe: _Recipe | None, snapshot: bytes, begun: bytes,
              runs: list[tuple[int, float, Any]] | None = None) -> System:
    system = System.__new__(System)
    if recipe is None:
        system._take(_core.System.open(snapshot), None)
    else:
        core = _make(recipe)
        core.restore(snapshot)
        system._take(core, recipe)
    system._begun, system._runs = begun, runs
    return system


def _recipe_of_note(text: str, problem: Problem | None, method: Scheme | None) -> _Recipe:
    """The recipe that a note tells, which comes from a file and may hold anything."""
    import json

    note = json.loads(text)
    if not isinstance(note, dict):
        raise TypeError("it does not contain names")
    parameters = note.get("parameters")
    if not isinstance(parameters, dict | None):
        raise TypeError("its parameters do not have names")
    body = None
    if note.get("inertia") or note.get("tensor"):
        body = body_quietly(note.get("inertia"), note.get("tensor"))
    return _Recipe(problem or str(note.get("problem", "")),
                   method or str(note.get("method", "")), 1.0, parameters, body, {},
                   whole(note.get("options", 0), "options", 0, _core.PLAIN),
                   number(note.get("tolerance", 0.0), "tolerance"),
                   number(note.get("longest_step", 0.0), "longest_step"),
                   whole(note.get("derivatives", 0), "derivatives", 0, 7))


def load(path: str | os.PathLike[str], *, problem: Problem | None = None,
         method: Scheme | None = None) -> System:
    """The system of a snapshot, written by `System.save` or `polhode run --checkpoint`. A
    problem or scheme of your own is not in it: give it again.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "top.snapshot")
    >>> System("heavy_top", "vlv", step=0.01).run(steps=100).save(path)
    >>> load(path).run(steps=100).time
    2.0
    """
    with open(path, "rb") as file:
        snapshot = file.read()
    system = System.__new__(System)
    if problem is None and method is None:
        try:
            system._take(_core.System.open(snapshot), None)
        except ValueError as error:
            if isinstance(error, _core.SnapshotError) or "the name is unknown" not in str(error):
                raise
            raise _core.SnapshotError(
                f"{os.fspath(path)} uses a problem or scheme that is not in the library: give "
                "it as problem= or method=") from None
        return system
    try:
        recipe = _recipe_of_note(_core.note(snapshot) or "{}", problem, method)
    except (TypeError, ValueError, RecursionError) as error:
        raise _core.SnapshotError(f"the note in {os.fspath(path)} does not describe a system: "
                                  f"{error}") from None
    core = _make(recipe)
    core.restore(snapshot)
    system._take(core, recipe)
    return system
