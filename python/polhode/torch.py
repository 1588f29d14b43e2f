"""Motions and runs as functions of PyTorch, with exact gradients.

    import polhode.torch
    attitude, momentum = polhode.torch.run("heavy_top", "s6_10+exact", step=0.01, steps=100,
                                           inertia=J, momentum=m, parameters={"strength": s})
    loss(attitude, momentum).backward()

PyTorch is imported by this module alone. Tensors are of float64 on the CPU. An inertia has
three moments, or six numbers J11, J22, J33, J12, J13, J23. An attitude may have any length:
it is normalised, and its gradient is orthogonal to it. Derivatives are those of the steps, to
round-off (docs/derivatives_in_a_field.md).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from .systems import System


def _left(q: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The matrix (4, 3) of v -> q (0, v), so that q exp(v) = q + left(q) v/2."""
    w, x, y, z = q
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])


def _system(problem: str, method: str, step: float, inertia: Any, attitude: Any, momentum: Any,
            parameters: dict[str, Any], derivatives: tuple[str, ...]) -> System:
    given: dict[str, Any] = {}
    if inertia is not None and len(inertia) == 3:
        given["inertia"] = inertia
    elif inertia is not None:
        a, b, c, d, e, f = inertia
        given["tensor"] = [[a, d, e], [d, b, f], [e, f, c]]
    if attitude is not None:
        given["attitude"] = attitude
    if momentum is not None:
        given["momentum"] = momentum
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an optimizer may try what no body has
        return System(problem, method, step, parameters=parameters, derivatives=derivatives,
                      **given)


def _forward(ctx: Any, problem: str, method: str, step: float, steps: int,
             names: tuple[str, ...], *tensors: Any) -> Any:
    """The state after steps; tensors, or None, are inertia, attitude, momentum, time (of a single
    step, instead of its length), parameters."""
    values = [None if x is None else x.detach().double().cpu().numpy() for x in tensors]
    inertia, attitude, momentum, time = values[:4]
    parameters = dict(zip(names, values[4:]))
    asked = [name for name, wanted in (
        ("start", any(x is not None and x.requires_grad for x in tensors[1:3])),
        ("inertia", tensors[0] is not None and tensors[0].requires_grad),
        ("parameters", any(x.requires_grad for x in tensors[4:]))) if wanted]
    h = step if time is None else float(time)
    system = _system(problem, method, h, inertia, attitude, momentum, parameters,
                     tuple(asked))
    system.run(steps=steps)
    q, m = np.array(system.attitude), np.array(system.momentum)
    ctx.names, ctx.shapes = names, [None if x is None else x.shape for x in tensors]
    ctx.columns, ctx.matrix = {}, None
    if asked:
        d = system.derivatives
        ctx.columns = {name: i for i, name in enumerate(d.columns)}
        ctx.matrix = np.vstack([0.5 * _left(q) @ d.attitude, d.momentum])
    ctx.rate = np.concatenate([0.5 * _left(q) @ system.velocity,
                               np.cross(m, system.velocity)])
    ctx.attitude = attitude
    return torch.from_numpy(q), torch.from_numpy(m)


def _backward(ctx: Any, by_q: Any, by_m: Any) -> Any:
    g = np.concatenate([by_q.numpy(), by_m.numpy()])
    along = np.zeros(0) if ctx.matrix is None else g @ ctx.matrix

    def part(first: str, count: int) -> Any:
        i = ctx.columns[first]
        return along[i:i + count]

    def gradient(number: int, values: Any) -> Any:
        return torch.from_numpy(np.array(values)).reshape(ctx.shapes[number])

    out: list[Any] = [None] * len(ctx.shapes)
    needed = ctx.needs_input_grad[5:]
    if needed[0]:
        out[0] = gradient(0, part("J11", ctx.shapes[0].numel()))
    if needed[1]:  # theta = 2 vec(q^-1 dq)/|q|^2
        q = ctx.attitude
        out[1] = gradient(1, 2.0 * _left(q) @ part("theta1", 3) / (q @ q))
    if needed[2]:
        out[2] = gradient(2, part("m1", 3))
    if needed[3]:
        out[3] = gradient(3, g @ ctx.rate)
    for k, name in enumerate(ctx.names, 4):
        if needed[k]:
            count = ctx.shapes[k].numel()
            out[k] = gradient(k, part(name if count == 1 else name + "1", count))
    return None, None, None, None, None, *out


# Made so, a checker of types needs no PyTorch.
_Run: Any = type("_Run", (torch.autograd.Function,), {
    "forward": staticmethod(_forward),
    "backward": staticmethod(torch.autograd.function.once_differentiable(_backward))})


def run(problem: str, method: str, *, step: float, steps: int, inertia: Any = None,
        attitude: Any = None, momentum: Any = None,
        parameters: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
    """Attitude (4) and momentum (3) after steps of a system; what is not given is the
    problem's. Methods are splittings of `exact`, and those that choose their steps do not go:
    they take no step."""
    given = dict(parameters or {})
    names = tuple(given)
    out: tuple[Any, Any] = _Run.apply(problem, method, step, steps, names, inertia, attitude,
                                      momentum, None, *(given[name] for name in names))
    return out


def motion(inertia: Any, attitude: Any, momentum: Any, time: Any) -> tuple[Any, Any]:
    """Attitude (4) and momentum (3) of the exact free motion at a time after the start: also
    a tensor, of any size."""
    if time.dim() > 0:
        states = [motion(inertia, attitude, momentum, t) for t in time.unbind()]
        return torch.stack([q for q, _ in states]), torch.stack([m for _, m in states])
    out: tuple[Any, Any] = _Run.apply("free", "exact", 1.0, 1, (), inertia, attitude, momentum,
                                      time)
    return out
