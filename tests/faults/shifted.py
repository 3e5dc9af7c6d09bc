"""Runs a module as a program while its clock is put forward and back, as by a bad time server.

`python -m tests.faults.shifted FILE MODULE ARGUMENT…`: FILE says by how many seconds the clock is wrong. Only the wall
clock moves: monotonic time continues, as on a real machine.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading
import time
from pathlib import Path

import time_machine

STEP = 0.1


class Clock:
    """The clock of this process, kept wrong as the file says."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.shift = 0.0
        self.travel: time_machine.travel | None = None

    def follow(self) -> None:
        """From now on, in this process and its forks."""
        self.set()
        self._watch()
        os.register_at_fork(after_in_child=self._watch)

    def _watch(self) -> None:
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        pause = threading.Event()
        while True:
            self.set()
            pause.wait(STEP)

    def set(self) -> None:
        shift = shift_in(self.file)
        if shift == self.shift:
            return
        if self.travel is not None:
            self.travel.stop()
        self.travel = time_machine.travel(time.time() + shift, tick=True)
        self.travel.start()
        self.shift = shift


def shift_in(file: Path) -> float:
    return float(file.read_text() or 0)


def write_shift(file: Path, shift: float) -> None:
    """Written so that a reader never finds half a number."""
    draft = file.with_suffix(".new")
    draft.write_text(str(shift))
    draft.rename(file)


def main() -> None:
    file, module, *arguments = sys.argv[1:]
    Clock(Path(file)).follow()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
