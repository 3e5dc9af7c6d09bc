"""A PostgreSQL server or its lock files, left behind by an earlier launcher."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 20.0
MOMENT = 3.0
STEP = 0.05
PROC = Path("/proc")


def end_leftover_server(cluster: Path, sockets: Path) -> None:
    """Stop a server that is still using the cluster, then remove what a dead one left.

    Only the holder of the data folder's lock may call this. Where nobody collects dead processes (a
    container without an init) a dead server looks alive: its number still exists, as a zombie.
    """
    for lock in (cluster / "postmaster.pid", sockets / ".s.PGSQL.5432.lock"):
        number = process_id_in(lock)
        if number is None:
            continue
        if is_server_of(number, cluster):
            stop_server(number, cluster)
        await_death(number)
        if is_zombie(number) and no_process_is_left_in(cluster):
            lock.unlink(missing_ok=True)


def process_id_in(lock: Path) -> int | None:
    """The process id in the lock file's first line."""
    try:
        return int(lock.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def is_server_of(number: int, cluster: Path) -> bool:
    """Is the process a server of this cluster, and not another one that got the same id later?"""
    if PROC.is_dir():
        return working_folder_of(number) == str(cluster)
    processes = subprocess.run(["ps", "-o", "command=", "-p", str(number)], check=False, capture_output=True, text=True)
    return str(cluster) in processes.stdout


def stop_server(number: int, cluster: Path) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGINT)
    wait_until_over(lambda: is_server_of(number, cluster), PATIENCE)


def await_death(number: int) -> None:
    """Wait until a killed process, which has already lost its folder, is dead."""
    wait_until_over(lambda: is_dying(number), MOMENT)


def is_dying(number: int) -> bool:
    return (PROC / str(number)).is_dir() and not working_folder_of(number) and not is_zombie(number)


def is_zombie(number: int) -> bool:
    try:
        status = (PROC / str(number) / "stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] == "Z"


def no_process_is_left_in(cluster: Path) -> bool:
    """Wait a little for the server's own children, which end after it."""
    folder = str(cluster)
    return wait_until_over(
        lambda: folder in {working_folder_of(int(entry.name)) for entry in PROC.glob("[0-9]*")}, PATIENCE
    )


def wait_until_over(goes_on: Callable[[], bool], patience: float) -> bool:
    """Wait until `goes_on` is False, for at most that many seconds; return whether it is."""
    give_up = time.monotonic() + patience
    while is_on := goes_on():
        if time.monotonic() > give_up:
            break
        time.sleep(STEP)
    return not is_on


def working_folder_of(number: int) -> str:
    try:
        return str((PROC / str(number) / "cwd").readlink())
    except OSError:
        return ""
