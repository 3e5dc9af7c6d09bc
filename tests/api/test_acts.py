"""Programs create games, join them, run them and read what they are told: with the services of the pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from games.deadlines.options import Absences, EarlyEnd, LastYear, PhaseLengths
from games.endings.options import Agreement
from games.kernel import clock
from games.kernel.acts import gm_act
from games.kernel.models import Game, Occupancy, Status
from games.kernel.queries import phase_head
from games.mastering.acts import ACTS
from games.mastering.services.desk import close_game, start_game
from games.news.models import Webhook
from games.people.models import Scope
from games.people.tokens import make_token
from games.seating.options import Dealing
from games.tasks import sweep
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

VOID = "The game master declared the game void: it counts for no one."
pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]
JSON = "application/json"


class App:
    """A program with a token of this user."""

    def __init__(self, name: str, *scopes: Scope) -> None:
        token = make_token(user_id=person(name).pk, name="bot", scopes=scopes, days=1)
        self.client = Client(headers={"authorization": f"Bearer {token}"})

    def __call__(self, method: str, page: str, *where: Any, **sent: Any) -> Any:
        ask: Callable[..., Any] = getattr(self.client, method)
        path = page if page.startswith("/") else reverse(f"api:{page}", args=where)
        return ask(path, **({} if method == "get" else {"data": sent, "content_type": JSON}))


def test_a_program_creates_a_game_with_every_option_that_the_page_has() -> None:
    app = App(CAROL, Scope.MASTER)
    week = {
        "zone": "Europe/Berlin",
        "movement": [{"weekday": 4, "hour": 19, "minute": 30}],
        "holidays": [{"first": "2027-12-24", "last": "2027-12-26"}],
    }
    made = app(
        "post", "games", name="Rapallo", variant="1926", by_invitation=True, week=week, all_ready=True,
        last_year=1930, absence_days=7, press_closed=["R"], seats="preferences",
    )  # fmt: skip
    assert made.status_code == 201
    game = Game.objects.get(slug=made.json()["slug"])
    assert (game.gm.username, made.json()["invitation"]) == (CAROL, game.invitation)
    options = game.options
    assert (options[EarlyEnd].all_ready, options[LastYear].last_year, options[Absences].absence_days) == (True, 1930, 7)
    assert (options[Dealing].seats, options[Agreement].draws) == ("preferences", "any")
    slot = options[PhaseLengths].week.movement[0]
    assert (options[PhaseLengths].zone, slot.weekday, slot.clock) == ("Europe/Berlin", 4, "19:30")


def test_each_option_that_no_game_can_have_is_named_with_the_sentence_of_the_page() -> None:
    app = App(CAROL, Scope.MASTER)
    wrong = app("post", "games", name="x", variant="1927", absence_days=99, press="loud").json()
    assert (wrong["code"], wrong["status"]) == ("BadGame", 400)
    told = {problem["field"]: problem["sentence"] for problem in wrong["problems"]}
    assert told["absence_days"] == "Each player may book up to 30 days away."
    assert told["variant"] == "There is no such variant. Choose one from the list."
    assert told.keys() == {"name", "variant", "absence_days", "press"}
    unknown = app("post", "games", name="Rapallo", variant="1926", all_redy=True, clock=False).json()
    assert (unknown["code"], {each["field"] for each in unknown["problems"]}) == ("BadInput", {"all_redy", "clock"})
    week = app("post", "games", name="Rapallo", variant="1926", week={"zone": "Mars/Base"}).json()
    assert (week["code"], week["problems"][0]["field"]) == ("BadGame", "week.zone")
    assert not Game.objects.exists()
    assert App(CAROL, Scope.SEAT)("post", "games", name="Rapallo", variant="1926").json()["code"] == "OutsideScope"


def test_a_program_joins_confirms_and_leaves_and_reads_why_it_may_not() -> None:
    game = waiting_game(variant="balkan-battle", roll_call_seconds=3600)
    alice, bob = App(ALICE, Scope.SEAT), App(BOB, Scope.SEAT)
    assert alice("post", "join", game.slug, power="AUSTRIA").json() == {
        "done": "joined",
        "power": "AUSTRIA",
        "deadline": None,
    }
    taken = bob("post", "join", game.slug, power="AUSTRIA").json()
    assert (taken["status"], taken["code"]) == (409, "SeatTaken")
    assert taken["detail"] == "Another player has just taken this seat. Choose another one."
    assert alice("post", "leave", game.slug).json() == {"done": "left"}
    assert alice("post", "confirm", game.slug).json()["code"] == "WrongMoment"
    alice("post", "join", game.slug)
    bob("post", "join", game.slug)
    assert alice("post", "confirm", game.slug).json() == {"done": "confirmed"}
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert bob("post", "leave", game.slug).json()["status"] == 409
    assert App(BOB, Scope.ORDERS)("post", "leave", game.slug).json()["code"] == "OutsideScope"


def test_a_game_by_invitation_is_joined_with_its_token_alone_and_wishes_are_kept() -> None:
    game = waiting_game(by_invitation=True, seats="preferences")
    dave = App(DAVE, Scope.SEAT)
    assert dave("post", "join", game.slug).status_code == 404
    path = f"{reverse('api:join', args=[game.slug])}?invitation={game.invitation}"
    assert dave("post", path, wishes=["FRANCE"]).json() == {"done": "joined", "power": None, "deadline": None}
    assert dave("put", "wishes", game.slug, wishes=["ITALY", "FRANCE"]).json() == {"done": "saved"}
    joining = dave("get", "game", game.slug).json()["joining"]
    assert (joining["joined"], joining["wishes"]) == (True, ["ITALY", "FRANCE"])
    assert dave("put", "wishes", game.slug, wishes=["ITALY", "ITALY"]).json()["code"] == "NotAllowed"


def test_a_phase_ends_once_all_programs_are_ready() -> None:
    game = running_game(variant="balkan-battle", players=(ALICE, BOB), all_ready=True)
    alice, bob = App(ALICE, Scope.ORDERS), App(BOB, Scope.ORDERS)
    mark = alice("get", "sheet", game.slug).json()["mark"]
    assert alice("put", "ready", game.slug, ordinal=0, ready=True, mark=mark).json()["done"] == "ready"
    assert alice("put", "ready", game.slug, ordinal=0, ready=False).json()["done"] == "not ready"
    assert alice("put", "ready", game.slug, ordinal=0, ready=True, mark="0 old").json()["code"] == "OpenedAgain"
    alice("put", "ready", game.slug, ordinal=0, ready=True)
    assert App(DAVE, Scope.ORDERS)("put", "ready", game.slug, ordinal=0, ready=True).status_code == 404
    bob("put", "ready", game.slug, ordinal=0, ready=True)
    sweep()
    assert alice("get", "game", game.slug).json()["head"]["ordinal"] == 1


def test_days_away_are_booked_read_and_cancelled_by_their_player_alone() -> None:
    game = running_game(absence_days=7)
    alice = App(ALICE, Scope.SEAT)
    first = (clock.now() + timedelta(days=30)).date()
    sent = {"first": first.isoformat(), "last": (first + timedelta(days=2)).isoformat()}
    booked = alice("post", "absences", game.slug, **sent)
    assert (booked.status_code, booked.json()["left"]) == (201, 4)
    assert alice("post", "absences", game.slug, **sent).json()["code"] == "WrongMoment"
    assert [each["days"] for each in alice("get", "absences", game.slug).json()["booked"]] == [3]
    for name in (DAVE, CAROL):
        assert App(name)("get", "absences", game.slug).status_code == 404
    assert App(BOB)("get", "absences", game.slug).json()["booked"] == []
    assert alice("delete", "absence", game.slug, 1).json() == {"done": "cancelled"}
    assert alice("get", "absences", game.slug).json()["left"] == 7


def test_a_vacant_seat_is_taken_over() -> None:
    game = running_game()
    App(occupancy_of(game, "FRANCE").user.username, Scope.SEAT)("post", "resign", game.slug)
    dave = App(DAVE, Scope.SEAT)
    assert dave("post", "vacant", game.slug, "ITALY").status_code == 404
    seated = dave("post", "vacant", game.slug, "FRANCE").json()
    assert (seated["done"], seated["power"]) == ("seated", "FRANCE")
    assert dave("get", "game", game.slug).json()["my_power"] == "FRANCE"
    assert App(BOB, Scope.SEAT)("post", "vacant", game.slug, "FRANCE").json()["status"] == 404


def test_a_game_master_runs_a_game_by_the_api_and_nobody_else_can() -> None:
    game = running_game()
    carol, now = App(CAROL, Scope.MASTER), clock.now()

    def act(verb: str, **sent: Any) -> None:
        answer = carol("post", f"gm-{verb}", game.slug, **sent)
        assert (answer.status_code, answer.json()["done"]) == (200, verb)
        assert answer.json()["power"] == sent.get("power")
        phase = game.phases.filter(closed=None).first()
        told = answer.json()["deadline"]
        assert (told and datetime.fromisoformat(told)) == (phase.deadline if phase else None)

    person(DAVE)
    before = open_phase(game).time_left(now)
    act("extend", seconds=3600)
    assert open_phase(game).time_left(now) == before + timedelta(hours=1)
    act("set_deadline", until=(now + timedelta(days=2)).isoformat())
    act("pause", reason="A holiday.")
    act("resume")
    unexplained = carol("post", "gm-seat", game.slug, power="FRANCE", username=DAVE).json()
    assert (unexplained["code"], "Give a reason" in unexplained["detail"]) == ("BadReason", True)
    act("empty", power="FRANCE", reason="Gone.")
    act("seat_bot", power="FRANCE", level="easy")
    act("take_bot_out", power="FRANCE")
    act("invite", power="FRANCE", username=DAVE)
    (invited,) = carol("get", "desk", game.slug).json()["invited"]
    act("withdraw_invitation", number=invited["number"])
    act("seat", power="FRANCE", username=DAVE)
    assert Occupancy.objects.get(game=game, seat__power="FRANCE", until=None).user.username == DAVE
    act("write", text="Good luck to all.")
    act("hand_over", username=person("oscar").username)
    assert carol("get", "desk", game.slug).json()["successor"] == "oscar"
    act("take_back")
    Story(game).order("GERMANY", "2: A Aus H")
    Story(game).deadline()
    (bids,) = carol("post", "gm-look_at_bids", game.slug, ordinal=0).json()["powers"]
    assert (bids["power"], [bid["points"] for bid in bids["bids"]]) == ("GERMANY", [2])
    act("roll_back", ordinal=0, seen=phase_head(open_phase(game)).mark, reason="A mistake.")
    looked = carol("post", "gm-look_at_bids", game.slug, ordinal=0).json()
    assert looked["status"] == 409, "the phase is open again"
    seen = phase_head(open_phase(game)).mark
    act("change_position", changes=["MUN unit -"], seen=seen, reason="Agreed by all.")
    act("declare", power="ITALY")
    refused = carol("post", "gm-extend", game.slug, seconds=10**8).json()
    assert (refused["code"], refused["problems"][0]["field"]) == ("BadInput", "seconds")
    assert carol("post", "gm-process", game.slug).json()["detail"] == "In this game, you can’t end phases early."
    act("close", reason="Enough.")
    game.refresh_from_db()
    assert game.status == Status.CLOSED
    alice = App(ALICE, Scope.MASTER)
    assert {alice("post", f"gm-{verb}", game.slug).status_code for verb in ACTS} == {403}
    assert App(CAROL, Scope.SEAT)("post", "gm-extend", game.slug, seconds=60).json()["code"] == "OutsideScope"


def test_a_game_master_lets_players_in_by_the_api() -> None:
    game = waiting_game(approval=True)
    carol, dave = App(CAROL, Scope.MASTER), App(DAVE, Scope.SEAT)
    assert dave("post", "join", game.slug).json()["detail"].endswith("Ask to join.")
    assert dave("post", "request", game.slug).json() == {"done": "asked"}
    assert dave("delete", "request", game.slug).json() == {"done": "withdrawn"}
    dave("post", "request", game.slug)
    (wish,) = carol("get", "desk", game.slug).json()["requests"]
    assert carol("post", "gm-answer_request", game.slug, username=wish["name"], accept=True).status_code == 200
    assert dave("post", "join", game.slug, power="FRANCE").json()["done"] == "joined"
    assert carol("post", "gm-start", game.slug).json()["done"] == "start"


def test_a_game_master_gives_out_seats_before_the_start_and_says_how_it_ends_by_the_api() -> None:
    game = waiting_game(gm_outcomes=True)
    carol = App(CAROL, Scope.MASTER)
    person(DAVE)
    assert carol("post", "gm-place", game.slug, power="FRANCE", username=DAVE).json()["done"] == "place"
    assert carol("post", "gm-remove", game.slug, username=DAVE, reason="Asked to go.").json()["done"] == "remove"
    assert carol("post", "gm-mail", game.slug, power="FRANCE", email="no address").json()["code"] == "BadInput"
    assert carol("post", "gm-mail", game.slug, power="FRANCE", email="new@example.org").json()["done"] == "mail"
    (mailed,) = carol("get", "desk", game.slug).json()["mailed"]
    assert (mailed["power"], mailed["address"]) == ("France", "n…@example.org")
    assert carol("post", "gm-withdraw_mailed", game.slug, number=mailed["number"]).status_code == 200
    assert carol("get", "desk", game.slug).json()["mailed"] == []
    carol("post", "gm-place", game.slug, power="FRANCE", username=DAVE)
    carol("post", "gm-start", game.slug)
    wrong = carol("post", "gm-close", game.slug, outcome="draw", powers=["FRANCE"]).json()
    assert wrong["code"] == "BadProposal"
    assert carol("post", "gm-close", game.slug, outcome="void").json()["done"] == "close"
    game.refresh_from_db()
    assert (game.verdict or {})["void"]
    assert game.verdict_sentence == VOID


def test_a_program_withdraws_its_proposal_and_says_something_after_the_end() -> None:
    game = running_game()
    alice, bob = App(ALICE, Scope.ORDERS, Scope.PRESS), App(BOB, Scope.ORDERS, Scope.PRESS)
    alice("post", "proposals", game.slug, kind="concession", powers=["FRANCE"])
    assert bob("delete", "proposal", game.slug, 1).json()["status"] in {403, 409}
    assert alice("delete", "proposal", game.slug, 1).json() == {"done": "withdrawn"}
    assert alice("get", "proposals", game.slug).json()["proposals"] == []
    assert alice("put", "statement", game.slug, text="Well played.").json()["status"] == 409
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert alice("put", "statement", game.slug, text="Well played.").json() == {"done": "saved"}
    (statement,) = alice("get", "game", game.slug).json()["farewell"]["statements"]
    assert statement["text"] == "Well played."


def test_every_act_that_a_game_offers_its_master_has_an_address() -> None:
    offered = {name for about in ("", "power", "ordinal") for name, _rule in gm_act.about(about)}
    looks = {"see_saved"}
    assert offered - looks <= ACTS.keys()
    assert reverse("api:saved", args=["a-game"]), "what is only looked at has an address of its own"


def test_a_user_reads_what_they_were_told_and_marks_it_as_read() -> None:
    game = waiting_game()
    App(ALICE, Scope.SEAT)("post", "join", game.slug)
    start_game(game_id=game.pk, by=person(CAROL).pk)
    alice = App(ALICE, Scope.NEWS)
    page = alice("get", "notices").json()
    assert (page["unread"], page["next"]) == (len(page["results"]), None)
    line = page["results"][0]
    assert (line["game"], line["seen"]) == (game.name, False)
    assert line["address"] == f"http://testserver/games/{game.slug}/"
    assert alice("post", "read-notices", key="no such").status_code == 404
    assert alice("post", "read-notices", key=line["key"]).json() == {"done": "read"}
    assert alice("get", "notices").json()["unread"] == page["unread"] - 1
    alice("post", "read-notices")
    assert alice("get", "notices").json()["unread"] == 0
    assert visitor().get(reverse("api:notices")).status_code == 401


def test_a_program_looks_after_its_own_webhooks() -> None:
    game = running_game()
    alice, bob = App(ALICE, Scope.NEWS), App(BOB, Scope.NEWS)
    made = alice("post", "webhooks", game=game.slug, address="https://example.org/hook")
    assert made.status_code == 201
    number = made.json()["number"]
    assert made.json()["secret"].startswith("whsec_")
    (hook,) = alice("get", "webhooks").json()["results"]
    assert (hook["slug"], hook["form"], hook["deliveries"], hook["stopped"]) == (game.slug, "json", [], False)
    assert made.json()["secret"] not in str(hook)
    assert alice("post", "webhooks", game=game.slug, address="http://10.0.0.1/").json()["code"] == "BadWebhook"
    assert alice("post", "test-webhook", number).status_code == 202
    assert Webhook.objects.get().next_test is not None
    for reminders in (True, False):
        assert alice("patch", "webhook", number, reminders=reminders).json() == {"done": "changed"}
        assert alice("get", "webhook", number).json()["reminders"] == reminders
    assert bob("patch", "webhook", number, reminders=True).status_code == 404
    assert bob("get", "webhooks").json()["results"] == []
    for method, page in (("get", "webhook"), ("delete", "webhook"), ("post", "test-webhook")):
        assert bob(method, page, number).status_code == 404
    assert alice("delete", "webhook", number).json() == {"done": "removed"}
    private = waiting_game(by_invitation=True)
    assert alice("post", "webhooks", game=private.slug, address="https://example.org/hook").status_code == 404
