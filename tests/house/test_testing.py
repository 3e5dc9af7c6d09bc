"""`./run test`: what it runs, and which servers that starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diplomacy_site.embedded import places
from diplomacy_site.embedded.stack import VARIABLES
from tests.costs import table
from tests.run import CORES, command

PROBE = """
import sys
from pathlib import Path

SITE = {"django", "psycopg", "redis", "celery", "games", "diplomacy_site"}


def pytest_collection_modifyitems(items):
    folders = {item.path.parent.name for item in items}
    loaded = {name.partition(".")[0] for name in sys.modules}
    Path(__file__).with_name("seen").write_text(f"{sorted(folders)} {sorted(SITE & loaded)}")
"""


def test_the_rules_are_tested_without_django_and_without_a_server(tmp_path: Path) -> None:
    (tmp_path / "probe.py").write_text(PROBE)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment |= {"PYTHONPATH": str(tmp_path), "TMPDIR": str(temporary)}
    words = command(["rules", "-n", "0", "-p", "probe", "-k", "test_loader"])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        check=False,
        cwd=places.CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "seen").read_text() == "['adjudication', 'variants'] []"
    assert [found.name for found in temporary.glob("diplomacy-*")] == []
    assert "variants" in done.stdout.partition("seconds by folder")[2]


ONE_MORE = str(CORES + 1)
QUICK = ["-m", "not slow"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["-n", ONE_MORE, "--dist", "worksteal", *QUICK]),
        (["-k", "grace"], ["-n", ONE_MORE, "--dist", "worksteal", *QUICK, "-k", "grace"]),
        (["-m", "browser"], ["-n", ONE_MORE, "--dist", "worksteal", "-m", "browser"]),
        (["slow", "-x"], ["-n", ONE_MORE, "--dist", "loadfile", "-m", "slow", "-x"]),
        (["-x", "-n", "0", "tests/api"], ["-x", "-n", "0", "tests/api"]),
        (["tests/api/test_acts.py", "-x"], ["--reuse-db", "tests/api/test_acts.py", "-x"]),
        (["tests/api", "tests/x.py"], ["-n", ONE_MORE, "--dist", "worksteal", "tests/api", "tests/x.py"]),
        (["press", "-x"], ["-n", ONE_MORE, "--dist", "worksteal", *QUICK, "--reuse-db", "tests/press", "-x"]),
        (
            ["adjudication"],
            ["-c", "tests/rules.ini", "--rootdir", ".", "-n", str(CORES), "--dist", "worksteal", "tests/adjudication"],
        ),
        (["variants", "-n0"], ["-c", "tests/rules.ini", "--rootdir", ".", "tests/variants", "-n0"]),
    ],
)
def test_what_follows_goes_to_pytest(arguments: list[str], words: list[str]) -> None:
    assert command(arguments) == words


def test_what_each_folder_costs_is_told_the_most_expensive_first() -> None:
    def report(test: str, seconds: float) -> pytest.TestReport:
        return pytest.TestReport(test, ("", 0, ""), {}, "passed", None, "call", duration=seconds)

    reports = [("tests/a/b/test_x.py::one", 1.5), ("tests/c/test_y.py::two", 9.0), ("tests/c/test_y.py::two", 0.5)]
    assert list(table(report(*each) for each in reports)) == [
        "c                   9.5 s      1 tests",
        "a/b                 1.5 s      1 tests",
    ]
