"""What the tests share: the tool, and a heavy top in Python and in C."""

import ctypes
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tool():
    """Runs the command-line tool; a dictionary of what it printed as JSON."""
    path = os.environ.get("POLHODE_TOOL", str(ROOT / "build" / "polhode"))
    if not os.access(path, os.X_OK):
        pytest.skip("the tool is not built")

    def run(*words):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in words else done.stdout

    run.path = path
    return run


@pytest.fixture(scope="session")
def c_torque(tmp_path_factory):
    """A C function `torque` of the heavy top of strength 2, in a shared library."""
    folder = tmp_path_factory.mktemp("c")
    source = folder / "torque.c"
    source.write_text("""
        void torque(double t, const double *R, double *out)
        { (void)t; out[0] = 2.0 * R[7]; out[1] = -2.0 * R[6]; out[2] = 0.0; }
        void damped(double t, const double *R, const double *w, double *out)
        { torque(t, R, out); for (int k = 0; k < 3; k++) out[k] -= 0.1 * w[k]; }
        double potential(double t, const double *R) { (void)t; return 2.0 * R[8]; }
    """)
    library = folder / "torque.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    double, pointer = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
    c = ctypes.CDLL(str(library))
    c.torque.argtypes, c.torque.restype = (double, pointer, pointer), None
    c.damped.argtypes, c.damped.restype = (double, pointer, pointer, pointer), None
    c.potential.argtypes, c.potential.restype = (double, pointer), double
    return c
