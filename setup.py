"""The Python package: the library, built by CMake without threads, linked into one extension
on the stable ABI of Python 3.11. `make python` builds the wheel and tests it."""

import os
import pathlib
import re
import shlex
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
# POLHODE_SANITIZE=1: the library and the extension under AddressSanitizer.
SANITIZE = os.environ.get("POLHODE_SANITIZE", "") not in ("", "0")
BUILD = "build/python-sanitize" if SANITIZE else "build/python"


def version() -> str:
    text = (ROOT / "include/polhode/version.h").read_text()
    return ".".join(re.findall(r"#define PH_VERSION_\w+ (\d+)", text))


class Build(build_ext):
    """Builds the static library first, unless POLHODE_LIBRARY names a built one."""

    def build_extension(self, ext: Extension) -> None:
        ext.extra_objects = [os.environ.get("POLHODE_LIBRARY") or self.build_library(ext)]
        ext.depends = ext.extra_objects
        self.compiler.set_library_dirs([])  # none but the compiler's own, which may be musl's
        super().build_extension(ext)

    def build_library(self, ext: Extension) -> str:
        folder = pathlib.Path(self.build_temp).resolve() / "library"
        options = ["-DPOLHODE_TOOL=OFF", "-DPOLHODE_THREADS=OFF", "-DPOLHODE_OLD_GLIBC=ON",
                   *shlex.split(os.environ.get("POLHODE_CMAKE", ""))]
        if SANITIZE:
            options.append("-DPOLHODE_SANITIZE=ON")
            ext.extra_compile_args += ["-fsanitize=address", "-fno-omit-frame-pointer"]
            ext.extra_link_args += ["-fsanitize=address,undefined"]
        subprocess.check_call(
            ["cmake", "--log-level=NOTICE", "-S", ROOT, "-B", folder, *options],
            stdout=subprocess.DEVNULL)
        jobs = str(os.cpu_count() or 1)
        subprocess.check_call(
            ["cmake", "--build", folder, "-j", jobs, "--target", "polhode_static"],
            stdout=subprocess.DEVNULL)
        return str(folder / "libpolhode.a")


class Wheel(bdist_wheel):
    """Named after the oldest glibc that has the symbols the extension needs, or after musl."""

    def finalize_options(self) -> None:
        self.py_limited_api = "cp311"
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        python, abi, platform = super().get_tag()
        files = self.get_finalized_command("build_ext").get_outputs()
        if platform.startswith("linux_") and files and os.path.exists(files[0]):
            said = subprocess.run(["readelf", "-dVW", files[0]], capture_output=True, text=True,
                                  check=False).stdout
            needed = [tuple(map(int, v)) for v in re.findall(r"GLIBC_(\d+)\.(\d+)", said)]
            if needed:
                major, minor = max(needed)
                platform = platform.replace("linux", f"manylinux_{major}_{minor}", 1)
            elif "[libc.so]" in said:  # that of musl, which has no versions of symbols
                platform = platform.replace("linux", "musllinux_1_2", 1)
        return python, abi, platform


os.chdir(ROOT)
(ROOT / BUILD).mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    packages=["polhode"],
    package_dir={"polhode": "bindings/python/polhode"},
    package_data={"polhode": ["py.typed", "*.pyi"]},
    ext_modules=[Extension(
        "polhode._core",
        sorted(str(p.relative_to(ROOT)) for p in (ROOT / "bindings/python/src").glob("*.c")),
        include_dirs=["include"],
        libraries=["m"],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
        extra_compile_args=["-std=c11", "-fvisibility=hidden",
                            "-g0", "-Wall", "-Wextra", "-Wshadow", "-Wno-cast-function-type",
                            *shlex.split(os.environ.get("POLHODE_CFLAGS", ""))],
        extra_link_args=["-Wl,--exclude-libs,ALL"],
    )],
    options={"build": {"build_base": BUILD}, "egg_info": {"egg_base": BUILD}},
    cmdclass={"build_ext": Build, "bdist_wheel": Wheel},
)
