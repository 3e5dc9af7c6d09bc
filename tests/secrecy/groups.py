"""Groups of pages: which roles get in, and what the others get instead. `rows.py` gives each page its group."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.secrecy.roles import TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping

Statuses = tuple[int, ...]
"""Our own pages have one. A library's page may have several, and any of them will do."""
Row = dict[str, dict[str, Statuses]]
"""Method -> role -> what it gets."""

WRONG_METHOD, ITS_PAGE = (405,), (302,)


@dataclass(frozen=True)
class Group:
    """Members get in, and other roles get `others`. `sign_in` says by which methods strangers must sign in first.

    A page refuses a wrong method before it looks at rights, unless the group is `hidden`. The API does so even before
    it asks strangers to sign in.
    """

    members: frozenset[str]
    sign_in: Mapping[str, Statuses] = field(default_factory=dict)
    others: Statuses = (404,)
    hidden: bool = False

    def page(self, got: int = 200, **differing: int) -> Row:
        """A page to look at."""
        return self.get(got, **differing) | self.post(*WRONG_METHOD)

    def form(self, posted: int = 422, **differing: int) -> Row:
        """A page with a form, and what an empty one gets."""
        return self.get(200, **differing) | self.post(posted, **differing)

    def door(self, posted: int = 303, **differing: int) -> Row:
        """A button's address, which leads to its page when it is opened, and what an empty form gets."""
        return (self.get(*WRONG_METHOD) if self.sign_in is TOKEN else self.opened()) | self.post(posted, **differing)

    def opened(self) -> Row:
        """A button's address, opened: for all the same, whether there is anything for them on its page or not."""
        return {"GET": dict.fromkeys(TITLES, ITS_PAGE) if not self.hidden else self.get(*ITS_PAGE)["GET"]}

    def get(self, *statuses: int, **differing: int) -> Row:
        return {"GET": self._statuses("GET", statuses, differing)}

    def post(self, *statuses: int, **differing: int) -> Row:
        return {"POST": self._statuses("POST", statuses, differing)}

    def _statuses(self, method: str, statuses: Statuses, differing: Mapping[str, int]) -> dict[str, Statuses]:
        usual = {role: self._usual(role, method, statuses) for role in TITLES}
        own = {role.replace("_", " "): (status,) for role, status in differing.items()}
        assert own.keys() <= usual.keys(), f"no such role: {own.keys() - usual.keys()}"
        assert not own.items() & usual.items(), f"need not be said: {own.items() & usual.items()}"
        return usual | own

    def _usual(self, role: str, method: str, statuses: Statuses) -> Statuses:
        is_first = statuses == WRONG_METHOD and self.sign_in is TOKEN
        if role == "stranger" and method in self.sign_in and not is_first:
            return self.sign_in[method]
        let_in = role in self.members or (statuses == WRONG_METHOD and not self.hidden)
        return statuses if let_in else self.others


LOGIN = {"GET": (302,), "POST": (302,)}
TOKEN = {"POST": (401,)}
EVERYBODY = frozenset(TITLES)
PLAYERS = frozenset({"player", "ally", "playing gm"})
MASTERS = frozenset({"gm", "blind gm", "playing gm"})
ASSISTANTS = frozenset({"assistant"})
STAFF = frozenset({"staff"})

PUBLIC = Group(EVERYBODY)
PERSONAL = Group(EVERYBODY - {"stranger"}, LOGIN)
SEAT = Group(PLAYERS, LOGIN)
SHEET = Group(PLAYERS | {"sitter"}, LOGIN)
"""What a sitter does for a player: orders and messages."""
TALK = replace(SHEET, sign_in={})
AT_THE_TABLE = Group(PLAYERS | MASTERS | ASSISTANTS, LOGIN)
DESK = Group(MASTERS | ASSISTANTS, LOGIN)
MASTER = Group(MASTERS, LOGIN)
"""What no assistant does."""
OFFER = Group(frozenset({"observer"}), LOGIN)
"""The game master has offered the game to the observer, and asked for help with it."""
MODERATION = Group(STAFF | {"moderator"}, LOGIN, hidden=True)
ADMIN = Group(STAFF, LOGIN, others=(302,), hidden=True)

API = Group(EVERYBODY, TOKEN)
API_SEAT, API_SHEET = (replace(group, sign_in=TOKEN) for group in (SEAT, SHEET))
API_DESK = replace(DESK, sign_in=TOKEN, others=(403,))
"""Others may see the game, so nothing is given away by telling them that it is the game master's."""
