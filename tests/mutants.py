"""Mutation testing of the basic modules: which changes do their tests miss?

`pip install mutmut`, then `python tests/mutants.py [MODULE ...]`, such as `book/tree`. A whole run
takes hours; `--names "*4"` tries a tenth, the mutants whose numbers end in 4, and `--names` with
the names of survivors tries only these. The numbers of the last run are in tests/mutants.md; CI
does not run this script. mutmut needs one source tree, and the package has four portions, so it
gets a merged copy of them in a temporary folder.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import resource
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).resolve().parent.parent
# The tests that run on the mutants of each module.
TESTS = {
    "book/tree": "file/test_tree.py file/test_format.py command/test_inspect.py export/test_pictures.py"
    " export/test_identification.py policies/test_identification.py"
    " export/test_forms.py::test_depth_must_be_a_positive_integer",
    "book/file": "file/test_container.py file/test_format.py file/test_header.py file/test_tree.py"
    " policies/test_identification.py policies/test_scores_and_hints.py policies/test_claims.py",
    "book/disk": "file/test_disk.py test_errors.py"
    " building/test_checkpoint.py::test_checkpoint_files_that_are_not_regular_are_not_read"
    " building/test_checkpoint.py::test_checkpoint_files_are_not_read_through_a_link",
    "book/games/codes": "games/test_codes.py games/test_typed_input.py command/test_symbol_names.py"
    " file/test_header.py test_errors.py export/test_pages.py::test_booklet_explains_the_game",
    "book/games/words": "games/test_words.py games/test_typed_input.py games/test_word_lists.py"
    " file/test_header.py file/test_format.py test_errors.py",
    "book/games/tables": "games/test_tables.py games/test_typed_input.py games/test_read_table.py"
    " file/test_header.py policies/test_identification.py test_errors.py",
    "book/games/weights": "games/test_weights.py routes/test_matrix.py file/test_tree.py"
    " policies/test_scores_and_hints.py"
    " games/test_tables.py::test_table_without_tests_may_have_an_empty_list_of_costs",
    **dict.fromkeys(
        ("policy/policy", "policy/candidates"),
        "routes/test_matrix.py policies/test_scores_and_hints.py policies/test_identification.py"
        " policies/test_notation.py building/test_limits.py"
        " games/test_weights.py::test_cost_of_a_cell_is_the_same_in_tables_of_all_sizes",
    ),
}
# Slow tests are left out.
CONFIG = """[mutmut]
source_paths = guessbook
only_mutate = guessbook/{module}.py
also_copy =
    docs
    examples
track_dependencies = false
process_isolation = forkserver
timeout_multiplier = 10
pytest_add_cli_args_test_selection =
    {tests}
[tool:pytest]
pythonpath = .
addopts = --import-mode=importlib -p no:xdist -p no:cacheprovider -m "not slow and not nightly" \
-k "not (killed_writer or little_memory or page and not booklet or cluster)"
"""
CONFTEST = """
import hypothesis

def pytest_collection_modifyitems(items):
    # Child processes of the tests run the mutant, too.
    if os.environ.get("MUTANT_UNDER_TEST") not in ("stats", "fail"):
        os.environ["PYTHONPATH"] = str(ROOT)
    few = {"max_examples": 25, "derandomize": True, "database": None}
    quick = {"phases": tuple(hypothesis.Phase)[:3], "suppress_health_check": hypothesis.HealthCheck}
    for item in items:
        if found := getattr(item.obj, "_hypothesis_internal_use_settings", None):
            item.obj._hypothesis_internal_use_settings = settings(found, **few, **quick)
"""


def main() -> None:
    """Run mutmut on each module; print its numbers and the mutants that survive."""
    if sys.platform == "win32":
        raise NotImplementedError
    parser = argparse.ArgumentParser()
    parser.add_argument("modules", nargs="*", default=list(TESTS))
    parser.add_argument("--names", nargs="+", default=["*"])
    given = parser.parse_args()
    # A mutant may allocate memory without limit.
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    for module in given.modules:
        folder = Path(mkdtemp(prefix="mutants-"))
        for portion in ("app", "book", "builder", "lookup"):
            shutil.copytree(ROOT / portion / "guessbook", folder / "guessbook", dirs_exist_ok=True)
        shutil.copytree(ROOT / "data", folder / "guessbook" / "data")
        for name in ("tests", "docs", "examples"):
            shutil.copytree(ROOT / name, folder / name)
        tests = "\n    ".join(f"tests/{name}" for name in TESTS[module].split())
        (folder / "setup.cfg").write_text(CONFIG.format(module=module, tests=tests))
        with (folder / "tests" / "conftest.py").open("a") as file:
            file.write(CONFTEST)
        command = [sys.executable, "-m", "mutmut", "run", "--max-children=2", *given.names]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(done.stdout)
        mutated = folder / "mutants" / "guessbook" / f"{module}.py"
        print(module, report(mutated, given.names), flush=True)


def report(path: Path, names: list[str]) -> str:
    """Return the counts for a module, and a diff for each mutant that survives."""
    codes = json.loads(path.with_name(path.name + ".meta").read_text())["exit_code_by_key"]
    codes = {key: code for key, code in codes.items() if any(fnmatch(key, n) for n in names)}
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    found = {node.name: ast.unparse(ast.Module(node.body, [])) for node in functions}
    texts, survived = 0, []
    for name, code in ((key.rpartition(".")[2], code) for key, code in codes.items()):
        before, after = found[name.rpartition("_")[0] + "_orig"], found[name]
        if silent(before) == silent(after):
            texts += 1
        elif code in (None, 0, 33):  # 33: no test runs it
            diff = difflib.unified_diff(before.split("\n"), after.split("\n"), name, "", n=0)
            survived.append("\n".join(line.rstrip() for line in diff))
    killed = len(codes) - texts - len(survived)
    return "\n".join([f"{len(codes)} mutants, {texts} only texts, {killed} killed", *survived])


def silent(code: str) -> str:
    """Remove the texts of errors from code, and the variables that only these texts read."""
    tree = ast.parse(code)
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if ast.unparse(node.func).endswith("Error") or node in raised:
            node.args, node.keywords = [], []
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Load}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            name = ast.unparse(node.targets[0])
            if name.isidentifier() and name not in read:
                node.value = ast.Constant("unread")
    shorter = ast.unparse(tree)
    return shorter if shorter == code else silent(shorter)


if __name__ == "__main__":
    main()
