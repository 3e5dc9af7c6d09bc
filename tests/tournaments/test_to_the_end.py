"""A whole tournament over its pages: every form is filled in and sent as a browser does, and the totals are added up by
hand."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.endings.options import Outcome
from games.kernel.models import Game, Occupancy, Status
from games.tournaments.models import Tournament
from games.tournaments.seating import make_plans
from tests.cast import CAROL, TEN
from tests.tournaments.sending import Reader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.moment import Moment

pytestmark = pytest.mark.django_db

NO_SHOW, SUBSTITUTE, LATE = "mona", "pete", "rosa"
TWELVE = (*TEN, "nick", "olga")
SIX_PLAYERS = "collapse-of-the-dual-empire"
ROUND = {"variant": SIX_PLAYERS, "gm_outcomes": "on"}
SECOND, FIRST = TWELVE[:6], TWELVE[6:]
OPTION = re.compile(r'<option value="([^"]+)">([^<]*)</option>')


class Cup:
    """The tournament, its director, and everyone else at their browsers."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.carol = Reader(CAROL)
        self.others = {name: Reader(name) for name in (*TWELVE, SUBSTITUTE, LATE)}
        new = reverse("games:new-tournament")
        terms = {"closes": "2026-11-20T12:00", "rounds": "3", "scoring": "draw-size", "sitting_out": "10"}
        self.carol.sends(new, "Make the draft", name="Cup of twelve", **terms)
        self.slug = Tournament.objects.get().slug
        self.page, self.manage, self.desk = map(self.at, ("tournament", "manage-tournament", "tournament-desk"))

    def at(self, name: str, **more: Any) -> str:
        return reverse(f"games:{name}", kwargs={"slug": self.slug, **more})

    def each(self, names: Iterable[str], button: str) -> None:
        for name in names:
            self.others[name].sends(self.page, button)

    def ask(self, number: int, until: str) -> None:
        call = self.at("do-call_check_in")
        self.carol.sends(self.manage, "Ask everyone to check in", into=call, number=str(number), until=until)

    def plan(self, number: int, button: str = "Make a plan") -> str:
        """Ask for a plan, which a worker makes, and return its address."""
        plan = self.at("plan", number=number)
        self.carol.sends(plan, button, seed="7")
        make_plans()
        return plan

    def places(self, plan: str) -> dict[str, str]:
        """Where each person of the plan is, as its form says it."""
        return {name: value for value, name in OPTION.findall(self.carol.sees(plan).split('name="other"')[0])}

    def swap_into(self, plan: str, wanted: Iterable[str], table: str = "1") -> None:
        """Swap people of the plan until these sit at the table."""
        for name in wanted:
            places = self.places(plan)
            there = [other for other, value in places.items() if value.startswith(f"{table}:")]
            if name not in there:
                other = next(it for it in there if it not in wanted)
                self.carol.sends(plan, "Swap", one=places[name], other=places[other])

    def seat(self, plan: str) -> list[Game]:
        self.carol.sends(plan, "Create all tables")
        newest = Game.objects.order_by("-table__round__number").first()
        assert newest is not None
        return list(Game.objects.filter(table__round=newest.table.round_id).order_by("table__number"))

    def end(self, game: Game, outcome: Outcome, *winners: str) -> None:
        """Ten minutes later, the game master says how the game ends for these people."""
        self.moment.wait(minutes=10)
        powers = Occupancy.objects.filter(game=game, user__username__in=winners, until=None)
        named = list(powers.values_list("seat__power", flat=True))
        assert len(named) == len(winners)
        close = reverse("games:close", args=[game.slug])
        self.carol.sends(close, "Close the game", outcome=outcome.value, powers=named)

    def standings(self) -> list[tuple[str, str, str]]:
        """Rank, player and total, as everyone can download them."""
        rows = csv.DictReader(self.others["olga"].sees(self.at("standings")).lstrip("\ufeff").splitlines())
        return [(row["rank"], row["player"], row["total"]) for row in rows]

    def points(self) -> dict[str, str]:
        """The total of each player who has points."""
        return {player: total for _rank, player, total in self.standings() if total != "0"}


def test_twelve_people_play_a_tournament_to_its_end_over_its_pages(moment: Moment) -> None:
    cup = Cup(moment)
    for number, points in enumerate(("1", "1", "0"), start=1):
        called = {"roll_call": "none"} if number > 1 else {}
        cup.carol.sends(cup.at("new-round"), "Add the round", name=f"Round {number}", times=points, **ROUND, **called)
    cup.carol.sends(cup.page, "Publish the tournament")
    cup.carol.sends(cup.manage, "Show wishes and plans")

    # Twelve enter and check in; another one waits for a seat.
    cup.each(TWELVE, "Enter")
    cup.each([SUBSTITUTE], "Offer to be a substitute")
    cup.ask(1, "2026-11-21T12:00")
    cup.each(TWELVE, "Check in")
    moment.wait(days=5, minutes=1)

    # Two boards. One person doesn't confirm, and the substitute gets that seat.
    plan = cup.plan(1)
    cup.swap_into(plan, SECOND)
    one, two = cup.seat(plan)
    for game, people in ((one, SECOND), (two, FIRST)):
        for name in set(people) - {NO_SHOW}:
            cup.others[name].sends(reverse("games:game", args=[game.slug]), "Confirm my place")
    seats, free = re.findall(r"<select id=\"seat-.+?</select>", cup.carol.sees(cup.desk), re.DOTALL)
    (seat,) = (value for value, words in OPTION.findall(seats) if words.endswith(f", {NO_SHOW}"))
    (pete,) = (value for value, words in OPTION.findall(free) if words == SUBSTITUTE)
    cup.carol.sends(cup.desk, "Give the seat", seat=seat, to=pete, reason="Not heard from")
    assert {it.status for it in Game.objects.all()} == {Status.RUNNING}
    cup.end(one, Outcome.SOLO, "alice")
    cup.end(two, Outcome.DRAW, "jane", "kate", SUBSTITUTE)
    third = "33.33"
    assert cup.points() == {"alice": "100", **dict.fromkeys(("jane", "kate", SUBSTITUTE), third)}

    # Somebody comes late, and one of thirteen has no seat: ten points.
    cup.each([LATE], "Offer to be a substitute")
    cup.carol.sends(cup.manage, f"Save {LATE}", place="in")
    cup.carol.sends(cup.manage, f"Save {NO_SHOW}", place="out")
    cup.ask(2, "2026-11-28T12:00")
    here = {*TWELVE, SUBSTITUTE, LATE} - {NO_SHOW}
    cup.each(here, "Check in")
    moment.wait(days=7)
    plan = cup.plan(2)
    cup.swap_into(plan, SECOND)
    cup.swap_into(plan, ["olga"], table="bench")
    one, two = cup.seat(plan)
    cup.end(one, Outcome.DRAW, "alice", "bob")
    cup.end(two, Outcome.DRAW, "liam", "nick", LATE)
    tied = {"jane", "kate", "liam", "nick", SUBSTITUTE, LATE}
    assert cup.points() == {"alice": "150", "bob": "50", **dict.fromkeys(tied, third), "olga": "10"}

    # Six lead, and six people are equal for the last four seats of the top table: the lot of the seed decides.
    plan = cup.plan(3)
    places = cup.places(plan)
    assert cup.places(cup.plan(3, "Plan again")) == places
    leaders = {name for name, value in places.items() if value.startswith("1:")}
    assert {"alice", "bob"} < leaders < {"alice", "bob"} | tied
    (top,) = cup.seat(plan)
    lot = f"the lot decided between them: {', '.join(sorted(tied))}."
    assert lot in cup.others["olga"].sees(cup.page)
    cup.end(top, Outcome.SOLO, "bob")
    assert cup.standings() == [
        ("1", "bob", "50"),
        ("2", "alice", "150"),
        *(("3", name, third) for name in sorted(leaders - {"alice", "bob"})),
        *(("7", name, third) for name in sorted(tied - leaders)),
        ("9", "olga", "10"),
        *(("10", name, "0") for name in ("fritz", "gina", "hugo", "ivan")),
    ], "the no-show has no rank"
    assert "Cup of twelve" in cup.carol.sees(f"{reverse('games:tournaments')}?over")
