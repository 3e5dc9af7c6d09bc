"""Adjudicating a closed phase again from its sealed orders and the corrections, and previewing the open phase."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from django.db import connection, transaction

from adjudication import judge
from adjudication.corrections import Correction, adjudicate_corrected, corrected_sheets
from adjudication.notation import write_sheet
from adjudication.options import must_decide
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.units import NEUTRAL
from games.history.parts import NoticeView, OutcomeView, PowerPosition
from games.history.results import notice_views, outcome_views, position_lines
from games.kernel import codec
from games.kernel.acts import gm_act
from games.kernel.codec import digest_matches
from games.kernel.marks import InApi
from games.kernel.models import OVER, Amendment, Game, Phase
from games.kernel.news import tell
from games.kernel.standpoint import Standpoint
from games.mastering import news
from games.mastering.rules import may_preview
from games.orders import receipts as commitments
from games.sealed import store
from games.sealed.options import SeeingBids
from variants.maps import Drawing, drawing_of
from variants.registry import UnknownVariant
from variants.variant import Variant
from variants.words import as_said, ending_words
from variants.words.orders import phase_words


def judge_again(phase: Phase, variant: Variant, lines: Mapping[str, str], amendments: Iterable[Amendment]) -> Public:
    """The result of a phase from the canonical lines of its orders and from its amendments, in order."""
    position = codec.position_of(phase)
    sheets = codec.read_order_sheets(lines, position, variant)
    return adjudicate_corrected(position, sheets, _corrections(amendments), variant.ruleset)


def corrected_lines(
    phase: Phase, variant: Variant, lines_by_power: Mapping[str, str], amendments: Iterable[Amendment]
) -> dict[str, str]:
    """The canonical lines of these powers with the amendments of the phase, in order. Lines that the amendments don't
    change stay as they were written."""
    position = codec.position_of(phase)
    sheets = codec.read_order_sheets(lines_by_power, position, variant)
    sheets_now = corrected_sheets(position, sheets, _corrections(amendments), variant.ruleset)
    return {
        power: lines
        if Counter(sheets_now[power].orders) == Counter(sheets[power].orders)
        else write_sheet(sheets_now[power], position)
        for power, lines in lines_by_power.items()
    }


def _corrections(amendments: Iterable[Amendment]) -> list[Correction]:
    return [Correction(it.power, it.place, it.was, it.instead) for it in amendments]


def what_differs_on_replay(*, game_id: int) -> tuple[str, ...]:
    """The turns whose orders or result have changed; () if nothing has. Shows no orders.

    Raises VariantChanged if the game can no longer be adjudicated.
    """
    game = Game.objects.get(pk=game_id)
    variant = codec.variant_to_judge(game)
    phases = game.phases.filter(result__isnull=False).select_related("result").order_by("ordinal")
    turns = []
    for phase in phases:
        bodies = store.read_closed(phase)
        lines_by_power = store.lines_of(bodies)
        public = judge_again(phase, variant, lines_by_power, phase.amendments.order_by("pk"))
        before = codec.public_result_of(phase.result)
        if as_said(public, variant.ruleset) != as_said(before, variant.ruleset):
            turns.append(f"{phase.turn}: another result")
        elif not digest_matches(phase.result, codec.keyed_digests(phase, lines_by_power)):
            turns.append(f"{phase.turn}: other inputs")
        if commitments.differs_from_commitment(phase, bodies):
            turns.append(f"{phase.turn}: other orders than in the sealed record")
    return tuple(turns)


@dataclass(frozen=True, slots=True)
class GameComparison:
    """One game under the present code: how many phases were compared, and what differs. Contains no orders.

    `not_compared` says why a finished game was skipped. It will not continue, so nothing can go wrong with it.
    """

    game_id: int
    phases: int
    differences: tuple[str, ...] = ()
    not_compared: str = ""


def compare_all_games() -> Iterator[GameComparison]:
    """Compare every game that began on this site, each in a read-only transaction. Call it outside any transaction."""
    games = Game.objects.of_this_site().filter(phases__isnull=False).distinct().order_by("pk")
    for game in list(games):
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
            yield _compare(game)


def _compare(game: Game) -> GameComparison:
    """Compare one game. An error in it counts as a difference and does not stop the others."""
    count = game.phases.filter(result__isnull=False).count()
    try:
        differences = what_differs_on_replay(game_id=game.pk)
        if phase := game.phases.filter(closed__isnull=True).first():
            must_decide(codec.position_of(phase), codec.variant_to_judge(game).ruleset)  # as the order page will
    except (codec.VariantChanged, UnknownVariant) as changed:
        if game.status in OVER:
            return GameComparison(game.pk, 0, not_compared=str(changed))
        return GameComparison(game.pk, 0, (f"would be put on hold: {changed}",))
    except Exception as fault:  # noqa: BLE001 - any fault of the new code is what this looks for
        return GameComparison(game.pk, count, (f"can no longer be adjudicated: {type(fault).__name__}",))
    return GameComparison(game.pk, count, differences)


# The result of the orders saved so far, for a game master who does not play, in games that announce this. Every
# preview is written to the public log before anything is shown, and none of it is kept.


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """The open phase as it would be published if it ended now.

    It leaves out bids and which players have saved. Orders of minor powers are left out too, because they would show
    what was bought.
    """

    drawing: Drawing
    outcomes: Annotated[tuple[OutcomeView, ...], InApi("The orders with their results.")]
    notices: Annotated[tuple[NoticeView, ...], InApi("What else would happen.")]
    verdict: Annotated[str, InApi("How the game would end; empty if it would go on.")]
    following: Drawing
    following_title: Annotated[str, InApi("The phase that would follow.")]
    following_lines: Annotated[tuple[PowerPosition, ...], InApi("The position then, by power.")]
    without_minors: Annotated[
        bool,
        InApi(
            "It was worked out as if no one had bid, and the orders of minor powers are left out, because you "
            "may not see the bids of this phase."
        ),
    ]


@gm_act.locked("preview", may_preview)
def preview_open_phase(here: Standpoint, by: int) -> Preview:
    """Look at the result that the orders saved so far would have. The log tells everyone first.

    Raises NotAllowed in a game created without previews and for anyone who plays or has played in it, WrongMoment
    without an open phase.
    """
    game, phase = here.game, here.phase
    tell(news.PREVIEWED, game, at=here.now, by=by, turn=phase.turn)
    variant, position = here.variant, here.open_position
    lines_by_power = store.lines_of(store.read_for_preview(phase))
    sheets = codec.read_order_sheets(lines_by_power, position, variant)
    is_blind = here.options[SeeingBids].bids and not phase.shows(SeeingBids)
    if is_blind:
        sheets = {power: sheet._replace(bids=()) for power, sheet in sheets.items()}
    public = judge.adjudicate(position, sheets, variant.ruleset).public
    if is_blind:
        public = replace(public, outcomes=tuple(it for it in public.outcomes if it.power != NEUTRAL))
    return preview_of(public, position, variant, without_minors=is_blind)


def preview_of(public: Public, position: Position, variant: Variant, *, without_minors: bool = False) -> Preview:
    """The preview of a result that is not published, from orders given in this position."""
    turn = public.next.turn
    return Preview(
        drawing=drawing_of(position, variant, public.outcomes),
        outcomes=outcome_views(public.outcomes, position, variant),
        notices=notice_views(public.notices, variant),
        verdict=ending_words(public, variant.ruleset),
        following=drawing_of(public.next, variant),
        following_title=phase_words(turn),
        following_lines=position_lines(public.next, variant),
        without_minors=without_minors,
    )
