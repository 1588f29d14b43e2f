"""Files of rows, with the columns that the tool writes."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import datetime

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SUFFIXES = "csv", "npy", "npz", "xyz", "h5", "aem", "glb"


def find_tool(tool: str = "polhode") -> str | None:
    """The command-line tool: named by POLHODE_TOOL, beside this Python, or on the PATH."""
    import shutil
    import sys

    beside = os.path.join(os.path.dirname(sys.executable), tool)
    named = os.environ.get("POLHODE_TOOL") if tool == "polhode" else None
    return shutil.which(named or tool) or shutil.which(beside)


def replace(path: str | os.PathLike[str], write: Callable[[IO[bytes]], Any]) -> None:
    """Writes a file, which takes its place at once: an older one stays until it is whole. What is
    no ordinary file, such as a device, is written where it is; a link stays a link."""
    place = os.path.realpath(path)
    there = os.path.exists(place)
    if there and not os.path.isfile(place):
        with open(place, "wb") as device:
            write(device)
        return
    if there and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    beside = f"{place}.{os.getpid()}.part"
    file = open(beside, "xb")  # noqa: SIM115 ; what was there before is not ours to remove
    try:
        with file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if there:
            os.chmod(beside, os.stat(place).st_mode & 0o777)
        os.replace(beside, place)
    except BaseException:
        os.unlink(beside)
        raise


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's name ends in; CSV without an ending, as in the tool."""
    suffix = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".") or "csv"
    if suffix not in SUFFIXES:
        raise ValueError(f"{os.fspath(path)}: there is no format {suffix}: end the name in "
                         f"one of {', '.join(SUFFIXES)}")
    return suffix


def _names(field: dict[str, Any]) -> list[str]:
    return list(field["columns"].split(","))


def columns(fields: dict[str, dict[str, Any]], rows: NDArray[Any],
            constants: dict[str, Array]) -> dict[str, Array]:
    """The columns of rows as the tool names them: of fields of one entry q0 ..., of lists
    q1x ..., or where each entry has columns of its own a row for each, with its constants."""
    import numpy as np

    shown = [fields[name] for name in rows.dtype.names or () if name in fields]
    n = max((f["count"] for f in shown), default=1)
    own = [name for f in shown for name in _names(f)]
    each = any(f["list"] for f in shown) and len(set(own)) == len(own)
    table = {"t": rows["time"]}
    if each:
        table = {"t": np.repeat(rows["time"], n),
                 "body": np.tile(np.arange(n, dtype=np.float64), len(rows))}
    for f in shown:
        x = rows[f["name"]].reshape(len(rows), f["count"], f["width"])
        for i in range(1 if each else f["count"]):
            for k, name in enumerate(_names(f)):
                if each:
                    table[name] = x[:, :, k].ravel()
                else:
                    table[f"{f['name']}{i + 1}{name}" if f["list"] else name] = x[:, i, k]
    table["energy"] = np.repeat(rows["energy"], n) if each else rows["energy"]
    for name, x in constants.items() if each else ():
        f = fields[name]
        if f["of_each"] and f["count"] == n:
            for k, column in enumerate(_names(f)):
                table[column] = np.tile(x.reshape(n, -1)[:, k], len(rows))
    return table


def days_from_j2000(epoch: str | datetime.datetime) -> float:
    """The date of t = 0 in days from J2000.0, 2000-01-01T12:00:00."""
    import datetime

    return (date_of(epoch) - datetime.datetime(2000, 1, 1, 12)) / datetime.timedelta(days=1)


def date_of(epoch: str | datetime.datetime) -> datetime.datetime:
    """A date, without a time zone; one that has a zone becomes UTC."""
    import datetime

    text = _date(epoch)
    try:
        return datetime.datetime.fromisoformat((text or "").removesuffix("Z"))
    except ValueError:
        raise ValueError(f"epoch {text!r} is not a date: write for example "
                         "2026-01-01T00:00:00") from None


def _date(epoch: str | datetime.datetime | None) -> str | None:
    if epoch is None or isinstance(epoch, str):
        return epoch
    import datetime

    if epoch.tzinfo is not None:
        epoch = epoch.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return epoch.isoformat()


def _records(table: dict[str, Array]) -> bytes:
    """Columns as an array of records, the bytes of an npy file."""
    import io

    import numpy as np

    rows = np.empty(len(table["t"]), [(name, "<f8") for name in table])
    for name, x in table.items():
        rows[name] = x
    file = io.BytesIO()
    np.save(file, rows)
    return file.getvalue()


def _convert(path: str, given: Iterable[bytes], options: list[str]) -> None:
    """Has the tool write what only it can, of parts of a file that it reads."""
    import shutil
    import subprocess
    import tempfile

    tool, name = find_tool(), os.path.basename(path)
    if tool is None:
        raise FileNotFoundError(
            f"the command-line tool polhode, which writes {name}, was not found: put it on the "
            "PATH (`make install`), name it in the environment variable POLHODE_TOOL, or end "
            "the name in .csv, .npy or .npz")
    with tempfile.TemporaryDirectory() as folder:  # the tool keeps the rows before a wrong one
        with open(os.path.join(folder, "python"), "wb") as file:
            file.writelines(given)
        done = subprocess.run([os.path.abspath(tool), "convert", "python", *options, "--out", name],
                              capture_output=True, check=False, cwd=folder)
        if done.returncode != 0:
            text = done.stderr.decode(errors="replace").strip()
            said = text.removeprefix("polhode: ") or "polhode convert failed"
            raise (ValueError if done.returncode == 2 else RuntimeError)(said)
        with open(os.path.join(folder, name), "rb") as whole:
            replace(path, lambda file: shutil.copyfileobj(whole, file))


def write(path: str | os.PathLike[str], fields: dict[str, dict[str, Any]],
          rows: Callable[[], NDArray[Any]], constants: dict[str, Array], *,
          frames: Callable[[], Iterable[bytes]] | None = None, object_name: str | None,
          object_id: str | None, epoch: str | datetime.datetime | None,
          version: str | None, method: str) -> None:
    """Writes rows, a structured array with `time`, fields and `energy`. `constants` are what
    formats want to know beside them; `frames` are snapshots, of a system of many entries."""
    import numpy as np

    suffix = suffix_of(path)
    if suffix in ("csv", "npy", "npz"):
        data = {name: np.ascontiguousarray(x, "<f8")
                for name, x in columns(fields, rows(), constants).items()}
        table = np.column_stack(list(data.values()))
        replace(path, {
            "csv": lambda file: np.savetxt(file, table, "%.17g", ",", header=",".join(data),
                                           comments=""),
            "npy": lambda file: np.save(file, table),
            "npz": lambda file: np.savez(file, **data)}[suffix])
        return
    if suffix == "aem":
        if epoch is None:
            raise ValueError(f"{os.fspath(path)}: an ephemeris needs the date of t = 0: give "
                             "epoch=\"2026-01-01T00:00:00\"")
        if "attitude" not in fields or frames is not None:
            raise ValueError(f"{os.fspath(path)}: an ephemeris can contain only the attitude of one body: "
                             "write .csv")
        from . import __version__, ephemeris

        states = rows()
        text = ephemeris.message(
            states["time"], states["attitude"], date_of(epoch),
            name="UNKNOWN" if object_name is None else object_name,
            identifier="UNKNOWN" if object_id is None else object_id, method=method,
            version=version or "1.0", library=__version__)
        replace(path, lambda file: file.write(text.encode()))
        return
    said = {"--object": object_name, "--object-id": object_id, "--epoch": _date(epoch)}
    options = [word for name, x in said.items() if x is not None for word in (name, str(x))]
    if frames is not None:
        _convert(os.fspath(path), frames(), options)
        return
    found = columns(fields, rows(), constants)
    if suffix == "glb":  # draws a box with these moments
        for name in ("moments", "axes"):
            for k, x in enumerate(constants[name].ravel()):
                found[f"{name}{k + (name == 'moments')}"] = np.full(len(found["t"]), x)
    _convert(os.fspath(path), [_records(found)], options)
