"""arguments.py HEADERS OUT.c - writes a program that calls each public function that returns a
status with each argument missing or out of range.

The calls follow from the headers. Each differs from a valid one in one argument, or in one member
of a structure that an argument points to:

  a pointer is NULL; a size_t is 0 or SIZE_MAX; another whole number is 0, and -1 if it is signed;
  a double is 0, NaN or infinite; an enumeration is 99.

The program (tests/support/arguments.h) makes each call in a process of its own. A crash is a
failure. So is PH_OK for a pointer that is NULL, unless the comment of the function says so, for
argument `w` as "`w` may be NULL".

Left out are counts of arrays and of steps that are not size_t, which may be as large as they like,
and the members of descriptors: the caller has written these, and the headers say that they must be
complete.
"""

import re
import sys
from pathlib import Path

# A valid value of each type, and of arguments of some names; tests/support/arguments.h has them.
VALUES = {
    "double": "0.1", "float": "0.1F", "uint64_t": "3", "int": "1", "unsigned": "0", "size_t": "1", "bool": "false",
    "ph_vec3": "(ph_vec3){1, 2, 3}", "ph_quat": "(ph_quat){1, 0, 0, 0}",
    "ph_mat3": "(ph_mat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}}",
    "ph_expression_use": "PH_EXPRESSION_TORQUE",
    "const char *": '"any"', "void *": "value.bytes", "const void *": "value.bytes",
    "double *": "value.numbers", "const double *": "value.numbers",
    "size_t *": "&value.size", "uint64_t *": "value.whole",
    "ph_vec3 *": "value.vectors", "const ph_vec3 *": "value.vectors", "ph_quat *": "&value.quat",
    "float *": "value.floats", "const float *": "value.floats",
    "const ph_instant *": "&value.instant", "const ph_flow *": "&ph_flow_exact",
    "const ph_problem *": "&ph_problem_heavy_top[0]", "ph_problem *": "&value.problem",
    "const ph_spheres_problem *": "&value.pendulum",
    "const ph_system *": "value.system", "ph_system *": "value.system",
    "ph_ensemble *": "value.ensemble", "const ph_motion *": "&value.motion",
    "ph_device *": "NULL", "ph_device_bodies *": "NULL",  # there may be no device
    "ph_batch_observer *": "NULL", "ph_window_list *": "value.window_lists",
    "bool (*)(void *context, ph_system *s)": "see_system",
    "bool (*)(void *context, double done)": "go_on",
    "char *": "value.text",
    "const ph_parameter *": "&value.parameter", "const ph_grade_case *": "&value.grade_case", "const ph_integrator *": "&value.integrator",
}
NAMED = {
    ("ph_grade_rows", "row"): "(ph_grade_row *)(void *)value.result",
    ("ph_problem_surroundings", "p"): "&ph_problem_spacecraft",
    ("ph_digits_begin", "companion"): "value.adaptive",
    ("ph_digits_follow", "s"): "value.adaptive",
    ("ph_system_create_on_spheres", "settings"): "&value.on_spheres",
    ("ph_integrator_suits", "integrator"): '"vlv"', ("ph_integrator_suits", "problem"): '"heavy_top"',
    ("ph_ensemble_follow", "e"): "value.followed", ("ph_ensemble_follow", "until"): "0.2",
    ("ph_ensemble_events", "condition"): '"R33 < 0"',
    ("ph_ensemble_windows", "condition"): '"R33 < 0"',
    ("ph_system_expression", "text"): '"w1"',
    ("ph_system_event_derivative", "s"): "value.derivatives",
    ("ph_system_derivative", "s"): "value.derivatives", ("ph_system_derivative", "column"): "0",
    ("ph_system_restore", "size"): "value.size", ("ph_system_from_snapshot", "size"): "value.size",
    ("ph_system_from_snapshot_of", "size"): "value.size",
    ("ph_batch_run", "i"): "&value.flow", ("ph_ensemble_run", "until"): "0.2",
    ("ph_system_run_until", "time"): "0.2", ("ph_system_run_event", "time"): "0.2",
    ("ph_system_events", "time"): "0.2", ("ph_system_events", "count"): "1",
    ("ph_ensemble_windows", "until"): "0.2",
    ("ph_ensemble_events", "until"): "0.2", ("ph_ensemble_reduce", "until"): "0.2",
    **{(f"ph_{function}_named", "name"): f'"{name}"' for function, name in (
        ("flow", "exact"), ("problem", "heavy_top"), ("integrator", "vlv"),
        ("system_array", "attitude"), ("system_observable", "energy"))},
}
# Structures that a caller fills: their members are tried as well. The others are descriptors,
# results, or objects that the library alone makes.
FILLED = {name: f"value.{name[3:]}" for name in (
    "ph_system_settings", "ph_fit_settings", "ph_observations", "ph_each", "ph_reduction",
    "ph_ensemble_observer", "ph_observer", "ph_event", "ph_batch", "ph_batchf", "ph_batch_strided",
    "ph_batch_derivative", "ph_expressions", "ph_device_run", "ph_device_reduction",
    "ph_body", "ph_state", "ph_tangent", "ph_digits")}
# Members that are the library's, or a count of the caller's that may be as large as it likes.
LEFT_ALONE = {("ph_digits", None), ("ph_device_run", "steps")}


def parts(text):
    """The parts of a text between its commas, those within brackets left alone."""
    found, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            found.append(text[start:i])
            start = i + 1
    return [p.strip() for p in [*found, text[start:]] if p.strip()]


def declared(text):
    """(type, name) of a declaration."""
    text = " ".join(text.split())
    pointer = re.fullmatch(r"(.*?)\(\*(\w+)\)(\(.*\))", text)
    if pointer:
        return f"{pointer[1].strip()} (*){pointer[3]}", pointer[2]
    array = re.fullmatch(r"(.*?)(\w+)\[[^]]*\]", text)
    if array:
        return f"{array[1].strip()} *", array[2]
    plain = re.fullmatch(r"(.*?)(\w+)", text)
    return plain[1].strip(), plain[2]


def members_of(body):
    """(type, expression) of the members of a structure, of an array its first element."""
    found = []
    for line in filter(str.strip, body.split(";")):
        first, *more = parts(" ".join(line.split()))
        if "(*" in first:
            found.append(declared(first))
            continue
        base = re.match(r"((?:const |struct |unsigned )*\w+)\s*(?=[*\w])", first)[1]
        for one in [first[len(base):], *more]:
            stars, name, sizes = re.fullmatch(r"((?:\s|\*|const\b)*)(\w+)((?:\[[^]]*\])*)", one.strip()).groups()
            found.append((f"{base} {stars.strip()}".strip(), name + "[0]" * sizes.count("[")))
    return found


def is_pointer(kind):
    return "*" in kind


def bad_values(kind):
    """Values of a type that may be out of range."""
    if is_pointer(kind):
        return ["NULL"]
    if kind == "size_t":
        return ["0", "SIZE_MAX"]
    if kind in ("uint64_t", "unsigned"):
        return ["0"]
    if kind == "int":
        return ["0", "-1"]
    if kind in ("double", "float"):
        return ["0.0", "NAN", "INFINITY", "-INFINITY"]
    if kind.startswith("ph_") and kind in ENUMS:
        return [f"({kind})99"]
    return []


def read_headers(folder):
    text = "\n".join(p.read_text() for p in sorted(folder.glob("*.h")))
    ENUMS.update(re.findall(r"\}\s*(ph_\w+);", "".join(re.findall(r"typedef enum[^;]*;", text, re.S))))
    structures = {}
    for m in re.finditer(r"(/\*(?:[^*]|\*(?!/))*\*/)?\s*(?:typedef )?struct (ph_\w+) \{(.*?)\n\}", text, re.S):
        if m[2] in FILLED:
            structures[m[2]] = members_of(re.sub(r"/\*.*?\*/", "", m[3], flags=re.S))
    functions = []
    for m in re.finditer(r"(/\*(?:[^*]|\*(?!/))*\*/)?\s*(?:(?:PH_API|enum) [^;]*;\s*|#define[^\n]*\n\s*)*?"
                         r"PH_API (ph_status|ph_batch_result) (\w+)\(([^;]*)\);", text, re.S):
        functions.append((m[1] or "", m[2], m[3], [declared(a) for a in parts(m[4])]))
    return structures, functions


ENUMS = set()


def pointee(kind):
    return kind.replace("const ", "").replace("*", "").strip()


def may_be_null(comment, name):
    """Whether the comment of a function allows NULL for an argument."""
    return f"`{name}` may be NULL" in re.sub(r"\s*\n\s*\*\s*", " ", comment)


def main(folder, out):
    structures, functions = read_headers(Path(folder))
    lines, calls, unknown = [], [], set()

    def value_of(function, kind, name):
        if (function, name) in NAMED:
            return NAMED[function, name]
        if kind in VALUES:
            return VALUES[kind]
        if is_pointer(kind) and kind.count("*") == 2 and "const" not in kind.split("*")[0]:
            return f"&(({pointee(kind)} *){{NULL}})"
        if is_pointer(kind) and pointee(kind) in FILLED:
            return f"&{FILLED[pointee(kind)]}"
        if kind.count("*") == 1 and "const" not in kind and "(*)" not in kind:
            return f"(({kind})value.result)"
        if kind.count("*") == 2:
            return "(void *)value.result"
        unknown.add(f"{kind} ({function})")
        return "0"

    def add(function, returned, arguments, said, setup, null):
        n = len(calls)
        status = f"{function}({', '.join(arguments)})" + (".status" if returned != "ph_status" else "")
        lines.append(f"static ph_status call_{n}(void)\n{{\n{setup}    return {status};\n}}\n")
        calls.append(f'    {{"{function}: {said}", call_{n}, {"true" if null else "false"}}},')

    for comment, returned, function, arguments in functions:
        valid = [value_of(function, *a) for a in arguments]
        add(function, returned, valid, "valid arguments", "", False)
        for i, (kind, name) in enumerate(arguments):
            for bad in bad_values(kind):
                tried = [*valid[:i], bad, *valid[i + 1:]]
                null = bad == "NULL" and not may_be_null(comment, name) and kind != "void *"
                add(function, returned, tried, f"{name} = {bad}", "", null)
            owner = pointee(kind)
            if owner not in FILLED or not is_pointer(kind) or (owner, None) in LEFT_ALONE:
                continue
            for member_kind, member in structures[owner]:
                for bad in bad_values(member_kind) if (owner, member) not in LEFT_ALONE else []:
                    add(function, returned, valid, f"{name}->{member} = {bad}",
                        f"    {FILLED[owner]}.{member} = {bad};\n", False)
    if unknown:
        sys.exit("arguments.py: there is no valid value of these types: add them to VALUES:\n" + "\n".join(sorted(unknown)))
    Path(out).write_text("/* Written by tests/arguments.py from the headers. */\n#define _XOPEN_SOURCE 700 /* fork, setitimer */\n#include \"support/arguments.h\"\n\n"
                         + "\n".join(lines) + "\nstatic const argument_call calls[] = {\n" + "\n".join(calls)
                         + "\n};\n\nint main(void)\n{\n    return make_calls(calls, sizeof calls / sizeof *calls);\n}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
