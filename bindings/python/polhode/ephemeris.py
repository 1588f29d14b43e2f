"""An attitude ephemeris of CCSDS, as tool/optional/formats/aem.c writes it, without the tool.

Versions 1.0 and 2.0 of the message (CCSDS 504.0-B-1 and 504.0-B-2), with quaternions.
"""

from __future__ import annotations

import bisect
import datetime
import os
import time
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NANOSECONDS = 10**9  # of a second
LARGEST_TURN = 30.0  # degrees between rows that a reader may interpolate
LONGEST_NAME = 64  # characters


# The days of UTC before which there is a leap second, as in tool/files/epoch.c (IERS, Bulletin C).
LEAPS = [datetime.datetime.fromisoformat(day) for day in (
    "1972-07-01", "1973-01-01", "1974-01-01", "1975-01-01", "1976-01-01", "1977-01-01", "1978-01-01",
    "1979-01-01", "1980-01-01", "1981-07-01", "1982-07-01", "1983-07-01", "1985-07-01", "1988-01-01",
    "1990-01-01", "1991-01-01", "1992-07-01", "1993-07-01", "1994-07-01", "1996-01-01", "1997-07-01",
    "1999-01-01", "2006-01-01", "2009-01-01", "2012-07-01", "2015-07-01", "2017-01-01")]


def _later(date: datetime.datetime, seconds: int) -> str:
    """The date so many seconds later; leap seconds are counted."""
    second = datetime.timedelta(seconds=1)
    atomic = date + (seconds + bisect.bisect_right(LEAPS, date)) * second
    before = bisect.bisect_right(LEAPS, atomic)
    while before > 0 and atomic - before * second < LEAPS[before - 1]:
        before -= 1
        if atomic - before * second >= LEAPS[before]:
            return f"{LEAPS[before] - second:%Y-%m-%dT%H:%M}:60"
    return f"{atomic - before * second:%Y-%m-%dT%H:%M:%S}"


def _text(date: datetime.datetime, nanoseconds: int) -> str:
    whole, rest = divmod(nanoseconds, NANOSECONDS)
    try:
        return f"{_later(date, whole)}.{rest:09d}"
    except OverflowError:
        raise ValueError("an ephemeris can contain only dates of the years 1000 to 9999: use times "
                         "in this range") from None


def _created() -> str:
    """Now, or SOURCE_DATE_EPOCH, for files that shall be the same each time."""
    seconds = float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc):%Y-%m-%dT%H:%M:%S}"


def _is_value(name: str) -> bool:
    return (0 < len(name) <= LONGEST_NAME and name.isascii() and name.isprintable()
            and name == name.strip(" "))


def _warn_of_turns(q: Array) -> None:
    import numpy as np

    cosine = np.abs((q[1:] * q[:-1]).sum(axis=1)) if len(q) > 1 else np.ones(1)
    largest = float(2 * np.degrees(np.arccos(np.minimum(cosine, 1.0)).max()))
    if largest > LARGEST_TURN:
        warnings.warn(f"the body turns by up to {largest:.0f} degrees between two rows, and "
                      "readers of an ephemeris interpolate between rows: write rows at most "
                      f"{LARGEST_TURN:.0f} degrees apart", stacklevel=4)


def message(t: Array, q: Array, zero: datetime.datetime, *, name: str, identifier: str,
            method: str, version: str, library: str) -> str:
    """The text of the message: attitudes q (n, 4), body to space, scalar part first, at times t in
    seconds from the date `zero`."""
    import numpy as np

    if version not in ("1.0", "2.0"):
        raise ValueError(f"version must be 1.0 or 2.0, not {version!r}")
    if not (_is_value(name) and _is_value(identifier)):
        raise ValueError("an ephemeris needs an object name of 1 to 64 printable ASCII characters: "
                         "write such a name")
    since = [round(float(x) * NANOSECONDS) for x in t]
    if any(b <= a for a, b in zip(since, since[1:])):
        raise ValueError("an ephemeris needs times that increase by at least a nanosecond: sort the "
                         "times, or write fewer")
    whole = zero.replace(microsecond=0)
    begin = zero.microsecond * 1000
    dates = [_text(whole, begin + x) for x in since] or [_text(whole, begin)]
    _warn_of_turns(q)
    old = version == "1.0"
    head = ["CCSDS_AEM_VERS       = " + version,
            "CREATION_DATE        = " + _created(),
            "ORIGINATOR           = POLHODE", "", "META_START",
            f"COMMENT polhode {library}, {method}",
            "OBJECT_NAME          = " + name,
            "OBJECT_ID            = " + identifier,
            "REF_FRAME_A          = EME2000",
            "REF_FRAME_B          = SC_BODY_1",
            *(["ATTITUDE_DIR         = A2B"] if old else []),
            "TIME_SYSTEM          = UTC",
            "START_TIME           = " + dates[0],
            "STOP_TIME            = " + dates[-1],
            "ATTITUDE_TYPE        = QUATERNION",
            *(["QUATERNION_TYPE      = LAST", "INTERPOLATION_METHOD = LINEAR",
               "INTERPOLATION_DEGREE = 1"] if old else []),
            "META_STOP", "", "DATA_START"]
    scalar_last = np.roll(q, -1, axis=1) + 0.0  # not -0
    rows = [f"{date} " + " ".join(f"{x:.17g}" for x in row)
            for date, row in zip(dates, scalar_last.tolist())]
    return "\n".join([*head, *rows, "DATA_STOP", ""])
