"""What the library has to offer, as its own tables tell it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from . import _core
from .tables import Table


@lru_cache(maxsize=None)
def _rows(kind: str) -> tuple[dict[str, Any], ...]:
    return tuple(_core.catalog(kind))


class Catalog(Table):
    """Rows of the catalog: a list of dictionaries, of which the main columns are printed."""

    printed = ("name", "space", "order", "method", "title", "parameters")


def _all(kind: str) -> Catalog:
    return Catalog(dict(row) for row in _rows(kind))


def names(kind: str, space: str | None = None) -> list[str]:
    """The names of a kind: flow, scheme, method, composition, problem."""
    return [row["name"] for row in _rows(kind) if space in (None, row.get("space"))]


def fact(kind: str, name: str, space: str | None = None) -> dict[str, Any] | None:
    """The row of a name, or None."""
    for row in _rows(kind):
        if row["name"] == name and space in (None, row.get("space")):
            return row
    return None


def flows() -> Catalog:
    """The integrators of the free body.

    >>> [f["order"] for f in flows() if f["name"] == "mr"]
    [2]
    """
    return _all("flow")


def schemes() -> Catalog:
    """The splitting schemes; `scheme+flow` is an integrator of a body in a field.

    >>> [s["order"] for s in schemes() if s["name"] == "s6_10"]
    [6]
    """
    return _all("scheme")


def methods() -> Catalog:
    """The one-step methods, of every kind of system (`space`).

    >>> [m["keeps"] for m in methods() if m["name"] == "vlv"]
    [('momentum', 'symmetric', 'poisson', 'symplectic')]
    """
    return _all("method")


def compositions() -> Catalog:
    """What raises the order of a symmetric flow of order 2, `flow:composition`, or of the whole
    step of any integrator that is symmetric and of order 2, `integrator@composition`.

    >>> "suzuki4" in [c["name"] for c in compositions()]
    True
    """
    return _all("composition")


def problems() -> Catalog:
    """The problems with their parameters: name, unit, default and one line of text.

    >>> [p["name"] for q in problems() if q["name"] == "heavy_top" for p in q["parameters"]]
    ['strength', 'up', 'centre']
    """
    return _all("problem")
