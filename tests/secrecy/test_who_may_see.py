"""What each role may see, and what doesn't exist for it. The status of every address for every role is in `rows.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories import running_game
from tests.secrecy.addresses import Address, addresses, everywhere
from tests.secrecy.groups import SEAT
from tests.secrecy.observation import Request, answers, observed_at
from tests.secrecy.roles import TITLES
from tests.secrecy.rows import AS_THEY_ARE, ROWS, RULES, lines_to_add, of_our_models, row_of

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

NOTHING_HERE = {302, 401, 404, 405}
"""Sign in, no right to write, not found, or wrong method: none of them reveals whether the game exists."""


@pytest.mark.django_db
@pytest.mark.parametrize("viewer", ["eve", "dave", "sam"])
def test_a_game_by_invitation_does_not_exist_for_who_is_not_invited(viewer: str) -> None:
    game = running_game(name="Zygmunt", by_invitation=True)
    known = addresses(game)
    about_it = {name: path for name, path in known.items() if game.slug in path}
    assert len(about_it) > 15
    seen = observed_at(about_it, viewer, acting=True)
    assert [name for name, page in seen.items() if page.status not in NOTHING_HERE] == []
    lists = [Request("GET", name, known[name]) for name in known.keys() - about_it.keys() if "admin:" not in name]
    assert [name for name, page in answers(lists, viewer).items() if "Zygmunt" in page.body] == []


def test_every_address_has_its_row() -> None:
    assert lines_to_add() == []
    names = {address.name for address in everywhere()}
    assert sorted(ROWS.keys() - names) == [], "rows of tests/secrecy/rows.py without an address: delete them"
    admin = {name for name in names if name.startswith("admin:")}
    assert [name for name in admin if "sheet" in name or "sealed" in name] == []


def test_a_new_page_of_a_library_needs_no_row_and_one_of_ours_does(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.secrecy.leaks"
    added = {address.name: row_of(address) for address in everywhere() if address.name not in AS_THEY_ARE}
    assert added["account_tomorrow"] == RULES["account_"]
    assert added["account_ours"] is added["leaks:count"] is None
    told = "\n".join(lines_to_add())
    assert '"leaks:count": GROUP.get(200),' in told
    assert '"account_ours": GROUP.get(200),' in told
    assert "tomorrow" not in told


def test_the_line_for_a_page_of_a_game_says_what_is_posted_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ROWS, "games:lobby")
    monkeypatch.setitem(ROWS, "games:home", {"GET": {}})
    lines = lines_to_add()
    assert len(lines) == 2
    assert '"games:home": GROUP.page(),' in lines[0]
    assert '"games:lobby": GROUP.page(),' in lines[1]


@pytest.mark.parametrize(
    ("name", "role"), [("mfa_tomorrow", "stranger"), *(("admin:tomorrow", role) for role in TITLES if role != "staff")]
)
def test_no_rule_for_a_library_lets_the_wrong_people_in(name: str, role: str) -> None:
    row = row_of(Address(name, "allauth.tomorrow", "", "", ()))
    assert row is not None
    assert not {200, 204, 403} & {*row["GET"][role]}


def test_what_the_pages_of_libraries_answer_today_is_within_the_rules() -> None:
    assert "admin:kernel_letter_changelist" in of_our_models()
    known = {**of_our_models(), **AS_THEY_ARE}
    for start, rule in RULES.items():
        rows = {name: row for name, row in known.items() if name.startswith(start)}
        assert rows
        for name, row in rows.items():
            assert all({*row["GET"][role]} <= {*rule["GET"][role]} for role in TITLES), name


def test_a_row_may_name_only_roles_that_exist_and_differ() -> None:
    with pytest.raises(AssertionError, match="no such role"):
        SEAT.page(sittr=404)
    with pytest.raises(AssertionError, match="need not be said"):
        SEAT.page(ally=200)
    assert SEAT.page(ally=404)["GET"]["ally"] == (404,)
