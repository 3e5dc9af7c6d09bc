"""Writers that hammer the site through HTTP and remember exactly what it told them."""

from __future__ import annotations

import itertools
import json
import random
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.middleware.csrf import get_token

from games.kernel.models import Status
from tests.faults.people import MASTER
from tests.faults.wires import LOCALHOST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.faults.eye import Eye, Seen
    from tests.faults.people import People

PAUSE = 0.12
AFTER_A_FAILURE = 0.3
PATIENCE = 120
MOST_WRITERS = 100
TOKEN = "x" * 32
SENT, SAVED, TOO_LATE, REFUSED, UNKNOWN = "sent", "saved", "too late", "refused", "unknown"
SERVED, AWAY, NO_ANSWER = "served", "a part is away", "no answer"
PAGES = ("/", "/games/", "/games/{}/", "/games/{}/orders/", "/games/{}/pulse/", "/api/v1/games/", "/api/v1/games/{}/")
ACTS = {"read": 20, "save": 60, "ready": 10, "talk": 12, "extend": 3, "pause": 4, "propose": 3, "vote": 8}


@dataclass(slots=True)
class Said:
    """What one writer sent, and the response: `told` is what counts, `at` the moment by a clock that never jumps."""

    text: str
    answer: str = SENT
    told: str | None = None
    at: float = 0.0


@dataclass
class Memory:
    """Everything that was sent. The key of saved orders is (game, ordinal, power)."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    sheets: dict[tuple[int, int, str], list[Said]] = field(default_factory=lambda: defaultdict(list))
    talk: dict[int, list[Said]] = field(default_factory=lambda: defaultdict(list))
    acts: dict[int, list[Said]] = field(default_factory=lambda: defaultdict(list))
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    saved: int = 0


@dataclass(frozen=True, slots=True)
class WriterAnswer:
    """Status 0: the result is unknown."""

    status: int
    body: Any = None


class Writer:
    """One of several writers. No other uses its games, so that the order of saves is known."""

    def __init__(self, number: int, of: int, ports: Sequence[int], eye: Eye, people: People, memory: Memory) -> None:
        self.number, self.of, self.ports = number, of, ports
        self.eye, self.people, self.memory = eye, people, memory
        self.chance = random.Random(number)
        self.count = itertools.count(number, MOST_WRITERS)
        self.connections: dict[int, HTTPConnection] = {}
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._write, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.stopped.set()

    def _write(self) -> None:
        pause = PAUSE
        while not self.stopped.wait(pause):
            mine = [game for game in self.eye.games.values() if game.pk % self.of == self.number]
            if mine:
                answer = self._act(self.chance.choice(mine))
                pause = PAUSE if answer.status else AFTER_A_FAILURE

    def _act(self, game: Seen) -> WriterAnswer:
        if game.status == Status.PAUSED:
            return self._gm(game, "resume")
        (act,) = self.chance.choices(list(ACTS), list(ACTS.values()))
        power = self.chance.choice(sorted(self.people.players[game.pk]))
        return getattr(self, f"_{act}")(game, power)

    def _read(self, game: Seen, power: str) -> WriterAnswer:
        """A page or an answer of the API, as this power's player."""
        page = self.chance.choice(PAGES).format(game.slug)
        answer = self._ask(self.people.players[game.pk][power], "GET", page, "", "text/plain")
        self._count("read", NO_ANSWER if not answer.status else AWAY if answer.status >= 500 else SERVED)
        return answer

    def _save(self, game: Seen, power: str) -> WriterAnswer:
        text = f"{game.some_orders(power, self.chance)}\n# {next(self.count)}"
        said = self._remember(self.memory.sheets[game.pk, game.ordinal, power], text)
        answer = self._api(
            game, power, "PUT", f"/api/v1/games/{game.slug}/sheet/", {"ordinal": game.ordinal, "text": text}
        )
        if answer.status == 409 and answer.body["code"] == "TooLate":
            receipt = answer.body["receipt"]
            self._note(said, "save", TOO_LATE, receipt["text"] if receipt else None)
        else:
            self._note(said, "save", outcome(answer))
        return answer

    def _talk(self, game: Seen, power: str) -> WriterAnswer:
        text = f"number {next(self.count)}"
        said = self._remember(self.memory.talk[game.pk], text)
        address = f"/api/v1/games/{game.slug}/talk/everybody/"
        answer = self._api(game, power, "POST", address, {"text": text})
        self._note(said, "talk", outcome(answer))
        return answer

    def _propose(self, game: Seen, power: str) -> WriterAnswer:
        powers = sorted(self.people.players[game.pk])
        facts = {"kind": "draw", "powers": powers}
        answer = self._api(game, power, "POST", f"/api/v1/games/{game.slug}/proposals/", facts)
        self._count("propose", outcome(answer))
        return answer

    def _vote(self, game: Seen, power: str) -> WriterAnswer:
        """Nearly always against, so that the games continue."""
        number = self.chance.randint(1, 3)
        facts = {"agrees": self.chance.random() < 0.02}
        answer = self._api(game, power, "PUT", f"/api/v1/games/{game.slug}/proposals/{number}/vote/", facts)
        self._count("vote", outcome(answer))
        return answer

    def _ready(self, game: Seen, power: str) -> WriterAnswer:
        name = self.people.players[game.pk][power]
        answer = self._post(name, f"/games/{game.slug}/orders/ready/", {"ordinal": game.ordinal, "ready": "yes"})
        self._count("ready", outcome(answer))
        return answer

    def _extend(self, game: Seen, _power: str) -> WriterAnswer:
        why = f"number {next(self.count)}"
        said = self._remember(self.memory.acts[game.pk], why)
        answer = self._post(MASTER, f"/games/{game.slug}/gm/extend/", {"seconds": 60, "reason": why})
        self._note(said, "extend", outcome(answer))
        return answer

    def _pause(self, game: Seen, _power: str) -> WriterAnswer:
        return self._gm(game, "pause")

    def _gm(self, game: Seen, verb: str) -> WriterAnswer:
        """Only the next page says whether it succeeded, so only duplicates can be detected."""
        why = f"number {next(self.count)}"
        said = self._remember(self.memory.acts[game.pk], why)
        answer = self._post(MASTER, f"/games/{game.slug}/gm/{verb}/", {"reason": why})
        self._note(said, verb, UNKNOWN if answer.status == 303 else outcome(answer))
        return answer

    def end_phase(self, game: Seen) -> None:
        """The game master ends the open phase."""
        self._gm(game, "process")

    def _remember(self, where: list[Said], text: str) -> Said:
        said = Said(text)
        with self.memory.lock:
            where.append(said)
        return said

    def _note(self, said: Said, act: str, answer: str, told: str | None = None) -> None:
        with self.memory.lock:
            said.told, said.answer, said.at = told, answer, time.monotonic()
            self.memory.answers[act, answer] += 1
            self.memory.saved += (act, answer) == ("save", SAVED)

    def _count(self, act: str, answer: str) -> None:
        with self.memory.lock:
            self.memory.answers[act, answer] += 1

    def _api(self, game: Seen, power: str, method: str, path: str, facts: dict[str, Any]) -> WriterAnswer:
        name = self.people.players[game.pk][power]
        return self._ask(name, method, path, json.dumps(facts), "application/json")

    def _post(self, name: str, path: str, facts: dict[str, Any]) -> WriterAnswer:
        form = urlencode({**facts, "csrfmiddlewaretoken": _sign_of_new_page()})
        return self._ask(name, "POST", path, form, "application/x-www-form-urlencoded")

    def _ask(self, name: str, method: str, path: str, body: str, kind: str) -> WriterAnswer:
        headers = {
            "Cookie": f"sessionid={self.people.sessions[name]}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Content-Type": kind,
        }
        port = self.chance.choice(self.ports)  # any of them must know what another has done
        connection = self.connections.setdefault(port, HTTPConnection(LOCALHOST, port, timeout=PATIENCE))
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            said = response.read()
        except (OSError, HTTPException):
            self.connections.pop(port).close()
            return WriterAnswer(0)
        if response.status >= 500 and "Retry-After" not in response.headers:
            with self.memory.lock:
                self.memory.mistakes[f"status {response.status} for {method} {path}"] += 1
        is_json = response.headers.get_content_type() in ("application/json", "application/problem+json")
        return WriterAnswer(response.status, json.loads(said) if is_json else None)


def _sign_of_new_page() -> str:
    page = HttpRequest()
    page.META["CSRF_COOKIE"] = TOKEN
    return get_token(page)


def outcome(answer: WriterAnswer) -> str:
    """What a response means. After a server error the result is unknown."""
    if 200 <= answer.status < 300 or answer.status == 303:
        return SAVED
    return REFUSED if 300 <= answer.status < 500 else UNKNOWN
