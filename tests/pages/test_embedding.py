"""What other sites may show of a game: its pictures, its board in a frame, and how they find out."""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64encode
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.page import page_for_strangers
from games.mastering.services.desk import close_game, pause_game
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

PICTURES = (("map", 0), ("picture", 0), ("card", 0), ("newest-map", None), ("newest-picture", None))
HERE = "http://testserver"


def played(**options: Any) -> Game:
    game = running_game(**options)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    return game


def pictures(game: Game) -> list[str]:
    return [address(name, game, **({} if ordinal is None else {"ordinal": ordinal})) for name, ordinal in PICTURES]


def asked(url: str, **more: str | int) -> Any:
    return Client().get(reverse("games:oembed"), {"url": url, **more})


def test_other_sites_may_show_the_pictures_of_a_public_game_and_nothing_else_of_any() -> None:
    public, invited = played(), played(by_invitation=True, name="Secret")
    for path in pictures(public):
        answer = Client().get(path)
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin", path
        again = Client().get(path, headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again["Cross-Origin-Resource-Policy"]) == (304, "cross-origin")
        assert "public" in again["Cache-Control"]
        assert not answer.cookies
    for path in (*pictures(invited)[:3], address("print", public, ordinal=0), address("game", public)):
        answer = visitor(PLAYERS[0]).get(path)
        assert (answer.status_code, answer["Cross-Origin-Resource-Policy"]) == (200, "same-origin"), path


def test_only_the_board_of_a_public_game_may_be_framed_and_it_loads_nothing_and_is_nobodys_own() -> None:
    public, invited = played(), played(by_invitation=True, name="Secret")
    answer = Client().get(address("board", public))
    assert "X-Frame-Options" not in answer
    policy = set(answer["Content-Security-Policy"].split("; "))
    assert {"frame-ancestors *", "default-src 'none'", "script-src 'none'", "form-action 'none'"} <= policy
    words = answer.content.decode()
    for never in ("<form", "<script", "<link", "csrf", *PLAYERS, CAROL):
        assert never not in words
    assert not answer.cookies
    for name in (PLAYERS[0], CAROL, DAVE):
        assert visitor(name).get(address("board", public)).content.decode() == words
    for path in (address("game", public), address("history", public), reverse("games:oembed")):
        other = Client().get(path)
        assert other["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    for name in ("board", "newest-map", "newest-picture"):
        for who in (None, PLAYERS[0], CAROL):
            assert visitor(who).get(address(name, invited)).status_code == HTTPStatus.NOT_FOUND


def test_the_style_of_a_board_is_the_one_that_its_policy_allows() -> None:
    answer = Client().get(address("board", waiting_game()))
    style = answer.content.decode().partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in answer["Content-Security-Policy"]


def test_a_board_says_what_is_public_now_and_asks_again_until_the_game_is_over() -> None:
    waiting = Client().get(address("board", waiting_game(name="Open"))).content.decode()
    assert "0 of 7 seats taken" in waiting
    game = played()
    board = address("board", game)
    words = Client().get(board).content.decode()
    assert ("Fall 1926" in words, 'http-equiv="refresh"' in words, "Deadline" in words) == (True, True, True)
    assert '<html lang="en-GB" data-theme="dark">' in Client().get(f"{board}?theme=dark").content.decode()
    assert '<html lang="en-GB">' in Client().get(f"{board}?theme=%22blue").content.decode()
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    assert "The clock stands still" in Client().get(board).content.decode()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    words = Client().get(board).content.decode()
    assert ("The game master closed the game" in words, 'http-equiv="refresh"' in words) == (True, False)


def test_the_newest_map_is_that_of_the_open_phase_and_its_arrows_those_of_the_last() -> None:
    game = played()
    view: Any = page_for_strangers(game.slug)
    plain, arrows = (_drawn(address("newest-map", game) + query) for query in ("", "?arrows=yes"))
    assert plain == _drawn(address("map", game, ordinal=1))
    assert 'class="order move' not in plain
    assert arrows.count('class="order move') == sum(arrow.kind == "move" for arrow in view.aftermath.arrows) > 0
    answer = Client().get(address("newest-map", game))
    assert "max-age=60" in answer["Cache-Control"]
    Story(game).order("FRANCE", "A Par-Bur")
    assert Client().get(address("newest-map", game))["ETag"] == answer["ETag"]
    Story(game).deadline()
    assert Client().get(address("newest-map", game))["ETag"] != answer["ETag"]
    assert Client().get(address("newest-map", waiting_game(name="Open"))).status_code == HTTPStatus.OK


def _drawn(path: str) -> str:
    answer = Client().get(path)
    return (gzip.decompress(answer.content) if answer.get("Content-Encoding") else answer.content).decode()


def test_a_site_that_is_given_the_address_of_a_public_game_learns_how_to_show_its_board() -> None:
    game = running_game(name='Rome & "Milan"')
    page = f"{HERE}{address('game', game)}"
    head = Client().get(address("game", game)).content.decode().partition("<body>")[0]
    link = f"{HERE}{reverse('games:oembed')}?{urlencode({'format': 'json', 'url': page})}"
    assert (
        f'type="application/json+oembed" title="Rome &amp; &quot;Milan&quot;" href="{link.replace("&", "&amp;")}"'
        in head
    )
    told = asked(page).json()
    assert told == asked(f"{HERE}{address('board', game)}").json()
    assert (told["version"], told["type"], told["title"]) == ("1.0", "rich", 'Rome & "Milan"')
    assert f'<iframe src="{HERE}{address("board", game)}" width="{told["width"]}"' in told["html"]
    assert 'title="Rome &amp; &quot;Milan&quot;"' in told["html"]
    small = asked(page, maxwidth=300, maxheight=9_999).json()
    assert (small["width"], small["height"]) == (300, told["height"])
    assert 'width="300"' in small["html"]


def test_the_address_of_a_phase_is_shown_as_its_picture() -> None:
    game, invited = played(name="Rome & Milan"), played(by_invitation=True)
    phase = reverse("games:phase", args=[game.slug, 0])
    told = asked(HERE + phase, maxwidth=300).json()
    assert (told["type"], told["width"]) == ("rich", 300)
    assert told["html"] == (
        f'<a href="{HERE}{phase}"><img src="{HERE}{phase}map.png" width="300" alt="Rome &amp; Milan"></a>'
    )
    found = re.search('type="application/json[+]oembed".* href="([^"]+)"', Client().get(phase).content.decode())
    assert found
    assert Client().get(unescape(found[1])).json()["html"] == asked(HERE + phase).json()["html"]
    assert b"json+oembed" not in visitor(PLAYERS[0]).get(address("phase", invited, ordinal=0)).content
    for never in (reverse("games:phase", args=[game.slug, 9]), reverse("games:phase", args=[invited.slug, 0])):
        assert asked(HERE + never).status_code == 404


def test_oembed_refuses_what_it_cannot_answer_by_the_status_that_its_specification_names() -> None:
    game, invited = running_game(), running_game(by_invitation=True, name="Secret")
    page = f"{HERE}{address('game', game)}"
    for url in (
        "",
        "nonsense",
        "http://[",
        f"{HERE}/",
        f"{HERE}{address('history', game)}",
        f"http://elsewhere.example{address('game', game)}",
        f"{HERE}{address('game', invited)}",
        f"{HERE}/games/none/",
    ):
        refused = asked(url)
        assert (refused.status_code, "no public game" in refused.content.decode()) == (404, True), url
    assert asked(page, format="xml").status_code == HTTPStatus.NOT_IMPLEMENTED
    for wrong in ("0", "-1", "wide", "9" * 40, ""):
        refused = asked(page, maxwidth=wrong)
        assert (refused.status_code, refused.content) == (
            HTTPStatus.BAD_REQUEST,
            b"maxwidth must be a number of pixels, as in maxwidth=640.",
        )


def test_the_page_of_a_public_game_offers_what_to_paste_elsewhere() -> None:
    game, invited = running_game(), running_game(by_invitation=True, name="Secret")
    words = Client().get(address("game", game)).content.decode()
    assert f'value="[img]{HERE}{address("newest-picture", game)}[/img]"' in words
    assert f'value="&lt;iframe src=&quot;{HERE}{address("board", game)}&quot;' in words
    theirs = visitor(PLAYERS[0]).get(address("game", invited)).content.decode()
    for never in ("[img]", "iframe", "oembed", "Embed this board"):
        assert never not in theirs
