"""The script `run`: what it says if something is missing, and how it maintains its environment."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from threading import Thread
from types import ModuleType
from zipfile import ZipFile

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
    for name in ("run", "requirements-run.lock"):
        shutil.copy(places.CHECKOUT / name, folder)
    return typed(folder, **{"PATH": str(folder), "HOME": str(folder), **variables})


def typed(checkout: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(checkout / "run"), *words]
    return subprocess.run(command, check=False, env=environment, capture_output=True, text=True)


class Index:
    """A package index, and checkouts whose locks name its packages: `played` for all, `tested` for developers."""

    def __init__(self, folder: Path, uv: str) -> None:
        self.folder, self.machine = folder, folder / "machine"
        self.machine.mkdir()
        (self.machine / "uv").symlink_to(uv)
        self.pins = {name: self._published(name) for name in ("played", "tested")}
        serve = partial(SimpleHTTPRequestHandler, directory=str(folder / "index"))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), serve)
        Thread(target=self.server.serve_forever, daemon=True).start()

    def _published(self, name: str) -> str:
        """Its line in a lock."""
        page = self.folder / "index" / "simple" / name
        page.mkdir(parents=True)
        wheel = page / f"{name}-1-py3-none-any.whl"
        with ZipFile(wheel, "w") as packed:
            packed.writestr(f"{name}.py", "")
            packed.writestr(f"{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
            packed.writestr(
                f"{name}-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            packed.writestr(f"{name}-1.dist-info/RECORD", f"{name}.py,,\n{name}-1.dist-info/RECORD,,\n")
        (page / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
        return f"{name}==1 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"

    def checkout(self, name: str) -> Path:
        made = self.folder / name
        made.mkdir()
        shutil.copy(SCRIPT, made)
        (made / "requirements-run.lock").write_text(self.pins["played"])
        (made / "requirements-dev.lock").write_text(self.pins["played"] + self.pins["tested"])
        return made

    def run(self, checkout: Path, *words: str, home: Path | None = None) -> str:
        """Type `./run`, on a machine that has uv; what it says. It ends there, as the checkout has no site."""
        address = f"http://127.0.0.1:{self.server.server_port}/simple"
        variables = {"PATH": str(self.machine), "HOME": str(home or self.machine), "PIP_INDEX_URL": address}
        return typed(checkout, *words, **variables, UV_HTTP_RETRIES="0", PIP_CONFIG_FILE=os.devnull).stderr

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def packages(checkout: Path) -> set[str]:
    return {path.stem for path in checkout.glob(".venv/lib/*/site-packages/*ed.py")}


@pytest.fixture
def index(run: ModuleType, tmp_path: Path) -> Iterator[Index]:
    uv = run.uv_on_this_machine()
    if uv is None:
        pytest.skip("there is no uv on this machine")
    made = Index(tmp_path, uv)
    yield made
    made.end()


def test_who_plays_gets_no_tools_and_who_develops_keeps_them(index: Index) -> None:
    checkout = index.checkout("a folder with spaces")
    assert "run: building .venv from requirements-run.lock" in index.run(checkout)
    assert packages(checkout) == {"played"}
    assert "building" not in index.run(checkout)
    assert "run: building .venv from requirements-dev.lock" in index.run(checkout, "test")
    assert packages(checkout) == {"played", "tested"}
    assert "building" not in index.run(checkout)
    (checkout / ".venv" / "lib" / "kept").touch()
    for lock in checkout.glob("*.lock"):
        lock.write_text(lock.read_text() + "# newer\n")
    assert "run: building .venv from requirements-dev.lock" in index.run(checkout)
    assert packages(checkout) == {"played", "tested"}
    assert (checkout / ".venv" / "lib" / "kept").exists(), "it was not built anew"


def test_what_was_built_for_another_python_is_removed(index: Index) -> None:
    checkout = index.checkout("first")
    other = checkout / ".venv" / "lib" / "python3.1"
    other.mkdir(parents=True)
    assert "run: .venv is ready" in index.run(checkout)
    assert not other.exists()
    assert packages(checkout) == {"played"}


def test_the_next_copy_of_the_project_is_built_without_a_network(index: Index) -> None:
    index.run(index.checkout("first"))
    index.end()
    second = index.checkout("second")
    assert "run: .venv is ready" in index.run(second)
    assert packages(second) == {"played"}


def test_a_home_where_nothing_can_be_written_is_enough(index: Index) -> None:
    checkout = index.checkout("first")
    home = checkout / "run"  # a file, which has no folders, not even for root
    assert index.run(checkout, home=home).startswith("run: building .venv")
    assert packages(checkout) == {"played"}
    assert not (checkout / ".venv" / "bin" / "pip").exists(), "uv did it, and not pip"


def test_another_file_than_the_lock_names_is_refused(index: Index) -> None:
    checkout = index.checkout("first")
    (checkout / "requirements-run.lock").write_text(f"played==1 --hash=sha256:{'0' * 64}\n")
    assert (
        index.run(checkout)
        .splitlines()[-1]
        .startswith(
            "run: the packages could not be installed, because the package index has another file than the lock names"
        )
    )


def test_a_full_disk_is_not_taken_for_a_missing_network(tmp_path: Path) -> None:
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\necho 'failed to write to file: No space left on device (os error 28)' >&2\nexit 2\n")
    uv.chmod(0o700)
    done = run_in_new_checkout(tmp_path)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].startswith(
        f"run: the packages could not be installed, because the disk is full: {tmp_path}, "
    )


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


def test_uv_is_kept_for_other_copies_or_where_the_home_is_read_only_for_this_one(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fetched = tmp_path / "fetched"
    fetched.write_text("uv")
    home, here = tmp_path / "home", tmp_path / "here"
    monkeypatch.setattr(run, "TOOLS", [str(home), str(here)])
    assert run.keep_uv(str(fetched)) == str(home / "bin" / "uv") == run.uv_on_this_machine()
    shutil.rmtree(home)
    home.touch()  # no folder can be made there, even by root
    assert run.keep_uv(str(fetched)) == str(here / "bin" / "uv") == run.uv_on_this_machine()


COLLECTOR = {"sentry-sdk", "certifi", "urllib3"}


def test_the_locks_agree_and_that_of_developers_holds_the_others() -> None:
    every = set(pins(DEV))
    for lock in ALL:
        if lock.name != "requirements-maps.lock":
            assert set(pins(lock)) <= every, lock.name
    image, run = (set(pins(places.CHECKOUT / name)) for name in ("requirements.lock", "requirements-run.lock"))
    assert {pin.name for pin in image - run} == {"brotli", *COLLECTOR}, "what serves games is the same"


@pytest.mark.parametrize("lock", ALL, ids=lambda lock: str(lock.name))
def test_a_lock_has_hashes_and_names_no_host(lock: Path) -> None:
    text = lock.read_text()
    packages = [line for line in text.splitlines() if "==" in line and not line.lstrip().startswith("#")]
    assert packages
    assert all(line.endswith("\\") for line in packages)
    assert text.count("--hash=sha256:") >= len(packages)
    assert "://" not in text
    assert "index-url" not in text
