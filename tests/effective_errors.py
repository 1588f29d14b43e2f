#!/usr/bin/env python3
"""effective_errors.py SOURCE - the effective errors E_f = s |c|^(1/p) of the splittings of Blanes and Moan,
from their coefficients, compared with CFSZ's appendix and with docs/papers.md.

A step is a product of exponentials of A and B. Its logarithm in the free associative algebra is A + B and, of
degree p + 1, the leading error, a combination of brackets; c are its coefficients in a basis of brackets of
that degree. For a Nystroem splitting brackets of [B, [B, [B, A]]] vanish, and c is that of the rest. The
paper does not name its basis; two are tried: Hall's, and that of Lyndon words.
"""
import itertools
import math
import pathlib
import re
import sys

# Name, kick first, order, kicks, Nystroem, E_f as CFSZ prints it.
SCHEMES = (("S4_6", False, 4, 6, False, 0.56), ("S6_10", False, 6, 10, False, 1.12),
           ("SRKN4_6B", True, 4, 6, True, 0.28), ("SRKN6_14A", False, 6, 14, True, 0.63))
NEAR = 0.06  # as much as Hall's basis may differ: bases differ by more


def product(x, y, most):
    """Of two sums of words, up to a length."""
    z = {}
    for u, a in x.items():
        for v, b in y.items():
            if len(u) + len(v) <= most:
                z[u + v] = z.get(u + v, 0.0) + a * b
    return z


def bracket(x, y):
    """x y - y x"""
    z = product(x, y, 99)
    for w, c in product(y, x, 99).items():
        z[w] = z.get(w, 0.0) - c
    return z


def logarithm(x, most):
    """Of 1 + y, up to words of a length."""
    y = {w: c for w, c in x.items() if w}
    z, power = {}, {"": 1.0}
    for k in range(1, most + 1):
        power = product(power, y, most)
        for w, c in power.items():
            z[w] = z.get(w, 0.0) - (-1) ** k * c / k
    return z


def degree(t):
    """How many letters a tree of brackets has."""
    return 1 if isinstance(t, str) else degree(t[0]) + degree(t[1])


def value(t):
    """A tree of brackets as a sum of words."""
    return {t: 1.0} if isinstance(t, str) else bracket(value(t[0]), value(t[1]))


def hall(most):
    """Hall's basis: [a, b] with a after b, and the second part of a not after b."""
    order = ["A", "B"]
    for n in range(2, most + 1):
        at = {str(t): i for i, t in enumerate(order)}
        order += [(a, b) for a, b in itertools.product(order, order)
                  if degree(a) + degree(b) == n and at[str(a)] > at[str(b)] and
                  (isinstance(a, str) or at[str(a[1])] <= at[str(b)])]
    return [t for t in order if degree(t) == most]


def is_lyndon(w):
    """Whether a word is before all its rotations."""
    return all(w < w[i:] + w[:i] for i in range(1, len(w)))


def lyndon_tree(w):
    """The standard bracketing of a Lyndon word."""
    if len(w) == 1:
        return w
    cut = next(i for i in range(1, len(w)) if is_lyndon(w[i:]))
    return lyndon_tree(w[:cut]), lyndon_tree(w[cut:])


def lyndon(most):
    """The basis of Lyndon words."""
    return [lyndon_tree(w) for w in map("".join, itertools.product("AB", repeat=most)) if is_lyndon(w)]


def coefficients(error, ideal, basis):
    """Of the error in the basis, up to the ideal: elimination, in this order; those that depend drop out."""
    rows = []  # word, what is left of the bracket, its combination of the basis

    def reduce(x, by):
        x, by = dict(x), dict(by)
        for pivot, other, parts in rows:
            f = x.get(pivot, 0.0) / other[pivot]
            if f != 0.0:
                for w, c in other.items():
                    x[w] = x.get(w, 0.0) - f * c
                for k, c in parts.items():
                    by[k] = by.get(k, 0.0) - f * c
        return x, by

    for k, element in enumerate(ideal + basis):
        x, by = reduce(element, {k: 1.0} if k >= len(ideal) else {})
        pivot = max(x, key=lambda w: abs(x[w]))
        if abs(x[pivot]) > 1e-9:
            rows.append((pivot, x, by))
    left, by = reduce(error, {})
    assert max(map(abs, left.values())) < 1e-12, "the error is no combination of brackets"
    return list(by.values())


def half_of(text, name):
    """The coefficients of a scheme, the first half."""
    table = re.search(rf"static const double {name}\[\] = \{{(.*?)\}};", text, re.DOTALL).group(1)
    return [float(x) for x in re.findall(r"-?\d+\.\d+", re.sub(r"/\*.*?\*/", "", table))]


def effective_error(half, kick_first, order, kicks, nystroem, basis):
    """E_f, and the largest coefficient of brackets below the leading ones that do not vanish."""
    most, step = order + 1, {"": 1.0}
    for i, c in enumerate(half + half[-2::-1]):
        letter = "B" if (i % 2 == 0) == kick_first else "A"
        step = product(step, {letter * k: c**k / math.factorial(k) for k in range(most + 1)}, most)
    error = {w: c for w, c in logarithm(step, most).items() if len(w) == most}
    ideal = [value(("B", ("B", ("B", "A"))))] if nystroem else []
    for _ in range(4, most) if nystroem else ():
        ideal = [bracket({g: 1.0}, x) for x in ideal for g in "AB"]
    c = coefficients(error, ideal, [value(t) for t in basis(most)])
    return kicks * math.sqrt(sum(x * x for x in c)) ** (1 / order)


def main():
    """Prints both and what is printed; fails if Hall's is not near it or not on the page."""
    source = pathlib.Path(sys.argv[1])
    text = (source / "src/integrators/schemes/splittings.c").read_text()
    page = " ".join((source / "docs/papers.md").read_text().split())
    bad = 0
    for name, first, order, kicks, nystroem, printed in SCHEMES:
        found = [effective_error(half_of(text, name), first, order, kicks, nystroem, b) for b in (hall, lyndon)]
        row = f"| `{name.lower()}` | {printed:.2f} | {found[0]:.2f} | {found[1]:.2f} |"
        print(row)
        if abs(found[0] / printed - 1) > NEAR or row not in page:
            print(f"effective_errors: {name}: not near {printed}, or docs/papers.md has not this row")
            bad += 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
