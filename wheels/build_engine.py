"""The build hook, which compiles the engine, a C library, for a wheel or an editable install.

It reads three environment variables:
- `CC` is the C compiler. By default, it is clang, cc or gcc, else the package ziglang. On Windows,
  and with `GUESSBOOK_TARGET`, ziglang always compiles.
- `GUESSBOOK_PURE=1` omits the engine.
- `GUESSBOOK_TARGET` is a target of zig, such as aarch64-linux-gnu.2.28, to compile for another
  platform.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("builder/guessbook/engine")

# The variants of the engine for each kind of processor: name in C, name of the instruction set,
# compiler flags.
VARIANTS = {
    "x86_64": [
        ("engine_plain", "x86-64-v2", ["-march=x86-64-v2", "-DLANE_BYTES=16"]),
        ("engine_v3", "x86-64-v3", ["-march=x86-64-v3", "-DLANE_BYTES=32"]),
        ("engine_v4", "x86-64-v4", ["-march=x86-64-v4", "-DLANE_BYTES=64"]),
    ],
    "other": [("engine_plain", "plain", ["-DLANE_BYTES=16"])],
}

# -ffp-contract=off disables fused multiply-add, so that bounds in floats are equal on all machines.
FLAGS = ["-std=c99", "-O3", "-fPIC", "-ffp-contract=off", "-fvisibility=hidden"]

# The targets of a release, in the spelling of zig, and the platform tags of their wheels.
TARGETS = {
    "x86_64-linux-gnu.2.28": "manylinux_2_28_x86_64",
    "aarch64-linux-gnu.2.28": "manylinux_2_28_aarch64",
    "x86_64-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-linux-musl": "musllinux_1_2_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
    "x86_64-windows-gnu": "win_amd64",
}


def find_compiler() -> list[str]:
    """Return the command of this machine's C compiler; an empty list if ziglang has to compile."""
    if os.environ.get("GUESSBOOK_TARGET") or sys.platform == "win32":
        return []
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    return next(([name] for name in ("clang", "cc", "gcc") if shutil.which(name)), [])


def own_platform() -> str:
    """Return the platform tag for wheels of this machine."""
    # A universal Python of macOS runs on two kinds of processors, but the engine is compiled for
    # one.
    named = sysconfig.get_platform().replace("universal2", platform.machine())
    return named.replace("-", "_").replace(".", "_")


def own_target() -> str:
    """Return zig's target for this kind of machine."""
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if sys.platform == "win32":
        return f"{machine}-windows-gnu"
    if sys.platform == "darwin":
        return f"{machine}-macos.11.0"
    libc = "musl" if "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "") else "gnu"
    return f"{machine}-linux-{libc}"


def compile_into(place: Path, folder: Path, target: str = "", extra: tuple[str, ...] = ()) -> Path:
    """Compile the engine, and return the path of the shared library.

    Args:
        place: the folder for the library.
        folder: the folder of the sources.
        target: a target of zig; empty for this machine.
        extra: additional compiler flags, such as the flags of a sanitizer.
    """
    compiler = find_compiler()
    if not compiler:
        # Without a target, zig compiles for this exact processor only.
        target = target or own_target()
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    named = target or own_platform()
    kind = "other"
    if named.startswith("x86_64-") or named.endswith(("x86_64", "amd64")):
        kind = "x86_64"
    suffix = ".dll" if "-windows-" in named else ".so"
    flags = [*FLAGS, *extra]
    if suffix == ".dll":
        flags.remove("-fPIC")
    library = place / f"_engine{suffix}"
    with tempfile.TemporaryDirectory() as scratch:
        objects = []
        for table, name, special in VARIANTS[kind]:
            objects.append(f"{scratch}/{table}.o")
            if target:  # zig spells the names of processors with underscores
                special = [flag.replace("march=x86-64-", "march=x86_64_") for flag in special]
            own = [*special, f"-DENGINE={table}", f'-DVARIANT="{name}"', "-c", "-o", objects[-1]]
            subprocess.run([*compiler, *flags, *own, str(folder / "engine.c")], check=True)
        made = f"{scratch}/{library.name}"
        shared = ["-shared", "-o", made, str(folder / "dispatch.c"), *objects]
        if "linux" in named and not extra:  # without -s, symbol names take two thirds of the file
            shared.append("-s")
        subprocess.run([*compiler, *flags, *shared], check=True)
        # Running processes may use the old library, so its file is replaced and not overwritten.
        library.unlink(missing_ok=True)
        shutil.copyfile(made, library)
    return library


class EngineHook(BuildHookInterface[Any]):
    """The build hook that hatchling calls to compile the engine."""

    scratch: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Return additional build requirements: ziglang for a wheel if there is no C compiler."""
        if self.target_name != "wheel" or os.environ.get("GUESSBOOK_PURE") or find_compiler():
            return []
        return ["ziglang>=0.14"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the engine and set the platform tag of the wheel.

        For an editable install, the library is written beside its sources.
        """
        if self.target_name != "wheel":
            return
        folder = Path(self.root) / FOLDER
        place = folder
        if version == "editable":
            for old in folder.glob("_engine.*"):
                old.unlink()
        else:
            self.scratch = tempfile.TemporaryDirectory()
            place = Path(self.scratch.name)
        if os.environ.get("GUESSBOOK_PURE"):
            return
        target = os.environ.get("GUESSBOOK_TARGET", "")
        library = compile_into(place, folder, target)
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + (TARGETS[target] if target else own_platform())
        if version != "editable":
            build_data["force_include"][str(library)] = f"guessbook/engine/{library.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled library after it was copied into the wheel."""
        if self.scratch:
            self.scratch.cleanup()
