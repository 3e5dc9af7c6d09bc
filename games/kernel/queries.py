"""Public reads that every subject shares: the variants, the head of a phase, whether names are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

from adjudication.auction import budget
from adjudication.turns import Turn
from games.kernel.models import OVER, Game, Phase
from games.kernel.options import PRESS_TEXTS, Press
from games.kernel.parts import PhaseHead, PowerCard, VariantCard
from variants.registry import ALL, UnknownVariant, find

if TYPE_CHECKING:
    from datetime import timedelta

    from variants.variant import PowerInfo, Variant


def has_bids(variant: Variant) -> bool:
    """Do players of this variant bid points? The start position tells, where everybody has an income."""
    return any(budget(power.id, variant.start, variant.ruleset) for power in variant.powers)


LIVE_SECONDS = 3 * 3600

NOBODY = 0
"""The id that no account has."""


def variants_offered() -> tuple[VariantCard, ...]:
    return tuple(_variant_card(variant) for variant in ALL)


def variant_card(slug: str) -> VariantCard:
    """One variant; Http404 if it is not played here."""
    variant = _still_played(slug)
    if variant is None:
        raise Http404
    return _variant_card(variant)


def card_of_power(power: PowerInfo) -> PowerCard:
    return PowerCard(power.id, power.name, str(power.colour), power.letter)


def _variant_card(variant: Variant) -> VariantCard:
    return VariantCard(
        slug=variant.slug,
        title=variant.title,
        players=variant.players,
        summary=variant.summary,
        rules_text=variant.rules_text,
        credits=variant.credits,
        powers=tuple(map(card_of_power, variant.powers)),
        bids=has_bids(variant),
        press_title=PRESS_TEXTS[Press(variant.press_default)][0],
    )


def _still_played(variant_slug: str) -> Variant | None:
    """None for a variant that is no longer played here: the lists open all the same."""
    try:
        return find(variant_slug)
    except UnknownVariant:
        return None


def head_of(phase: Phase) -> PhaseHead:
    turn = Turn.from_code(phase.turn)
    return PhaseHead(
        ordinal=phase.ordinal,
        code=phase.turn,
        title=turn.title,
        year=turn.year,
        short=turn.short,
        kind=turn.kind.value,
        kind_title=turn.kind_title,
        is_open=phase.closed is None,
        opened=phase.opened,
        closed=phase.closed,
        deadline=phase.deadline,
        remaining_seconds=None if phase.remaining is None else _whole_seconds(phase.remaining),
    )


def _whole_seconds(time: timedelta) -> int:
    return int(time.total_seconds())


def names_are_hidden(game: Game, user_id: int | None) -> bool:
    """May this viewer not know who plays which power?"""
    if not game.options.hidden_names or game.status in OVER:
        return False
    return user_id is None or game.gm_id != user_id or not game.options.gm_sees_names()
