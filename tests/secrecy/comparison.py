"""The cells of the table: what each role observes in worlds that differ only in secrets, and where that differs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model

from tests.secrecy.channels import heard, rows_of
from tests.secrecy.observation import Anew, Browser, Observed, answers
from tests.secrecy.requests import answered_alike, asked, known
from tests.secrecy.rests import Rows
from tests.secrecy.scene import world_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tests.secrecy.channels import Receivers
    from tests.secrecy.roles import Role
    from tests.secrecy.scene import Scene, Ways

Cell = tuple[str, str]
"""The title of a role, and what it asks for ("GET games:game") or hears ("letters")."""
ACCOUNT = "ROW account"
ASKING_ANEW = {"stranger": Anew.ALL, "player": Anew.SHOWN}
"""They would notice what a process remembers of another world, for which there is no row."""


@dataclass
class Outcome:
    """What was compared: what the first world shows in each cell, and which cells show something else in another;
    `alike`: cells for which another one is asked."""

    first: dict[Cell, object] = field(default_factory=dict)
    alike: set[Cell] = field(default_factory=set)
    differing: dict[Cell, str] = field(default_factory=dict)
    comparisons: int = 0

    def beyond(self, excepted: Iterable[Cell]) -> list[str]:
        """The cells that differ and may not, in words."""
        return [
            f"{role}: {what} {how}" for (role, what), how in self.differing.items() if (role, what) not in set(excepted)
        ]

    def note(self, found: Mapping[Cell, object], *, first: bool) -> None:
        """What one world shows."""
        if first:
            self.first.update(found)
            return
        self.comparisons += len(found)
        for cell, seen in found.items():
            if cell not in self.first or self.first[cell] != seen:
                self.differing.setdefault(cell, _how(self.first.get(cell), seen))


def _how(before: object, found: object) -> str:
    if isinstance(before, Observed) and isinstance(found, Observed):
        return f"differs in {', '.join(before.differs_in(found))}"
    if isinstance(before, list) and isinstance(found, list):
        one, other = next(pair for pair in zip_longest(before, found) if pair[0] != pair[1])
        return f"has {one!r:.200} in one world and {other!r:.200} in the other"
    return "is not the same"


def compared(
    scene: Scene, worlds: Iterable[Ways], roles: Sequence[Role], *, fully: bool = False, only: str = ""
) -> Outcome:
    """Everything that these roles can request, in each of these worlds, compared with the first. Most roles ask again
    only for what rests on other rows there; in full, all ask for everything."""
    outcome = Outcome()
    browsers = {role: Browser(role.name) for role in roles}
    for number, ways in enumerate(worlds):
        with world_of(scene, ways):
            rows = Rows()
            for role, browser in browsers.items():
                requests = asked(scene, role, fully=fully, only=only)
                left_out = () if fully else answered_alike(role, known(scene, role))
                outcome.alike |= {(role.title, f"{method} {name}") for method, name in left_out}
                anew = Anew.ALL if fully else ASKING_ANEW.get(role.title, Anew.CHANGED)
                seen = answers(requests, browser, rows=rows, anew=anew)
                found: dict[Cell, object] = {(role.title, ACCOUNT): account_of(role)}
                found |= {(role.title, what): it for what, it in seen.items()}
                outcome.note(found, first=number == 0)
    return outcome


def account_of(role: Role) -> object:
    return get_user_model().objects.filter(username=role.name).values().first()


def caches_compared(
    scene: Scene, worlds: Iterable[Ways], pairs: Sequence[tuple[Role, Role]], *, only: str = ""
) -> Outcome:
    """What the second of each pair can look at just after the first has looked at the same, from the cache or not, in
    each of these worlds, compared with the first."""
    outcome = Outcome()
    browsers = [(Browser(filler.name), Browser(reader.name)) for filler, reader in pairs]
    for number, ways in enumerate(worlds):
        with world_of(scene, ways):
            rows = Rows()
            for (filler, reader), (filling, reading) in zip(pairs, browsers, strict=True):
                looks = [request for request in asked(scene, reader, only=only) if request.method == "GET"]
                seen = answers(looks, reading, rows=rows, after=filling)
                cells = {(reader.title, f"{what} after the {filler.title}"): it for what, it in seen.items()}
                outcome.note(cells, first=number == 0)
    return outcome


def channels_compared(scene: Scene, worlds: Iterable[Ways], receivers: Receivers, people: Collection[str]) -> Outcome:
    """All that leaves the site other than as a response, in each of these worlds, compared with the first."""
    outcome = Outcome()
    for number, ways in enumerate(worlds):
        outcome.note(heard(scene, ways, receivers, people), first=number == 0)
    return outcome


def rows_compared(scene: Scene, worlds: Iterable[Ways]) -> Outcome:
    """The contents of a dump, in worlds that differ only in sealed data."""
    outcome = Outcome()
    for number, ways in enumerate(worlds):
        outcome.note(rows_of(scene, ways), first=number == 0)
    return outcome
