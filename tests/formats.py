"""formats.py TOOL - reads what the tool writes by readers of its own: npz by zipfile, glb after
the glTF specification, AEM after the Blue Book, HDF5 by h5py or h5dump; and compares the
numbers with those in CSV. Of every format that the tool has, TIMES reads the times of its rows."""
import csv
import datetime
import io
import json
import math
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import zipfile

TOOL = sys.argv[1]
RUNS = {
    "top": ["--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.1", "--tensor", "2,3,4,0.3,0.2,0.1"],
    "pendulums": ["--problem", "double_pendulum", "--method", "rattle", "--step", "0.01"],
    "needles": ["--problem", "magnets", "--method", "rattle", "--step", "0.001"],
    "molecules": ["--problem", "dipolar_spheres", "--method", "verlet+exact", "--step", "0.1",
                  "--set", "lattice=2", "--set", "box=9,9,9", "--set", "cutoff=4"],
    "water": ["--problem", "water", "--method", "verlet+exact", "--step", "0.001", "--set", "molecules=8"],
}
FRAMES = 12


def tool(*words, status=0):
    done = subprocess.run([TOOL, *words], capture_output=True, text=True)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def run(name, path, *more):
    words = RUNS[name]
    step = float(words[words.index("--step") + 1])
    tool("run", *words, "--time", repr(step * FRAMES), "--out", path, *more)


def rows(path):
    with open(path, newline="") as f:
        table = list(csv.reader(f))
    return table[0], [[float(x) for x in row] for row in table[1:]]


# ---- npz -------------------------------------------------------------------------------


def npy(data):
    assert data[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
    head = eval(data[10:10 + length])  # a Python dictionary, by its definition
    assert head["descr"] == "<f8" and head["fortran_order"] is False and len(head["shape"]) == 1
    count = head["shape"][0]
    assert len(data) == 10 + length + 8 * count
    return list(struct.unpack("<%dd" % count, data[10 + length:]))


def array(descr, shape, numbers, letter="d"):
    """An array as NumPy saves it."""
    head = "{'descr': %s, 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode("latin-1")
            + struct.pack("<%d%s" % (len(numbers), letter), *numbers))


def check_names():
    """No column is read under part of its name, and none is left out."""
    column = array("'<f8'", "(2,)", [0, 1])
    for name, good in ((b"a b", True), (b"a,b\nc", False), (b"a,b", False), (b"a\nb", False), (b"a\x7fb", False),
                       (b"a\0b", False), (b"a\xff", False), (b"a" * 59, True)):
        stand_in = b"#" * len(name)  # zipfile cuts a name at a NUL
        with zipfile.ZipFile("n.npz", "w") as archive:
            for member in ("t", stand_in.decode()):
                archive.writestr(member + ".npy", column)
        data = open("n.npz", "rb").read()
        open("n.npz", "wb").write(data.replace(stand_in + b".npy", name + b".npy"))
        done = tool("convert", "n.npz", "--out", "-", status=0 if good else 2)
        assert good or "name" in done.stderr and done.stderr.count("\n") == 1, (name, done.stderr)
        assert not good or done.stdout == "t,%s\n0,0\n1,1\n" % name.decode(), done.stdout
    pair, numbers = "[('t', '<f8'), %s]", [0, 1, 2, 3]
    for field, good in (("('x', '<f8')", True), ("('a,b', '<f8')", False), ("('', '<f8')", False), ("('a\tb', '<f8')", False),
                        ("('t', '<f8')", False), ("('\xff', '<f8')", False), ('("it\'s", \'<f8\')', False),
                        ("('x', '<f8', (0,))", False), ("('x', '<f8', (2, 2, 2))", False), ("('x', '<f8', (9, 4))", False),
                        ("('x', '<f8', (513,))", False), ("('x', '<f8', (1, )", False), ("('x', '<f8', 2)", False),
                        ("('x', '<f8', (99999999999999999999,))", False), ("('x', '>f8')", False)):
        for path in ("n.npy", "n.npz"):
            data = array(pair % field, "(2,)", numbers)
            if path == "n.npy":
                open(path, "wb").write(data)
            else:
                with zipfile.ZipFile(path, "w") as archive:
                    archive.writestr("rows.npy", data)
            done = tool("convert", path, "--out", "-", status=0 if good else 2)
            assert not good or done.stdout == "t,x\n0,1\n2,3\n", done.stdout
    # vectors, called as Python calls them: what numpy.save(system.sample(...)) and numpy.savez write
    record = "[('time', '<f8'), ('attitude', '<f8', (4,)), ('x', '<f8', (2,)), ('q', '<f8', (2, 3)), ('energy', '<f8')]"
    open("n.npy", "wb").write(array(record, "(2,)", [7, 1, 0, 0, 0, *range(9)] + [8, 0, 1, 0, 0, *range(9, 18)]))
    done = tool("convert", "n.npy", "--out", "-").stdout.split("\n")
    assert done[0] == "t,q0,q1,q2,q3,x1,x2,q1x,q1y,q1z,q2x,q2y,q2z,energy" and done[1] == "7,1,0,0,0,0,1,2,3,4,5,6,7,8"
    with zipfile.ZipFile("n.npz", "w") as archive:
        archive.writestr("time.npy", array("'<f8'", "(2,)", [0, 1]))
        archive.writestr("attitude.npy", array("'<f8'", "(2, 4)", [1, 0, 0, 0, 0, 1, 0, 0]))
        archive.writestr("momentum.npy", array("'<f8'", "(2, 3)", range(6)))
        archive.writestr("velocity.npy", array("'<f8'", "(2, 2)", range(4)))  # no velocity: it has three
    assert tool("convert", "n.npz", "--out", "-").stdout == (
        "t,q0,q1,q2,q3,m1,m2,m3,velocity1,velocity2\n0,1,0,0,0,0,1,2,0,1\n1,0,1,0,0,3,4,5,2,3\n")
    with zipfile.ZipFile("n.npz", "w") as archive:  # more numbers than the header has
        archive.writestr("t.npy", array("'<f8'", "(2,)", [0, 1, 2]))
    tool("convert", "n.npz", "--out", "-", status=2)


def check_npz():
    for name in RUNS:
        run(name, "a.csv")
        run(name, "a.npz")
        header, table = rows("a.csv")
        with zipfile.ZipFile("a.npz") as archive:
            assert archive.testzip() is None
            names = [x.filename for x in archive.infolist()]
            assert names == [x + ".npy" for x in header] + ["polhode.json"]
            for k, column in enumerate(header):
                assert npy(archive.read(column + ".npy")) == [row[k] for row in table], column
            about = json.loads(archive.read("polhode.json"))
        assert about["command"].startswith("polhode run ") and about["problem"] == RUNS[name][1]
        assert list(about["units"]) == header and about["version"]
        if name == "molecules":
            assert len(about["constants"]["masses"]) == 8 and about["constants"]["box"] == [9, 9, 9]
        if name == "top":
            assert about["parameters"]["strength"] == 1 and len(about["constants"]["moments"]) == 3
    check_names()
    # the tool reads what it writes, and what others write
    tool("exact", "--inertia", "1,2,3", "--velocity", "0.1,2,0", "--time", "0:3@1", "--show", "I,m,q,t",
         "--out", "c.npz")
    tool("exact", "--inertia", "1,2,3", "--velocity", "0.1,2,0", "--time", "0:3@1", "--show", "I,m,q,t",
         "--out", "c.csv")
    assert tool("exact", "--cases", "c.npz").stdout == tool("exact", "--cases", "c.csv").stdout
    header, table = rows("c.csv")
    with zipfile.ZipFile("d.npz", "w") as archive:  # arrays of rows, an integer id, another order
        def put(name, shape, kind, numbers):
            archive.writestr(name, array("'<%s'" % kind, shape, numbers, {"f8": "d", "i8": "q"}[kind]))
        put("id.npy", "(4,)", "i8", [5, 6, 7, 8])
        put("t.npy", "(4,)", "f8", [row[10] for row in table])
        put("I.npy", "(4, 3)", "f8", [x for row in table for x in row[0:3]])
        put("q.npy", "(4, 4)", "f8", [x for row in table for x in row[6:10]])
        put("m.npy", "(4, 3)", "f8", [x for row in table for x in row[3:6]])
    named = list(csv.reader(io.StringIO(tool("exact", "--cases", "d.npz").stdout)))
    plain = list(csv.reader(io.StringIO(tool("exact", "--cases", "c.csv").stdout)))
    assert named[0] == ["id"] + plain[0]
    assert [row[0] for row in named[1:]] == ["5", "6", "7", "8"]
    assert [row[1:] for row in named[1:]] == plain[1:]


# ---- glTF ------------------------------------------------------------------------------


def turned(q, v):
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def near(a, b, tolerance=2e-6):
    assert len(a) == len(b) and all(abs(x - y) <= tolerance * (1 + abs(y)) for x, y in zip(a, b)), (a, b)


class Gltf:
    def __init__(self, path):
        data = open(path, "rb").read()
        magic, version, total = struct.unpack("<4sII", data[:12])
        assert magic == b"glTF" and version == 2 and total == len(data)
        length, kind = struct.unpack("<I4s", data[12:20])
        assert kind == b"JSON" and length % 4 == 0
        self.json = json.loads(data[20:20 + length])
        size, kind = struct.unpack("<I4s", data[20 + length:28 + length])
        assert kind == b"BIN\0" and size % 4 == 0 and 28 + length + size == len(data)
        self.data = data[28 + length:]
        assert self.json["asset"]["version"] == "2.0"
        assert self.json["buffers"] == [{"byteLength": size}]

    def values(self, number):
        """The elements of an accessor, after the rules of 3.6.2."""
        a = self.json["accessors"][number]
        view = self.json["bufferViews"][a["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        letter, size = {5126: ("f", 4), 5123: ("H", 2)}[a["componentType"]]
        assert view["byteOffset"] % size == 0 and a["count"] >= 1
        assert view["byteLength"] == a["count"] * width * size and "byteStride" not in view
        assert view["byteOffset"] + view["byteLength"] <= len(self.data)
        x = struct.unpack_from("<%d%s" % (a["count"] * width, letter), self.data, view["byteOffset"])
        assert all(math.isfinite(y) for y in x)
        elements = [x[i:i + width] for i in range(0, len(x), width)]
        for k in range(width):
            if "min" in a:
                near([a["min"][k], a["max"][k]], [min(e[k] for e in elements), max(e[k] for e in elements)])
        return elements

    def check_meshes(self):
        for mesh in self.json["meshes"]:
            for p in mesh["primitives"]:
                assert p["material"] < len(self.json["materials"])
                assert "min" in self.json["accessors"][p["attributes"]["POSITION"]]
                at = self.values(p["attributes"]["POSITION"])
                normal = self.values(p["attributes"]["NORMAL"])
                corner = [i[0] for i in self.values(p["indices"])]
                assert len(at) == len(normal) and max(corner) < len(at) and len(corner) % 3 == 0
                for i in range(0, len(corner), 3):  # counter-clockwise from outside
                    a, b, c = (at[k] for k in corner[i:i + 3])
                    u, v = [[y - x for x, y in zip(a, to)] for to in (b, c)]
                    out = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
                    assert sum(x * y for x, y in zip(out, normal[corner[i]])) > 0
                    middle = [sum(x[k] for x in at) / len(at) for k in range(3)]
                    assert sum((x - m) * y for x, m, y in zip(a, middle, normal[corner[i]])) > 0

    def channels(self):
        """{(node, path): (times, values)}"""
        (animation,), found = self.json["animations"], {}
        for c in animation["channels"]:
            s = animation["samplers"][c["sampler"]]
            assert s["interpolation"] == "LINEAR" and "min" in self.json["accessors"][s["input"]]
            times = [t[0] for t in self.values(s["input"])]
            values = self.values(s["output"])
            assert len(times) == len(values) and times[0] >= 0 and all(a < b for a, b in zip(times, times[1:]))
            key = c["target"]["node"], c["target"]["path"]
            assert key not in found and key[0] < len(self.json["nodes"])
            if key[1] == "rotation":
                for q, before in zip(values, values[:1] + values):
                    assert abs(sum(x * x for x in q) - 1) < 1e-5
                    assert sum(x * y for x, y in zip(q, before)) > 0  # no long way round
            found[key] = times, values
        return found


def check_glb():
    for name in RUNS:
        run(name, "a.csv")
        run(name, "a.glb")
        header, table = rows("a.csv")
        g = Gltf("a.glb")
        g.check_meshes()
        nodes = g.json["nodes"]
        assert g.json["scenes"][g.json["scene"]]["nodes"] == [0]
        channels = g.channels()
        moving = nodes[0]["children"]
        assert len(nodes) == 1 + 2 * len(moving)
        for i, node in enumerate(moving):
            times, turns = channels[node, "rotation"]
            assert len(times) == FRAMES + 1
            for f, q in enumerate(turns):
                if name in ("top", "molecules", "water"):
                    row = table[f if name == "top" else f * len(moving) + i]
                    right = [row[header.index("q%d" % k)] for k in (1, 2, 3, 0)]
                    sign = 1 if sum(x * y for x, y in zip(q, right)) > 0 else -1
                    near([sign * x for x in q], right)
                    near([times[f]], [row[0]])
                else:
                    right = [table[f][header.index("q%d%s" % (i + 1, c))] for c in "xyz"]
                    near(turned(q, [0, 0, 1]), right)
            if name in ("molecules", "water"):
                for f, x in enumerate(channels[node, "translation"][1]):
                    near(x, [table[f * len(moving) + i][header.index(c)] for c in "xyz"])
            if name == "pendulums" and i == 1:  # hangs at the end of the first
                for f, x in enumerate(channels[node, "translation"][1]):
                    near(x, [table[f][header.index("q1" + c)] for c in "xyz"])
            if name == "needles":
                near(nodes[node]["translation"], [0.024 * (i % 4), 0.024 * (i // 4), 0])
        if name == "top":  # the box stands along the principal axes, and has their moments
            child = nodes[nodes[moving[0]]["children"][0]]
            constants = g.json["asset"]["extras"]["constants"]
            near(child["rotation"], [constants["axes"][k] for k in (1, 2, 3, 0)])
            edges = [max(abs(x[k]) for p in g.json["meshes"][0]["primitives"]
                         for x in g.values(p["attributes"]["POSITION"])) for k in range(3)]
            a, b, c = (x * x for x in edges)
            size = constants["moments"][0] / (b + c)
            near([size * (b + c), size * (a + c), size * (a + b)], constants["moments"], 1e-5)


def check_late_times():
    """Times are floats from the first on: rows 0.01 apart at t = 1e6 are so in the file."""
    words = ["exact", "--inertia", "1,2,3", "--velocity", "0.1,0.2,3", "--time", "1000000:1000000.04:5", "--out"]
    tool(*words, "late.glb")
    times, _ = Gltf("late.glb").channels()[1, "rotation"]
    assert all(abs(t - 0.01 * i) < 1e-8 for i, t in enumerate(times)) and len(times) == 5, times


# ---- attitude ephemeris messages -------------------------------------------------------

ZERO = datetime.datetime(2026, 1, 1)


def seconds(text):
    """A date of CCSDS 301.0-B, ASCII code A, in seconds from ZERO."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?", text), text
    whole, _, part = text.partition(".")
    return (datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S") - ZERO).total_seconds() + float("0." + (part or "0"))


def message(path):
    """Header, metadata and rows of a message of one segment, after 504.0-B-2, 4.2 and 7."""
    data = open(path, "rb").read()
    assert all(32 <= c < 127 or c == 10 for c in data)
    lines = data.decode("ascii").split("\n")
    assert all(len(line) <= 254 for line in lines)
    parts, kept, inside = {"header": [], "META": [], "DATA": []}, [], "header"
    for line in (x.strip() for x in lines):
        if not line or line.startswith("COMMENT "):
            continue
        if line.endswith("_START") and "=" not in line:
            inside = line[:-6]
        elif line.endswith("_STOP") and "=" not in line:
            assert inside == line[:-5]
            inside = "over"
            kept.append(line[:-5])
        else:
            parts[inside].append(line)
    assert kept == ["META", "DATA"]

    def keywords(part, order):
        pairs = [[x.strip() for x in line.split("=", 1)] for line in part]
        names = [x[0] for x in pairs]
        assert names == [x for x in order if x in names] and all(x[1] for x in pairs)
        return dict(pairs)
    header = keywords(parts["header"], ["CCSDS_AEM_VERS", "CLASSIFICATION", "CREATION_DATE", "ORIGINATOR", "MESSAGE_ID"])
    meta = keywords(parts["META"], ["OBJECT_NAME", "OBJECT_ID", "CENTER_NAME", "REF_FRAME_A", "REF_FRAME_B", "ATTITUDE_DIR", "TIME_SYSTEM",
                                    "START_TIME", "USEABLE_START_TIME", "USEABLE_STOP_TIME", "STOP_TIME",
                                    "ATTITUDE_TYPE", "QUATERNION_TYPE", "EULER_ROT_SEQ", "ANGVEL_FRAME", "INTERPOLATION_METHOD",
                                    "INTERPOLATION_DEGREE"])
    assert "CREATION_DATE" in header and "ORIGINATOR" in header
    version, angles = header["CCSDS_AEM_VERS"], "EULER" in meta["ATTITUDE_TYPE"]
    old = {"ATTITUDE_DIR": "A2B", "QUATERNION_TYPE": None if angles else "LAST", "INTERPOLATION_DEGREE": "1",
           "INTERPOLATION_METHOD": "LAGRANGE" if angles else "LINEAR"}  # as GMAT requires it
    assert version in ("1.0", "2.0") and all(meta.get(x) == (y if version == "1.0" else None) for x, y in old.items())
    assert version == "2.0" or "/" not in meta["ATTITUDE_TYPE"]
    meta["version"] = version
    for name in ("OBJECT_NAME", "OBJECT_ID", "REF_FRAME_A", "TIME_SYSTEM", "START_TIME", "STOP_TIME"):
        assert name in meta, name
    assert meta["REF_FRAME_B"] == "SC_BODY_1"
    table = []
    for line in parts["DATA"]:
        words = line.split()
        table.append([seconds(words[0])] + [float(x) for x in words[1:]])
    assert all(a[0] < b[0] for a, b in zip(table, table[1:]))
    assert seconds(meta["START_TIME"]) == table[0][0] and seconds(meta["STOP_TIME"]) == table[-1][0]
    return meta, table


def a_to_b(q):
    """The matrix of the annex: from components in A to components in B, of Q1, Q2, Q3, QC."""
    q1, q2, q3, qc = q
    return [[q1 * q1 - q2 * q2 - q3 * q3 + qc * qc, 2 * (q1 * q2 + q3 * qc), 2 * (q1 * q3 - q2 * qc)],
            [2 * (q1 * q2 - q3 * qc), -q1 * q1 + q2 * q2 - q3 * q3 + qc * qc, 2 * (q2 * q3 + q1 * qc)],
            [2 * (q1 * q3 + q2 * qc), 2 * (q2 * q3 - q1 * qc), -q1 * q1 - q2 * q2 + q3 * q3 + qc * qc]]


def check_aem():
    words = ["exact", "--inertia", "1,2,3", "--velocity", "0.1,0.02,0.3", "--rotvec", "0.3,0.2,-1", "--time", "0:1d@1h",
             "--epoch", "2026-01-01T00:00:00"]
    tool(*words, "--show", "t,R,w,m_space,euler_zyx", "--degrees", "--rotvec",
         ",".join(repr(math.degrees(x)) for x in (0.3, 0.2, -1.0)), "--out", "a.csv")
    header, table = rows("a.csv")
    tool(*words, "--out", "a.aem")
    meta, found = message("a.aem")
    assert meta["ATTITUDE_TYPE"] == "QUATERNION" and meta["REF_FRAME_A"] == "EME2000" and meta["version"] == "1.0"
    tool(*words, "--aem", "2.0", "--object", "MY SAT", "--object-id", "2026-001A", "--out", "n.aem")
    meta, newer = message("n.aem")
    assert meta["version"] == "2.0" and newer == found
    assert meta["OBJECT_NAME"] == "MY SAT" and meta["OBJECT_ID"] == "2026-001A"
    tool("exact", "--inertia", "1,2,3", "--velocity", "0,0,-1", "--attitude=1,-0,-0,-0", "--time", "0", "--epoch",
         "2026-01-01T00:00:00", "--out", "i.aem")
    assert open("i.aem").read().split("DATA_START\n")[1].split("\n")[0].endswith("0 0 0 0 1")
    for wrong, said in ((["--aem", "3.0"], "write 1.0 or 2.0"), (["--object", "x" * 65], "1 to 64 printable"),
                        (["--object-id", "\u00e9"], "1 to 64 printable"),
                        (["--aem", "1.0", "--show", "t,q,w"], "or --aem 2.0")):
        assert said in tool(*words, *wrong, "--out", "w.aem", status=2).stderr, wrong
        assert not os.path.exists("w.aem")
    for row, right in zip(found, table):
        assert row[0] == right[0] and len(row) == 5
        M = a_to_b(row[1:])  # takes the fixed momentum in space to that in the body, R the other way
        near([M[i][k] for i in range(3) for k in range(3)],
             [right[1 + 3 * k + i] for i in range(3) for k in range(3)], 1e-13)
    tool(*words, "--show", "t,q,w", "--out", "a.aem")
    meta, rated = message("a.aem")
    assert meta["ATTITUDE_TYPE"] == "QUATERNION/ANGVEL" and meta["ANGVEL_FRAME"] == "SC_BODY_1"
    for row, right in zip(rated, table):
        near(row[5:], [math.degrees(x) for x in right[10:13]], 1e-13)
    tool(*words, "--show", "t,euler_zyx", "--out", "e.aem")
    meta, angles = message("e.aem")
    assert meta["ATTITUDE_TYPE"] == "EULER_ANGLE" and meta["EULER_ROT_SEQ"] == "321"
    tool(*words, "--show", "t,euler_zyx", "--aem", "2.0", "--out", "n.aem")
    assert message("n.aem")[0]["EULER_ROT_SEQ"] == "ZYX" and message("n.aem")[1] == angles
    for row, right in zip(angles, table):
        near(row[1:], right[16:19], 1e-11)
    tool(*words, "--frame", "site=0.6,0,0.8,0", "--show", "t,q_site", "--out", "s.aem")
    assert message("s.aem")[0]["REF_FRAME_A"] == "SITE"
    # and back: what is read is what was written
    for path, show in (("a.aem", "t,q,w"), ("e.aem", "t,euler_zyx"), ("n.aem", "t,euler_zyx")):
        tool(*words, "--show", show, "--out", "right.csv")
        tool("convert", path, "--show", show, "--out", "back.csv")
        assert rows("right.csv")[0] == rows("back.csv")[0]
        for row, right in zip(rows("back.csv")[1], rows("right.csv")[1]):
            near(row, right, 1e-12)
    tool("convert", "a.aem", "--out", "b.aem", "--show", "t,q,w")  # the epoch is its own
    for row, right in zip(message("b.aem")[1], rated):
        near(row, right, 1e-13)
    # version 1.0, the other order and direction, two segments, angular velocity in space
    old = """CCSDS_AEM_VERS = 1.0
CREATION_DATE = 2026-01-01T00:00:00
ORIGINATOR = TEST
META_START
COMMENT of another age
OBJECT_NAME = X
OBJECT_ID = 2026-001A
REF_FRAME_A = SC_BODY_1
REF_FRAME_B = ICRF
ATTITUDE_DIR = %s
TIME_SYSTEM = UTC
START_TIME = 2026-001T00:00:00
STOP_TIME = 2026-001T00:01:00
ATTITUDE_TYPE = QUATERNION
QUATERNION_TYPE = %s
META_STOP
DATA_START
2026-001T00:00:00 %s
2026-001T00:01:00.5 %s
DATA_STOP
"""
    first, last = "0.5 0.1 -0.7 0.5", "0.1 -0.7 0.5 0.5"  # the same, scalar part 0.5
    for direction, sign in (("A2B", -1), ("B2A", 1)):
        for kind, numbers in (("FIRST", first), ("LAST", last)):
            open("old.aem", "w").write(old % (direction, kind, numbers, numbers))
            tool("convert", "old.aem", "--out", "old.csv")
            header, table = rows("old.csv")
            assert header == ["t", "q0", "q1", "q2", "q3"] and [row[0] for row in table] == [0, 60.5]
            near(table[0][1:], [0.5, sign * 0.1, -sign * 0.7, sign * 0.5], 1e-15)
    two = open("a.aem").read()
    again = two[two.index("META_START"):].replace("2026-01-01", "2026-02-01").replace("2026-01-02", "2026-02-02")
    open("two.aem", "w").write(two + again.replace("ANGVEL_FRAME         = SC_BODY_1", "ANGVEL_FRAME = EME2000"))
    tool("convert", "two.aem", "--out", "two.csv", "--show", "t,w,w_space")
    _, table = rows("two.csv")
    assert len(table) == 50 and table[25][0] == 31 * 86400
    near(table[25 + 7][4:7], [math.radians(x) for x in rated[7][5:]], 1e-13)
    # what is wrong is refused with its line
    good = old % ("A2B", "FIRST", first, first)
    for before, after in (("VERS = 1.0", "VERS = 3.0"), ("ORIGINATOR = TEST\n", ""), ("OBJECT_ID = 2026-001A\n", ""),
                          ("ATTITUDE_DIR = A2B", "ATTITUDE_DIR = C2D"), ("REF_FRAME_B = ICRF", "REF_FRAME_B = SC_BODY_2"),
                          ("TYPE = QUATERNION", "TYPE = SPIN"), ("QUATERNION_TYPE = FIRST\n", ""), ("0.5 0.1 -0.7 0.5", "0.5 0.1 -0.7"),
                          ("0.5 0.1 -0.7 0.5", "0.5 0.1 -0.7 0.5 1"), ("0.5 0.1 -0.7 0.5", "0.5 0.1 -0.7 x"),
                          ("0.5 0.1 -0.7 0.5", "0.5 0.1 -0.7 2"), ("001T00:01:00.5", "000T00:01:00.5"),
                          ("2026-001T00:01:00.5", "2025-001T00:01:00.5"), ("DATA_STOP\n", ""), ("META_STOP\n", ""),
                          ("COMMENT of another age", "SURPRISE = 1"), ("DATA_START\n", "DATA_START\nCENTER_NAME = EARTH\n"),
                          ("OBJECT_NAME = X", "OBJECT_NAME = X\nOBJECT_NAME = X"), ("TIME_SYSTEM = UTC", "TIME_SYSTEM =")):
        assert before in good, before
        open("bad.aem", "w").write(good.replace(before, after, 1))
        said = tool("convert", "bad.aem", "--out", "bad.csv", status=2).stderr
        assert re.match(r"polhode: bad\.aem line \d+[ :].*: .*\n$", said), said


# ---- HDF5 ------------------------------------------------------------------------------


def hdf5_reader():
    """A function from path and name to numbers, their shape, and the attributes; None without any."""
    try:
        import h5py

        def read(path, name):
            with h5py.File(path, "r") as f:
                x = f[name]
                attributes = {k: v.decode() if isinstance(v, bytes) else v for k, v in x.attrs.items()}
                if isinstance(x, h5py.Group):
                    return None, None, attributes
                return x[()].ravel().tolist(), x.shape, attributes
        return read
    except ImportError:
        pass
    if shutil.which("h5dump") is None:
        return None

    def dump(path, name):
        kind = "-g" if name == "/" or name in ("h5md", "h5md/creator", "particles/all/box") else "-d"
        text = subprocess.run(["h5dump", "-m", "%.17g", kind, "/" + name.strip("/"), path], capture_output=True,
                              text=True, check=True).stdout
        parts = re.split(r'ATTRIBUTE "(\w+)" \{', text)[1:]
        attributes = {k: re.search(r"\(0\): (.*)", v).group(1).strip('"') for k, v in zip(parts[::2], parts[1::2])}
        if kind == "-g":
            return None, None, attributes
        shape = re.search(r"DATASPACE\s+(SCALAR|SIMPLE \{ \(([^)]*)\))", text)
        shape = () if shape.group(1) == "SCALAR" else tuple(int(x) for x in shape.group(2).split(","))
        data = text[text.index("DATA {"):].split("}")[0]
        return [float(x) for line in data.split("\n")[1:] for x in line.split(":")[-1].split(",") if x.strip()], shape, attributes
    return dump


SKIPPED = 77  # the exit status
omitted = []


def left_out(reason):
    print(f"SKIPPED: {reason}")
    omitted.append(reason)


def check_h5():
    words = ["run", *RUNS["top"], "--time", "1", "--out", "a.h5"]
    done = subprocess.run([TOOL, *words], capture_output=True, text=True)
    if done.returncode != 0:
        assert done.returncode == 2 and "HDF5" in done.stderr and done.stderr.count("\n") == 1, done.stderr
        left_out("HDF5 is not installed")
        return
    read = hdf5_reader()
    if read is None:
        left_out("h5dump is not installed")
        return
    tool("run", *RUNS["top"], "--time", "120", "--out", "a.h5", "--epoch", "2026-01-01T00:00:00")
    tool("run", *RUNS["top"], "--time", "120", "--out", "a.csv")
    header, table = rows("a.csv")
    assert len(table) == 1201
    for name, first, width in (("t", 0, 1), ("attitude", 1, 4), ("momentum", 5, 3), ("velocity", 8, 3), ("energy", 11, 1)):
        numbers, shape, attributes = read("a.h5", name)
        assert shape == ((1201,) if width == 1 else (1201, width)), (name, shape)
        assert numbers == [x for row in table for x in row[first:first + width]], name
        assert attributes["columns"] == ",".join(header[first:first + width]) and "units" in attributes
    about = read("a.h5", "/")[2]
    assert about["program"] == "polhode" and about["command"].startswith("polhode run ") and about["version"]
    assert about["problem"] == "heavy_top" and about["epoch"] == "2026-01-01T00:00:00" and float(about["step"]) == 0.1
    assert read("a.h5", "parameters/up")[0] == [0, 0, 1] and read("a.h5", "parameters/up")[2]["units"]
    assert len(read("a.h5", "constants/moments")[0]) == 3
    run("molecules", "m.h5")
    run("molecules", "m.csv")
    header, table = rows("m.csv")
    for name, columns in (("position", "x,y,z"), ("momentum", "px,py,pz"), ("velocity", "px,py,pz"), ("attitude", "q0,q1,q2,q3"),
                          ("angular_momentum", "m1,m2,m3")):
        numbers, shape, _ = read("m.h5", "particles/all/%s/value" % name)
        columns = columns.split(",")
        assert shape == (FRAMES + 1, 8, len(columns)), (name, shape)
        assert numbers == [row[header.index(c)] for row in table for c in columns], name  # masses are 1
        assert read("m.h5", "particles/all/%s/step" % name)[0] == list(range(FRAMES + 1))
        near(read("m.h5", "particles/all/%s/time" % name)[0], [row[0] for row in table[::8]], 1e-15)
    assert read("m.h5", "particles/all/box/edges")[0] == [9, 9, 9]
    assert int(float(read("m.h5", "particles/all/box")[2]["dimension"])) == 3
    assert read("m.h5", "particles/all/mass")[0] == [1] * 8
    assert read("m.h5", "observables/energy/value")[0] == [row[header.index("energy")] for row in table[::8]]
    assert read("m.h5", "h5md/creator")[2]["name"] == "polhode"
    run("pendulums", "p.h5")
    run("pendulums", "p.csv")
    header, table = rows("p.csv")
    assert read("p.h5", "particles/all/position/value")[0] == [x for row in table for x in row[1:7]]
    run("pendulums", "s.h5", "--show", "t,q2,energy_error")
    assert read("s.h5", "q2")[1] == (FRAMES + 1, 3)


# ---- every format ----------------------------------------------------------------------


def times_of_npy(path):
    """The first column of an array of rows."""
    data = open(path, "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    head = eval(data[10:10 + length])  # a Python dictionary, by its definition
    count, width = head["shape"]
    assert head["descr"] == "<f8" and len(data) == 10 + length + 8 * count * width
    return list(struct.unpack("<%dd" % (count * width), data[10 + length:]))[::width]


def times_of_npz(path):
    with zipfile.ZipFile(path) as archive:
        return npy(archive.read("t.npy"))


def times_of_glb(path):
    (times,) = {tuple(times) for times, _ in Gltf(path).channels().values()}
    return list(times)


def times_of_h5(path):
    read = hdf5_reader()
    if read is None:
        return None
    try:
        return read(path, "t")[0]
    except (KeyError, subprocess.CalledProcessError):
        return read(path, "particles/all/position/time")[0]


def times_of_xyz(path):
    """Frames of extended XYZ: a count, a line of keys, and as many lines of atoms."""
    lines, times = open(path).read().split("\n"), []
    assert lines.pop() == ""
    while lines:
        count = int(lines[0])
        times.append(float(re.search(r"\bTime=(\S+)", lines[1]).group(1)))
        assert len(lines) >= 2 + count and all(line[:2] in ("X ", "O ", "H ") for line in lines[2:2 + count])
        lines = lines[2 + count:]
    return times


def times_of_gro(path):
    """Frames of GROMACS: a title with the time, a count, as many lines of fixed width, the box."""
    lines, times = open(path).read().split("\n"), []
    assert lines.pop() == ""
    while lines:
        count = int(lines[1])
        times.append(float(re.search(r"\bt= *(\S+)", lines[0]).group(1)))
        assert all(len(line) == 68 for line in lines[2:2 + count]) and len(lines[2 + count].split()) == 3
        lines = lines[3 + count:]
    return times


def times_of_pdb(path):
    """Models of a PDB file, which has no times: their numbers are those of the rows, from 1 on."""
    lines = open(path).read().split("\n")
    assert lines[0].startswith("CRYST1")
    assert all(len(line) == 78 for line in lines if line.startswith("HETATM"))
    models = [int(line[10:14]) for line in lines if line.startswith("MODEL")]
    assert models == list(range(1, FRAMES + 2)) and lines.count("ENDMDL") == len(models)
    return None


def times_of_lammpstrj(path):
    """Frames of LAMMPS: items, of which TIME is in fs, here with ps as the unit of the run."""
    lines = open(path).read().split("\n")
    count = int(lines[lines.index("ITEM: NUMBER OF ATOMS") + 1])
    for i, line in enumerate(lines):
        if line.startswith("ITEM: ATOMS"):
            assert all(len(x.split()) == len(line.split()) - 2 for x in lines[i + 1:i + 1 + count])
    return [float(lines[i + 1]) / 1000.0 for i, line in enumerate(lines) if line == "ITEM: TIME"]


# The times of the rows or frames of a file, by suffix; None if nothing here can read it.
TIMES = {
    "aem": lambda path: [row[0] for row in message(path)[1]],
    "csv": lambda path: [row[0] for row in rows(path)[1]],
    "glb": times_of_glb,
    "gro": times_of_gro,
    "h5": times_of_h5,
    "lammpstrj": times_of_lammpstrj,
    "npy": times_of_npy,
    "npz": times_of_npz,
    "pdb": times_of_pdb,
    "xyz": times_of_xyz,
}


def suffixes():
    """Those that the tool knows, each of which must have a reader here."""
    said = tool("run", *RUNS["top"], "--time", "1", "--out", "x.dat", status=2).stderr
    found = re.findall(r"\.(\w+)", said.split("one of")[1])
    for suffix in found:
        assert suffix in TIMES, "add a reader of .%s to TIMES in tests/formats.py" % suffix
    assert sorted(found) == sorted(TIMES)
    return found


def check_every_row():
    """Every format has all rows, from the first to the last, of each run that it can hold."""
    for suffix in suffixes():
        held = 0
        for name, words in RUNS.items():
            path, step = "all." + suffix, float(words[words.index("--step") + 1])
            done = subprocess.run([TOOL, "run", *words, "--time", repr(step * FRAMES), "--out", path,
                                   "--epoch", "2026-01-01T00:00:00"], capture_output=True, text=True)
            assert done.returncode in (0, 2), (suffix, name, done)
            if done.returncode == 2 and "not part of this tool" in done.stderr:
                held += 1
            if done.returncode == 2:
                continue
            held += 1
            times = TIMES[suffix](path)
            if times is not None:
                near(sorted(set(times)), [step * k for k in range(FRAMES + 1)])
        assert held > 0, suffix


# ---- full disks ------------------------------------------------------------------------


def check_partial():
    """Files as large as a limit: what is kept of them are the first rows, in order."""
    words = ["run", "--problem", "free", "--method", "sr2", "--step", "0.1", "--time", "2000", "--epoch",
             "2026-01-01T00:00:00", "--out"]
    tool(*words, "whole.csv")
    _, right = rows("whole.csv")
    times = [row[0] for row in right]
    for suffix in suffixes():
        limit = 200000
        done = subprocess.run([TOOL, *words, "limited." + suffix], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        if done.returncode == 2 and ("molecules" in done.stderr or "not part of this tool" in done.stderr):
            continue
        assert done.returncode == 1 and done.stderr.endswith("limited.%s.partial\n" % suffix), (suffix, done)
        assert sorted(x for x in os.listdir() if x.startswith("limited.")) == ["limited.%s.partial" % suffix]
        kept = TIMES[suffix]("limited.%s.partial" % suffix) or times[:512]
        assert len(kept) > 400 and os.path.getsize("limited.%s.partial" % suffix) <= limit
        near(kept, times[:len(kept)], 1e-6)
        os.remove("limited.%s.partial" % suffix)


def check_snapshots():
    """Snapshots, one after the other in a file, are rows and frames; broken ones are refused."""
    for name in RUNS:
        step = float(RUNS[name][RUNS[name].index("--step") + 1])
        for n in (1, 2):
            tool("run", *RUNS[name], "--time", repr(n * step), "--checkpoint", "s%d" % n, "--out", "s.csv")
        one, two = open("s1", "rb").read(), open("s2", "rb").read()
        open("all", "wb").write(one + two)
        tool("convert", "all", "--out", "all.csv")
        right, found = open("s.csv").read().split("\n"), open("all.csv").read().split("\n")
        start = 1 + (len(right) - 2) // 3  # after the rows of t = 0
        assert found == right[:1] + right[start:]
        for data, said in ((one[:-1], "snapshot 1: "), (one + two[:-1], "snapshot 2: "), (one + b"POLHODE", "snapshot 2: "),
                           (one[:40] + b"x" + one[41:], "snapshot 1: "), (one[:12] + b"\xff" * 8 + one[20:], "snapshot 1: "),
                           (one[:12] + b"\0" * 8 + one[20:], "snapshot 1: "), (one[:15], "snapshot 1: ")):
            open("broken", "wb").write(data)
            assert said in tool("convert", "broken", "--out", "-", status=2).stderr, (name, said)
    open("other", "wb").write(open("s1", "rb").read() + b"".join(
        [open("s1", "rb").read(), run_snapshot("top")]))
    assert "snapshot 3: " in tool("convert", "other", "--out", "-", status=2).stderr


def run_snapshot(name):
    tool("run", *RUNS[name], "--time", "1", "--checkpoint", "other_run")
    return open("other_run", "rb").read()


check_npz()
check_snapshots()
check_glb()
check_late_times()
check_aem()
check_h5()
check_every_row()
check_partial()
sys.exit(SKIPPED if omitted else 0)
