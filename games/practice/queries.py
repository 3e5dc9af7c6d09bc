"""The choices before a game against bots, and one person's practice games."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.kernel import codec
from games.kernel.cards import NEWEST_FIRST, game_cards
from games.kernel.languages import later
from games.kernel.models import OVER, Game, Occupancy
from games.kernel.options import Bots
from games.kernel.parts import GameCard, PowerCard
from variants.bots import Level
from variants.bots.evenness import Evenness, best_power, evenness, share_of
from variants.registry import offered
from variants.variant import Variant

TWO_PLAYERS = 2
STRONGER_BOT_WORDS = {Level.MEDIUM: later("Play a stronger bot"), Level.STRONG: later("Play the strongest bot")}
EASIER_BOT_WORDS = {Level.EASY: later("Play the easiest bot"), Level.MEDIUM: later("Play an easier bot")}
"""Said of bots of this level to those who have beaten weaker ones, and to those who have not beaten stronger ones."""


@dataclass(frozen=True, slots=True)
class NextPractice:
    """A game like one that has ended, with this power and at this level."""

    board: str
    power: str
    level: str
    words: str


@cache
def default_board() -> Variant:
    """The most even board; if several are equally even, the one with the fewest players."""
    measured = [variant for variant in offered() if share_of(best_power(variant), variant) is not None]
    return min(measured, key=lambda variant: (evenness(variant) != Evenness.EVEN, variant.players))


def next_practices(game: Game, power: str, winners: Collection[PowerCard]) -> tuple[NextPractice, ...]:
    """The games to offer after a practice game in which its player had this power, the likeliest first."""
    variant, levels, has_won = codec.variant_of(game), list(Level), power in [winner.id for winner in winners]
    level, index = Level(game.options[Bots].bot_level), [each.id for each in variant.powers].index(power)
    own, following = variant.powers[index], variant.powers[(index + 1) % len(variant.powers)]
    words = STRONGER_BOT_WORDS if has_won else EASIER_BOT_WORDS
    other = [each for each in levels if levels.index(each) == levels.index(level) + (1 if has_won else -1)]
    with_other_bots = [NextPractice(variant.slug, power, each, str(words[each])) for each in other]
    again = [
        NextPractice(variant.slug, each.id, level, _("Play again as {power}").format(power=each.called))
        for each in ((following,) if has_won else (own, following))
    ]
    return (*with_other_bots, *again) if has_won else (again[0], *with_other_bots, *again[1:])


def practice_title(variant: Variant) -> str:
    """The name of a practice game."""
    title = _("{variant} against a bot") if variant.players == TWO_PLAYERS else _("{variant} against bots")
    return title.format(variant=variant.title)


def practice_games_of(user_id: int) -> QuerySet[Game]:
    """The practice games of this person, newest first."""
    mine = Occupancy.objects.filter(user_id=user_id, until__isnull=True).values("game_id")
    return Game.objects.filter(pk__in=mine, practice=True).order_by(*NEWEST_FIRST)


def practice_games_that_count(user: Any) -> QuerySet[Game]:
    """The practice games of which this user may have only so many; not those of guests that are over and swept away."""
    games = practice_games_of(user.pk)
    return games.exclude(status__in=OVER) if user.is_guest else games


def practice_cards_of(user_id: int | None) -> tuple[GameCard, ...]:
    """The cards of this person's practice games; empty for a stranger."""
    return game_cards(practice_games_of(user_id), user_id=user_id) if user_id else ()
