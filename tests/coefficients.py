#!/usr/bin/env python3
"""coefficients.py SOURCE [--table NAME] - every table of coefficients satisfies its order conditions to 1e-18.

The tables are read from the sources with all their digits, and the conditions are computed with 50. A change of
one unit in the 12th digit of a coefficient is larger than what is allowed by a factor of thousands.

    splittings     words in A and B: the product of the exponentials has the coefficient 1/n! at each word of n letters
    Nystroem       the same up to the ideal of [B, [B, [B, A]]], which vanishes for a quadratic kinetic energy
    compositions   words in Y1, Y3, Y5 ... of a symmetric step: all vanish but powers of Y1
    Runge-Kutta    the condition of each rooted tree up to the order; of dense output at six times
    collocation    sum a_ij c_j^(k-1) = c_i^k/k and sum b_j c_j^(k-1) = 1/k
    quadrature     sum w c^k = 1/(k+1)
    modified       the moments of DMV and of the midpoint rule: the Taylor series of the exact motion about the middle of a
    moments        step satisfies the equations of the step, up to the power of h that the order asks for
"""
import decimal
import math
import pathlib
import re
import sys
from decimal import Decimal as D

decimal.getcontext().prec = 50
MOST = D("1e-18")  # of a residual: 22 digits, and coefficients up to 500


# ---- tables from C ---------------------------------------------------------------------------------------------------



def number(text, names):
    """The value of a constant expression: quotients and products of numbers and names, added up."""
    total = D(0)
    for sign, term in re.findall(r"([-+]?)\s*((?:[\w.]|(?<=\de)-|\s*[*/]\s*)+)", text):
        value = D(1)
        for by, factor in re.findall(r"([*/]?)\s*(\w[\w.]*(?:(?<=\de)-\d+)?)", term):
            x = names[factor] if factor in names else D(factor)
            value = value / x if by == "/" else value * x
        total += -value if sign == "-" else value
    return total


def parts(text):
    """Splits at the commas outside of braces."""
    depth, part = 0, ""
    for c in text:
        depth += (c == "{") - (c == "}")
        if c == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += c
    if part.strip():
        yield part.strip()


def values(text, names):
    """An initialiser as nested lists, or as a dictionary if its members have names; what is left out is 0."""
    text = text.strip()
    if not text.startswith("{"):
        return number(text, names)
    out, fields, at = [], {}, 0
    for part in parts(text[1:-1]):
        named = re.match(r"(?:\[(\d+)\]|\.(\w+)) = (.*)", part, re.DOTALL)
        if named and named.group(2):
            fields[named.group(2)] = values(named.group(3), names)
            continue
        at, part = (int(named.group(1)), named.group(3)) if named else (at, part)
        out += [D(0)] * (at + 1 - len(out))
        out[at] = values(part, names)
        at += 1
    return fields or out


def table(source, path, name):
    """The initialiser of a name in a file."""
    text = re.sub(r"/\*.*?\*/", "", (source / path).read_text(), flags=re.DOTALL)
    start = re.search(rf"\b{name}(?:\[[^=]*?)? = \{{", text).end() - 1
    end, depth = start, 0
    while depth > 0 or end == start:
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    names = {n: D(x) for n, x in re.findall(r"#define (\w+) +(\d+\.\d+)\n", text)}
    return values(text[start:end], names)


def filled(rows, n):
    """Rows of a matrix, those of explicit methods filled up."""
    return [r + [D(0)] * (n - len(r)) for r in rows] + [[D(0)] * n] * (n - len(rows))


# ---- splittings ------------------------------------------------------------------------------------------------------


def product(x, y, allowed):
    """Of two sums of words, those that are allowed."""
    z = {}
    for u, a in x.items():
        for v, b in y.items():
            if allowed(u + v):
                z[u + v] = z.get(u + v, 0) + a * b
    return z


def splitting(half, kick_first, allowed):
    """The residuals of all words: their coefficients in the step, less 1/n!."""
    step = {"": D(1)}
    for i, c in enumerate(half + half[-2::-1]):
        letter, powers, k = "B" if (i % 2 == 0) == kick_first else "A", {}, 0
        while allowed(letter * k):
            powers[letter * k] = c**k / math.factorial(k)
            k += 1
        step = product(step, powers, allowed)
    return {w: c - 1 / D(math.factorial(len(w))) for w, c in step.items()}


def without_ideal(residuals, order):
    """What is left of residuals up to combinations of u [B, [B, [B, A]]] v."""
    relation = {"BBBA": 1, "BBAB": -3, "BABB": 3, "ABBB": -1}
    left = {w: c for w, c in residuals.items() if len(w) < 4}
    words = [""]
    by_length = [words]
    for _ in range(order - 4):
        words = [w + g for w in words for g in "AB"]
        by_length.append(words)
    for n in range(4, order + 1):
        rows = []
        ideal = [{u + w + v: D(c) for w, c in relation.items()}
                 for k in range(n - 3) for u in by_length[k] for v in by_length[n - 4 - k]]
        for x in ideal + [{w: c for w, c in residuals.items() if len(w) == n}]:
            for pivot, other in rows:
                f = x.get(pivot, 0) / other[pivot]
                for w, c in other.items() if f else ():
                    x[w] = x.get(w, 0) - f * c
            pivot = max(x, key=lambda w, x=x: abs(x[w]))
            last = x
            if abs(x[pivot]) > D("1e-30"):
                rows.append((pivot, x))
        left.update(last)
    return left


def splittings(source):
    """Each table of splittings.c, with the powers of h in front of B, B^2, B^3 ... that are right."""
    path = "src/integrators/schemes/splittings.c"
    for name, first, orders in (("VERLET", True, (2, 2)), ("S4_6", False, (4,) * 4), ("S6_10", False, (6,) * 6),
                                ("ABA8_4", False, (8, 4, 4, 4)), ("ABA10_6_4", False, (10, 6, 4, 4))):
        def allowed(w, orders=orders):
            kicks = w.count("B")
            return kicks <= len(orders) and len(w) <= (orders[kicks - 1] if kicks else orders[0])
        yield name, splitting(table(source, path, name), first, allowed).values()
    for name, first, order in (("SRKN4_6B", True, 4), ("SRKN6_14A", False, 6)):
        all_words = splitting(table(source, path, name), first, lambda w, p=order: len(w) <= p)
        yield name, without_ideal(all_words, order).values()


def compositions(source):
    """Each table of composition.c, and the composition of the thermostat's chain."""
    path = "src/motion/composition.c"
    for name, order in (("YOSHIDA4", 4), ("SUZUKI4", 4), ("YOSHIDA6", 6), ("KAHAN_LI6", 6), ("MCLACHLAN8", 8),
                        ("KAHAN_LI8", 8), ("SOFRONIOU10", 10)):
        half = table(source, path, name)
        yield name, composition(half + half[-2::-1], order)
    chain = (source / "src/integrators/thermostats/nose_hoover_chain.c").read_text()
    outer = D(re.search(r"outer = ([\d.]+)", chain).group(1))
    yield "nose_hoover", composition([outer, 1 - 2 * outer, outer], 4)


def composition(factors, order):
    """The residuals of words of odd letters: g (Y1 + g^2 Y3 + ...) in the exponent of each factor."""
    def allowed(w):
        return sum(w) <= order
    words, letters = [()], range(1, order + 1, 2)
    for w in words:
        words.extend(w + (k,) for k in letters if allowed(w + (k,)))
    step = {(): D(1)}
    for g in factors:
        step = product(step, {w: g ** sum(w) / math.factorial(len(w)) for w in words}, allowed)
    return [c - (1 / D(math.factorial(len(w))) if set(w) <= {1} else 0) for w, c in step.items()]


# ---- Runge-Kutta methods ---------------------------------------------------------------------------------------------


def trees(most):
    """Rooted trees by their number of nodes; a tree is the sorted tuple of what grows from its root."""
    by_order = [[], [()]]
    for n in range(2, most + 1):
        found = set()
        for k in range(1, n):
            for child in by_order[k]:
                for rest in by_order[n - k]:
                    found.add(tuple(sorted(rest + (child,))))
        by_order.append(sorted(found))
    return [t for row in by_order for t in row]


def order_of(t):
    """The number of nodes."""
    return 1 + sum(map(order_of, t))


def density(t):
    """The tree's gamma."""
    return order_of(t) * math.prod(map(density, t))


class Method:
    """The weights of trees at the stages of a Runge-Kutta method."""

    def __init__(self, a):
        self.a, self.known = a, {}

    def at(self, t):
        """At each stage, the product over the children of sum a_ij of theirs."""
        if t not in self.known:
            out = [D(1)] * len(self.a)
            for child in t:
                below = self.at(child)
                out = [x * sum(c * y for c, y in zip(row, below)) for x, row in zip(out, self.a)]
            self.known[t] = out
        return self.known[t]

    def residuals(self, b, order, x=D(1), right=True):
        """Of the conditions of weights b at the fraction x of a step; or that all vanish."""
        return [sum(w * p for w, p in zip(b, self.at(t))) - (x ** order_of(t) / density(t) if right else 0)
                for t in trees(order)]


def rows_are_times(a, c):
    """Each row of a sums up to its time."""
    return [sum(row) - x for row, x in zip(a, c)]


def tableaux(source):
    """Those of runge_kutta.c."""
    for name, order in (("rk4", 4), ("gauss4", 4), ("gauss6", 6)):
        t = table(source, "src/integrators/methods/runge_kutta.c", "ph_tableau_" + name)
        a = filled(t["a"], len(t["b"]))
        yield "ph_tableau_" + name, Method(a).residuals(t["b"], order) + rows_are_times(a, t["c"])


def dop853(source):
    """The method of order 8, its two estimates and its polynomial of order 7."""
    path = "src/integrators/adaptive/dop853.c"
    c, a = table(source, path, "C"), filled(table(source, path, "STAGE"), 16)
    b, method = a[12], Method(a)
    yield "dop853", method.residuals(b, 8) + rows_are_times(a, c)
    e5, e3 = table(source, path, "E5"), table(source, path, "E3")
    fine = [w - e for w, e in zip(b, e3)]
    yield "dop853 E5", method.residuals(e5, 5, right=False)
    yield "dop853 E3", method.residuals(e3, 3, right=False) + [w - D(n) / d for w, n, d in (
        (fine[0], 31, 127), (fine[8], 12675, 17272), (fine[11], 3, 136))] + [fine[i] for i in (5, 6, 7, 9, 10)]
    dense = [r + [D(0)] * (16 - len(r)) for r in table(source, path, "D")]
    first, end = [D(i == 0) for i in range(16)], [D(i == 12) for i in range(16)]
    r2 = [f - w for f, w in zip(first, b)]
    r3 = [w - e - r for w, e, r in zip(b, end, r2)]
    out = []
    for k in range(1, 7):
        x = D(k) / 7
        z, weights = 1 - x, [D(0)] * 16
        for i, r in enumerate(reversed([b, r2, r3] + dense)):
            weights = [w * (x if i % 2 else z) + y for w, y in zip(weights, r)]
        out += method.residuals([x * w for w in weights], 7, x)
    yield "dop853 D", out


def legendre(k, x):
    """Legendre's polynomial of degree k."""
    before, now = D(1), x
    for n in range(1, k):
        before, now = now, ((2 * n + 1) * x * now - n * before) / (n + 1)
    return now if k else D(1)


def gauss16(source):
    """Collocation at eight nodes, and the weights of the polynomials."""
    path = "src/integrators/adaptive/gauss16.c"
    c, a, w = (table(source, path, n) for n in ("NODE", "STAGE", "COEFFICIENT"))
    b = [row[0] for row in w]
    yield "gauss16", ([sum(a[j][i] * c[j] ** k for j in range(8)) - c[i] ** (k + 1) / (k + 1) for i in range(8) for k in range(8)] +
                      [sum(x * y**k for x, y in zip(b, c)) - 1 / D(k + 1) for k in range(16)])
    yield "gauss16 COEFFICIENT", [w[j][k] - b[j] * (2 * k + 1) * legendre(k, 2 * c[j] - 1) for j in range(8) for k in range(8)]


def quadratures(source):
    """Rules of Gauss, on [0, 1] and, of fit_model.c, on [-1, 1]."""
    rules = table(source, "lab/motion/gauss_legendre.h", "gauss_rules")
    for points in (3, 4, 5):
        pairs, node, weight, middle = rules[points]
        yield f"gauss_rules {points}", rule(node, weight, middle, points) + [pairs - len(node), pairs - len(weight)]
    text = (source / "src/motion/derivative.c").read_text()
    node, weight = ([D(x) for x in re.findall(r"0\.\d+", re.search(rf"{n}\[PAIRS\] = \{{(.*?)\}}", text, re.DOTALL).group(1))]
                    for n in ("node", "weight"))
    yield "derivative.c", rule(node, weight, D(0), 8)
    node, weight = (table(source, "src/fit/fit_model.c", n) for n in ("node", "weight"))
    yield "fit_model.c", rule([(1 - x) / 2 for x in node], [x / 2 for x in weight], D(0), 12)


def rule(node, weight, middle, points):
    """The residuals of nodes below 1/2, which stand for their mirror images too."""
    return [sum(w * (x**k + (1 - x) ** k) for x, w in zip(node, weight)) + middle / D(2) ** k - 1 / D(k + 1)
            for k in range(2 * points)]


# ---- modified moments ------------------------------------------------------------------------------------------------


def times(x, y):
    """The product of two truncated power series in h."""
    return [sum((x[k] * y[n - k] for k in range(n + 1)), D(0)) for n in range(len(x))]


def plus(*x):
    """Their sum."""
    return [sum(c, D(0)) for c in zip(*x)]


def by(a, x):
    """A number times a series."""
    return [a * c for c in x]


def cross(a, b):
    """Of vectors of series."""
    return [plus(times(a[(i + 1) % 3], b[(i + 2) % 3]), by(-1, times(a[(i + 2) % 3], b[(i + 1) % 3]))) for i in range(3)]


def exact_motion(m, j, terms):
    """The Taylor series in t of momentum and quaternion from m and the identity: the equations, term by term."""
    y, q = [[D(x)] for x in m], [[D(1)], [D(0)], [D(0)], [D(0)]]
    for n in range(terms - 1):
        w = [by(c, x) for c, x in zip(j, y)]
        dy = [sum(y[(i + 1) % 3][k] * w[(i + 2) % 3][n - k] - y[(i + 2) % 3][k] * w[(i + 1) % 3][n - k] for k in range(n + 1))
              for i in range(3)]
        def term(a, b, n=n, w=w):
            return sum(q[a][k] * w[b][n - k] for k in range(n + 1))
        dq = (-term(1, 0) - term(2, 1) - term(3, 2), term(0, 0) + term(2, 2) - term(3, 1),
              term(0, 1) + term(3, 0) - term(1, 2), term(0, 2) + term(1, 1) - term(2, 0))
        for x, c in zip(y + q, dy + [c / 2 for c in dq]):
            x.append(c / (n + 1))
    return y, q


def powers(falls_by_c, r, more):
    """The powers of H, C, N, p1, p2, p3 of the terms of h^2r, in the order of src/motion/series.c."""
    for k in range(r + 1):
        for n in range(k + 1 if falls_by_c else 1):
            big_h = k - n if falls_by_c else r - k
            c = r - big_h - n
            weight, least = r + c - n + more, c + more
            for a in range((weight if falls_by_c else weight // 3) + 1):
                for b in range(a % 2, a // 3 + 1, 2) if falls_by_c else range((weight - 3 * a) // 2 + 1):
                    p3, p2 = (b, (a - 3 * b) // 2) if falls_by_c else (a, b)
                    if p2 + 2 * p3 >= least:
                        yield big_h, c, n, weight - 2 * p2 - 3 * p3, p2, p3


def polynomial(numerators, denominator, exponents, of):
    """A sum of terms in the six variables, which are series."""
    total = by(0, of[0])
    assert len(numerators) == len(exponents)
    for number_of, exponent in zip(numerators, exponents):
        term = by(number_of / denominator, [D(1)] + [D(0)] * (len(of[0]) - 1))
        for x, n in zip(of, exponent):
            for _ in range(n):
                term = times(term, x)
        total = plus(total, term)
    return total


def modified(source):
    """Both families, of two bodies; s and d are evaluated where the method does it."""
    path = "src/motion/series.c"
    text = (source / path).read_text()
    for family, midpoint in (("dmv", False), ("imr", True)):
        rows = re.findall(r"\{(\d), \w+, (\d+), (\w+), (\w+)\}", re.search(rf"ph_{family}_series\[\] = .*?;", text, re.DOTALL).group())
        terms = 2 * len(rows) + 2  # powers of h up to that of the last d, times h
        residuals = []
        for m, moments in (((3, -2, 5), (7, 10, 12)), ((-1, 4, 2), (3, 5, 6))):
            m, j = [D(x) / 10 for x in m], [D(4) / x for x in moments]
            y, q = exact_motion(m, j, terms)
            half = [[c * (D(s) / 2) ** n for n, c in enumerate(x)] for s in (1, -1) for x in y + q]
            (after, turned), (before, back) = (half[:3], half[3:7]), (half[7:10], half[10:])
            a, b = back[0], [by(-1, x) for x in back[1:]]  # the inverse, since the norm is 1
            r, v = turned[0], turned[1:]
            scalar = plus(times(a, r), *(by(-1, times(x, z)) for x, z in zip(b, v)))
            vector = [plus(times(a, v[i]), times(r, b[i]), c) for i, c in enumerate(cross(b, v))]
            middle = [by(D("0.5"), plus(x, z)) for x, z in zip(after, before)]
            at = middle if midpoint else [[c] + [D(0)] * (terms - 1) for c in m]
            squares = [times(x, x) for x in at]
            def constant(x, terms=terms):
                return [x] + [D(0)] * (terms - 1)
            of = [plus(*(by(c / 2, x) for c, x in zip(j, squares))), by(D("0.5"), plus(*squares)),
                  plus(*(by(c * c, x) for c, x in zip(j, squares))), constant(sum(j)),
                  constant(j[0] * j[1] + j[1] * j[2] + j[2] * j[0]), constant(j[0] * j[1] * j[2])]
            s, d = constant(D(1)), constant(D(0))
            for k, denominator, name_s, name_d in rows:
                k = int(k)
                for more, name in enumerate((name_s, name_d)):
                    part = polynomial(table(source, path, name), D(denominator), list(powers(midpoint, k, more)), of)
                    part = [D(0)] * (2 * k) + part[:terms - 2 * k]
                    s, d = (plus(s, part), d) if more == 0 else (s, plus(d, part))
            for i in range(3):  # e, or e/alpha, is (h/2) (s/I + d) Y
                right = [D(0)] + by(D("0.5"), times(plus(by(j[i], s), d), middle[i]))[:-1]
                left = vector[i] if midpoint else times(scalar, vector[i])
                right = times(scalar, right) if midpoint else right
                residuals += [x - z for x, z in zip(left, right)]
        yield f"ph_{family}_series", [x * 10**28 for x in residuals]  # fractions are exact here, and their terms are small


def main():
    """Prints the largest residual of each table; fails if one is too large."""
    source, bad = pathlib.Path(sys.argv[1]), 0
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    for group in (splittings, compositions, tableaux, dop853, gauss16, quadratures, modified):
        for name, residuals in group(source):
            worst = max(map(abs, residuals))
            if only not in name:
                continue
            print(f"{name:22} {float(worst):.1e} of {len(list(residuals))} conditions")
            if not worst <= MOST:
                print(f"coefficients: {name}: a condition is violated by {float(worst):.1e}, more than {float(MOST):.0e}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
