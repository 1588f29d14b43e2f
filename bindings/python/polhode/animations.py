"""A moving body in a notebook: one piece of HTML with its own script, which needs no server, no
network and no package; and the page with a run in it."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from .files import replace
from .rotations import matrix
from .values import number, whole

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, NDArray

    from .bodies import Motion
    from .systems import System

FACES = ("#e07b5d", "#a34a35", "#67b898", "#2f7a5d", "#6fa3dd", "#35639f")
MOMENTUM, VELOCITY, PATH = "#b07a00", "#0a7fb5", "#cc5200"

# Draws frame i of `rows` (t, matrix of the principal frame, momentum and velocity in space, as long as
# they are drawn) into the canvas: the sides of a box that face the viewer, arrows and the path of axis 3.
SCRIPT = """
const {rows, edges, faces, title, seconds} = DATA;
const c = document.querySelector('canvas'), g = c.getContext('2d'), line = document.querySelector('input'),
  button = document.querySelector('button'), clock = document.querySelector('output');
let azimuth = -0.6, elevation = 0.42, at = 0, playing = !matchMedia('(prefers-reduced-motion: reduce)').matches, before = null;
line.max = rows.length - 1;
const see = ([x, y, z]) => {
  const [s, k, e, f] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  const along = k * x + s * y;
  return [c.width / 2 + c.height / 3.6 * (k * y - s * x), c.height / 2 - c.height / 3.6 * (f * z - e * along), f * along + e * z];
};
const stroke = (points, color, width) => {
  g.beginPath(); points.forEach((p, i) => g[i ? 'lineTo' : 'moveTo'](p[0], p[1])); g.strokeStyle = color; g.lineWidth = width; g.stroke();
};
function arrow(v, color) {
  const [a, b] = [see([0, 0, 0]), see(v)], d = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (d < 2) return;
  const [x, y] = [(b[0] - a[0]) / d, (b[1] - a[1]) / d];
  stroke([a, [b[0] - 10 * x, b[1] - 10 * y]], color, 5);
  g.beginPath(); g.moveTo(b[0], b[1]); g.lineTo(b[0] - 16 * x + 7 * y, b[1] - 16 * y - 7 * x); g.lineTo(b[0] - 16 * x - 7 * y, b[1] - 16 * y + 7 * x);
  g.fillStyle = color; g.fill();
}
function draw() {
  const i = Math.round(at), [t, R, m, w] = rows[i];
  const column = (k) => [R[k], R[3 + k], R[6 + k]], place = (p) => [0, 1, 2].map((r) => R[3 * r] * p[0] + R[3 * r + 1] * p[1] + R[3 * r + 2] * p[2]);
  g.fillStyle = '#fbfaf7'; g.fillRect(0, 0, c.width, c.height);
  const arrows = [[m, 'MOMENTUM'], [w, 'VELOCITY']];
  for (const [v, color] of arrows) if (see(v)[2] < 0) arrow(v, color);
  stroke(rows.slice(Math.max(0, i - 200), i + 1).map(([, A]) => see([1.25 * A[2], 1.25 * A[5], 1.25 * A[8]])), 'PATH', 2);
  for (let f = 0; f < 6; f++) {
    const k = f >> 1, sign = f % 2 ? -1 : 1, n = column(k).map((x) => sign * x);
    if (see(n)[2] <= 0) continue;
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => {
      const p = [0, 0, 0]; p[k] = sign * edges[k]; p[(k + 1) % 3] = a * edges[(k + 1) % 3]; p[(k + 2) % 3] = b * edges[(k + 2) % 3];
      return see(place(p));
    });
    g.beginPath(); corners.forEach((p, j) => g[j ? 'lineTo' : 'moveTo'](p[0], p[1])); g.closePath();
    g.fillStyle = faces[f]; g.fill(); g.strokeStyle = '#fbfaf7'; g.lineWidth = 1.5; g.stroke();
  }
  for (const [v, color] of arrows) if (see(v)[2] >= 0) arrow(v, color);
  line.value = i; clock.textContent = 't = ' + Number(t.toPrecision(4));
}
function tick(now) {
  if (playing && before !== null) { at = (at + (now - before) / 1000 / seconds * (rows.length - 1)) % (rows.length - 1); draw(); }
  before = now; requestAnimationFrame(tick);
}
button.textContent = playing ? 'Stop' : 'Play';
button.onclick = () => { playing = !playing; button.textContent = playing ? 'Stop' : 'Play'; };
line.oninput = () => { playing = false; button.textContent = 'Play'; at = Number(line.value); draw(); };
c.onpointermove = (e) => { if (e.buttons) { azimuth -= e.movementX / 120; elevation = Math.max(-1.5, Math.min(1.5, elevation + e.movementY / 120)); draw(); } };
draw(); requestAnimationFrame(tick);
""".replace("MOMENTUM", MOMENTUM).replace("VELOCITY", VELOCITY).replace("PATH", PATH)


class Animation:
    """A moving body, as a notebook shows it: `html` is a document of its own, `save(path)` writes it."""

    def __init__(self, rows: list[Any], edges: list[float], title: str, seconds: float,
                 size: tuple[int, int] = (640, 420)) -> None:
        width, height = size
        self._rows, self._edges, self.title, self.seconds = rows, edges, title, number(seconds, "seconds")
        self.size = whole(width, "width", 1, 100000), whole(height, "height", 1, 100000)

    @property
    def html(self) -> str:
        """The document."""
        data = json.dumps({"rows": self._rows, "edges": self._edges, "faces": FACES, "title": self.title,
                           "seconds": self.seconds}, separators=(",", ":")).replace("</", "<\\/")
        width, height = self.size
        return (f'<!doctype html><meta charset="utf-8"><title>{escape(self.title)}</title>'
                "<style>body{margin:0;font:14px system-ui,sans-serif;color:#1d232b;background:#fbfaf7}"
                "canvas{width:100%;touch-action:none;display:block}"
                "p{margin:.3em .6em;display:flex;gap:.6em;align-items:center}input{flex:1}</style>"
                f'<canvas width="{width}" height="{height}" role="img" aria-label="{escape(self.title)}"></canvas>'
                '<p><button></button><input type="range" min="0" step="1" aria-label="Time"><output></output></p>'
                f'<p><span>{escape(self.title)}</span><span style="color:{MOMENTUM}">angular momentum</span>'
                f'<span style="color:{VELOCITY}">angular velocity</span></p>'
                f"<script>const DATA = {data};{SCRIPT}</script>")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file."""
        replace(path, lambda file: file.write(self.html.encode()))

    def _repr_html_(self) -> str:
        width, height = self.size
        return (f'<iframe srcdoc="{escape(self.html)}" width="{width}" height="{height + 84}" '
                f'style="border:0;max-width:100%" title="{escape(self.title)}"></iframe>')

    def __repr__(self) -> str:
        return f"<Animation of {self.title}, {len(self._rows)} frames>"


def animation_of(body: Any, times: Any, attitude: Any, momentum: Any, velocity: Any, title: str) -> Animation:
    """The animation of a body with principal `moments` and `axes`, by its states in its own frame."""
    import numpy as np

    moments, axes = np.asarray(body.moments), matrix(np.asarray(body.axes))
    squares = np.maximum(moments.sum() / 2 - moments, 0)
    edges = np.sqrt(squares) / np.sqrt(squares.max())
    R = matrix(attitude)

    def arrows(v: Any, longest: float) -> Any:
        v = np.einsum("nij,nj->ni", R, v)
        size = np.linalg.norm(v, axis=1, keepdims=True)
        ratio = size / longest
        return np.where(size > 0, v / np.where(size > 0, size, 1), 0) * 1.75 * ratio / (ratio + 0.17)

    m = arrows(momentum, float(np.linalg.norm(momentum[0])) or 1.0)
    w = arrows(velocity, 1.15 * float(np.linalg.norm(velocity[0])) or 1.0)
    principal = R @ axes
    rows = [[float(t), A.ravel().round(5).tolist(), a.round(4).tolist(), b.round(4).tolist()]
            for t, A, a, b in zip(times, principal, m, w)]
    span = abs(float(times[-1] - times[0])) if len(times) > 1 else 1.0
    return Animation(rows, np.maximum(edges, 0.03).round(5).tolist(), title, min(max(span, 2.0), 20.0))


def times_of(until: Any, frames: int, start: float, rate: float) -> NDArray[Any]:
    """Even times from the start to `until`, by default three turns."""
    import numpy as np

    end = start + (6 * np.pi / rate if rate > 0 else 1.0) if until is None else number(until, "until")
    return np.linspace(start, end, whole(frames, "frames", 2, 100000))


def still(animation: Animation) -> str:
    """The first frame as a picture (SVG)."""
    import numpy as np

    _, R, m, w = animation._rows[0]
    A = np.array(R).reshape(3, 3)
    azimuth, elevation = -0.6, 0.42
    s, k, e, f = np.sin(azimuth), np.cos(azimuth), np.sin(elevation), np.cos(elevation)
    look = np.array([[-s, k, 0], [-e * k, -e * s, f], [f * k, f * s, e]])

    def see(p: ArrayLike) -> tuple[float, float]:
        x, y, _ = look @ np.asarray(p)
        return round(160 + 58 * x, 1), round(105 - 58 * y, 1)

    parts = []
    for face in range(6):
        axis, sign = face // 2, -1 if face % 2 else 1
        if (look[2] @ A[:, axis]) * sign <= 0:
            continue
        corners = []
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            p = np.zeros(3)
            p[axis] = sign * animation._edges[axis]
            p[(axis + 1) % 3], p[(axis + 2) % 3] = (a * animation._edges[(axis + 1) % 3], b * animation._edges[(axis + 2) % 3])
            corners.append("{},{}".format(*see(A @ p)))
        parts.append(f'<polygon points="{" ".join(corners)}" fill="{FACES[face]}" stroke="#fbfaf7"/>')
    for vector, color in ((m, MOMENTUM), (w, VELOCITY)):
        x, y = see(vector)
        line = (f'<line x1="160" y1="105" x2="{x}" y2="{y}" stroke="{color}" stroke-width="3"/>'
                f'<circle cx="{x}" cy="{y}" r="4" fill="{color}"/>')
        if look[2] @ np.asarray(vector) < 0:
            parts.insert(0, line)
        else:
            parts.append(line)
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="320" height="210" role="img" '
            f'aria-label="{escape(animation.title)}"><rect width="320" height="210" fill="#fbfaf7"/>{"".join(parts)}</svg>')


def page(run: System | Motion, path: str | os.PathLike[str] = "polhode-view.html", *,
         open: bool = True) -> str:
    """Writes the web page with this run, from where it is, and opens it in the browser unless told
    not to; returns the path. Needs the tool `polhode` and the page, which `make web` builds."""
    import os
    import subprocess
    import tempfile

    from .bodies import Motion
    from .files import find_tool
    from .systems import System

    if isinstance(run, Motion):
        q, m = run._start
        moments, tensor = run.body._given
        inertia: dict[str, Any] = {"inertia": moments} if tensor is None else {"tensor": tensor}
        rate = max(abs(x) for x in run.body.velocity(m)) or 1.0
        run = System("free", "exact", step=0.1 / rate, attitude=q, momentum=m, **inertia)
    tool = find_tool()
    if tool is None:
        raise RuntimeError("the tool polhode was not found: install it, or set POLHODE_TOOL to its path")
    with tempfile.TemporaryDirectory() as folder:
        snapshot = os.path.join(folder, "run.snapshot")
        run.save(snapshot)
        environment = dict(os.environ) if open else {k: v for k, v in os.environ.items()
                                                     if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([tool, "view", snapshot, "--out", os.fspath(path)], env=environment,
                              capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().removeprefix("polhode: ") or "polhode view failed")
    return os.fspath(path)
