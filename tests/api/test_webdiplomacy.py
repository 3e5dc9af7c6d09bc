"""The form in which programs spoke to webDiplomacy: numbers for everything, one address, a token as the key."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from adjudication import judge
from adjudication.notation import read_sheet, write_order
from adjudication.options import order_options
from adjudication.orders import Support
from games.api.webdip.orders import lawful_orders, order_in_numbers, take_orders
from games.api.webdip.states import phase_in_numbers, variants_for_webdip
from games.kernel.models import Occupancy
from games.orders.sheets import SentSheet, read_once
from games.people.models import Scope, TokenKind
from games.people.tokens import make_token
from games.practice.services import start_practice
from games.press.services import set_mute
from games.seating.services.bots import let_own_bot_play
from tests.factories import occupancy_of, running_game
from tests.story import Story
from tests.variants.travelling import random_game
from variants.registry import find
from variants.travel import WrongFile, read_games, replayed
from variants.travel.webdip import COUNTRIES, COUNTRY, number_of

if TYPE_CHECKING:
    from games.kernel.models import Game

ADDRESS = reverse("webdiplomacy")
FORM = "application/x-www-form-urlencoded"
"""What old programs call the JSON that they send."""


def standard_game(**options: Any) -> Game:
    return running_game(variant="standard", **options)


def key_of(seat: Occupancy, *scopes: Scope, kind: TokenKind = TokenKind.APP) -> str:
    return make_token(user_id=seat.user_id, name="old", scopes=scopes or Scope.values, days=1, kind=kind.value)


def bots_of(game: Game) -> list[str]:
    """A bot's key for each seat, which is labelled."""
    seats = [occupancy_of(game, power) for power in COUNTRIES]
    for seat in seats:
        let_own_bot_play(game_id=game.pk, user_id=seat.user_id)
    return [key_of(seat, kind=TokenKind.BOT) for seat in seats]


class Program:
    """A program that knows this form and the key of one seat."""

    def __init__(self, game: Game, power: str, key: str | None = None) -> None:
        self.seat = occupancy_of(game, power)
        self.key = key_of(self.seat) if key is None else key
        self.place = {"gameID": game.pk, "countryID": COUNTRY[power]}

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def get(self, route: str, **sent: Any) -> Any:
        return Client().get(ADDRESS, {"route": route, **sent}, headers=self.headers)

    def post(self, route: str, body: object) -> Any:
        data = body if isinstance(body, str) else json.dumps(body)
        return Client().post(f"{ADDRESS}?route={route}", data, content_type=FORM, headers=self.headers)

    def state(self) -> Any:
        return self.get("game/status", **self.place).json()

    def order(self, *orders: dict[str, Any], **more: Any) -> Any:
        state = self.state()
        moment = {"turn": state["turn"], "phase": state["phase"]}
        return self.post("game/orders", {**self.place, **moment, "orders": orders, **more})


def move(unit: str, goal: str, **more: Any) -> dict[str, Any]:
    return {"type": "Move", "terrID": number_of(unit), "toTerrID": number_of(goal), "viaConvoy": "No", **more}


@pytest.mark.django_db(transaction=True)
def test_a_program_with_no_library_plays_a_year_of_all_seats(live_server: Any) -> None:
    game, chance = standard_game(own_bots=True), random.Random(1901)
    keys, said = bots_of(game), list[Any]()

    def ask(key: str, route: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        address, headers = f"{live_server.url}{ADDRESS}?route={route}", {"Authorization": f"Bearer {key}"}
        request = Request(address, data, headers)  # noqa: S310 - our own
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)

    while (state := Program(game, "ITALY").state())["turn"] < 2:
        given = []
        for key in keys:
            for place in ask(key, "players/missing_orders"):
                seen = ask(key, f"game/status&gameID={place['gameID']}&countryID={place['countryID']}")
                by_unit = {
                    order["terrID"]: order for order in chance.sample(seen["lawfulOrders"], len(seen["lawfulOrders"]))
                }
                count = len(seen["orders"])
                orders = list(by_unit.values())[:count]
                body = {**place, "turn": seen["turn"], "phase": seen["phase"], "ready": "Yes", "orders": orders}
                stored = ask(key, "game/orders", body)
                assert [refusal for order in stored for refusal in order["refused"]] == []
                assert len(stored) == count
                given += [order["terrID"] for order in stored if order["saved"]]
            assert ask(key, "players/missing_orders") == []
        said.append((state["phase"], len(given)))
        Story(game).deadline()
    assert said[0] == ("Diplomacy", 22)
    assert "Builds" in dict(said) or len(said) == 2
    closed = Program(game, "ITALY").state()["phases"]
    assert [(phase["turn"], phase["phase"]) for phase in closed][:1] == [(0, "Diplomacy")]
    assert len(closed[0]["orders"]) == 22


@pytest.mark.django_db
def test_the_state_tells_the_board_in_numbers_and_every_lawful_order() -> None:
    game = standard_game()
    france = Program(game, "FRANCE")
    state = france.state()
    assert (state["variantID"], state["turn"], state["phase"], state["gameOver"]) == (1, 0, "Diplomacy", "No")
    assert (state["standoffs"], state["occupiedFrom"], state["votes"], state["pressType"]) == ([], {}, "", "Regular")
    (now,) = state["phases"]
    assert len(now["units"]) == 22
    assert {"unitType": "Fleet", "terrID": 79, "countryID": 7, "retreating": "No"} in now["units"]
    assert sum(centre["countryID"] == 0 for centre in now["centers"]) == 12
    assert len(now["centers"]) == 34
    assert {order["terrID"] for order in state["lawfulOrders"]} == {number_of(place) for place in ("BRE", "PAR", "MAR")}
    assert [(order["type"], order["saved"]) for order in state["orders"]] == [("Hold", False)] * 3
    Story(game).order("FRANCE", "A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
    saved = {order["terrID"]: order["type"] for order in france.state()["orders"] if order["saved"]}
    assert saved == {number_of("PAR"): "Move", number_of("MAR"): "Support move", number_of("BRE"): "Move"}
    Story(game).deadline()
    later = france.state()
    assert (later["turn"], later["phase"], [phase["turn"] for phase in later["phases"]]) == (1, "Diplomacy", [0, 1])
    moved = {order["terrID"]: (order["type"], order["success"]) for order in later["phases"][0]["orders"]}
    assert (len(moved), moved[number_of("PAR")]) == (22, ("Move", "Yes"))


@pytest.mark.django_db
def test_the_state_of_a_long_game_takes_as_many_statements_as_that_of_a_short_one() -> None:
    game = standard_game()
    france, counts = Program(game, "FRANCE"), list[int]()
    assert len(france.state()["phases"]) == 1  # on its first day a token is marked as used
    for _ in range(3):
        Program(game, "ITALY").post(
            "game/sendmessage", {"gameID": game.pk, "countryID": 3, "toCountryID": 2, "message": "?"}
        )
        Story(game).deadline()
        with CaptureQueriesContext(connection) as asked:
            assert len(france.state()["phases"]) == len(counts) + 2
        counts.append(len(asked))
    assert len(set(counts)) == 1


@pytest.mark.django_db
def test_an_order_that_is_refused_is_named_with_its_reason_and_the_others_are_stored() -> None:
    game = standard_game()
    france = Program(game, "FRANCE")
    france.order(move("MAR", "SPA"))
    answer = france.order(move("PAR", "LON"), move("MAR", "ROM"), move("BRE", "MAO"))
    stored = {order["terrID"]: order for order in answer.json()}
    assert (answer.status_code, len(stored)) == (200, 3)
    assert (stored[number_of("BRE")]["toTerrID"], stored[number_of("BRE")]["refused"]) == (number_of("MAO"), [])
    assert stored[number_of("MAR")]["toTerrID"] == number_of("SPA")
    assert (stored[number_of("PAR")]["type"], stored[number_of("PAR")]["saved"]) == ("Hold", False)
    for place in ("MAR", "PAR"):
        (refused,) = stored[number_of(place)]["refused"]
        assert refused["order"]["terrID"] == number_of(place)
        assert refused["reason"].endswith(".")
    body = {"type": "Build Army", "terrID": number_of("PAR"), "toTerrID": number_of("PAR")}
    (refused,) = [refusal for order in france.order(body).json() for refusal in order["refused"]]
    assert refused["order"] == body


@pytest.mark.django_db
def test_ready_is_said_where_the_game_has_it() -> None:
    game = standard_game(all_ready=True)
    italy = Program(game, "ITALY")
    assert italy.get("players/missing_orders").json() == [italy.place]
    italy.order(move("VEN", "TYR"), ready="Yes")
    (row,) = italy.get("players/active_games").json()["games"]
    assert (row["orderStatus"], row["turn"], row["phase"]) == ("Saved,Completed,Ready", 0, "Diplomacy")
    assert italy.get("players/missing_orders").json() == []
    italy.order(ready="No")
    assert italy.get("players/active_games").json()["games"][0]["orderStatus"] == "Saved,Completed"
    assert Program(standard_game(), "ITALY").order(move("VEN", "TYR"), ready="Yes").status_code == 200


@pytest.mark.django_db
def test_a_token_lists_and_plays_its_own_seats_and_no_others() -> None:
    game, other = standard_game(own_bots=True), running_game()
    seat = occupancy_of(game, "ITALY")
    bot = Program(game, "ITALY", key_of(seat, kind=TokenKind.BOT))
    assert other.occupancies.filter(user=seat.user).exists()
    assert bot.get("players/active_games").json() == {"games": []}
    assert bot.get("game/status", **bot.place).status_code == 403
    let_own_bot_play(game_id=game.pk, user_id=seat.user_id)
    assert bot.get("players/missing_orders").json() == [bot.place]
    assert Program(game, "ITALY").get("players/missing_orders").json() == [bot.place]
    assert bot.get("players/cd").json() == []
    nowhere = [{**bot.place, "countryID": 2}, {**bot.place, "gameID": 10**9}, {"gameID": other.pk, "countryID": 2}]
    refusals = [bot.get("game/status", **place) for place in nowhere]
    assert {(answer.status_code, answer.content) for answer in refusals} == {(403, refusals[0].content)}
    practice = start_practice(user_id=seat.user_id, variant="standard")
    listed = bot.get("players/active_games").json()["games"]
    assert len(listed) == 2
    assert practice


@pytest.mark.django_db
def test_every_refusal_is_a_sentence_in_plain_text_with_the_status_of_old() -> None:
    game = standard_game()
    italy = Program(game, "ITALY")
    orders = {**italy.place, "turn": 0, "phase": "Diplomacy", "orders": []}
    read_only = Program(game, "ITALY", make_token(user_id=italy.seat.user_id, name="reads", scopes=(), days=1))
    asked = {
        (404, "Unknown route"): italy.get("game/data"),
        (401, "No API key provided."): Program(game, "ITALY", "").get("players/cd"),
        (401, "unknown, revoked or expired"): Program(game, "ITALY", "dip_guess").get("players/cd"),
        (403, "doesn’t allow that"): read_only.post("game/orders", orders),
        (403, "Save orders"): read_only.get("game/togglevote", **italy.place, vote="Draw"),
        (403, "Write messages"): read_only.post("game/sendmessage", {**italy.place, "toCountryID": 1, "message": "Hi"}),
        (400, "`gameID` must be a number"): italy.get("game/status", gameID="x", countryID=3),
        (400, "Invalid turn, expected `0`, got `1`"): italy.post("game/orders", {**orders, "turn": 1}),
        (400, "Invalid phase, expected `Diplomacy`"): italy.post("game/orders", {**orders, "phase": "Builds"}),
        (400, "not an array"): italy.post("game/orders", {**orders, "orders": "all"}),
        (400, "`ready` is not"): italy.post("game/orders", {**orders, "ready": ["Yes"]}),
        (400, "Unknown territory ID `6`"): italy.order({"type": "Hold", "terrID": 6}),
        (400, "Order 1: there is no type `Nuke`"): italy.order({"type": "Nuke", "terrID": 15}),
        (400, "Order 1: `terrID` must be"): italy.order({"type": "Hold", "terrID": [15]}),
        (400, "JSON parse error"): italy.post("game/orders", "{"),
        (400, "Invalid JSON request data"): italy.post("game/orders", []),
        (400, "only Draw"): italy.get("game/togglevote", **italy.place, vote="Pause"),
        (405, "not allowed"): Client().put(ADDRESS, headers=italy.headers),
    }
    for (status, words), answer in asked.items():
        assert (answer.status_code, answer["Content-Type"]) == (status, "text/plain; charset=utf-8"), words
        assert words in answer.content.decode()
        assert answer["Cache-Control"] == "no-store"
    assert italy.get("players/missing_orders").json() == [italy.place]


@pytest.mark.django_db
def test_a_vote_for_a_draw_is_turned_on_and_off() -> None:
    game = standard_game()
    italy, russia = Program(game, "ITALY"), Program(game, "RUSSIA")
    assert italy.get("game/togglevote", **italy.place, vote="Draw").content == b"Draw"
    assert (italy.state()["votes"], russia.state()["votes"]) == ("Draw", "")
    assert russia.post(f"game/togglevote&gameID={game.pk}&countryID=7&vote=Draw", {}).content == b"Draw"
    assert russia.get("game/togglevote", **russia.place, vote="Draw").content == b""
    assert (italy.state()["votes"], russia.state()["votes"]) == ("Draw", "")
    for power in set(COUNTRIES) - {"ITALY"}:
        program = Program(game, power)
        program.get("game/togglevote", **program.place, vote="Draw")
    over = italy.state()
    assert (over["gameOver"], over["phase"], over["phases"][-1]["phase"]) == ("Drawn", "Finished", "Diplomacy")
    assert italy.get("players/active_games").json() == {"games": []}


@pytest.mark.django_db
def test_messages_are_written_to_one_power_or_to_all_and_read_by_those() -> None:
    game = standard_game()
    italy, austria, turkey = (Program(game, power) for power in ("ITALY", "AUSTRIA", "TURKEY"))
    sent = {**italy.place, "toCountryID": 5, "message": "A <pact>?\nYes"}
    (told,) = italy.post("game/sendmessage", sent).json()["messages"]
    assert (told["fromCountryID"], told["toCountryID"], told["message"]) == (3, 5, "A &lt;pact&gt;?<br />Yes")
    italy.post("game/sendmessage", {**italy.place, "toCountryID": 0, "message": "Peace!"})
    heard = {who: [it["message"] for it in who.state()["phases"][0]["messages"]] for who in (italy, austria, turkey)}
    assert heard == {italy: [told["message"], "Peace!"], austria: [told["message"], "Peace!"], turkey: ["Peace!"]}
    set_mute(game_id=game.pk, user_id=occupancy_of(game, "AUSTRIA").user_id, power="ITALY", muted=True)
    folded = [it["message"] for it in austria.state()["phases"][0]["messages"]]
    assert folded == ["(You have muted this power on the site.)"] * 2
    assert [it["message"] for it in turkey.state()["phases"][0]["messages"]] == ["Peace!"]
    silent = Program(standard_game(press="none"), "ITALY")
    assert silent.post("game/sendmessage", {**silent.place, "toCountryID": 5, "message": "?"}).status_code == 400


@pytest.mark.django_db
def test_what_the_others_have_saved_changes_nothing_that_a_program_reads() -> None:
    game = standard_game(all_ready=True)
    italy, russia = Program(game, "ITALY"), Program(game, "RUSSIA")
    routes = {"game/status": italy.place, "players/active_games": {}, "players/missing_orders": {}}
    before = [italy.get(route, **sent).content for route, sent in routes.items()]
    russia.order(move("MOS", "UKR"))
    Program(game, "FRANCE").order(move("PAR", "BUR"), move("BRE", "MAO"))
    assert [italy.get(route, **sent).content for route, sent in routes.items()] == before


def test_lawful_orders_survive_the_way_into_numbers_and_back() -> None:
    variant, chance = find("standard"), random.Random(7)
    assert variants_for_webdip() == {"standard"}
    position, seen = variant.start, set[str]()
    for _ in range(30):
        sheets = {}
        for power in COUNTRIES:
            blank = read_once(SentSheet(""), power, position, variant)
            choices = order_options(power, position, variant.ruleset)
            lawful = [order for choice in choices for order in choice.orders]
            for order in chance.sample(lawful, min(len(lawful), 12)):
                answer = take_orders([order_in_numbers(order, position)], blank)
                (back,) = answer.sheet.lawful.orders
                seen.add(order_in_numbers(order, position)["type"])
                assert order_in_numbers(order, position) in lawful_orders(blank)
                if not isinstance(order, Support):  # supports name no coast here
                    assert write_order(back, position) == write_order(order, position)
                assert order_in_numbers(back, position) == order_in_numbers(order, position)
            text = "\n".join(write_order(chance.choice(choice.orders), position) for choice in choices)
            sheets[power] = read_sheet(text, power, position, variant.ruleset).sheet
        position = judge.adjudicate(position, sheets, variant.ruleset).public.next
    assert seen >= {"Hold", "Move", "Support hold", "Support move", "Convoy", "Retreat", "Disband", "Build Army"}


def as_file(value: Any) -> Any:
    """What the answer of old says, as the file history.json says it now."""
    if isinstance(value, list):
        return [as_file(each) for each in value]
    if not isinstance(value, dict):
        return {"Yes": True, "No": False}.get(value, value) if isinstance(value, str) else value or None
    renamed = {"type" if key == "unitType" and "type" not in value else key: each for key, each in value.items()}
    return renamed | {key: as_file(each) for key, each in renamed.items() if key not in ("turn", "countryID")}


@pytest.mark.parametrize("form", [lambda told: told | {"variantID": 1}, as_file], ids=["answer", "file"])
@pytest.mark.parametrize("seed", range(4))
def test_a_game_told_in_this_form_is_read_back(form: Any, seed: int) -> None:
    variant = find("standard")
    game = random_game(variant, seed, phases=20)
    phases = [phase_in_numbers(it.position, variant, {}, it.public.outcomes) for it in game.phases]
    last = phase_in_numbers(game.end, variant, {}) | {"phase": "Finished"}
    [read] = read_games(json.dumps(form({"gameID": 5, "phases": [*phases, last]})))
    again = replayed(read)
    assert again.differences == ()
    assert [it.position for it in again.game.phases] == [it.position for it in game.phases]
    assert again.game.end == game.end


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"variantID": 15}, "only webDiplomacy’s variant 1, Classic, can be read"),
        ({"phases": [{"turn": 0, "phase": "Lunch"}]}, "must be Diplomacy, Retreats, Builds or Finished, not “Lunch”"),
        ({"phases": [{"turn": 0, "phase": "Diplomacy", "units": [{"terrID": 82}]}]}, "“countryID” is missing"),
        (
            {"phases": [{"turn": 0, "phase": "Diplomacy", "units": [{"countryID": 1, "type": "Army", "terrID": 82}]}]},
            "“terrID” must be a number up to 81, not 82",
        ),
    ],
)
def test_what_is_no_game_of_this_form_is_refused_with_its_place(changed: dict[str, Any], fault: str) -> None:
    with pytest.raises(WrongFile, match=fault):
        read_games(json.dumps({"gameID": 5, "phases": []} | changed))
