"""Public reads that every subject shares: the variants, a phase's heading, whether players are anonymous."""

from django.http import Http404

from adjudication.turns import Turn
from games.kernel.game_options import GameOptions
from games.kernel.languages import cached_by_language
from games.kernel.models import OVER, Brought, Game, Phase
from games.kernel.options import Names
from games.kernel.parts import PhaseHead, PowerCard, VariantCard
from games.kernel.wording import evenness_words
from variants.registry import UnknownVariant, find, offered
from variants.variant import PowerInfo
from variants.words.messages import worded
from variants.words.orders import kind_words, turn_words

LIVE_SECONDS = 3 * 3600
NOBODY = 0
"""An id that no account has."""


def variants_offered() -> tuple[VariantCard, ...]:
    return tuple(_variant_card(variant.slug) for variant in offered())


def variant_choices() -> list[tuple[str, str]]:
    """The variants as choices of a form field."""
    return [(variant.slug, variant.title) for variant in offered()]


def variant_card(slug: str) -> VariantCard:
    """One variant; raises Http404 if it is not played here."""
    try:
        return _variant_card(slug)
    except UnknownVariant:
        raise Http404 from None


def card_of_power(power: PowerInfo) -> PowerCard:
    return PowerCard(power.id, power.name, str(power.colour), power.letter)


@cached_by_language(64)
def _variant_card(slug: str) -> VariantCard:
    variant = find(slug)
    defaults = GameOptions({}, variant).shown()
    return VariantCard(
        slug=variant.slug,
        title=variant.title,
        players=variant.players,
        summary=worded(variant.summary),
        rules_text=variant.rules_text,
        credits=worded(variant.credits),
        powers=tuple(map(card_of_power, variant.powers)),
        bids=defaults["bids"],
        press_title=defaults["press_title"],
        how_even=evenness_words(variant),
    )


def brought_row_of(game: Game) -> Brought | None:
    """The position in which the game continues here, if it began elsewhere; without its reports, which may be long."""
    return Brought.objects.filter(game=game).defer("reports").first()


def phase_head(phase: Phase) -> PhaseHead:
    turn = Turn.from_code(phase.turn)
    return PhaseHead(
        ordinal=phase.ordinal,
        code=phase.turn,
        title=turn_words(turn),
        year=turn.year,
        short=turn.short,
        kind=turn.kind.value,
        kind_title=kind_words(turn.kind),
        is_open=phase.closed is None,
        opened=phase.opened,
        closed=phase.closed,
        deadline=phase.deadline,
        remaining_seconds=None if phase.remaining is None or phase.is_untimed else int(phase.remaining.total_seconds()),
    )


def mark_of(game: Game, head: PhaseHead) -> str:
    """A mark that tells this game in this phase from the same after a correction, which a game that is over can end
    with the same phase again."""
    return f"{head.mark} {game.undoings.count()}" if game.status in OVER else head.mark


def names_are_hidden(game: Game, user_id: int | None) -> bool:
    """Is it hidden from this viewer who plays which power?"""
    names = game.options[Names]
    if not names.hidden_names or game.status in OVER:
        return False
    return not (names.seen_by_gm and game.is_run_by(user_id))
