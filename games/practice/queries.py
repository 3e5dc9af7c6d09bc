"""The choices before a game against bots, and one person's practice games."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.kernel import codec
from games.kernel.cards import NEWEST_FIRST, game_cards
from games.kernel.languages import later, later_as
from games.kernel.models import Game, Occupancy
from games.kernel.options import Bots
from games.kernel.parts import GameCard, PowerCard
from variants.bots import Level
from variants.bots.evenness import Evenness, best_power, evenness, share_of
from variants.registry import ALL
from variants.variant import Variant

TWO_PLAYERS = 2
STRONGER_BOT_WORDS = {Level.MEDIUM: later("Play a stronger bot"), Level.STRONG: later("Play the strongest bot")}
"""Said of bots of this level to those who have beaten weaker ones."""
EVENNESS_WORDS = {
    Evenness.EVEN: later_as("a board", "Even"),
    Evenness.FAIRLY: later_as("a board", "Fairly even"),
    Evenness.EASIER: later("Easier for {power}"),
    Evenness.MUCH_EASIER: later("Much easier for {power}"),
}


@dataclass(frozen=True, slots=True)
class NextPractice:
    """A game like one that has ended, with the next power and at this level."""

    board: str
    power: str
    level: str
    words: str
    main: bool = False


@cache
def default_board() -> Variant:
    """The most even board; if several are equally even, the one with the fewest players."""
    measured = [variant for variant in ALL if share_of(best_power(variant), variant) is not None]
    return min(measured, key=lambda variant: (evenness(variant) != Evenness.EVEN, variant.players))


def next_practices(game: Game, power: str, winners: Collection[PowerCard]) -> tuple[NextPractice, ...]:
    """The games to offer after a practice game in which its player had this power."""
    variant, level = codec.variant_of(game), Level(game.options[Bots].bot_level)
    index = [each.id for each in variant.powers].index(power)
    next_power = variant.powers[(index + 1) % len(variant.powers)]
    stronger = list(Level)[list(Level).index(level) + 1 :]
    with_next_power = NextPractice(
        variant.slug, next_power.id, level, _("Play again as {power}").format(power=next_power.called), main=True
    )
    if not stronger or power not in [winner.id for winner in winners]:
        return (with_next_power,)
    with_stronger_bots = NextPractice(variant.slug, power, stronger[0], STRONGER_BOT_WORDS[stronger[0]], main=True)
    return with_stronger_bots, replace(with_next_power, main=False)


def evenness_words(variant: Variant) -> str:
    """How even the board is, as in "Even", "Easier for Italy"; "" if it was not measured."""
    how_even = evenness(variant)
    return str(EVENNESS_WORDS[how_even]).format(power=best_power(variant).called) if how_even else ""


def practice_title(variant: Variant) -> str:
    """The name of a practice game."""
    title = _("{variant} against a bot") if variant.players == TWO_PLAYERS else _("{variant} against bots")
    return title.format(variant=variant.title)


def practice_games_of(user_id: int) -> QuerySet[Game]:
    """The practice games of this person, newest first."""
    mine = Occupancy.objects.filter(user_id=user_id, until__isnull=True).values("game_id")
    return Game.objects.filter(pk__in=mine, practice=True).order_by(*NEWEST_FIRST)


def practice_cards_of(user_id: int | None) -> tuple[GameCard, ...]:
    """The cards of this person's practice games; empty for a stranger."""
    return game_cards(practice_games_of(user_id), user_id=user_id) if user_id else ()
