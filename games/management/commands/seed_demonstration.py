"""Accounts and games to look at: a finished game, one that bots play, one that waits for players, and one with a vacant
seat; a league with results, a tournament under way, and one with open entry."""

from argparse import ArgumentParser
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand
from django.db.models import QuerySet

from games.endings.services import write_statement
from games.kernel import clock
from games.kernel.days import DAY, HOUR
from games.kernel.models import OVER, UNDER_WAY, Game, Status
from games.management.rehearsal import create_bot_game, play_phase, play_to_the_end
from games.mastering.services.desk import close_game, start_game
from games.press.services import send_message
from games.seating.services.new_game import create_game, let_bot_play, take_over_from_bot, take_seat
from games.tournaments import entry, seating
from games.tournaments import services as directing
from games.tournaments.models import Tournament
from games.tournaments.rounds import add_round, round_terms
from games.tournaments.terms import Terms, TournamentTerms
from variants.registry import offered

PASSWORD = "locarno-1925"  # noqa: S105 - printed for everyone who looks at the demonstration
GM, OBSERVER = "gm", "observer"
PLAYERS = ("anna", "bruno", "clara", "dmitri", "elif", "franek", "giulia")
WELCOME = "Welcome, everyone. A phase ends every minute, so there’s always something to see."
SMALL_TALK = (
    "Good luck, all. We want nothing but peace and quiet.",
    "So do we, as everyone knows.",
    "Then who’s been counting the armies along our border?",
)
"""What the first players by seat write to everyone."""
LAST_WORDS = (
    "We never wanted more than the sea.",
    "If winter had come a year later, this would be a different story. Thanks, all.",
)
"""The end-of-game statements of the first players."""
YEARS = 6
FIRST_PHASES = 5
DUEL = min(offered(), key=lambda it: len(it.powers)).slug
"""The variant for the fewest players."""


class Command(BaseCommand):
    help = "Create accounts and games for a demonstration. Anything already there stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--accounts", action="store_true", help="only print the accounts")

    def handle(self, *args: Any, accounts: bool, **options: Any) -> None:
        if not accounts:
            seed()
        self.stdout.write(f"Accounts, all with the password {PASSWORD}:")
        self.stdout.write(f"  {', '.join(PLAYERS)}: players (sign in as one to take over their seat)")
        self.stdout.write(f"  {GM}: the game master")
        self.stdout.write(f"  {OBSERVER}: has no seat")


def seed() -> None:
    """Create each part only if it is missing."""
    gm, _observer, *players = [_account(name) for name in (GM, OBSERVER, *PLAYERS)]
    variant = offered()[0].slug
    games = Game.objects.filter(gm_id=gm, variant_slug=variant, variant_digest=offered()[0].digest)
    if not _has_game(games, "A finished game", OVER):
        finished = create_bot_game(name="A finished game", variant=variant, gm=gm, players=players, early=True)
        play_to_the_end(finished, years=YEARS)
        _write_last_words(finished, players)
    if not _has_game(games, "A game that plays itself", UNDER_WAY):
        running = create_bot_game(name="A game that plays itself", variant=variant, gm=gm, players=players, early=False)
        _write_small_talk(running, gm, players)
    if not _has_game(games, "A game for you", (Status.OPEN,)):
        _waiting_game(gm, variant, players[:3], name="A game for you")
    if not _has_game(games, "A seat for you", UNDER_WAY):
        _game_with_a_vacant_seat(gm, variant, players[:-1])
    directed = Tournament.objects.filter(directors__user=gm)
    if not directed.filter(name="A league").exists():
        _league(gm, players[:3], name="A league")
    if not directed.filter(name="A tournament under way").exists():
        _tournament_under_way(gm, players[:6], name="A tournament under way")
    if not directed.filter(name="A tournament for you", closes__gt=clock.now()).exists():
        _tournament(gm, players[:4], name="A tournament for you", rounds=1)


def _account(name: str) -> int:
    users = get_user_model().objects
    known = users.filter(username=name).first()
    return (known or users.create_user(username=name, email=f"{name}@example.org", password=PASSWORD)).pk


def _has_game(games: QuerySet[Game], name: str, statuses: tuple[str, ...]) -> bool:
    return games.filter(name=name, status__in=statuses).exists()


def _write_small_talk(game: Game, gm: int, players: list[int]) -> None:
    send_message(game_id=game.pk, user_id=gm, text=WELCOME, as_gm=True)
    for user_id, text in zip(players, SMALL_TALK, strict=False):
        send_message(game_id=game.pk, user_id=user_id, text=text)


def _write_last_words(game: Game, players: list[int]) -> None:
    for user_id, text in zip(players, LAST_WORDS, strict=False):
        write_statement(game_id=game.pk, user_id=user_id, text=text)


def _game_with_a_vacant_seat(gm: int, variant: str, players: list[int]) -> None:
    """A game that its game master started one player short; bots play for the others."""
    game = _waiting_game(gm, variant, players, name="A seat for you")
    for occupancy in game.occupancies.filter(user_id__in=players):
        let_bot_play(occupancy_id=occupancy.pk)
    start_game(game_id=game.pk, by=gm)


def _waiting_game(gm: int, variant: str, players: list[int], *, name: str) -> Game:
    slug = create_game(by=gm, name=name, variant=variant, movement_seconds=24 * HOUR)
    game = Game.objects.get(slug=slug)
    for user_id, seat in zip(players, game.seats.order_by("power"), strict=False):
        take_seat(game_id=game.pk, user_id=user_id, power=seat.power)
    return game


def _league(gm: int, players: list[int], *, name: str) -> None:
    """A finished game of each two of these players."""
    league = _published(gm, name, "Three players, each against each other.", Terms("sum-of-squares"))
    for number, pair in enumerate(combinations(players, 2), start=1):
        game = create_bot_game(name=f"{name}: game {number}", variant=DUEL, gm=gm, players=pair, early=True)
        directing.put_game(tournament_id=league, by=gm, game=game.slug)
        _play_for_people(game)
        close_game(game_id=game.pk, by=gm)


def _tournament_under_way(gm: int, players: list[int], *, name: str) -> None:
    """One whose first round is seated: a table is over, and the others go on."""
    the_round: dict[str, Any] = {"tournament_id": _tournament(gm, players, name=name, rounds=2), "by": gm, "number": 1}
    seating.ask_for_plan(**the_round)
    seating.make_plans()
    seating.seat_round(**the_round)
    games = Game.objects.filter(table__round__tournament=the_round["tournament_id"]).order_by("table__number")
    for game in games:
        _play_for_people(game)
    close_game(game_id=games[0].pk, by=gm)


def _play_for_people(game: Game) -> None:
    """Let bots play the first phases. Then the players take their seats over, because only people have points."""
    occupancies = game.occupancies.values_list("pk", flat=True)
    for occupancy in occupancies:
        let_bot_play(occupancy_id=occupancy)
    for _phase in range(FIRST_PHASES):
        play_phase(game)
    for occupancy in occupancies:
        take_over_from_bot(occupancy_id=occupancy)


def _tournament(gm: int, players: list[int], *, name: str, rounds: int) -> int:
    """One that these players have entered, open for two weeks."""
    terms = TournamentTerms("sum-of-squares", rounds=rounds, shows_running=True)
    made = _published(gm, name, "Each round is a duel.", terms, closes=clock.now() + timedelta(days=14))
    choices = {"movement_seconds": 7 * DAY, "gm_processes_early": True}
    add_round(tournament_id=made, by=gm, terms=round_terms(name="First round", variants=[DUEL], choices=choices))
    for user_id in players:
        entry.enter(tournament_id=made, by=user_id)
    return made


def _published(gm: int, name: str, text: str, terms: Terms, closes: datetime | None = None) -> int:
    slug = directing.create(by=gm, name=name, text=text, terms=terms, closes=closes)
    made = Tournament.objects.get(slug=slug).pk
    directing.publish(tournament_id=made, by=gm)
    return made
