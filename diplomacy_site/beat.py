"""The beat, on a clock that may be wrong for a while."""

from celery.beat import Scheduler

LONGEST_SLEEP = 5
"""In seconds: how soon it notices that the clock was put back."""


class SteadyScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Keeps sending if the clock is put back, where Celery's own scheduler would stop until it catches up.

    The schedule is in the settings, so it needs no file and no table.
    """

    max_interval = LONGEST_SLEEP

    def tick(self, *args: object, **options: object) -> float:
        """Send what is due; return how many seconds to sleep."""
        self._forget_the_future()
        wait: float = super().tick(*args, **options)
        return wait

    def _forget_the_future(self) -> None:
        """Treat anything sent "in the future" as sent now, and sort the schedule again."""
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > entry.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self._heap = None
