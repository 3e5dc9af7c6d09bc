"""Copies of the launcher: they behave as programs of their own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from diplomacy_site.embedded import copies, places

LAUNCHER = """
import fcntl, json, sys, time
from pathlib import Path
from diplomacy_site.embedded.copies import CopiedChild

folder = Path(sys.argv[1])
lock = (folder / "lock").open("w")
fcntl.flock(lock, fcntl.LOCK_EX)
started = {}
for name in ("ends", "waits", "hangs"):
    started[name] = CopiedChild(name, folder / f"{name}.log")
    started[name].start([sys.executable, "-m", "copied", name], folder=folder)
for name in ("waits", "hangs"):
    while "ready" not in started[name].log.read_text():
        time.sleep(0.01)
while started["ends"].exit_code() is None:
    time.sleep(0.01)
lock.close()
with (folder / "lock").open("w") as again:
    fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
started["waits"].ask_to_stop()
started["waits"].await_end(10)
started["hangs"].await_end(0.1)
print(json.dumps({name: child.exit_code() for name, child in started.items()}))
"""
COPIED = """
import os, signal, sys
print(sys.argv[1:], os.getsid(0) == os.getpid(), os.getcwd(), flush=True)
if sys.argv[1] == "ends":
    sys.exit(3)
if sys.argv[1] == "hangs":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready")
while True:
    signal.pause()
"""


@pytest.mark.skipif(not copies.CAN_COPY, reason="only Linux has copies")
def test_a_copy_runs_a_module_with_its_own_log_and_session_and_can_be_stopped(tmp_path: Path) -> None:
    (tmp_path / "copied.py").write_text(COPIED)
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{places.CHECKOUT}:{tmp_path}"},
        timeout=20,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"ends": 3, "waits": -15, "hangs": -9}
    assert (tmp_path / "ends.log").read_text() == f"['ends'] True {tmp_path}\n"
