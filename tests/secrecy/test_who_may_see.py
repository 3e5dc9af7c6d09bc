"""What does not exist for whom. The status of every address for every role is in `rows.py`."""

from __future__ import annotations

import pytest

from tests.browsers import visitor
from tests.factories import running_game
from tests.secrecy.addresses import addresses
from tests.secrecy.observation import Request, answers, observed_at

pytestmark = pytest.mark.django_db

NOTHING_HERE = {302, 401, 404, 405}
"""To sign in, no right to write at all, nothing there, or wrong method: none of them tells whether the game exists."""


@pytest.mark.parametrize("viewer", ["eve", "dave", "sam"])
def test_a_game_by_invitation_does_not_exist_for_who_is_not_invited(viewer: str) -> None:
    game = running_game(name="Rapallo", by_invitation=True)
    known = addresses(game)
    about_it = {name: path for name, path in known.items() if game.slug in path}
    assert len(about_it) > 15
    seen = observed_at(about_it, viewer)
    assert [name for name, page in seen.items() if page.status not in NOTHING_HERE] == []
    lists = [
        Request("GET", name, known[name]) for name in known.keys() - about_it.keys() if "admin:" not in name
    ]
    assert [name for name, page in answers(lists, viewer).items() if "Rapallo" in page.body] == []


def test_the_admin_pages_are_for_the_staff_only() -> None:
    game = running_game()
    admin = {name: path for name, path in addresses(game).items() if name.startswith("admin:")}
    assert len(admin) > 20
    assert not [name for name in admin if "sheet" in name or "sealed" in name]
    for viewer in ("eve", "alice", "carol"):
        browser = visitor(viewer)
        for name in sorted(set(admin) - {"admin:login", "admin:logout"}):
            assert browser.get(admin[name]).status_code == 302, (viewer, name)
