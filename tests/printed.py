#!/usr/bin/env python3
"""printed.py equal PAGE OUTPUT - whether a program prints what a page says; both are files, - is standard input.
printed.py near PAGE OUTPUT - the same, but numbers may differ by round-off.
printed.py rows PAGE OUTPUT - whether each line of the output stands on the page, with numbers that may differ by round-off.

This is the one rule by which tests of documents compare numbers:

  - What Polhode alone computes has the same bits on every machine. Such an output is compared digit by digit.
  - What a user's compiler or NumPy computes has their round-off: some compilers fuse a product and a sum, and others do not.
    In such an output
      - an integer is a count, and must be equal;
      - an error below 1e-9 must have the same order of magnitude: the ratio of the two is at most 10, where an error below
        1e-16, also 0, counts as 1e-16;
      - other numbers may differ by one unit of their last digit, or by 1e-9 of the number, whichever is more.
    Everything between the numbers must be equal, except for the number of blanks.

In a page `...` stands for anything within a line, and a line `...` for any lines.
"""
import doctest
import functools
import pathlib
import re
import sys

ERRORS_BELOW = 1e-9  # numbers below it are errors that round-off decides; also the relative difference of two roundings
ORDER = 10.0         # the largest ratio of two such errors
ROUND_OFF = 1e-16    # an error below it is round-off of a single operation
NUMBER = re.compile(r"(?<![\w.])[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w]|\.\d)")
ANYTHING = "..."


def places(text):
    """The decimals that a number has: 3 of 0.125, -2 of 12e2."""
    mantissa, _, exponent = text.lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)


def rounds_to(said, number):
    """Whether the number, rounded to the digits of `said`, is `said`, apart from its sign."""
    return abs(abs(number) - abs(float(said))) <= 0.5000001 * 10.0 ** -places(said)


def numbers_agree(said, printed):
    """Whether two texts of a number differ by round-off only."""
    if said == printed:
        return True
    said, printed = said.replace("−", "-"), printed.replace("−", "-")
    if re.fullmatch(r"[-+]?\d+", said) and re.fullmatch(r"[-+]?\d+", printed):
        return int(said) == int(printed)
    a, b = float(said), float(printed)
    small, large = sorted((max(abs(a), ROUND_OFF), max(abs(b), ROUND_OFF)))
    if small < ERRORS_BELOW and large <= ORDER * small * (1 + ERRORS_BELOW):
        return True
    if 0.0 in (a, b) and places(said) != places(printed):
        return False  # a zero of another notation: its last digit is no measure
    unit = 10.0 ** -max(places(said), places(printed))
    return abs(a - b) <= max(unit * (1 + ERRORS_BELOW), ERRORS_BELOW * abs(a))


def pattern(line):
    """(regular expression for a line of output, the numbers of a line of a page): each number is a group."""
    parts, numbers = [], []
    for piece in re.split(r"(\.\.\.)", line):
        if piece == ANYTHING:
            parts.append(".*?")
            continue
        at = 0
        for match in NUMBER.finditer(piece):
            parts += [blanks(piece[at:match.start()]), "(" + NUMBER.pattern + ")"]
            numbers.append(match.group())
            at = match.end()
        parts.append(blanks(piece[at:]))
    return "".join(parts), numbers


def blanks(text):
    return re.sub(r"(?:\\?[ \t])+", r"[ \\t]+", re.escape(text))


def lines_agree(said, printed, near):
    """Whether a line of output is that of the page."""
    said, printed = said.rstrip(), printed.rstrip()
    if not near:
        return re.fullmatch(re.escape(said).replace(r"\.\.\.", ".*?"), printed) is not None
    expression, numbers = pattern(said.strip())
    found = re.fullmatch(expression, printed.strip())
    return found is not None and all(map(numbers_agree, numbers, found.groups()))


def agrees(page, output, near):
    """Whether the output is what the page says. `near`: numbers may differ by round-off."""
    said, printed = page.strip().split("\n"), output.strip().split("\n")

    @functools.lru_cache(None)
    def rest_agrees(i, j):
        if i == len(said):
            return j == len(printed)
        if said[i].strip() == ANYTHING:
            return any(rest_agrees(i + 1, k) for k in range(j, len(printed) + 1))
        return j < len(printed) and lines_agree(said[i], printed[j], near) and rest_agrees(i + 1, j + 1)

    return rest_agrees(0, 0)


class Checker(doctest.OutputChecker):
    """For the examples of docstrings."""

    def check_output(self, want, got, optionflags):
        return super().check_output(want, got, optionflags) or agrees(want, got, near=True)


def check_itself():
    """The comparison must be able to fail."""
    for said, printed, right in (
            ("1.5e-12", "9.8e-13", True), ("1.5e-12", "1.6e-11", False), ("0", "2.2e-16", True), ("0.0", "1e-14", False),
            ("1.5e-12", "0.3", False), ("0.3", "1e-12", False), ("12", "13", False), ("12.0", "12.1", True), ("12.0", "12.2", False),
            ("0.000", "0.001", True), ("12", "12.3", False), ("0.25", "0.249", True), ("0", "0.3", False), ("0", "1e-05", False),
            ("1.122696950", "1.122696951", True), ("1.122696950", "1.122696970", False), ("6.1e-04", "6.0e-04", True),
            ("6.1e-04", "5.9e-04", False), ("0.25", "-0.25", False), ("1.2345678901234567", "1.2345678902", True)):
        assert numbers_agree(said, printed) == right, (said, printed)
    for said, printed, exactly, nearly in (
            ("a = 1 ... s\nb\n", "a = 1 in 3 s  \nb\n", True, True), ("a = 1\n", "a = 2\n", False, False),
            ("x 1.50e-12  yes", "x 9.8e-13 yes", False, True), ("x 1.5e-12 yes", "x 1.5e-12 no", False, False),
            ("s4_6 2.00", "s4_7 2.00", False, False), ("a\n...\nb", "a\n1\n2\nb", True, True), ("a\n...\nb", "a\n1", False, False)):
        assert (agrees(said, printed, False), agrees(said, printed, True)) == (exactly, nearly), (said, printed)


def main():
    check_itself()
    if len(sys.argv) != 4 or sys.argv[1] not in ("equal", "near", "rows"):
        sys.exit("\n".join(__doc__.split("\n")[:3]))
    how, *paths = sys.argv[1:]
    page, output = (sys.stdin.read() if path == "-" else pathlib.Path(path).read_text() for path in paths)
    if how == "rows":
        lines = [line for line in page.split("\n") if ANYTHING not in line]
        missing = [row for row in output.strip().split("\n") if not any(lines_agree(line, row, True) for line in lines)]
        wrong = f"the page has no such lines:\n{chr(10).join(missing)}" if missing else ""
    else:
        wrong = "" if agrees(page, output, how == "near") else f"the page says\n{page}\nbut this is printed:\n{output}"
    if wrong:
        sys.exit(wrong)


if __name__ == "__main__":
    main()
