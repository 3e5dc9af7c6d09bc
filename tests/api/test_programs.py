"""What programs can rely on: misspelt names are refused, repeated acts act once, and other sites' scripts may read."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from drf_spectacular.validation import validate_schema
from jsonschema import Draft4Validator  # type: ignore[import-untyped]  # the library has no types

from games.api.schema import openapi_schema
from games.kernel.models import Act, Game
from games.people.models import Scope
from games.press.models import Message
from tests.api.test_acts import JSON, App
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS
from tests.factories import occupancy_of, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]


# --- Names that mean nothing ---


def test_a_misspelt_name_is_refused_with_those_that_are_known_and_nothing_is_lost() -> None:
    game = running_game()
    story, alice = Story(game), App(ALICE, Scope.ORDERS)
    power = occupancy_of(game, "BRITAIN").seat.power
    story.order(power, "F Edi H", "1: A Aus H")
    answer = alice("put", "sheet", game.slug, ordinal=0, orders=["F EDI H"], bid=[])
    (told,) = answer.json()["problems"]
    assert (answer.status_code, told["field"]) == (400, "bid")
    assert told["sentence"] == ("There is no “bid” here. What can be sent: after, ordinal, mark, text, orders, bids.")
    assert alice("get", "sheet", game.slug).json()["spent"] == 1
    nested = alice("put", "sheet", game.slug, ordinal=0, bids=[{"point": "1", "order": "A Aus H"}])
    assert nested.json()["problems"][0]["field"] == "bids.0.point"


@pytest.mark.parametrize(
    ("method", "page", "sent"),
    [
        ("post", "resign", {"reason": "Gone."}),
        ("post", "gm-remind", {"power": "FRANCE"}),
        ("put", "ready", {"ordinal": 0, "ready": True, "marc": ""}),
    ],
)
def test_what_takes_less_refuses_more(method: str, page: str, sent: dict[str, Any]) -> None:
    game = running_game()
    app = App(CAROL if page.startswith("gm") else ALICE, *Scope)
    answer = app(method, page, game.slug, **sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "BadInput")


def test_a_misspelt_name_in_an_address_is_refused_too() -> None:
    answer = visitor().get(reverse("api:games"), {"shwo": "running"})
    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (400, "shwo")


def test_an_unknown_power_is_refused_with_those_there_are() -> None:
    game = running_game()
    carol, dave = App(CAROL, Scope.MASTER), App(DAVE, Scope.SEAT)
    for answer in (
        carol("post", "gm-empty", game.slug, power="FRANK", reason="Gone."),
        carol("post", "gm-close", game.slug, outcome="solo", powers=["FRANK"]),
        dave("post", "vacant", game.slug, "FRANK"),
        dave("post", "join", waiting_game().slug, power="FRANK"),
        App(ALICE, Scope.ORDERS)("post", "proposals", game.slug, kind="draw", powers=["FRANK"]),
    ):
        (told,) = answer.json()["problems"]
        assert answer.status_code == HTTPStatus.BAD_REQUEST
        assert told["sentence"].startswith("There is no power “FRANK” in this game. Its powers: BRITAIN, FRANCE, ")


def test_the_desk_of_another_is_forbidden_and_that_of_a_hidden_game_does_not_exist() -> None:
    seen, hidden = running_game(), waiting_game(by_invitation=True)
    dave = App(DAVE, Scope.MASTER)
    for page in ("desk", "saved"):
        assert dave("get", page, seen.slug).json()["code"] == "NotAllowed"
        assert dave("get", page, hidden.slug).json()["code"] == "NotFound"
        assert visitor().get(reverse(f"api:{page}", args=[seen.slug])).status_code == 401
    assert dave("post", "gm-pause", hidden.slug).json()["code"] == "NotFound"


# --- The same act again ---


def test_an_act_sent_again_with_its_key_is_done_once_and_answered_once_more() -> None:
    game, app = running_game(), App(ALICE, Scope.PRESS)
    address, key = reverse("api:thread", args=[game.slug, "everybody"]), str(uuid4())

    def write(text: str, key: str = key, app: App = app) -> Any:
        return app.client.post(address, {"text": text}, content_type=JSON, headers={"idempotency-key": key})

    first, again = write("Good morning"), write("Good morning")
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert Message.objects.count() == 1
    other = write("Good evening")
    assert (other.status_code, other.json()["code"]) == (422, "KeyUsed")
    assert write("Good evening", app=App(BOB, Scope.PRESS)).status_code == 201, "each account has keys of its own"
    assert write("Good morning", key=str(uuid4())).status_code == 201
    short = write("Good morning", key="1")
    assert (short.status_code, short.json()["problems"][0]["field"]) == (400, "Idempotency-Key")


def test_a_key_means_nothing_where_nothing_is_done() -> None:
    app, key = App(ALICE), {"idempotency-key": str(uuid4())}
    for address in (reverse("api:board", args=["1926"]), reverse("api:games")):
        for ask in (app.client.get, app.client.head, app.client.options):
            assert ask(address, headers=key).status_code == HTTPStatus.OK
    assert not Act.objects.exists()


def test_what_was_refused_may_be_sent_again_with_the_same_key() -> None:
    app, key = App(CAROL, Scope.MASTER), {"idempotency-key": str(uuid4())}
    address = reverse("api:games")
    bad = app.client.post(address, {"name": "", "variant": "1926"}, content_type=JSON, headers=key)
    assert bad.status_code == 400
    made = [
        app.client.post(address, {"name": "Rapallo", "variant": "1926"}, content_type=JSON, headers=key) for _ in "ab"
    ]
    assert {answer.json()["slug"] for answer in made} == {Game.objects.get().slug}


def test_a_kept_answer_shows_no_bids_to_someone_who_reads_the_database() -> None:
    game, app = running_game(), App(ALICE, Scope.ORDERS)
    sheet, key = reverse("api:sheet", args=[game.slug]), {"idempotency-key": str(uuid4())}
    sent = {"ordinal": 0, "text": "F Edi H\n2: A Aus H"}
    saved = [app.client.put(sheet, sent, content_type=JSON, headers=key).json() for _ in "ab"]
    assert saved[0] == saved[1]
    act = Act.objects.get()
    kept = f"{act.key} {act.to} {bytes(act.answer or b'')!r}"
    assert act.answer
    assert not any(word in kept for word in ("AUS", "spent", "EDI", key["idempotency-key"]))


# --- Scripts of other sites ---


def test_scripts_of_other_sites_read_what_is_public_and_what_a_token_shows() -> None:
    game = running_game()
    public = reverse("api:game", args=[game.slug])
    app = App(ALICE, Scope.ORDERS)
    for answer in (
        visitor().get(public),
        visitor().get(public),  # from the cache
        visitor().get("/api/v1/games/nowhere/"),
        visitor().get(reverse("api:schema")),
        app("get", "sheet", game.slug),
        app("put", "sheet", game.slug, ordinal=0, text="F Edi H"),
    ):
        assert answer.headers.get("Access-Control-Allow-Origin") == "*", answer.request["PATH_INFO"]
        assert "Access-Control-Allow-Credentials" not in answer
    asked = {"origin": "https://example.org", "access-control-request-method": "PUT"}
    first = visitor().options(reverse("api:sheet", args=[game.slug]), headers=asked)
    assert (first.status_code, first["Access-Control-Allow-Origin"]) == (204, "*")
    assert {"Authorization", "Idempotency-Key"} <= set(first["Access-Control-Allow-Headers"].split(", "))


def test_an_answer_to_a_cookie_never_lets_another_site_read_it() -> None:
    game = running_game()
    alice, asked = visitor(ALICE), {"access-control-request-method": "PUT"}
    sheet = reverse("api:sheet", args=[game.slug])
    answers = [
        alice.get(reverse("api:game", args=[game.slug])),
        alice.get(sheet),
        alice.put(sheet, {"ordinal": 0, "text": "F Edi H"}, content_type=JSON),
        alice.options(sheet, headers=asked),
        alice.get(sheet, headers={"authorization": "Bearer dip_nothing"}),
        visitor().get("/"),
        visitor().put(sheet, {}, content_type=JSON),
    ]
    assert not [answer for answer in answers if "Access-Control-Allow-Origin" in answer]


# --- The schema ---


def test_the_schema_is_valid_and_its_usual_values_are_possible_ones() -> None:
    made = openapi_schema()
    validate_schema(made)  # type: ignore[no-untyped-call]  # nor has this one
    for name, shape in made["components"]["schemas"].items():
        for field, told in shape.get("properties", {}).items():
            if "default" in told:
                kind = {key: value for key, value in told.items() if key != "nullable"}
                errors = Draft4Validator({**kind, "components": made["components"]}).iter_errors(told["default"])
                assert told.get("nullable") or not list(errors), f"{name}.{field}"


def test_the_schema_says_what_can_be_chosen_and_how_much() -> None:
    shapes = openapi_schema()["components"]["schemas"]

    def of(shape: str, field: str) -> dict[str, Any]:
        told = shapes[shape]["properties"][field]
        refs = [part["$ref"].rpartition("/")[2] for part in told.get("allOf", ()) if "$ref" in part]
        return {**told, **(shapes[refs[0]] if refs else {})}

    assert of("CloseInput", "outcome")["enum"] == ["draw", "solo", "concession", "void"]
    assert "default" not in of("CloseInput", "outcome")
    assert of("CreateInput", "press")["enum"] == ["full", "public", "none"]
    assert (of("CreateInput", "movement_seconds")["minimum"], of("CreateInput", "bots")["maximum"]) == (30, 9)
    assert of("MessageInput", "text")["maxLength"] == 4000
    assert {"game", "variant", "phases"} <= set(shapes["Record"]["required"])
