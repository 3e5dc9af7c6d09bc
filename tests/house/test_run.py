"""The script `run`: what it says if something is missing, and how it maintains its environment."""

import ast
import os
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from diplomacy_site.embedded import places
from tests.supply.locks import ALL, pins

DEV = places.CHECKOUT / "requirements-dev.lock"
SCRIPT = places.CHECKOUT / "run"


@pytest.fixture(scope="module")
def run() -> ModuleType:
    loader = SourceFileLoader("run_script", str(SCRIPT))
    spec = spec_from_loader("run_script", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def run_in_new_checkout(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Type `run` in a folder without an environment, on a machine without uv."""
    for name in ("run", "requirements-dev.lock"):
        shutil.copy(places.CHECKOUT / name, folder)
    environment = {"PATH": str(folder), "HOME": str(folder), **variables}
    command = [sys.executable, str(folder / "run")]
    return subprocess.run(command, check=False, env=environment, capture_output=True, text=True)


def test_an_old_python_can_read_the_script() -> None:
    ast.parse(SCRIPT.read_text(), feature_version=(3, 8))


def test_a_python_that_is_too_old_is_told_which_one_is_needed(run: ModuleType) -> None:
    assert run.python_problem((3, 9, 18)) == (
        "this is Python 3.9, but Python 3.11 or newer is needed. Install it, then type: python3.11 run"
    )


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 2), (4, 0, 0)])
def test_a_python_that_is_new_enough_is_taken(run: ModuleType, version: tuple[int, ...]) -> None:
    assert run.python_problem(version) is None


def test_a_python_without_venv_and_pip_is_told_what_to_install(tmp_path: Path) -> None:
    for module in ("venv", "pip"):
        (tmp_path / "absent" / module).mkdir(parents=True)
        (tmp_path / "absent" / module / "__init__.py").write_text("raise ImportError")
    done = run_in_new_checkout(tmp_path, PYTHONPATH=str(tmp_path / "absent"))
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "run: this Python has neither venv nor pip, so nothing can be installed. "
        "On Debian or Ubuntu type: sudo apt install python3-venv"
    )


def test_without_a_package_index_one_sentence_says_so(tmp_path: Path) -> None:
    done = run_in_new_checkout(tmp_path, PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_CONFIG_FILE=os.devnull)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "run: the packages could not be installed (the reason is shown above). "
        "The first run needs a package index: check the network, or set PIP_INDEX_URL, and type ./run again"
    )


def test_uv_learns_the_index_that_pip_was_told(run: ModuleType) -> None:
    adapted = run.installer_environment({"PIP_INDEX_URL": "https://index.example/simple"})
    assert adapted["UV_DEFAULT_INDEX"] == "https://index.example/simple"
    assert adapted["UV_SYSTEM_CERTS"] == "1"
    assert "UV_DEFAULT_INDEX" not in run.installer_environment({})


def test_an_environment_is_built_again_when_its_lock_changes(run: ModuleType, tmp_path: Path) -> None:
    folder, lock = tmp_path / "environment", tmp_path / "requirements.lock"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    lock.write_text("django==5.2.19")
    assert not run.is_built(str(folder), str(lock))
    (folder / ".built-from").write_text(run.fingerprint(str(lock)))
    assert run.is_built(str(folder), str(lock))
    lock.write_text("django==5.2.20")
    assert not run.is_built(str(folder), str(lock))


def test_the_locks_agree_and_that_of_developers_holds_the_others() -> None:
    every = set(pins(DEV))
    for lock in ALL:
        if lock.name != "requirements-maps.lock":
            assert set(pins(lock)) <= every, lock.name
    assert set(pins(places.CHECKOUT / "requirements.lock")) < set(pins(places.CHECKOUT / "requirements-run.lock"))


@pytest.mark.parametrize("lock", ALL, ids=lambda lock: str(lock.name))
def test_a_lock_has_hashes_and_names_no_host(lock: Path) -> None:
    text = lock.read_text()
    packages = [line for line in text.splitlines() if "==" in line and not line.lstrip().startswith("#")]
    assert packages
    assert all(line.endswith("\\") for line in packages)
    assert text.count("--hash=sha256:") >= len(packages)
    assert "://" not in text
    assert "index-url" not in text
