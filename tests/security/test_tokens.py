"""Tokens: shown once, stored as digests, valid for the chosen scopes until they expire or are revoked."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.api.urls import VERSION_1
from games.kernel import clock
from games.people.models import ApiToken, Scope, TokenKind
from games.people.tokens import MOST_TOKENS, make_token, token_row_of, tokens_of
from games.practice.services import start_practice
from games.seating.services.bots import let_own_bot_play
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import running_game
from tests.security.test_second_factor import time_passes

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE = PLAYERS[0]
TOKENS = reverse("games:tokens")
READS = ("game", "proposals", "talk", "sheet")


def token_of(name: str, *scopes: Scope, days: int = 30, kind: str = TokenKind.APP.value) -> str:
    return make_token(user_id=person(name).pk, name="bot", scopes=scopes, days=days, kind=kind)


def ask(token: str, method: str, path: str, **sent: Any) -> Any:
    """The response to an app; its client would notice if a cookie were needed."""
    client = Client(enforce_csrf_checks=True)
    body = {"data": sent, "content_type": "application/json"} if method != "get" else {}
    return getattr(client, method)(path, headers={"Authorization": f"Bearer {token}"}, **body)


def writes(game: Game) -> dict[str, tuple[Scope, str, str, dict[str, Any], int]]:
    """Every address where the API writes: scope, method, path, data, and the status with that scope."""

    def at(name: str, **facts: Any) -> str:
        return reverse(f"api:{name}", kwargs={"slug": game.slug, **facts})

    draw = {"kind": "draw", "powers": ["BRITAIN", "FRANCE"]}
    today = clock.now().date().isoformat()
    return {
        "sheet": (Scope.ORDERS, "put", at("sheet"), {"ordinal": 0, "text": "F Lon-NTH"}, 200),
        "propose": (Scope.ORDERS, "post", at("proposals"), draw, 200),
        "vote": (Scope.ORDERS, "put", at("vote", number=1), {"agrees": True}, 200),
        "write": (Scope.PRESS, "post", at("thread", address="BRITAIN+FRANCE"), {"text": "Channel?"}, 201),
        "name_sitter": (Scope.SEAT, "post", at("sitter"), {"username": "dave", "first": today, "last": today}, 201),
        "end_sitter": (Scope.SEAT, "delete", at("sitter"), {}, 200),
        "answer_sitting": (Scope.SEAT, "put", reverse("api:sitting", args=[1]), {"answer": "yes"}, 404),
        "resign": (Scope.SEAT, "post", at("resign"), {}, 200),
        "act": (Scope.MASTER, "post", at("gm-pause"), {"reason": "Holidays"}, 403),
    }


@pytest.mark.parametrize("scope", [None, *Scope])
def test_a_token_reads_and_writes_only_what_its_scope_says(scope: Scope | None) -> None:
    game = running_game(open_votes=True, draws="any")
    token = token_of(ALICE, *([scope] if scope else []))
    person("dave")
    for name in READS:
        assert ask(token, "get", reverse(f"api:{name}", kwargs={"slug": game.slug})).status_code == 200, name
    for name, (needed, method, path, sent, status) in writes(game).items():
        answer = ask(token, method, path, **sent)
        if needed == scope:
            assert answer.status_code == status, (name, answer.content)
        else:
            assert answer.status_code == 403, name
            assert answer.json()["detail"].startswith("Your token doesn’t allow that")


def test_every_address_that_writes_names_its_scope() -> None:
    views = [one.callback.view_class for one in VERSION_1 if hasattr(one.callback, "view_class")]
    assert len(views) > 8
    for view in views:
        writes_here = {"post", "put", "patch", "delete"} & set(vars(view))
        assert (not writes_here) or isinstance(view.scope, Scope), view
    schema = Client().get(reverse("api:schema"), {"format": "json"}).json()
    assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_a_game_master_acts_by_token() -> None:
    game = running_game()
    path = reverse("api:gm-pause", kwargs={"slug": game.slug})
    assert ask(token_of(CAROL, Scope.MASTER), "post", path, reason="Holidays").json()["done"] == "pause"
    again = ask(token_of(CAROL, Scope.MASTER), "post", path, reason="Holidays")
    assert (again.status_code, again.json()["detail"]) == (409, "Only a running game can be paused.")
    unknown = path.replace("pause", "cheat")
    assert ask(token_of(CAROL, Scope.MASTER), "post", unknown).status_code == 404


def test_a_bot_writes_only_in_a_seat_that_is_labelled_as_a_bots() -> None:
    game, other = running_game(own_bots=True), running_game(name="For people")
    token = token_of(ALICE, *Scope, kind=TokenKind.BOT.value)
    of_seats = {name: way for name, way in writes(game).items() if name != "act"}
    for name, (_, method, path, sent, _status) in of_seats.items():
        answer = ask(token, method, path, **sent)
        assert answer.status_code == 403, name
        assert "labelled as a bot’s" in answer.json()["detail"], name
    let_own_bot_play(game_id=game.pk, user_id=person(ALICE).pk)
    saved = {"ordinal": 0, "text": "F Lon-NTH"}
    assert ask(token, "put", reverse("api:sheet", args=[game.slug]), **saved).status_code == 200
    assert ask(token, "put", reverse("api:sheet", args=[other.slug]), **saved).status_code == 403
    assert ask(token_of(ALICE, *Scope), "put", reverse("api:sheet", args=[other.slug]), **saved).status_code == 200
    others = token_of(PLAYERS[1], *Scope, kind=TokenKind.BOT.value)
    assert ask(others, "put", reverse("api:sheet", args=[game.slug]), **saved).status_code == 403


def test_a_bot_may_practise_against_bots() -> None:
    slug = start_practice(user_id=person(ALICE).pk, variant="standard")
    token = token_of(ALICE, Scope.ORDERS, kind=TokenKind.BOT.value)
    assert ask(token, "put", reverse("api:sheet", args=[slug]), ordinal=0, text="").status_code == 200


def test_nothing_in_the_database_opens_anything() -> None:
    token = token_of(DAVE)
    row = ApiToken.objects.get()
    assert re.fullmatch(r"dip_[0-9a-f]{72}", token)
    assert token[12:] not in str(row.__dict__)
    for guess in ("", "dip_", row.digest, f"dip_{row.prefix}{row.digest}", token[:-1], token + "0", f"{token}\n"):
        assert token_row_of(guess) is None, guess
    found = token_row_of(token)
    assert found is not None
    assert (found.user, tokens_of(found.user_id)[0].last_used) == (person(DAVE), clock.now().date())


def test_a_token_that_is_over_taken_back_or_unknown_is_refused_with_a_sentence() -> None:
    game = running_game()
    path = reverse("api:game", kwargs={"slug": game.slug})
    over, back, idle = (token_of(DAVE) for _ in range(3))
    ApiToken.objects.filter(prefix=over[4:12]).update(expires=clock.now() - timedelta(seconds=1))
    browser = Client()
    browser.force_login(person(DAVE))
    number = ApiToken.objects.get(prefix=back[4:12]).pk
    other = Client()
    other.force_login(person(CAROL))
    other.post(reverse("games:revoke-token", args=[number]))
    assert ask(back, "get", path).status_code == 200
    browser.post(reverse("games:revoke-token", args=[number]))
    for token in (over, back, "dip_guess"):
        answer = ask(token, "get", path)
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert "unknown, revoked or expired" in answer.json()["detail"]
    dave = person(DAVE)
    dave.is_active = False
    dave.save()
    assert ask(idle, "get", path).status_code == 401


def test_a_token_is_made_by_who_has_just_shown_the_password_and_shown_once() -> None:
    person(DAVE)
    browser = Client()
    browser.post(reverse("account_login"), {"login": DAVE, "password": PASSWORD})
    assert browser.get(TOKENS).status_code == 200, "the password was given a moment ago"
    time_passes(browser, settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
    asked = browser.get(TOKENS)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    back = browser.post(asked["Location"], {"password": PASSWORD})
    assert back["Location"] == TOKENS
    assert browser.post(TOKENS, {"name": "", "days": "90"}).status_code == 422
    assert browser.post(TOKENS, {"name": "Reminder", "kind": "spy", "days": "90"}).status_code == 422
    made = browser.post(TOKENS, {"name": "Reminder", "kind": "bot", "scopes": ["press"], "days": "90"})
    assert (made.status_code, "no-store" in made["Cache-Control"]) == (200, True)
    token = made.context["fresh"]
    assert token in made.content.decode()
    page = browser.get(TOKENS).content.decode()
    assert f'href="{reverse("api:guide")}"' in page
    assert (token not in page, "Reminder" in page, "Write messages" in page) == (True, True, True)
    assert '<span class="chip">bot</span>' in page
    assert ApiToken.objects.get().kind == TokenKind.BOT
    for _ in range(MOST_TOKENS - 1):
        token_of(DAVE)
    refused = browser.post(TOKENS, {"name": "One more", "days": "30"})
    assert (refused.status_code, "Revoke one first" in refused.content.decode()) == (422, True)
