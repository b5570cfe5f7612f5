"""Build the sdist and the wheels for all platforms on one Linux machine, and test the engines of the wheels.

    pip install -e ".[build]" && pip install build hatchling ziglang
    python wheels/release.py --out dist

Ziglang compiles the engine of each wheel. A self-test then repeats recorded calls of the engine.
To run the self-tests for other platforms under qemu or wine, install these packages:

    apt-get install musl qemu-user-static libc6-arm64-cross wine64
    dpkg --add-architecture arm64 && apt-get update && apt-get install musl:arm64

The file release.txt receives a line for each target, with the result of its self-test.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from build_engine import TARGETS

ROOT = Path(__file__).parents[1]
QEMU = "qemu-aarch64-static"
# For each target that Linux can run: its loader of shared libraries, and the command that runs its
# programs.
LOADERS = {
    "x86_64-linux-gnu.2.28": ("/lib64/ld-linux-x86-64.so.2", []),
    "x86_64-linux-musl": ("/lib/ld-musl-x86_64.so.1", []),
    "aarch64-linux-gnu.2.28": (
        "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1",
        [QEMU, "-L", "/usr/aarch64-linux-gnu"],
    ),
    "aarch64-linux-musl": ("/lib/ld-musl-aarch64.so.1", [QEMU]),
    "x86_64-windows-gnu": ("", ["wine"]),
}


def run(*command: object, **variables: str) -> None:
    """Run a command with additional environment variables; raise CalledProcessError if it fails."""
    subprocess.run([str(word) for word in command], check=True, env={**os.environ, **variables})


def make_sources(out: Path, scratch: Path) -> Path:
    """Build the sdist, and return the folder with its unpacked content."""
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", out, ROOT)
    (archive,) = out.glob("guessbook-*.tar.gz")
    with tarfile.open(archive) as content:
        content.extractall(scratch, filter="data")
    return scratch / archive.name.removesuffix(".tar.gz")


def make_wheel(target: str, sources: Path, out: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, sources]
    run(*command, GUESSBOOK_TARGET=target)
    (wheel,) = out.glob(f"guessbook-*-py3-none-{TARGETS[target]}.whl")
    return wheel


def library_of(wheel: Path, place: Path) -> Path:
    """Extract the shared library of the engine from a wheel, and return its path."""
    with zipfile.ZipFile(wheel) as content:
        (name,) = (name for name in content.namelist() if "/engine/_engine." in name)
        return Path(content.extract(name, place))


def run_selftest(target: str, library: Path, recording: Path, place: Path) -> str:
    """Compile the self-test for a target, run it if possible, and return a summary in one line."""
    program = place / ("selftest.exe" if "windows" in target else "selftest")
    flags = ["-std=gnu99", "-O1", *(["-dynamic"] if "musl" in target else [])]
    libraries = ["-ldl"] if "gnu." in target else []
    source = ROOT / "wheels/selftest/selftest.c"
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    run(*compiler, *flags, "-o", program, source, *libraries)
    if target not in LOADERS:
        return "compiled, not run: Linux cannot run it"
    loader, command = LOADERS[target]
    lacks = [word for word in command[:1] if not shutil.which(word)]
    lacks += [loader] if loader and not Path(loader).exists() else []
    if lacks:
        return f"compiled, not run: this machine lacks {', '.join(lacks)}"
    done = subprocess.run(
        [*command, program, library, recording],
        capture_output=True,
        text=True,
        env={**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": str(recording.parent / "wine")},
    )
    if done.returncode:
        failed = f"the self-test for {target} failed with exit code {done.returncode}"
        raise SystemExit(f"{failed}: {done.stdout}{done.stderr}")
    how = f"run under {command[0]}" if command else "run"
    return f"{how}: {'; '.join(done.stdout.splitlines())}"


def release_target(target: str, sources: Path, out: Path, recording: Path) -> str:
    """Build and test the wheel for a target; return a line with its sizes and the result."""
    wheel = make_wheel(target, sources, out)
    place = recording.parent / target
    place.mkdir()
    library = library_of(wheel, place)
    done = run_selftest(target, library, recording, place)
    sizes = [path.stat().st_size // 1000 for path in (wheel, library)]
    return f"{target}: wheel {sizes[0]} kB, library {sizes[1]} kB; {done}"


def main() -> None:
    """Build the sdist and the wheels, test the engines of the wheels, and write release.txt."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist", help="output folder, new or empty"
    )
    parser.add_argument(
        "targets", nargs="*", default=list(TARGETS), help="targets of zig [default: all]"
    )
    options = parser.parse_args()
    out: Path = options.out.resolve()
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"unknown targets {', '.join(unknown)}; give some of {', '.join(TARGETS)}")
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        parser.error(f"the output folder {out} contains files; name an empty folder")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        recording = scratch / "recording.bin"
        run(sys.executable, ROOT / "wheels/selftest/record.py", recording)
        sources = make_sources(out, scratch)
        lines = []
        for target in options.targets:
            lines.append(release_target(target, sources, out, recording))
            print(lines[-1], flush=True)
    (out / "release.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print("", *lines, sep="\n")


if __name__ == "__main__":
    main()
