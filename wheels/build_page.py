"""Compile the engine of the exported web page: data/engine.wasm and its SHA-256.

    pip install ziglang==0.17.1
    python wheels/build_page.py            # --check only compares

The same version of zig gives the same bytes on every machine.
"""

import argparse
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ZIG = "0.17.1"
ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path("builder/guessbook/engine/page.c")
ENGINE = ROOT / "data" / "engine.wasm"
# In the format of sha256sum.
DIGEST = ENGINE.with_name("engine.wasm.sha256")

# -ffp-contract=off as for the other engines. A reactor is a library: it has no main function.
FLAGS = [
    *("-target", "wasm32-wasi", "-msimd128", "-mexec-model=reactor"),
    *("-std=c99", "-O3", "-ffp-contract=off", "-fvisibility=hidden"),
    *("-Wall", "-Wextra", "-Wconversion", "-Wno-unused-function", "-Werror"),
    "-Wl,--strip-all",
]


def compiled() -> bytes:
    """Return the engine of the page, compiled with zig."""
    try:
        found = version("ziglang")
    except PackageNotFoundError:
        found = "none"
    if found != ZIG:
        sys.exit(f"the installed ziglang is {found}, not {ZIG}; run pip install ziglang=={ZIG}")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / ENGINE.name
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-o", str(made), str(SOURCE)]
        # The path of the source is relative, so that the output does not depend on where the clone is.
        subprocess.run(command, check=True, cwd=ROOT)
        return made.read_bytes()


def main() -> None:
    """Compile the engine, and write it to `data`, or compare it with the file there."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    arguments = parser.parse_args()
    data = compiled()
    line = f"{sha256(data).hexdigest()}  {ENGINE.name}\n"
    if not arguments.check:
        ENGINE.write_bytes(data)
        DIGEST.write_text(line, "ascii")
    elif ENGINE.read_bytes() != data or DIGEST.read_text("ascii") != line:
        sys.exit(f"{ENGINE.name} differs from a new build; run this without --check")
    print(f"{len(data):,} bytes, {line}", end="")


if __name__ == "__main__":
    main()
