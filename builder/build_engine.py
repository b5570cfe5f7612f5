"""The build hook: compiles the engine in C into the wheel, or beside its sources in a checkout.

The compiler is `$CC`, or clang, cc or gcc where there is one; else, and on Windows, the pip package
ziglang, which this hook then asks for. `GUESSBOOK_PURE=1` leaves the engine out.
`GUESSBOOK_TARGET` names a target of zig, such as aarch64-linux-gnu.2.28, to compile for another
platform.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("builder/guessbook/kernels")

# For each kind of processor its variants: the name in C, what it is called, the flags.
VARIANTS = {
    "x86_64": [
        ("engine_plain", "x86-64-v2", ["-march=x86-64-v2", "-DLANE_BYTES=16"]),
        ("engine_v3", "x86-64-v3", ["-march=x86-64-v3", "-DLANE_BYTES=32"]),
        ("engine_v4", "x86-64-v4", ["-march=x86-64-v4", "-DLANE_BYTES=64"]),
    ],
    "other": [("engine_plain", "plain", ["-DLANE_BYTES=16"])],
}

# Bounds in floats have to be the same everywhere, so nothing is fused.
FLAGS = ["-std=c99", "-O3", "-fPIC", "-ffp-contract=off", "-fvisibility=hidden"]

# The tag of a wheel for each target of zig that a release has.
TARGETS = {
    "x86_64-linux-gnu.2.28": "manylinux_2_28_x86_64",
    "aarch64-linux-gnu.2.28": "manylinux_2_28_aarch64",
    "x86_64-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-linux-musl": "musllinux_1_2_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
    "x86_64-windows-gnu": "win_amd64",
}


def found_compiler() -> list[str]:
    """Return the command of the C compiler of this machine; empty where it takes ziglang."""
    if os.environ.get("GUESSBOOK_TARGET") or sys.platform == "win32":
        return []
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    return next(([name] for name in ("clang", "cc", "gcc") if shutil.which(name)), [])


def compile_engine(folder: Path, target: str = "", extra: tuple[str, ...] = ()) -> Path:
    """Compile the engine in the folder of its sources; returns the library.

    Args:
        folder: where the sources are, and the library will be.
        target: of zig; this machine if empty.
        extra: more flags, such as those of a sanitizer.
    """
    compiler = found_compiler() or [sys.executable, "-m", "ziglang", "cc"]
    named = target or sysconfig.get_platform().replace("-", "_")
    kind = "x86_64" if "x86_64" in named or "amd64" in named else "other"
    suffix = ".dll" if "win" in named and "darwin" not in named else ".so"
    library = folder / f"_engine{suffix}"
    flags = [*FLAGS, *(["-target", target] if target else []), *extra]
    if suffix == ".dll":
        flags.remove("-fPIC")
    with tempfile.TemporaryDirectory() as scratch:
        objects = []
        for table, name, special in VARIANTS[kind]:
            objects.append(f"{scratch}/{table}.o")
            own = [*special, f"-DENGINE={table}", f'-DVARIANT="{name}"', "-c", "-o", objects[-1]]
            subprocess.run([*compiler, *flags, *own, str(folder / "engine.c")], check=True)
        made = f"{scratch}/{library.name}"
        subprocess.run(
            [*compiler, *flags, "-shared", "-o", made, str(folder / "dispatch.c"), *objects],
            check=True,
        )
        # A library that runs somewhere keeps its file; the new one takes its name.
        library.unlink(missing_ok=True)
        shutil.copyfile(made, library)
    return library


class EngineHook(BuildHookInterface[Any]):
    """The hook that hatchling calls."""

    def dependencies(self) -> list[str]:
        """Ask for ziglang where this machine has no compiler."""
        if self.target_name != "wheel" or os.environ.get("GUESSBOOK_PURE") or found_compiler():
            return []
        return ["ziglang"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the engine, and say for what platform the wheel is."""
        if self.target_name != "wheel":
            return
        folder = Path(self.root) / FOLDER
        for old in folder.glob("_engine.*"):
            old.unlink()
        if os.environ.get("GUESSBOOK_PURE"):
            return
        target = os.environ.get("GUESSBOOK_TARGET", "")
        library = compile_engine(folder, target)
        tag = TARGETS[target] if target else sysconfig.get_platform()
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + tag.replace("-", "_").replace(".", "_")
        build_data["artifacts"].append(str(FOLDER / library.name))
