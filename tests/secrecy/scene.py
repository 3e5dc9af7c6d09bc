"""A site with everything in it: five games, every role of the table, and worlds that differ only in secrets.

Viewers play Britain, France or nothing, so all differences are Germany's, Italy's, Poland's or Turkey's.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

from django.core.management import call_command

from games.consent.models import Asking
from games.consent.services import answer_request, change_terms
from games.deadlines.absences import book_absence
from games.endings.models import Proposal
from games.endings.services import propose_end, vote_on_proposal
from games.kernel import clock
from games.kernel.access import access_game, access_seat
from games.kernel.models import Game, Occupancy, Right, Sitting
from games.mastering.services.assistants import answer_assistance, name_assistant, offer_handover
from games.mastering.services.desk import close_game, seat_player
from games.orders.services import set_ready
from games.people.services import block_user
from games.press.models import Message
from games.press.queries import reader_of, talk_view
from games.press.services import mark_read, report_to_moderators, save_notes, send_message, set_mute, write_remark
from games.seating.options import SeatAssignment
from games.seating.services.joining import ask_to_join, change_wishes, join_game
from games.seating.services.new_game import create_game, take_seat
from games.seating.services.sitters import answer_sitting, let_gm_enter_orders, name_sitter
from games.seating.services.vacancies import resign
from games.tournaments.entry import call_check_in, change_entry, check_in, enter, look, withdraw
from games.tournaments.models import Table, Tournament
from games.tournaments.rounds import add_round, round_terms
from games.tournaments.rules.combining import Tie
from games.tournaments.services import add_director, create, publish, put_game
from games.tournaments.terms import Terms, TournamentTerms
from tests.cast import CAROL, DAVE, PLAYERS, SAM, person
from tests.factories import HOUR, VARIANT, occupancy_of, open_phase, powers_of
from tests.secrecy.roles import ADA, ALICE, BELLA, BLIND, BOB, HAL, HIDDEN, MONA, NORA, OPEN, OSCAR, SID
from tests.secrecy.worlds import NOON, world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

FRITZ, GINA, HUGO, IVAN, JANE = PLAYERS[2:]
UNSEEN = "GERMANY+ITALY"
"""The private conversation without any viewer."""

Writing = dict[str, tuple[str, ...]]

ORDERS: Writing = {
    "BRITAIN": ("F Lon-NTH", "1: F Nwy H"),
    "FRANCE": ("A Par-Bur",),
    "GERMANY": ("A Mun-Cze", "A Ber H"),
    "ITALY": ("A Mil-Swi",),
    "POLAND": ("A War H",),
    "SOVIET_UNION": ("A Mos H",),
    "TURKEY": ("A Ank H",),
}
"""Everyone's orders for the first phase in every world; with any of these bids the same orders of minor powers win."""

BIDS: tuple[Writing, ...] = (
    {
        "GERMANY": ("2: A Aus S A Mun-Cze", "IF A Ber dislodged: Sil"),
        "ITALY": ("1: A Aus S A Mil-Swi", "1: A Swi H"),
        "POLAND": ("1: A Swi S A Aus",),
    },
    {
        "GERMANY": ("1: A Aus S A Mun-Cze",),
        "TURKEY": ("1: A Aus S A Mun-Cze", "2: A Swi H"),
        "ITALY": ("1: A Aus S A Mil-Swi",),
        "POLAND": ("1: A Swi S A Aus",),
    },
    {"GERMANY": ("3: A Aus S A Mun-Cze",)},
)

SHEETS: tuple[Writing, ...] = (
    {},
    {
        "GERMANY": (
            *("A Ber-Sil # Zygmunt", "A Cze S A Ber-Mun"),
            *("IF A Ber dislodged: Sil", "BUILDS: A Ber # Zygmunt", "1: A Hun H"),
        ),
        "ITALY": ("# Zygmunt", "3: A Aus H"),
        "POLAND": ("A War H", "A Cra H", "F Gdy H"),
        "SOVIET_UNION": ("A Mos H", "2: A Rum H"),
    },
    {"GERMANY": ("A Ber H",)},
)

"""Germany’s two orders in the second do not fit together, so it is warned of them."""

OFFERS: tuple[Writing, ...] = ({}, {"POLAND": ("1: A Hun H",)}, {"POLAND": ("2: A Hun S A Aus",)})
"""Bids for the open phase, besides those in the sheets."""

KINDS = ("sheets", "bids", "offers", "words", "votes", "readiness", "wishes", "requests", "blocks", "names")
"""The kinds of secret. A world chooses a variant for each; variant 0 is the quietest."""
MOST_WAYS = 3
APART = "requests"

Ways = dict[str, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """The games by name, in the state in which every world begins, and the addresses of a series of some of them and of
    a tournament."""

    games: Mapping[str, Game]
    series: str
    cup: str

    @property
    def played(self) -> tuple[Game, ...]:
        return tuple(self.games[name] for name in (OPEN, BLIND, HIDDEN))


def built() -> Scene:
    """Everything that is the same in every world and happens before anything secret does."""
    for name in (ALICE, BOB, *PLAYERS[2:], CAROL, DAVE, SAM, NORA, SID, ADA, BELLA, HAL, MONA, OSCAR):
        person(name)
    call_command("moderator", MONA, stdout=StringIO())
    players = (ALICE, BOB, NORA, GINA, HUGO, IVAN, JANE)
    games = {
        OPEN: _started(
            OPEN,
            CAROL,
            players,
            gm_previews=True,
            gm_sees_saved=True,
            gm_enters_orders=True,
            gm_corrects_bids=True,
            absence_days=5,
            all_ready=True,
            show_ready=False,
        ),
        BLIND: _started(BLIND, BELLA, PLAYERS, gm_previews=True, all_ready=True, show_ready=False),
        HIDDEN: _opened(HIDDEN, HAL, hidden_names=True, gm_plays=True),
        "Genoa": _opened("Genoa", OSCAR, seats=SeatAssignment.PREFERENCES, approval=False),
        "Thoiry": _opened("Thoiry", OSCAR, approval=True),
        "Vienna": _started("Vienna", OSCAR, PLAYERS),
        "Paris": _opened("Paris", OSCAR, by_invitation=True),
    }
    name_assistant(game_id=games[OPEN].pk, by=person(CAROL).pk, username=ADA, rights=list(Right))
    answer_assistance(game_id=games[OPEN].pk, user_id=person(ADA).pk, accept=True)
    games[OPEN].refresh_from_db()
    _agree(games[BLIND], gm_sees_bids=False)
    close_game(game_id=games["Vienna"].pk, by=person(OSCAR).pk)
    write_remark(game_id=games["Vienna"].pk, user_id=person(FRITZ).pk, text="Well played")
    for name in (ALICE, GINA):
        join_game(game_id=games["Genoa"].pk, user_id=person(name).pk)
    return Scene(games, _series(games[OPEN], games["Vienna"], games["Paris"]), _cup(games[HIDDEN], games[BLIND]))


def _series(*games: Game) -> str:
    """The game masters of these games are its directors."""
    carol = person(CAROL).pk
    terms = Terms("sum-of-squares", ties=(Tie.GAMES_WON,))
    slug = create(by=carol, name="League", text="Good evening", terms=terms)
    tournament_id = Tournament.objects.get(slug=slug).pk
    for name in (HAL, OSCAR):
        add_director(tournament_id=tournament_id, by=carol, username=name)
    publish(tournament_id=tournament_id, by=carol)
    for game in games:
        put_game(tournament_id=tournament_id, by=game.gm_id, game=game.slug)
    return slug


def _cup(*games: Game) -> str:
    """A tournament: these games are the tables of its first round; the second is not seated. Carol has looked at wishes
    and plans. The other directors play: Alice has entered, Hal has entered and withdrawn, Bob has a seat at a table."""
    carol, terms, now = person(CAROL).pk, TournamentTerms("sum-of-squares", rounds=2, directors_play=True), clock.now()
    slug = create(by=carol, name="Cup", text="Welcome", terms=terms, closes=now + timedelta(days=7))
    cup = Tournament.objects.get(slug=slug)
    add_director(tournament_id=cup.pk, by=carol, username=HAL)
    publish(tournament_id=cup.pk, by=carol)
    for name in (ALICE, FRITZ, GINA, HAL):
        enter(tournament_id=cup.pk, by=person(name).pk)
    withdraw(tournament_id=cup.pk, by=person(HAL).pk)
    for name in (ALICE, BOB):
        add_director(tournament_id=cup.pk, by=carol, username=name)
    look(tournament_id=cup.pk, by=carol)
    for name in ("Opening", "Middlegame"):
        add_round(tournament_id=cup.pk, by=carol, terms=round_terms(name=name, variants=[VARIANT], choices={}))
    first = cup.rounds.get(number=1)
    first.seated = now
    first.save()
    for number, game in enumerate(games, start=1):
        Table.objects.create(round=first, number=number, game=game, added=now, added_by_id=carol)
    call_check_in(tournament_id=cup.pk, by=carol, number=2, until=now + timedelta(days=1))
    return slug


def _opened(name: str, master: str, *, by_invitation: bool = False, **options: Any) -> Game:
    choices: dict[str, Any] = {"movement_seconds": 24 * HOUR, **options}
    slug = create_game(by=person(master).pk, name=name, variant=VARIANT, by_invitation=by_invitation, **choices)
    return Game.objects.get(slug=slug)


def _started(name: str, master: str, players: Sequence[str], **options: Any) -> Game:
    game = _opened(name, master, **options)
    for player, power in zip(players, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(player).pk, power=power)
    game.refresh_from_db()
    return game


def steps(scene: Scene, ways: Ways) -> dict[str, Callable[[], None]]:
    """What happens in a world, one after the other, by its name."""
    way = {kind: ways.get(kind, 0) for kind in KINDS}
    return {
        "wishes": lambda: _wish(scene, way["wishes"]),
        "requests": lambda: _request(scene.games["Thoiry"], way["requests"]),
        "blocks": lambda: _block(way["blocks"]),
        "names": lambda: _sit(scene.games[HIDDEN], way["names"]),
        "bids": lambda: _write(scene, joined(BIDS[way["bids"]])),
        "the deadline": lambda: _deadlines(scene),
        "what all may see": lambda: _happens(scene.games[OPEN]),
        "what all agree to": lambda: _agree(scene.games[BLIND], gm_sees_bids=True),
        "words": lambda: _talk(scene.games[OPEN], way["words"]),
        "answers": lambda: _answered(scene),
        "votes": lambda: _vote(scene.games[OPEN], way["votes"]),
        "sheets": lambda: _write(scene, _sheets(way)),
        "readiness": lambda: _ready(scene, way["readiness"]),
    }


@contextmanager
def world_of(scene: Scene, ways: Ways) -> Iterator[None]:
    """One world, undone at the end."""
    with world():
        for act in steps(scene, ways).values():
            act()
        yield


def mixed(way: int) -> Ways:
    """Every kind of secret at once, except the one that staff may see in a list of emails."""
    return dict.fromkeys(set(KINDS) - {APART}, way)


def joined(bids: Writing) -> Writing:
    return {power: (*lines, *bids.get(power, ())) for power, lines in ORDERS.items()}


def _sheets(way: Ways) -> Writing:
    """For the open phase."""
    sheets, offers = SHEETS[way["sheets"]], OFFERS[way["offers"]]
    both = {power: (*sheets.get(power, ()), *offers.get(power, ())) for power in {**sheets, **offers}}
    return {**both, "BRITAIN": ("F NTH-Nwy",)}


def _agree(game: Game, **terms: bool) -> None:
    """All players agree to other terms."""
    change_terms(game_id=game.pk, by=game.gm_id, choices=terms)
    number = Asking.objects.latest("pk").pk
    for name in PLAYERS:
        answer_request(game_id=game.pk, user_id=person(name).pk, number=number, agrees=True)


def _write(scene: Scene, writing: Writing) -> None:
    for game in scene.played:
        held = set(Occupancy.objects.filter(game=game, until=None).values_list("seat__power", flat=True))
        for power, lines in writing.items():
            if power in held:
                Story(game).order(power, *lines)


def _deadlines(scene: Scene) -> None:
    for game in scene.played:
        Story(game).deadline()


def _sit(game: Game, way: int) -> None:
    """The players behind the powers that no viewer plays are hidden."""
    others = [GINA, HUGO, IVAN, JANE, FRITZ]
    turned = others[way:] + others[:way]
    for name, power in zip((ALICE, HAL, *turned), powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    game.refresh_from_db()


def _happens(game: Game) -> None:
    """A seat changes hands, another falls vacant, a player is away and has a sitter, a draw is proposed."""
    carol, alice = person(CAROL).pk, person(ALICE).pk
    seat_player(game_id=game.pk, by=carol, power="GERMANY", username=FRITZ, reason="Agreed.")
    access_game(user=person(FRITZ), slug=game.slug)  # so the seat can no longer be given back
    let_gm_enter_orders(game_id=game.pk, user_id=person(FRITZ).pk, agree=True)
    resign(game_id=game.pk, user_id=person(JANE).pk)
    day = (NOON + timedelta(days=20)).date()
    book_absence(game_id=game.pk, user_id=alice, first=day, last=day, zone="UTC")
    today = NOON.date()
    name_sitter(game_id=game.pk, user_id=alice, username=SID, first=today, last=today, zone="UTC", talks=True)
    answer_sitting(user_id=person(SID).pk, number=Sitting.objects.latest("pk").pk, accept=True)
    propose_end(occupancy_id=occupancy_of(game, "ITALY").pk, kind="draw", powers=("BRITAIN", "ITALY"))
    offer_handover(game_id=game.pk, by=carol, username=DAVE)
    name_assistant(game_id=game.pk, by=carol, username=DAVE, rights=["talk"])


def _say(game: Game, power: str, text: str, *to: str) -> None:
    user = occupancy_of(game, power).user_id
    send_message(game_id=game.pk, user_id=user, text=text, to=to)


def _talk(game: Game, way: int) -> None:
    """Germany and Italy send messages, read, mute, and make notes."""
    if not way:
        return
    _say(game, "GERMANY", "Zygmunt goes to Burgundy", "ITALY")
    if way == 1:
        for number in range(5):
            _say(game, "ITALY", f"Zygmunt {number}", "GERMANY")
        _say(game, "ITALY", "Zygmunt to three", "POLAND", "GERMANY")
        access = access_game(user=person(FRITZ), slug=game.slug)
        shown = talk_view(access, UNSEEN).shown
        assert shown is not None
        mark_read(game_id=game.pk, reader=reader_of(access), powers=tuple(UNSEEN.split("+")), last=shown.last)
        set_mute(game_id=game.pk, user_id=person(GINA).pk, power="BRITAIN", muted=True)
        save_notes(access_seat(user=person(FRITZ), slug=game.slug), text="Zygmunt lies", version=0)


def _answered(scene: Scene) -> None:
    """The messages that are the same in every world, after the others: their numbers must reveal nothing."""
    game = scene.games[OPEN]
    _say(game, "GERMANY", "Good morning, all")
    _say(game, "FRANCE", "Good morning, Britain", "BRITAIN")
    _say(game, "GERMANY", "Good morning, ally", "FRANCE")
    _say(game, "BRITAIN", "Good morning, Italy", "ITALY")
    message = Message.objects.get(text="Good morning, ally")
    report_to_moderators(what=message, user_id=person(BOB).pk, reason="Too friendly")
    send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Good morning, alone", to=("BRITAIN",), as_gm=True)
    _say(game, "BRITAIN", "Good morning, master", "")
    for other in (scene.games[BLIND], scene.games[HIDDEN]):
        _say(other, "GERMANY", "Good morning, all")
        _say(other, "FRANCE", "Good morning, Britain", "BRITAIN")


def _vote(game: Game, way: int) -> None:
    if way:
        number = Proposal.objects.get(game=game).number
        vote_on_proposal(occupancy_id=occupancy_of(game, "GERMANY").pk, number=number, agrees=way == 1)


def _ready(scene: Scene, way: int) -> None:
    for game in (scene.games[OPEN], scene.games[BLIND]):
        for power in ("GERMANY", "ITALY")[:way]:
            ordinal = open_phase(game).ordinal
            set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=ordinal, ready=True)


def _wish(scene: Scene, way: int) -> None:
    """In a game and in a tournament, for whose next round somebody checks in, too."""
    wishes = ([], ["TURKEY", "POLAND", "ITALY"], ["FRANCE"])[way]
    change_wishes(game_id=scene.games["Genoa"].pk, user_id=person(GINA).pk, wishes=wishes)
    cup: dict[str, Any] = {"tournament_id": Tournament.objects.get(slug=scene.cup).pk, "by": person(GINA).pk}
    change_entry(**cup, powers={VARIANT: wishes}, refused=(ALICE, FRITZ)[:way], second_seat=way == 1)
    check_in(**cup, number=2, is_here=way == 1)


def _request(game: Game, way: int) -> None:
    for name in (HUGO, IVAN)[:way]:
        ask_to_join(game_id=game.pk, user_id=person(name).pk)


def _block(way: int) -> None:
    for name in (ALICE, BOB)[:way]:
        block_user(by=person(GINA).pk, username=name)
