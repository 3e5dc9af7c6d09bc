"""What a host does with games at a terminal: hold and release one, and check or clean up many."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.deadlines import phases
from games.deadlines.queries import LATE_SECONDS, OverduePhase, overdue_phases
from games.kernel.models import Game, Status
from games.mastering import judging
from games.practice import services as practice
from variants.words.english import amount


def hold(*, slug: str, **_options: Any) -> Iterator[str]:
    """Put a running or paused game on hold. Its clock stops, and its page says so."""
    game = _game_or_error(slug)
    incident = phases.hold_game(game_id=game.pk)
    if not incident:
        raise CommandError(f"The game is {game.status}. Only a running or paused game can be put on hold.")
    yield f"The game is on hold (incident {incident})."


def release(*, slug: str, **_options: Any) -> Iterator[str]:
    """Resume a game that is on hold, with the time that was left on its clock."""
    game = _game_or_error(slug)
    if game.status != Status.HELD:
        raise CommandError(f"The game is {game.status}, not on hold.")
    phases.resume_held_game(game_id=game.pk)
    yield "Released."


def replay(*, slugs: list[str], **_options: Any) -> Iterator[str]:
    """Adjudicate the closed phases of these games (or of all) again. Exit with 1 if a result differs."""
    games = Game.objects.of_this_site().order_by("pk")
    if slugs:
        games = games.filter(slug__in=slugs)
    if missing := set(slugs) - set(games.values_list("slug", flat=True)):
        raise CommandError(f"These games do not exist: {', '.join(sorted(missing))}.")
    if changed := [f"{game.slug} {turn}" for game in games for turn in judging.what_differs_on_replay(game_id=game.pk)]:
        raise CommandError("\n".join(changed))
    yield f"{amount(games.count(), 'game')} replayed: no differences."


def shadow(**_options: Any) -> Iterator[str]:
    """Before an upgrade, adjudicate every closed phase of every game again from its sealed orders with the current
    code, and change nothing. Lists the games and phases that differ, but no orders. Exit with 1 if there are any."""
    comparisons: list[judging.GameComparison] = []
    for comparison in judging.compare_all_games():
        comparisons.append(comparison)
        for difference in comparison.differences:
            yield f"game {comparison.game_id} differs: {difference}"
        if comparison.not_compared:
            yield f"game {comparison.game_id} is over and was not compared: {comparison.not_compared}"
    differing = sum(bool(each.differences) for each in comparisons)
    compared = amount(sum(each.phases for each in comparisons), "phase")
    if differing:
        raise CommandError(f"{differing} of {amount(len(comparisons), 'game')} with differences; {compared} compared.")
    yield f"{amount(len(comparisons), 'game')}, {compared}: no differences."


def check_deadlines(*, grace: int, **_options: Any) -> Iterator[str]:
    """Exit with 1 if a running game’s phase is overdue (one line for each) or a game is on hold."""
    overdue = overdue_phases(late_seconds=grace)
    on_hold = Game.objects.filter(status=Status.HELD).count()
    if overdue or on_hold:
        lines = [f"Overdue phases: {len(overdue)}. Games on hold: {on_hold}.", *map(OverduePhase.sentence, overdue)]
        raise CommandError("\n".join(lines))
    yield "No phase is overdue and no game is on hold."


def sweep_guests(**_options: Any) -> Iterator[str]:
    """Delete the games of guests that are more than a week old, and guests without a game."""
    yield f"Deleted {amount(practice.delete_old_guests(), 'game')}."


def _game_or_error(slug: str) -> Game:
    game = Game.objects.filter(slug=slug).first()
    if game is None:
        raise CommandError(f"There is no game {slug!r}.")
    return game


class Command(BaseCommand):
    help = "What hosts do with games; `game ACT --help` explains one act. A slug is the last part of a game’s address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(metavar="ACT", required=True)
        parsers = {}
        for act in (hold, release, replay, shadow, check_deadlines, sweep_guests):
            parsers[act] = acts.add_parser(act.__name__, help=act.__doc__, description=act.__doc__)
            parsers[act].set_defaults(act=act)
        parsers[hold].add_argument("slug")
        parsers[release].add_argument("slug")
        parsers[replay].add_argument("slugs", nargs="*", metavar="slug")
        parsers[check_deadlines].add_argument(
            "--grace", type=int, default=LATE_SECONDS, help=f"how many seconds late a phase may be ({LATE_SECONDS})"
        )

    def handle(self, *args: Any, act: Any, **options: Any) -> None:
        for line in act(**options):
            self.stdout.write(line)
