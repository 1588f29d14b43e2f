"""Comparing and checking integrators; tables."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core
from .files import find_tool
from .systems import Problem, Scheme, System, check_method
from .tables import Table
from .values import MOST_STEPS, number, whole


def bits(steps: int = 10000) -> str:
    """The checksum over everything the library computes, that of `polhode bits`: the same on every
    machine and in every package, for the same steps.

    >>> bits(100) == bits(100)
    True
    """
    return f"{_core.bits(whole(steps, 'steps', 1, MOST_STEPS)):016x}"


def _fields(system: System) -> dict[str, tuple[bool, Any]]:
    """The fields that are compared: whether each is a place, and its values."""
    return {name: (f["place"], system.view(name).copy()) for name, f in system.fields.items()
            if f["shown"] and not f["derived"]}


def _errors(system: System, right: dict[str, Any]) -> dict[str, float]:
    import numpy as np

    speed, place, absolute, _ = system._core.comparison()
    errors = {"error": 0.0, f"error_{speed}": 0.0, f"error_{place}": 0.0}
    for name, (is_place, x) in _fields(system).items():
        error, size = np.linalg.norm(x - right[name]), np.linalg.norm(right[name])
        if not (is_place and absolute) and size > 0:
            error /= size
        for key in ("error", f"error_{place if is_place else speed}"):
            errors[key] = max(errors[key], float(error))
    return errors


def _reference(first: System, step: float, T: float, start: dict[str, Any],
               problem: str | Problem) -> dict[str, Any]:
    """The fields at the end of a run of a method of high order, with an eighth of the step or
    less."""
    *_, method = first._core.comparison()
    most = 64  # steps in a unit of time
    steps = max(8 * round(abs(T / step)), math.ceil(most * abs(T)), 1)
    system = System(problem, method, T / steps, **start).run(steps=steps if T else 0)
    return {name: x for name, (_, x) in _fields(system).items()}


def compare(problem: str | Problem, methods: Iterable[str | Scheme], steps: Iterable[float],
            time: float, **start: Any) -> Table:
    """Work and precision: for every method and step the errors at a time of speeds and of
    places and the larger of them, the forces or torques computed (kicks) and the seconds.

    Columns are those of `polhode compare`: of a body error_momentum, |m - m*|/|m*|, and
    error_attitude, |q - q*|. The reference is a run of high order with an eighth of the smallest
    step or less, below whose own error nothing can be told. A run that fails has errors of None. The start and the
    parameters are those of `System`.

    >>> table = compare("heavy_top", ["vlv", "s6_10+exact"], [0.1, 0.05], 1.0)
    >>> [row["steps"] for row in table]
    [10, 20, 10, 20]
    """
    T = number(time, "time")
    methods, lengths = list(methods), [number(h, "a step") for h in steps]
    if not methods or not lengths:
        raise ValueError("compare needs at least one method and one step: give both")
    first = System(problem, methods[0], lengths[0], **start)
    right = _reference(first, min(lengths, key=abs), T, start, problem)
    speed, place, *_ = first._core.comparison()
    table = Table()
    for method in methods:
        for h in lengths:
            system = System(problem, method, h, **start)
            row: dict[str, Any] = {"method": system.method, "step": h,
                                   "steps": system._steps_to(T), "error": None,
                                   f"error_{speed}": None, f"error_{place}": None}
            begun = clock.perf_counter()
            try:
                system.run(until=T)
                seconds = clock.perf_counter() - begun
                row |= _errors(system, right)
            except _core.RunError:
                seconds = None
            row |= {"kicks": system.evaluations, "seconds": seconds}
            table.append(row)
    return table


def check(*methods: str | Scheme, quick: bool = False) -> Table:
    """What integrators keep, measured: order, symmetry, invariants, structure, drift. In a
    field and, with `free_` before the name, of the free body; None: it cannot tell, or does
    not apply. `docs/check.md` defines the words.

    `quick` does a hundredth of the steps: what drifts slowly, or not at all, is then not
    decided, and its energy None.

    >>> row = check("vlv", quick=True)[0]
    >>> row["order"], row["symplectic"]
    (2, True)
    """
    table = Table()
    kept = ("energy", "momentum", "symmetric", "symplectic")
    for method in methods:
        check_method(method)
        sheet = _core.sheet(method if isinstance(method, str) else method._parts(), quick)
        row: dict[str, Any] = {
            "name": method if isinstance(method, str) else f"{method.name}+{method.flow}",
            "order": None if sheet["order"] is None else round(sheet["order"]),
            "exact": sheet["exact"]}
        for where, before in (("field", ""), ("free", "free_")):
            found = sheet[where]
            row |= {before + k: found[k] if found else None for k in kept}
        field = sheet["field"] or sheet["free"]
        row |= {"symplectic_defect": field["symplectic_defect"], "drift": sheet["drift"],
                "stable_step": sheet["stable_step"], "torques": sheet["torques"]}
        table.append(row)
    return table


def _need_tool(tool: str, what: str) -> str:
    found = find_tool(tool)
    if found is None:
        raise FileNotFoundError(
            f"{tool} was not found, the command-line tool that {what} runs: install it with "
            "`make install`, or give its path as tool=")
    return found


def reproduce(*names: str, out: str, quick: bool = True, tool: str = "polhode") -> str:
    """Computes figures and tables of the papers anew, into a folder; returns its index.html.

    The figures are part of the command-line tool, not of the library: this runs
    `polhode reproduce`, found as `tool`, and raises where there is none.
    """
    import os
    import subprocess

    words: Sequence[str] = [_need_tool(tool, "reproduce"), "reproduce", *names, "--out", out]
    done = subprocess.run([*words, "--quick"] if quick else words, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or "polhode reproduce failed")
    return os.path.join(out, "index.html")


_RESULTS = ("case", "t", "q0", "q1", "q2", "q3", "w1", "w2", "w3", "h")


def grade(results: str | Iterable[Sequence[Any]] | dict[str, Sequence[Any]],
          case: str | Iterable[str] | None = None, tool: str = "polhode", *,
          precision: str = "double") -> dict[str, Any]:
    """Grades results on the test of rotation, as `polhode grade` does; returns its JSON.

    `results` is the path of a CSV file, rows (case, t, q0, q1, q2, q3, w1, w2, w3), with the step h
    after them if there is one, or columns by these names. `case` restricts the grading to one case, or
    to several; "missing" counts those without rows. `precision` "float" is for programs that compute in
    single precision: the bound of each case then grows with its condition. The cases are part of the
    command-line tool: this runs it, found as `tool`, and raises where there is none.
    """
    import json
    import subprocess

    words = [_need_tool(tool, "grade"), "grade", "-", "--json", "--precision", precision]
    text = None
    if isinstance(results, (str, bytes)) or hasattr(results, "__fspath__"):
        words[2] = str(results)
    else:
        if isinstance(results, dict):
            names = [c for c in _RESULTS if c in results]
            rows: list[Sequence[Any]] = list(zip(*(results[c] for c in names)))
        else:
            rows = [tuple(row) for row in results]
            names = list(_RESULTS[:len(rows[0])] if rows else _RESULTS)
        lines = [",".join([str(row[0]), *(repr(float(x)) for x in row[1:])]) for row in rows]
        text = "\n".join([",".join(names), *lines, ""])
    if case is not None:
        words += ["--case", case if isinstance(case, str) else ",".join(case)]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise ValueError(done.stderr.strip() or "polhode grade failed")
    graded: dict[str, Any] = json.loads(done.stdout)
    return graded
