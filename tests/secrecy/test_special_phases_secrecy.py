"""Declarations and placings are as secret as orders until they are opened, and leave no trace except what is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.kernel import codec
from tests.cast import PLAYERS
from tests.factories import open_phase, powers_of, running_game
from tests.secrecy.addresses import addresses, of_the_game
from tests.secrecy.observation import Browser, Request, answers, assert_alike, letters, observed_at, public_rows
from tests.secrecy.requests import refused_by_method
from tests.secrecy.rests import Rows
from tests.secrecy.roles import ROLES
from tests.secrecy.worlds import world
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.kernel.models import Game
    from tests.secrecy.roles import Role
    from tests.secrecy.scene import Writing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

MINE = {"formal-diplomacy": "DECLARE WAR ITALY", "collapse-of-the-dual-empire": "PLACE CA SAR"}
"""The orders of the viewer, who plays the first power, in every world."""

VIEWERS = ("observer", "player", "gm")

WORLDS: dict[str, dict[str, Writing]] = {
    "formal-diplomacy": {
        "nobody else wrote": {},
        "many wrote": {
            "FRANCE": ("DECLARE ALLIANCE GERMANY", "DECLARE WAR ENGLAND"),
            "GERMANY": ("DECLARE ALLIANCE FRANCE", "DECLARE WAR AUSTRIA", "DECLARE WAR RUSSIA"),
            "ITALY": ("DECLARE WAR AUSTRIA", "DECLARE NEUTRALITY TURKEY"),
            "TURKEY": ("# thinking",),
        },
    },
    "collapse-of-the-dual-empire": {
        "nobody else wrote": {},
        "one power placed all and many placed some": {
            "MAGYARS": ("PLACE CA PES", "PLACE CA MAK", "PLACE DA BUD", "PLACE DA BAK"),
            "GERMANS": ("PLACE CA VIE", "PLACE DA STY"),
            "POLES": ("PLACE CA LEM",),
            "RUMANIANS": ("# later",),
        },
    },
}

SAME_RELATIONS: dict[str, Writing] = {
    "one declares the war": {"GERMANY": ("DECLARE WAR FRANCE",)},
    "both declare it, and offers find no answer": {
        "GERMANY": ("DECLARE WAR FRANCE", "DECLARE ALLIANCE RUSSIA"),
        "FRANCE": ("DECLARE WAR GERMANY",),
        "TURKEY": ("DECLARE NEUTRALITY ITALY",),
    },
}
"""Different declarations that lead to the same relations."""

BEFORE_THE_RESULT = 3
"""Paragraphs of an email: what is asked, the deadline, the address. Then it repeats the public result."""


def begun(variant: str) -> Game:
    return running_game(variant=variant, players=PLAYERS[: find(variant).players])


def write(game: Game, writing: Mapping[str, tuple[str, ...]]) -> None:
    mine = {powers_of(game)[0]: (MINE[game.variant_slug],)}
    for power, lines in {**writing, **mine}.items():
        Story(game).order(power, *lines)


def asked_of(game: Game, role: Role) -> list[Request]:
    places, refused = of_the_game(game).items(), refused_by_method(role)
    asked = [(method, *place) for place in places for method in ("GET", "POST") if (method, place[0]) not in refused]
    return [Request(*parts) for parts in asked]


@pytest.mark.parametrize("variant", WORLDS)
def test_until_they_are_opened_nothing_depends_on_what_the_others_wrote(variant: str) -> None:
    game = begun(variant)
    browsers = {role.title: (Browser(role.name), asked_of(game, role)) for role in ROLES if role.title in VIEWERS}
    worlds = []
    for writing in WORLDS[variant].values():
        with world():
            write(game, writing)
            rows = Rows()
            worlds.append({title: answers(asked, one, rows=rows) for title, (one, asked) in browsers.items()})
    for title in VIEWERS:
        assert_alike([seen[title] for seen in worlds])
        assert worlds[0][title]["GET games:game"].status == 200


@pytest.mark.parametrize("variant", WORLDS)
def test_the_own_sheet_is_there_so_that_the_pages_compared_are_the_real_ones(variant: str) -> None:
    game = begun(variant)
    with world():
        write(game, {})
        page = observed_at({"games:orders": addresses(game)["games:orders"]}, PLAYERS[0])["GET games:orders"]
    assert MINE[variant].title().split()[-1] in page.body
    assert "These orders count at the deadline." in page.body


@pytest.mark.parametrize("variant", WORLDS)
def test_until_they_are_opened_no_public_row_and_no_letter_depends_on_them(variant: str) -> None:
    game = begun(variant)
    letters()
    worlds = []
    for writing in WORLDS[variant].values():
        with world():
            write(game, writing)
            worlds.append((public_rows(), letters()))
    assert worlds[0] == worlds[1]


def test_of_opened_papers_the_game_goes_on_with_nothing_but_the_relations() -> None:
    game = begun("formal-diplomacy")
    letters()
    worlds = []
    for papers in SAME_RELATIONS.values():
        with world():
            write(game, papers)
            Story(game).deadline()
            sheet = observed_at({"api:sheet": addresses(game)["api:sheet"]}, PLAYERS[0])["GET api:sheet"]
            told = [it for it in letters() if "the result of" not in it[0]]  # it says, as the page does, who saved none
            asked = [(subject, body.split("\n\n")[:BEFORE_THE_RESULT], to) for subject, body, to in told]
            worlds.append((codec.position_of(open_phase(game)), sheet, asked))
    assert worlds[0] == worlds[1]
    assert worlds[0][0].relations == {"AUSTRIA ITALY": "war", "FRANCE GERMANY": "war"}
