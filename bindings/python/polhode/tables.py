"""Tables, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

WINDOW = "enter", "leave", "extremum_time", "extremum"


def window_rows(windows: bytes, first: str, names: Sequence[str] | None) -> np.recarray[Any, Any]:
    """Windows of events as records: what the column `first` says, a number or one of the names, and
    the numbers of WINDOW."""
    import numpy as np

    numbers = np.frombuffer(windows).reshape(-1, 1 + len(WINDOW))
    which = numbers[:, 0].astype(int)
    kind: Any = int if names is None else np.asarray(names, dtype=str).dtype
    rows = np.recarray(len(numbers), dtype=[(first, kind)] + [(name, float) for name in WINDOW])
    rows[first] = which if names is None else np.asarray(names, dtype=str)[which]
    for k, name in enumerate(WINDOW):
        rows[name] = numbers[:, k + 1]
    return rows


def html_table(head: Iterable[str], *rows: Iterable[str]) -> str:
    """A table of HTML, of cells that are plain text; one that is too wide for its place scrolls."""
    from html import escape

    def row(cells: Iterable[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{escape(c)}</{kind}>" for c in cells) + "</tr>"

    table = f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"
    return f'<div style="overflow-x:auto;max-width:100%">{table}</div>'


class Table(list[dict[str, Any]]):
    """Rows with the same columns: a list of dictionaries that prints as a table.

    >>> Table([{"name": "a", "x": 1.0}, {"name": "b", "x": 2.5}])
    name  x
    a     1
    b     2.5
    """

    printed: tuple[str, ...] | None = None  # the columns that are printed; None: all

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self[0]) if self else []

    def column(self, name: str) -> list[Any]:
        """One column."""
        return [row[name] for row in self]

    def _cells(self) -> list[list[str]]:
        def text(x: Any) -> str:
            if x is None:
                return "-"
            if isinstance(x, bool):
                return "yes" if x else "no"
            if isinstance(x, (list, tuple)):  # of names, or of what has names
                return " ".join(i["name"] if isinstance(i, dict) else text(i) for i in x)
            return f"{x:.5g}" if isinstance(x, float) else str(x)

        columns = [c for c in self.printed or self.columns if c in self.columns]
        return [columns, *([text(row[c]) for c in columns] for row in self)]

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in cells)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_table(*self._cells())

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; needs pandas."""
        import pandas

        return pandas.DataFrame(list(self))

    def to_polars(self) -> Any:
        """A polars.DataFrame; needs polars."""
        import polars

        return polars.DataFrame(list(self))
