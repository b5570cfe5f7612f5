"""Packaging: the portions of the package, wheel, sdist, CI and citations."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from hashlib import sha256
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest

from docs.generate import PACKAGES
from tests.helpers.command import Run

pytestmark = pytest.mark.sources

ENGINE = "_engine.dll" if sys.platform == "win32" else "_engine.so"

# The endings of the files in a wheel: modules, type markers, and data beside the modules.
KINDS = {".py", ".typed", ".css", ".csv", ".h", ".html", ".js", ".txt", ".zst"}
SHIPPED = [
    "bulls-and-cows-4x10",
    "bulls-and-cows-4x10-optimal",
    "mastermind-4x6",
    "mastermind-4x6-optimal",
    "mastermind-5x8",
]


def test_only_one_portion_has_an_init_file(root: Path) -> None:
    """Only app has guessbook/__init__.py, which finds the other portions."""
    portions = sorted(path.parent.name for path in root.glob("*/guessbook") if path.is_dir())
    assert portions == ["app", "book", "builder", "lookup"]
    assert list(root.glob("*/guessbook/__init__.py")) == [root / "app/guessbook/__init__.py"]
    assert (root / "app/guessbook/py.typed").is_file(), "mypy would not see the front's types"
    for name, (portion, _) in PACKAGES.items():
        package = root / portion / "guessbook" / name
        assert (package / "__init__.py").is_file()
        assert (package / "py.typed").is_file()


@pytest.mark.slow
def test_wheel_contains_exactly_expected_files(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), "."]
    subprocess.run(command, cwd=root, check=True)
    (wheel,) = tmp_path.glob("guessbook-*-py3-none-*.whl")
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (scripts,) = (name for name in names if name.endswith("entry_points.txt"))
        assert "guessbook = guessbook.command.main:main" in archive.read(scripts).decode()
    assert "guessbook/__init__.py" in names
    expected = {f"guessbook/data/{name}.book" for name in SHIPPED}
    expected |= {"guessbook/data/engine.wasm", f"guessbook/engine/{ENGINE}"}
    for portion in ("app", "book", "builder", "lookup"):
        folder = root / portion
        files = [path for path in folder.glob("guessbook/**/*.*") if path.suffix in KINDS]
        expected |= {path.relative_to(folder).as_posix() for path in files}
    # The wheel has the headers for books exported as C, but not those of the engine.
    expected -= {name for name in expected if re.fullmatch(r"guessbook/engine/.*\.h", name)}
    assert expected <= names
    strays = {name for name in names - expected if ".dist-info/" not in name}
    assert not strays


def test_links_for_a_package_index_are_absolute_if_the_repository_is_known(root: Path) -> None:
    def known(address: str) -> Any:
        command = [sys.executable, "-m", "hatchling", "metadata"]
        environment = {**os.environ, "GUESSBOOK_REPOSITORY": address}
        shown = subprocess.run(command, cwd=root, env=environment, capture_output=True, check=True)
        return json.loads(shown.stdout)

    plain = (root / "README.md").read_text("utf-8")
    unknown = known("")
    assert unknown["readme"]["text"] == plain
    assert "urls" not in unknown
    published = known("https://example.org/us/guessbook/")
    start = "https://example.org/us/guessbook"
    assert published["urls"]["Repository"] == start
    target = re.compile(r'\]\(([^)]*)\)|src="([^"]*)"')
    links = [a or b for a, b in target.findall(plain)]
    written = [a or b for a, b in target.findall(published["readme"]["text"])]
    assert len(written) == len(links) > 20
    version = published["version"]
    for link, found in zip(links, written, strict=True):
        kind = "raw" if Path(link).suffix in {".svg", ".png"} else "blob"
        assert found == (link if "://" in link else f"{start}/{kind}/v{version}/{link}")


def test_wasm_engine_has_recorded_hash(root: Path) -> None:
    """`.ci/run nightly` also compiles the engine again and compares the bytes."""
    data = (root / "data" / "engine.wasm").read_bytes()
    recorded = (root / "data" / "engine.wasm.sha256").read_text("ascii")
    assert recorded == f"{sha256(data).hexdigest()}  engine.wasm\n"


@pytest.mark.nightly
def test_sdist_contains_build_hook_and_c_sources(root: Path, tmp_path: Path) -> None:
    """It contains no compiled library."""
    command = [sys.executable, "-m", "build", "--sdist", "-o", str(tmp_path), str(root)]
    pytest.importorskip("build.env")
    subprocess.run(command, check=True)
    (archive,) = tmp_path.glob("guessbook-*.tar.gz")
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    folder = root / "builder" / "guessbook" / "engine"
    wanted = {path.relative_to(root).as_posix() for path in folder.glob("*.[ch]")}
    assert wanted | {"wheels/build_engine.py", "wheels/build_metadata.py", "CITATION.cff"} <= names
    assert not {name for name in names if name.endswith((".so", ".dll"))}


def test_release_wheel_tags_are_unique_and_known() -> None:
    path = Path(__file__).parents[2] / "wheels" / "build_engine.py"
    tags = re.findall(r'": "(\w+)",$', path.read_text("utf-8"), re.MULTILINE)
    assert len(tags) == len(set(tags)) == 7
    known = r"(manylinux_2_28|musllinux_1_2|macosx_11_0)_(x86_64|aarch64|arm64)|win_amd64"
    assert all(re.fullmatch(known, tag) for tag in tags)


def test_workflows_name_only_parts_that_the_ci_script_defines(root: Path) -> None:
    script = (root / ".ci" / "run").read_text("utf-8")
    parts = set(re.findall(r"^(\w+)\(\) \{$", script, re.MULTILINE))
    called = set()
    for name in ("ci", "nightly"):
        workflow = (root / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
        runs = re.findall(r"- run: (.*)", workflow)
        assert runs
        for command, *named in map(str.split, runs):
            assert command == ".ci/run"
            called |= {*named}
    assert called == {"tests", "nightly"}
    assert called <= parts


def test_claimed_python_versions_run_in_ci(root: Path) -> None:
    """The oldest claimed version is the one in requires-python."""
    with (root / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    claimed = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    workflow = (root / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix
    assert set(claimed) <= set(re.findall(r"3\.\d+", matrix[1]))
    assert project["requires-python"] == f">={claimed[0]}"


def test_citations_match_package_metadata(root: Path, run: Run) -> None:
    known = metadata("guessbook")
    told = dict(re.findall(r"^ *(?:- )?([a-z]+): (.+)$", (root / "CITATION.cff").read_text(), re.M))
    assert told["title"].lower() == known["Name"]
    assert told["name"] == known["Author"]
    assert told["abstract"].strip('"') == known["Summary"]
    assert told["license"] == known["License-Expression"]
    assert told["version"] == known["Version"]
    said = run("info", "--cite")
    assert (said.code, said.err) == (0, "")
    assert all(f"{known[key]}" in said.out for key in ("Author", "Summary", "Version"))
    assert "@software{guessbook,\n" in said.out
    (year,) = re.findall(r"^  year = {(\d+)},$", said.out, re.MULTILINE)
    assert f"Copyright (c) {year} " in (root / "LICENSE").read_text()
    assert ("url = {" in said.out) != ("add the address from which you got it" in said.out)
