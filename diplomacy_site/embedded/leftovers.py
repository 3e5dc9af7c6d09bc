"""A PostgreSQL server or its lock files, left behind by an earlier launcher."""

import contextlib
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil

PATIENCE = 20.0
MOMENT = 3.0
STEP = 0.05


def end_leftover_server(cluster: Path, sockets: Path) -> None:
    """Stop a server that is still using the cluster, then remove what a dead one left.

    Only the holder of the data folder's lock may call this. Where nobody collects dead processes (a
    container without an init) a dead server looks alive: its number still exists, as a zombie.
    """
    for lock in (cluster / "postmaster.pid", sockets / ".s.PGSQL.5432.lock"):
        with contextlib.suppress(OSError, ValueError, psutil.Error):  # no such file, number or process
            server = psutil.Process(int(lock.read_text().split("\n", 1)[0]))
            if end_server(server, str(cluster.resolve())):
                lock.unlink(missing_ok=True)


def end_server(server: psutil.Process, cluster: str) -> bool:
    """End this process if it is a server of this cluster, and not another one that got the same id later; return
    whether it is a zombie, and its children, which end after it, have ended too."""
    if working_folder_of(server) == cluster:
        server.send_signal(signal.SIGINT)
        wait_until_over(lambda: working_folder_of(server) == cluster, PATIENCE)
    # A process that was killed loses its folder first.
    wait_until_over(lambda: not working_folder_of(server) and server.status() != psutil.STATUS_ZOMBIE, MOMENT)
    return bool(server.status() == psutil.STATUS_ZOMBIE) and wait_until_over(
        lambda: cluster in map(working_folder_of, psutil.process_iter()), PATIENCE
    )


def working_folder_of(process: psutil.Process) -> str:
    try:
        return str(process.cwd())
    except (psutil.Error, OSError):
        return ""


def wait_until_over(goes_on: Callable[[], bool], patience: float) -> bool:
    """Wait until `goes_on` is False, for at most that many seconds; return whether it is."""
    give_up = time.monotonic() + patience
    while is_on := goes_on():
        if time.monotonic() > give_up:
            break
        time.sleep(STEP)
    return not is_on
