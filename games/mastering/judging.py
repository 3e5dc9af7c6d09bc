"""Judging a closed phase once more: its sealed sheets, and the orders that a game master has amended."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db import connection, transaction

from adjudication.corrections import Correction, adjudicate_corrected
from adjudication.options import must_decide
from adjudication.resolution import Public
from games.kernel import codec
from games.kernel.codec import is_digest_of
from games.kernel.models import OVER, Amendment, Game, Phase
from games.orders import receipts as commitments
from games.sealed import store
from variants.registry import UnknownVariant
from variants.variant import Variant


def judge_again(phase: Phase, variant: Variant, written: Mapping[str, str], amendments: Iterable[Amendment]) -> Public:
    """The result of a phase from the canonical lines written for it and from its amendments, in their sequence."""
    position = codec.position_of(phase)
    sheets = codec.sheets_of(written, position, variant)
    corrections = [Correction(it.power, it.place, it.was, it.instead) for it in amendments]
    return adjudicate_corrected(position, sheets, corrections, variant.ruleset)


def replay(*, game_id: int) -> tuple[str, ...]:
    """The turns whose sheets or result are no longer what they were; () if all is as it was. Shows no sheet.

    VariantChanged if the game cannot be judged any more.
    """
    game = Game.objects.get(pk=game_id)
    variant = codec.variant_to_judge(game)
    phases = game.phases.filter(result__isnull=False).select_related("result").order_by("ordinal")
    changed = []
    for phase in phases:
        bodies = store.read_closed(phase)
        written = store.lines_of(bodies)
        public = judge_again(phase, variant, written, phase.amendments.order_by("pk"))
        if codec.public_to_row(public) != phase.result.public:
            changed.append(f"{phase.turn}: another result")
        elif not is_digest_of(phase.result, codec.keyed_digests(phase, written)):
            changed.append(f"{phase.turn}: other inputs")
        if commitments.changed(phase, bodies):
            changed.append(f"{phase.turn}: other sheets than the sealed record stands by")
    return tuple(changed)


@dataclass(frozen=True, slots=True)
class Shadow:
    """One game under the code that is here: how many phases were compared, and what differs. Holds no order.

    `not_compared` says why a game that is over was left alone; it goes no further, so nothing can go wrong with it.
    """

    game_id: int
    phases: int
    differences: tuple[str, ...] = ()
    not_compared: str = ""


def shadows() -> Iterator[Shadow]:
    """Every game that has begun, each in a transaction that can change nothing. Call it outside of any transaction."""
    begun = Game.objects.filter(phases__isnull=False).distinct().order_by("pk")
    for game in list(begun):
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
            yield _shadow(game)


def _shadow(game: Game) -> Shadow:
    """A fault in one game is one of its differences, and stops no other."""
    closed = game.phases.filter(result__isnull=False).count()
    try:
        differences = replay(game_id=game.pk)
        _prepare_next(game)
    except (codec.VariantChanged, UnknownVariant) as changed:
        if game.status in OVER:
            return Shadow(game.pk, 0, not_compared=str(changed))
        return Shadow(game.pk, 0, (f"would be held: {changed}",))
    except Exception as fault:  # noqa: BLE001 - whatever the new code does wrong is what this looks for
        return Shadow(game.pk, closed, (f"cannot be judged any more: {type(fault).__name__}",))
    return Shadow(game.pk, closed, differences)


def _prepare_next(game: Game) -> None:
    """Read the open phase as its orders will be asked for."""
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is not None:
        must_decide(codec.position_of(phase), codec.variant_to_judge(game).ruleset)
