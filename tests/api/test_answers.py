"""The API: the same views as the pages, one shape for all refusals, sessions and tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.validation import validate_schema

from games.api.from_views import answer_class
from games.api.problems import PROBLEM_KINDS, problem
from games.api.urls import VERSION_1
from games.kernel import clock
from games.kernel.marks import InApi
from games.kernel.models import Game
from games.kernel.queries import phase_head
from games.kernel.refusals import Refusal
from games.mastering.services.desk import close_game
from games.mastering.services.repair import roll_back
from games.seating.services.sitters import let_gm_enter_orders
from games.travel.services import BadFile
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Weather:
    """Over a province.

    `forecast`: for the game master's eyes.
    """

    sky: Annotated[str, InApi("As in “clear”.")]
    forecast: Annotated[str, "secret, and written about"]
    wind: int
    storms: Annotated[tuple[Weather, ...], InApi("Those near it.")] = ()


def test_a_field_of_a_view_is_not_answered_unless_it_is_marked() -> None:
    storm = Weather("dark", "rain", 9)
    assert answer_class(Weather)(Weather("clear", "rain", 3, (storm,))).data == {
        "sky": "clear",
        "storms": [{"sky": "dark", "storms": []}],
    }
    assert answer_class(Weather).__doc__ == "Over a province.", "what follows is for those who work on the site"


def test_a_view_without_a_mark_has_no_answer() -> None:
    @dataclass(frozen=True)
    class Notes:
        text: str

    with pytest.raises(AssertionError, match="no field of"):
        _ = answer_class(Notes)(Notes("Beware of Turkey")).data


def test_the_schema_is_valid_and_describes_every_field_and_every_parameter() -> None:
    schema = visitor().get(reverse("api:schema")).json()
    validate_schema(schema)  # type: ignore[no-untyped-call]  # the library has no types here
    ways = [way for path in schema["paths"].values() for way in path.values()]
    parts = {
        **{(name, field): it for name, kind in schema["components"]["schemas"].items() for field, it in fields(kind)},
        **{(way["operationId"], it["name"]): it for way in ways for it in way.get("parameters", ())},
        **{("operation", way["operationId"]): way for way in ways},
    }
    assert len(parts) > 400
    assert [where for where, it in parts.items() if not it.get("description")] == []


def test_a_colour_is_text_wherever_it_stands() -> None:
    schemas = visitor().get(reverse("api:schema")).json()["components"]["schemas"]
    types = {
        name: kind["properties"]["colour"]["type"] for name, kind in schemas.items() if "colour" in dict(fields(kind))
    }
    assert set(types) == {"Power", "PowerState", "PowerPosition", "RelationRow", "Unit"}
    assert set(types.values()) == {"string"}, types


def fields(kind: dict[str, Any]) -> Any:
    return kind.get("properties", {}).items()


def german(game: Game) -> str:
    return occupancy_of(game, "GERMANY").user.username


def sheet_of(game: Game) -> str:
    return reverse("api:sheet", kwargs={"slug": game.slug})


def put(client: Client, game: Game, **sent: Any) -> Any:
    return client.put(sheet_of(game), sent, content_type="application/json")


def test_a_game_answers_with_its_open_phase_and_no_order_sheet_for_an_observer() -> None:
    game = running_game()
    answer = visitor().get(reverse("api:game", kwargs={"slug": game.slug}))
    view = answer.json()
    assert (view["head"]["code"], view["head"]["is_open"]) == ("S1926M", True)
    assert (view["order_sheet"], view["own_sheet"], view["gm"], view["result"]) == (None, None, None, None)
    assert len(view["powers"]) == 7
    assert {mark["location"] for mark in view["drawing"]["units"]} >= {"MUN", "AUS", "SUE"}


def test_a_closed_phase_answers_with_its_result() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    story.deadline()
    view = visitor().get(reverse("api:phase", kwargs={"slug": game.slug, "ordinal": 0})).json()
    orders = {outcome["order"]: outcome["results"] for outcome in view["result"]["outcomes"]}
    assert orders["A MUN - CZE"] == ["succeeds"]
    assert visitor().get(reverse("api:phase", kwargs={"slug": game.slug, "ordinal": 9})).status_code == 404


def test_a_player_reads_their_options_and_saves_orders_and_bids() -> None:
    game = running_game()
    client = visitor(german(game))
    desk = client.get(sheet_of(game)).json()
    assert (desk["saved"], desk["budget"], desk["spent"]) == (False, 3, 0)
    munich = next(row for row in desk["rows"] if row["location"] == "MUN")
    assert "A MUN - CZE" in [choice["value"] for choice in munich["choices"]]
    austria = next(minor for minor in desk["minors"] if minor["location"] == "AUS")
    assert "A AUS S A MUN - CZE" in [choice["value"] for choice in austria["choices"]]
    sent = {"orders": ["A MUN - CZE"], "bids": [{"points": 2, "order": "A AUS S A MUN - CZE"}]}
    receipt = put(client, game, ordinal=0, **sent).json()
    assert (receipt["saved"], receipt["complete"], receipt["spent"]) == (True, False, 2)
    after = client.get(sheet_of(game)).json()
    assert after["saved"]
    assert after["bids"] == receipt["bids"]
    assert [(bid["minor"], bid["canonical"], bid["points"]) for bid in after["bids"]] == [
        ("AUS", "A AUS S A MUN - CZE", 2)
    ]


def test_a_sheet_with_mistakes_is_refused_line_by_line() -> None:
    game = running_game()
    answer = put(visitor(german(game)), game, ordinal=0, text="A Mun-Cze\n4: A Aus H")
    assert answer.status_code == 400
    error = answer.json()
    assert error["code"] == "BadSheet"
    why = {"reason": "overspent", "facts": {"count": 3, "spent": 4}, "sentence": "You have 3 points and bid 4."}
    assert error["problems"] == [{"line": 2, "text": "4: A Aus H", **why}]


def test_a_sheet_for_a_phase_that_was_opened_again_is_refused_until_its_mark_is_sent() -> None:
    game = running_game()
    client = visitor(german(game))
    meant = client.get(sheet_of(game)).json()["mark"]
    assert put(client, game, ordinal=0, text="A Mun H").status_code == 200
    Story(game).deadline()
    seen = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason="A holiday.")
    for old in ({"mark": meant}, {}):
        answer = put(client, game, ordinal=0, text="A Mun-Cze", **old)
        assert (answer.status_code, answer.json()["code"]) == (409, "OpenedAgain")
    sheet = client.get(sheet_of(game)).json()
    assert (sheet["mark"] != meant, sheet["text"]) == (True, "A Mun H")
    assert put(client, game, ordinal=0, mark=sheet["mark"], text="A Mun-Cze").status_code == 200


def test_a_program_that_says_what_it_saw_replaces_nothing_else() -> None:
    game = running_game(all_ready=True)
    client = visitor(german(game))
    assert client.get(sheet_of(game)).json()["receipt"] is None
    first = put(client, game, ordinal=0, after="", text="A Mun-Cze").json()
    assert (first["replaced"], first["ready"]) == (None, False)
    met = put(client, game, ordinal=0, after="", text="A Ber H")
    assert (met.status_code, met.json()["code"]) == (409, "NewerOrders")
    assert (met.json()["receipt"]["text"], met.json()["receipt"]["code"]) == ("A MUN - CZE", first["code"])
    seen = client.get(sheet_of(game)).json()["receipt"]["code"]
    second = put(client, game, ordinal=0, after=seen, text="A Ber H").json()
    told = {"code": first["code"], "at": first["at"], "text": "A MUN - CZE", "by_gm": False}
    assert (second["text"], second["replaced"]) == ("A BER H", told)
    again = put(client, game, ordinal=0, after=seen, text="A Ber H").json()
    assert (again["code"], again["replaced"]) == (second["code"], None), "the answer to the first may have been lost"


def test_a_program_that_does_not_say_what_it_saw_replaces_anything_and_is_told_what() -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze")
    answer = put(visitor(german(game)), game, ordinal=0, text="A Ber H").json()
    assert (answer["replaced"]["text"], answer["ready"]) == ("A MUN - CZE", None)
    assert put(visitor(german(game)), game, ordinal=0, text="A Ber H", after=None).json()["code"] == "BadInput"


def test_a_game_masters_program_that_enters_orders_is_told_what_they_replaced() -> None:
    game = running_game(gm_enters_orders=True)
    let_gm_enter_orders(game_id=game.pk, user_id=occupancy_of(game, "GERMANY").user_id, agree=True)
    Story(game).order("GERMANY", "A Mun-Cze")
    master, act = visitor(CAROL), reverse("api:gm-enter_orders", kwargs={"slug": game.slug})
    sent = {"power": "GERMANY", "ordinal": 0, "seen": phase_head(open_phase(game)).mark, "text": "A Ber H"}
    met = master.post(act, {**sent, "after": ""}, content_type="application/json")
    assert (met.status_code, met.json()["receipt"]["file"]) == (409, "")
    done = master.post(act, {**sent, "after": met.json()["receipt"]["code"]}, content_type="application/json").json()
    assert (done["done"], done["replaced"]["text"]) == ("enter_orders", "A MUN - CZE")
    assert (
        master.post(act, {**sent, "text": "", "after": done["code"]}, content_type="application/json").status_code
        == 200
    )


def test_a_late_sheet_is_refused_with_what_did_count() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    answer = put(visitor(german(game)), game, ordinal=0, text="A Mun H")
    assert answer.status_code == 409
    error = answer.json()
    assert (error["code"], error["receipt"]["orders"]) == ("TooLate", ["A Mun–Cze"])


@pytest.mark.parametrize(
    "sent", [{}, {"ordinal": 0}, {"ordinal": 0, "text": "", "orders": []}, {"ordinal": "soon", "text": ""}]
)
def test_input_that_is_no_sheet_is_refused_in_the_same_shape(sent: dict[str, Any]) -> None:
    game = running_game()
    answer = put(visitor(german(game)), game, **sent)
    assert answer.status_code == 400
    assert answer.json()["code"] == "BadInput"


def test_input_that_is_nested_too_deep_to_read_is_refused_in_the_same_shape() -> None:
    game = running_game()
    deep = b"[" * 100_000
    answer = visitor(german(game)).put(sheet_of(game), deep, content_type="application/json")
    assert answer.status_code == 400
    assert "nested too deep" in answer.json()["detail"]


def test_nobody_finds_the_sheet_of_another() -> None:
    game = running_game()
    for client in (visitor(), visitor(DAVE), visitor(CAROL)):
        answer = client.get(sheet_of(game))
        assert (answer.status_code, answer.json()["code"]) == (404, "NotFound")
    assert put(visitor(DAVE), game, ordinal=0, text="").status_code == 404
    assert put(visitor(), game, ordinal=0, text="").json()["code"] == "NotAuthenticated"


def test_a_game_without_an_open_phase_has_no_sheet_to_write() -> None:
    game = running_game()
    client = visitor(german(game))
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert client.get(sheet_of(game)).json()["code"] == "WrongMoment"
    assert put(client, game, ordinal=0, text="").json()["code"] == "TooLate"


def test_an_invitation_opens_a_private_game_to_a_program() -> None:
    game = waiting_game(by_invitation=True)
    address = reverse("api:game", kwargs={"slug": game.slug})
    assert visitor().get(address).status_code == 404
    assert visitor().get(address, {"invitation": game.invitation}).json()["game"]["slug"] == game.slug


def test_the_variants_are_listed_with_their_rules() -> None:
    listed = visitor().get(reverse("api:variants")).json()
    (variant,) = [one for one in listed["results"] if one["slug"] == "1926"]
    assert (variant["players"], variant["bids"]) == (7, True)
    assert "Diplomacy Points" in variant["rules_text"]


def test_the_schema_describes_every_address() -> None:
    schema = visitor().get(reverse("api:schema")).json()
    ours = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/api/v1/{address.pattern}") for address in VERSION_1}
    assert {path for path in schema["paths"] if path.startswith("/api/v1/")} == ours - {"/api/v1/schema/"}
    assert set(schema["components"]["schemas"]["Sheet"]["properties"]) >= {"rows", "minors", "budget", "saved"}


def test_somebody_sits_for_a_player_who_asks_by_the_api_and_the_player_gives_up() -> None:
    game, today = running_game(), clock.now().date().isoformat()
    alice, dave = visitor("alice"), visitor(DAVE)
    sitter = reverse("api:sitter", kwargs={"slug": game.slug})
    assert alice.get(sitter).status_code == 404
    sent = {"username": person(DAVE).username, "first": today, "last": today, "talks": True}
    named = alice.post(sitter, sent, content_type="application/json")
    assert (named.status_code, named.json()["accepted"], named.json()["talks"]) == (201, None, True)
    (asked,) = dave.get(reverse("api:sittings")).json()["results"]
    own = reverse("api:sitting", args=[asked["number"]])
    yes = {"answer": "yes"}
    assert visitor("bob").put(own, yes, content_type="application/json").status_code == 404
    assert dave.put(own, yes, content_type="application/json").json() == {"done": "yes"}
    assert alice.get(sitter).json()["accepted"] is True
    assert dave.get(sheet_of(game)).status_code == 200
    assert alice.delete(sitter).json() == {"done": "ended"}
    assert dave.get(sheet_of(game)).status_code == 404
    resign = reverse("api:resign", kwargs={"slug": game.slug})
    assert alice.post(resign).json() == {"done": "resigned"}
    assert alice.post(resign).status_code == 404


def test_an_end_is_proposed_and_agreed_in_the_api_as_on_the_pages() -> None:
    game = running_game(variant="balkan-battle", players=("alice", "bob"), open_votes=True)
    proposals = reverse("api:proposals", kwargs={"slug": game.slug})
    sent = {"kind": "draw", "powers": ["AUSTRIA", "TURKEY"]}
    alice, bob = visitor("alice"), visitor("bob")
    assert alice.post(proposals, sent, content_type="application/json").json() == {"ended": False}
    again = bob.post(proposals, sent, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (400, "BadProposal")
    (proposal,) = visitor().get(proposals).json()["proposals"]
    assert (proposal["title"], proposal["my_vote"]) == ("A draw between Austria and Turkey", None)
    assert [ballot["agrees"] for ballot in proposal["ballots"]] == [True, None]
    vote = reverse("api:vote", kwargs={"slug": game.slug, "number": proposal["number"]})
    assert bob.put(vote, {}, content_type="application/json").status_code == 400
    assert visitor(DAVE).put(vote, {"agrees": True}, content_type="application/json").status_code == 404
    assert bob.put(vote, {"agrees": True}, content_type="application/json").json() == {"ended": True}
    over = visitor().get(reverse("api:game", kwargs={"slug": game.slug})).json()
    assert [card["name"] for card in over["farewell"]["winners"]] == ["Austria", "Turkey"]
    assert over["agreement"] is None
    assert visitor().get(proposals).status_code == 409


@pytest.mark.parametrize("path", ["v1/nowhere", "v1/games/one/phases/%0A/", "v1/%0A%C3%B5"])
def test_what_is_not_there_is_said_in_problem_details(path: str) -> None:
    answer = Client().get(f"/api/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json() == {
        "type": "http://testserver/api/#NotFound",
        "title": "There is nothing here",
        "status": 404,
        "detail": "There is nothing here.",
        "code": "NotFound",
    }


def test_the_addresses_before_version_1_say_where_they_are_now() -> None:
    answer = Client().post("/api/games/")
    assert (answer.status_code, "begin with /api/v1/" in answer.json()["detail"]) == (404, True)


def test_the_root_of_version_1_leads_to_the_guide() -> None:
    for path in ("/api/v1/", "/api/v1"):
        assert Client().get(path)["Location"] == reverse("api:guide")


def test_a_method_that_an_address_does_not_take_is_refused_with_those_it_takes() -> None:
    for client in (visitor(), visitor(DAVE)):
        answer = client.delete(reverse("api:games"))
        assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
        assert answer.json()["detail"] == "DELETE isn’t possible here. What is: GET, POST, HEAD, OPTIONS."


def test_every_mistake_in_the_input_names_its_field() -> None:
    game = running_game()
    answer = put(visitor(german(game)), game, ordinal="soon", bids=[{"points": "1", "order": "A Aus H"}, {"points": 2}])
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["problems"] == [
        {"field": "ordinal", "sentence": "A valid integer is required."},
        {"field": "bids.1.order", "sentence": "This field is required."},
    ]
    both = put(visitor(german(game)), game, ordinal=0, text="", orders=[]).json()["problems"]
    assert both == [{"field": "", "sentence": "Send either a text, or orders and bids."}]


def test_every_refusal_and_every_error_of_the_library_is_explained() -> None:
    def below(kind: type[Exception]) -> set[type[Exception]]:
        return {kind, *(deeper for one in kind.__subclasses__() for deeper in below(one))}

    known = {kind.__name__ for kind in below(Refusal) - {Refusal, BadFile}}  # only pages take files
    assert known <= PROBLEM_KINDS.keys()
    for kind, explained in PROBLEM_KINDS.items():
        assert problem(kind, explained.example)["status"] == explained.status
