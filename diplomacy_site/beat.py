"""The beat, on a clock that may be wrong for a while."""

from celery.beat import Scheduler

LONGEST_SLEEP = 5
"""In seconds: so soon it notices that the clock was put back."""


class SteadyScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's own, which sends nothing for an hour when the clock is put back by an hour, kept from that.

    The schedule stands in the settings, so that no file and no table keeps it.
    """

    max_interval = LONGEST_SLEEP

    def tick(self, *args: object, **options: object) -> float:
        """Send what is due; for how many seconds to sleep then."""
        self._forget_the_future()
        wait: float = super().tick(*args, **options)
        return wait

    def _forget_the_future(self) -> None:
        """What was sent at a moment that is still to come was sent now, and the sequence is made anew."""
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > entry.default_now()]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            self._heap = None
