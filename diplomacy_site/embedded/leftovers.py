"""A PostgreSQL server or its lock files, left behind by an earlier launcher."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

PATIENCE = 20.0
MOMENT = 3.0
STEP = 0.05
PROC = Path("/proc")


def end(cluster: Path, sockets: Path) -> None:
    """Stop a server that is still using the cluster, then remove what a dead one left.

    Only the holder of the data folder's lock may call this. Where nobody collects dead processes (a
    container without an init) a dead server looks alive: its number still exists, as a zombie.
    """
    for lock in (cluster / "postmaster.pid", sockets / ".s.PGSQL.5432.lock"):
        number = number_in(lock)
        if number is None:
            continue
        if works_in(number, cluster):
            stop(number, cluster)
        await_death(number)
        if is_zombie(number) and nobody_works_in(cluster):
            lock.unlink(missing_ok=True)


def number_in(lock: Path) -> int | None:
    """The process id in the lock file's first line."""
    try:
        return int(lock.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def works_in(number: int, cluster: Path) -> bool:
    """Whether the process is a server of this cluster, and not another one that got the same id later."""
    if PROC.is_dir():
        return folder_of(number) == str(cluster)
    listed = subprocess.run(["ps", "-o", "command=", "-p", str(number)], check=False, capture_output=True, text=True)
    return str(cluster) in listed.stdout


def stop(number: int, cluster: Path) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGINT)
    give_up = time.monotonic() + PATIENCE
    while works_in(number, cluster) and time.monotonic() < give_up:
        time.sleep(STEP)


def await_death(number: int) -> None:
    """For a moment a killed process is neither working, having lost its folder, nor dead."""
    give_up = time.monotonic() + MOMENT
    while is_dying(number) and time.monotonic() < give_up:
        time.sleep(STEP)


def is_dying(number: int) -> bool:
    return (PROC / str(number)).is_dir() and not folder_of(number) and not is_zombie(number)


def is_zombie(number: int) -> bool:
    try:
        status = (PROC / str(number) / "stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] == "Z"


def nobody_works_in(cluster: Path) -> bool:
    """Wait a little for the server's own children, which end after it."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        if not any(folder_of(int(entry.name)) == str(cluster) for entry in PROC.glob("[0-9]*")):
            return True
        time.sleep(STEP)
    return False


def folder_of(number: int) -> str:
    try:
        return str((PROC / str(number) / "cwd").readlink())
    except OSError:
        return ""
