"""The watch: a thread of every web process that writes to the administrators, and calls ALIVE_URL while all is well.

It needs no worker, so it tells that one hangs. It opens a new connection for each look, so a database that hangs keeps
it for the seconds that connecting may take.
"""

import logging
import time
from contextlib import suppress
from threading import Event, Thread

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from redis.exceptions import RedisError

from diplomacy_site import trouble
from diplomacy_site.health import is_ready, readiness
from games.delivery.outbound import Unreachable, ask, target_of

log = logging.getLogger(__name__)
FIRST_LOOK_SECONDS, LOOK_SECONDS = 120, 15
"""After a start of the whole site, its workers get some time to show that they work."""
LETTER, LETTER_LEASE_SECONDS, LETTER_EVERY_SECONDS = "trouble.letter", 300, 24 * 3600
ALIVE, ALIVE_EVERY_SECONDS = "trouble.alive", 55


class Watch(Thread):
    """Looks until its process ends. When it last wrote, it knows itself too: Redis may be away, or forget."""

    def __init__(self) -> None:
        super().__init__(name="watch", daemon=True)
        self.over, self.next_letter = Event(), 0.0

    def run(self) -> None:
        pause = FIRST_LOOK_SECONDS
        while not self.over.wait(pause):
            pause = LOOK_SECONDS
            try:
                self.look()
            except Exception:
                log.exception("The watch could not look at everything.")
            finally:
                connection.close()

    def look(self) -> None:
        """Note what is wrong, and tell it if it lasts."""
        troubles = trouble.note_troubles()
        if troubles:
            self._write(troubles)
        elif settings.ALIVE_URL and is_ready(readiness()) and cache.add(ALIVE, True, ALIVE_EVERY_SECONDS):
            with suppress(Unreachable):  # the service that waits for the call tells the host
                ask("GET", target_of(settings.ALIVE_URL, set_by_host=True))

    def _write(self, troubles: list[trouble.Trouble]) -> None:
        """Write at most once a day. A letter that the mail server doesn't take, or whose sender is killed, is tried
        again minutes later."""
        if not settings.ADMIN_EMAIL or time.monotonic() < self.next_letter:
            return
        with suppress(RedisError):  # without it, each process writes for itself
            if not cache.add(LETTER, True, LETTER_LEASE_SECONDS):
                return
        self.next_letter = time.monotonic() + LETTER_LEASE_SECONDS
        try:
            trouble.administrators_letter(troubles).send()
        except OSError:
            log.warning("The letter to the administrators could not be sent.")
        else:
            self.next_letter = time.monotonic() + LETTER_EVERY_SECONDS
            with suppress(RedisError):
                cache.set(LETTER, True, LETTER_EVERY_SECONDS)
