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

from .bodies import Body
from .systems import System


def _left(q: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The matrices (..., 4, 3) of v -> q (0, v), so that q exp(v) = q + left(q) v/2."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.moveaxis(np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]), (0, 1),
                       (-2, -1))


def _body(inertia: Any) -> dict[str, Any]:
    if inertia is None:
        return {}
    if len(inertia) == 3:
        return {"inertia": inertia}
    a, b, c, d, e, f = inertia
    return {"tensor": [[a, d, e], [d, b, f], [e, f, c]]}


def _values(tensors: Any) -> list[Any]:
    return [None if x is None else x.detach().double().cpu().numpy() for x in tensors]


def _keep(ctx: Any, tensors: Any, attitude: Any, q: Any, m: Any, d: Any) -> Any:
    """Keeps the derivatives of the results for `_gradients`."""
    ctx.shapes, ctx.attitude = [None if x is None else x.shape for x in tensors], attitude
    ctx.columns = {} if d is None else {name: i for i, name in enumerate(d.columns)}
    ctx.matrix = d and np.concatenate([0.5 * _left(q) @ d.attitude, d.momentum], axis=-2)
    return torch.from_numpy(q), torch.from_numpy(m)


def _gradients(ctx: Any, by_q: Any, by_m: Any, first: int, names: Any) -> list[Any]:
    """The gradients of inertia, attitude, momentum and what else has these names, which are
    arguments from number `first` on."""
    out: list[Any] = [None] * len(ctx.shapes)
    if ctx.matrix is None:
        return out
    g = np.concatenate([by_q.numpy(), by_m.numpy()], axis=-1)
    each = (g[..., None, :] @ ctx.matrix)[..., 0, :]  # at each time
    along = each.reshape(-1, each.shape[-1]).sum(0)
    for k, name in enumerate(("J11", "theta1", "m1", *names)):
        if not ctx.needs_input_grad[first + k]:
            continue
        count = 3 if k == 1 else ctx.shapes[k].numel()
        i = ctx.columns[name if name in ctx.columns else name + "1"]
        part = each[..., i] if name == "t" else along[i:i + count]
        if k == 1:  # theta = 2 vec(q^-1 dq)/|q|^2
            part = 2.0 * _left(ctx.attitude) @ part / (ctx.attitude @ ctx.attitude)
        out[k] = torch.from_numpy(np.array(part)).reshape(ctx.shapes[k])
    return out


def _run_forward(ctx: Any, problem: str, method: str, step: float, steps: int,
                 names: tuple[str, ...], *tensors: Any) -> Any:
    inertia, attitude, momentum, *others = _values(tensors)
    needs = ctx.needs_input_grad[5:]
    asked = [name for name, wanted in (("start", any(needs[1:3])), ("inertia", needs[0]),
                                       ("parameters", any(needs[3:]))) if wanted]
    given = _body(inertia) | {name: x for name, x in (("attitude", attitude), (
        "momentum", momentum)) if x is not None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an optimizer may try what no body has
        system = System(problem, method, step, parameters=dict(zip(names, others)),
                        derivatives=tuple(asked), **given)
    system.run(steps=steps)
    ctx.names = names
    return _keep(ctx, tensors, attitude, np.array(system.attitude), np.array(system.momentum),
                 system.derivatives if asked else None)


def _run_backward(ctx: Any, by_q: Any, by_m: Any) -> Any:
    return None, None, None, None, None, *_gradients(ctx, by_q, by_m, 5, ctx.names)


def _motion_forward(ctx: Any, *tensors: Any) -> Any:
    inertia, attitude, momentum, times = _values(tensors)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = Body(**_body(inertia)).motion(attitude=attitude, momentum=momentum)
    states = motion(times)
    return _keep(ctx, tensors, attitude, np.array(states.attitude), np.array(states.momentum),
                 motion.derivatives(times) if any(ctx.needs_input_grad) else None)


def _motion_backward(ctx: Any, by_q: Any, by_m: Any) -> Any:
    return tuple(_gradients(ctx, by_q, by_m, 0, ("t",)))


def _function(forward: Any, backward: Any) -> Any:
    """A torch.autograd.Function, made so that a checker of types needs no PyTorch."""
    once: Any = torch.autograd.function.once_differentiable
    return type(forward.__name__, (torch.autograd.Function,), {
        "forward": staticmethod(forward), "backward": staticmethod(once(backward))})


_Run = _function(_run_forward, _run_backward)
_Motion = _function(_motion_forward, _motion_backward)


def run(problem: str, method: str, *, step: float, steps: int, inertia: Any = None,
        attitude: Any = None, momentum: Any = None,
        parameters: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
    """Attitude (4) and momentum (3) after steps of a system; what is not given is the
    problem's. The method is a splitting of `exact`."""
    given = dict(parameters or {})
    out: tuple[Any, Any] = _Run.apply(problem, method, step, steps, tuple(given), inertia,
                                      attitude, momentum, *given.values())
    return out


def motion(inertia: Any, attitude: Any, momentum: Any, time: Any) -> tuple[Any, Any]:
    """Attitudes (..., 4) and momenta (..., 3) of the exact free motion at times after the start,
    a tensor of any shape."""
    out: tuple[Any, Any] = _Motion.apply(inertia, attitude, momentum, time)
    return out
