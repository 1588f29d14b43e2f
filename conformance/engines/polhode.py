"""polhode.py TOOL CASES METHOD [STEP|TOLERANCE] - Polhode itself, by its tool.

A flow moves the free bodies with this step; a method that chooses its steps moves all cases with
this tolerance, torques given as expressions."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction


def torque(case):
    p = case["torque"]["parameters"]
    J = case["inertia"]
    terms = [[repr(x)] for x in p.get("torque", [0, 0, 0])]

    def add(i, factor, text):
        terms[i].append(f"{factor!r}*({text})")

    u = [f"(R1{i}*cos({p.get('rate', 0)!r}*t)+R2{i}*sin({p.get('rate', 0)!r}*t))" for i in (1, 2, 3)]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        if "amplitude" in p:
            add(i, p["amplitude"][i], f"sin({p['frequency']!r}*t)")
        if "damping" in p:
            add(i, -p["damping"], f"w{i + 1}")
        if "wheels" in p:  # m is J w in a run: that of the wheels is added
            add(i, p["wheels"][j], f"w{k + 1}")
            add(i, -p["wheels"][k], f"w{j + 1}")
        if "strength" in p:  # up is z
            add(i, p["strength"] * p["centre"][k], f"R3{j + 1}")
            add(i, -p["strength"] * p["centre"][j], f"R3{k + 1}")
        if "rate" in p:
            add(i, 3 * p["rate"] ** 2 * (J[k] - J[j]), f"{u[j]}*{u[k]}")
    return [" + ".join(t) for t in terms]


def rows(tool, case, method, setting, adaptive):
    inertia = "tensor" if "tensor" in case else "inertia"
    interval = case["times"][0]
    scenario = {"problem": {"torque": torque(case)} if case["torque"] else "free", inertia: case[inertia],
                "attitude": case["attitude"], "velocity": case["velocity"], "method": method}
    words = ["--tolerance", setting, "--step", repr(interval)] if adaptive else \
        ["--step", repr(setting), "--every", str(round(interval / setting))]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(scenario, file)  # which is YAML
        file.flush()
        done = subprocess.run([tool, "run", file.name, "--time", repr(case["times"][-1]), "--out", "-", *words],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        print(f"# {case['name']}: {done.stderr.strip()}")
        return
    head, *lines = (line.split(",") for line in done.stdout.splitlines() if "," in line)
    at = [head.index(c) for c in ("t", "q0", "q1", "q2", "q3", "w1", "w2", "w3")]
    for line in lines[1:]:
        print(case["name"], *(line[i] for i in at), sep=",")


def main(tool, folder, method, setting):
    adaptive = method in ("gbs", "gauss16", "dop853")
    print("case,t,q0,q1,q2,q3,w1,w2,w3")
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        case = json.loads(path.read_text())
        if adaptive or (case["torque"] is None and "inertia" in case):
            rows(os.path.abspath(tool), case, method, setting if adaptive else float(Fraction(setting)), adaptive)


main(*sys.argv[1:])
