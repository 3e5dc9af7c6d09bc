"""People who play never look, and those who have looked never play. `tests/secrecy` asks every address."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import clock
from games.kernel.models import Joiner, Occupancy, Sitting
from games.kernel.refusals import NotAllowed, Refusal
from games.mastering.services.desk import empty_seat, seat_player
from games.people.export import stored_facts_of
from games.seating.models import MailedInvitation
from games.seating.options import SeatAssignment
from games.seating.services.joining import join_game
from games.seating.services.new_game import take_seat
from games.seating.services.placing import accept_email_invitation, place_player, send_email_invitation
from games.seating.services.sitters import name_sitter
from games.seating.services.vacancies import invite_to_seat, take_over_seat
from games.tournaments import desk, entry, seating
from games.tournaments import services as acts
from games.tournaments.models import Director, Entrant, Look, Place, Table, TournamentLetter
from games.tournaments.rounds import add_round
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament

if TYPE_CHECKING:
    from games.kernel.models import Game
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ALICE, BOB, FRITZ = PLAYERS[:3]
NEXT = 2
DUEL = "balkan-battle"


def cup(*games: Game) -> Tournament:
    """Carol's, where directors may play: three people, a round at these tables, and one that is checking in."""
    it = tournament(directors_play=True, rounds=3)
    entered(it, [ALICE, BOB, FRITZ])
    seated(it, *games)
    add_round(tournament_id=it.pk, by=person(CAROL).pk, terms=terms_of_round(variants=[DUEL]))
    return it


def of(it: Tournament, name: str) -> dict[str, Any]:
    return {"tournament_id": it.pk, "by": person(name).pk}


def directed_by_dave(it: Tournament) -> None:
    person(DAVE)
    acts.add_director(**of(it, CAROL), username=DAVE)


def shown_to(it: Tournament, name: str) -> list[str]:
    """What a director is shown of the entrants and of the plan."""
    pages = [reverse("games:manage-tournament", args=[it.slug]), reverse("games:plan", args=[it.slug, NEXT])]
    bodies = [visitor(name).get(page).content.decode() for page in pages]
    return [re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", " ".join(body.split())) for body in bodies]


def wish_and_plan(it: Tournament) -> None:
    alice: dict[str, Any] = of(it, ALICE)
    entry.change_entry(**alice, refused=[BOB], powers={DUEL: ["TURKEY"]}, second_seat=True)
    entry.check_in(**alice, number=NEXT)
    row = it.rounds.get(number=NEXT)
    row.plan = {**(row.plan or {}), "bench": [person(ALICE).pk]}
    row.save()


def begin_to_plan(it: Tournament) -> None:
    """Let people check in beside a plan from before."""
    plan = {"seed": 7, "boards": [DUEL], "tables": [[person(BOB).pk, person(FRITZ).pk]]}
    it.rounds.filter(number=NEXT).update(plan={**plan, "bench": [], "locked": [], "powers": []})
    entry.call_check_in(**of(it, CAROL), number=NEXT, until=clock.now() + timedelta(hours=1))


def sit(game: Game) -> None:
    now, held = clock.now(), occupancy_of(game, "BRITAIN")
    Sitting.objects.create(occupancy=held, sitter=person(DAVE), begins=now, ends=now + timedelta(1), accepted=True)


def leave_seat(game: Game) -> None:
    Occupancy.objects.filter(pk=occupancy_of(game, "BRITAIN").pk).update(user=person(DAVE), until=clock.now())


WAYS_TO_PLAY: dict[str, Any] = {
    **{place.value: place for place in Place},
    "has a seat": lambda game: Occupancy.objects.filter(pk=occupancy_of(game, "BRITAIN").pk).update(user=person(DAVE)),
    "had a seat": leave_seat,
    "waits for a power": lambda game: Joiner.objects.create(game=game, user=person(DAVE), joined=clock.now()),
    "sat for somebody": sit,
    "says so": lambda _game: Director.objects.filter(user=person(DAVE)).update(plays=True),
}


@pytest.mark.parametrize("way", WAYS_TO_PLAY)
def test_who_plays_or_has_played_in_any_way_sees_the_same_whatever_others_wish(way: str) -> None:
    game = running_game(name="Genoa")
    it = cup(game)
    directed_by_dave(it)
    begin_to_plan(it)
    chosen = WAYS_TO_PLAY[way]
    entered(it, [DAVE], chosen) if isinstance(chosen, Place) else chosen(game)
    with pytest.raises(NotAllowed, match="You play in this tournament"):
        entry.look(**of(it, DAVE))
    Look.objects.create(tournament=it, user=person(DAVE), at=clock.now())
    before = shown_to(it, DAVE)
    wish_and_plan(it)
    assert shown_to(it, DAVE) == before
    with pytest.raises(NotAllowed):
        seating.swap(**of(it, DAVE), number=NEXT, one=(0, person(BOB).pk), other=(None, person(ALICE).pk))


def test_only_the_button_is_a_look_and_it_stands_in_the_directors_own_list() -> None:
    it = cup()
    begin_to_plan(it)
    before = shown_to(it, CAROL)
    wish_and_plan(it)
    assert shown_to(it, CAROL) == before
    assert all("Once you look, you can’t play in this tournament any more" in body for body in before)
    assert not it.looks.exists()
    carol = visitor(CAROL)
    own, public = (reverse(f"games:{name}", args=[it.slug]) for name in ("edit-tournament", "tournament"))
    carol.post(reverse("games:do-look", args=[it.slug]))
    manage, plan = shown_to(it, CAROL)
    assert "Won’t play with bob." in manage
    assert "Not yet: bob, fritz." in manage
    assert "Made with seed 7" in plan
    assert "has looked at wishes and plans" in carol.get(own).content.decode()
    assert "has looked" not in carol.get(public).content.decode()
    assert stored_facts_of(person(CAROL).pk)["looks_at_wishes"][0]["address"] == it.slug


def has_no_place(it: Tournament, name: str) -> bool:
    here = {"game__table__round__tournament": it, "user": person(name)}
    entered_ones = Entrant.objects.filter(tournament=it, user=person(name)).exclude(place=Place.OUT)
    sits = Sitting.objects.filter(occupancy__game__table__round__tournament=it, sitter=person(name))
    return not any(
        rows.exists() for rows in (entered_ones, Occupancy.objects.filter(**here), Joiner.objects.filter(**here), sits)
    )


def test_who_has_looked_comes_in_by_no_door_even_when_they_direct_it_no_more() -> None:
    games = {
        "runs": running_game(name="Genoa"),
        "chosen": waiting_game(name="Paris", seats=SeatAssignment.CHOICE.value),
        "dealt": waiting_game(name="Thoiry", seats=SeatAssignment.RANDOM.value),
    }
    empty_seat(game_id=games["runs"].pk, by=person(CAROL).pk, power="BRITAIN", reason="Gone")
    it = cup(*games.values())
    directed_by_dave(it)
    entry.look(**of(it, DAVE))
    acts.leave(**of(it, DAVE))
    carol, dave, table = person(CAROL).pk, person(DAVE).pk, Table.objects.get(game=games["runs"])
    row = Entrant.objects.create(tournament=it, user_id=dave, place=Place.OUT, entered=clock.now())
    letter = TournamentLetter.objects.create(
        tournament=it, email="dave@example.org", kind="invited", facts={"team": "", "powers": {}}, written=clock.now()
    )
    send_email_invitation(game_id=games["dealt"].pk, by=carol, email="dave@example.org")
    mailed, own = MailedInvitation.objects.get(), of(it, DAVE)
    ids = {name: game.pk for name, game in games.items()}
    today = clock.now().date()
    doors: dict[str, Any] = {
        "enter": lambda: entry.enter(**own),
        "offer": lambda: entry.enter(**own, as_substitute=True),
        "accept": lambda: entry.accept_invitation(token=letter.token, user_id=dave),
        "set place": lambda: entry.set_place(**of(it, CAROL), username=DAVE, place=Place.WAITING),
        "join": lambda: join_game(game_id=ids["dealt"], user_id=dave),
        "take": lambda: take_seat(game_id=ids["chosen"], user_id=dave, power="ITALY"),
        "take over": lambda: take_over_seat(game_id=ids["runs"], user_id=dave, power="BRITAIN"),
        "mailed": lambda: accept_email_invitation(token=mailed.token, user_id=dave),
        "place": lambda: place_player(game_id=ids["chosen"], by=carol, username=DAVE, power="ITALY"),
        "a place": lambda: place_player(game_id=ids["dealt"], by=carol, username=DAVE),
        "seat": lambda: seat_player(game_id=ids["runs"], by=carol, power="BRITAIN", username=DAVE),
        "invite": lambda: invite_to_seat(game_id=ids["runs"], by=carol, power="BRITAIN", username=DAVE),
        "sit": lambda: name_sitter(
            game_id=ids["runs"], user_id=person(BOB).pk, username=DAVE, first=today, last=today, zone="UTC"
        ),
    }
    for door, act in doors.items():
        with pytest.raises(NotAllowed, match="looked at the"):
            act()
        assert has_no_place(it, DAVE), door
    row.place = Place.SUBSTITUTE
    row.save()
    with pytest.raises(Refusal, match="looked at the"):
        desk.substitute(**of(it, CAROL), table=table.pk, power="BRITAIN", user_id=dave)


def test_a_game_master_who_may_play_and_has_looked_takes_no_seat_at_the_table() -> None:
    game = waiting_game(name="Paris", gm_plays=True, seats=SeatAssignment.CHOICE.value)
    it = cup(game)
    entry.look(**of(it, CAROL))
    with pytest.raises(NotAllowed, match="looked at the"):
        take_seat(game_id=game.pk, user_id=person(CAROL).pk, power="ITALY")
    with pytest.raises(NotAllowed, match="looked at the"):
        acts.choose_to_play(**of(it, CAROL), plays=True)


def test_what_a_director_says_gives_no_right() -> None:
    it = cup()
    directed_by_dave(it)
    assert entry.enter(tournament_id=it.pk, by=person(DAVE).pk) == Place.IN
    with pytest.raises(Refusal, match="that stays so"):
        acts.choose_to_play(**of(it, DAVE), plays=False)
    strict = tournament()
    entered(strict, [ALICE])
    with pytest.raises(NotAllowed, match="directors don’t play"):
        entry.enter(tournament_id=strict.pk, by=person(CAROL).pk)


def test_no_player_becomes_the_game_master_of_their_own_table() -> None:
    it = tournament(directors_play=True)
    add_round(**of(it, CAROL), terms=terms_of_round(variants=[DUEL]))
    entered(it, [CAROL, ALICE])
    seating.ask_for_plan(**of(it, CAROL), number=1)
    seating.make_plans()
    with pytest.raises(Refusal, match="All directors sit at table 1, and its game master does not play"):
        seating.seat_round(**of(it, CAROL), number=1)
    directed_by_dave(it)
    seating.seat_round(**of(it, DAVE), number=1)
    assert Table.objects.get(round__tournament=it).game.gm == person(DAVE)
