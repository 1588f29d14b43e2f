"""The moments of inertia of a heavy top, learned from noisy attitudes by gradients through the steps
of a symplectic method: python3 learn_inertia.py draws learn_inertia.png. Needs PyTorch."""

import matplotlib.pyplot as plt
import torch

import polhode.torch

TIMES, STEPS, STEP = 40, 5, 0.05
ATTITUDE = torch.tensor([0.96, 0.2, -0.15, 0.1], dtype=torch.float64)
VELOCITY = torch.tensor([0.5, -0.5, 0.5], dtype=torch.float64)
TRUE = torch.tensor([1.0, 1.6, 2.2], dtype=torch.float64)


def attitudes(moments):
    """The attitudes at even times of a top that begins with a known velocity."""
    q, m, seen = ATTITUDE, moments * VELOCITY, []
    for _ in range(TIMES):
        q, m = polhode.torch.run("heavy_top", "s4_6+exact", step=STEP, steps=STEPS,
                                 inertia=moments, attitude=q, momentum=m)
        seen.append(q)
    return torch.stack(seen)


torch.manual_seed(1)
observed = attitudes(TRUE) + 1e-3 * torch.randn(TIMES, 4, dtype=torch.float64)
logarithms = torch.zeros(3, dtype=torch.float64, requires_grad=True)  # moments stay positive
optimizer = torch.optim.LBFGS([logarithms], max_iter=40, line_search_fn="strong_wolfe")
losses, guesses = [], []


def loss():
    optimizer.zero_grad()
    moments = logarithms.exp()
    error = ((attitudes(moments) - observed) ** 2).mean()
    error.backward()
    losses.append(error.item())
    guesses.append(moments.detach().tolist())
    return error


optimizer.step(loss)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.semilogy(losses, color="black")
left.axhline(1e-6, color="grey", linestyle="--")
left.annotate("noise", (0, 1e-6), (0, 3), textcoords="offset points", color="grey")
left.set(xlabel="evaluation", ylabel="mean square error of an attitude")
for k, colour in enumerate(("#c1272d", "#0072b2", "#008f5a")):
    right.plot([g[k] for g in guesses], color=colour, label=f"moment {k + 1}")
    right.axhline(TRUE[k].item(), color=colour, linestyle=":")
right.set(xlabel="evaluation", ylabel="moment of inertia", ylim=(0, 3))
right.legend(frameon=False)
figure.savefig("learn_inertia.png", dpi=120)
print("learned:", ", ".join(f"{x:.4f}" for x in guesses[-1]), "after", len(losses), "evaluations;",
      "true:", ", ".join(f"{x:.4f}" for x in TRUE.tolist()))
