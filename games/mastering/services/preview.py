"""The result of the orders saved so far, for a game master who does not play, in games that announce this.

Every preview is written to the public log before anything is shown, and none of it is kept.
"""

from dataclasses import dataclass, replace
from typing import Annotated

from django.db import transaction

from adjudication import judge
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.units import NEUTRAL
from adjudication.words import phase_words
from games.history.parts import NoticeView, OutcomeView, PowerPosition
from games.history.results import notice_views, outcome_views, position_lines
from games.kernel import codec
from games.kernel.locking import lock
from games.kernel.marks import InApi
from games.kernel.news import tell
from games.mastering import news
from games.mastering.rules import may_preview
from games.sealed import store
from games.sealed.options import Looks
from variants.maps import Drawing, drawing_of
from variants.variant import Variant


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """The open phase as it would be published if it ended now.

    It is without bids, and does not show which players have saved. The orders of minor powers would show what was
    bought.
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


@transaction.atomic
def look_beforehand(*, game_id: int, by: int) -> Preview:
    """Preview the open phase. NotAllowed in a game created without previews and for anyone who plays or has played in
    it, WrongMoment without an open phase."""
    here = lock(game_id, by)
    may_preview(here)
    game, phase = here.game, here.phase
    tell(news.PREVIEWED, game, at=here.now, by=by, turn=phase.turn)
    variant, position = here.variant, here.open_position
    written = store.lines_of(store.read_for_preview(phase))
    sheets = codec.sheets_of(written, position, variant)
    is_blind = here.options[Looks].bids and not phase.shows(Looks)
    if is_blind:
        sheets = {power: sheet._replace(bids=()) for power, sheet in sheets.items()}
    public = judge.adjudicate(position, sheets, variant.ruleset).public
    if is_blind:
        public = replace(public, outcomes=tuple(it for it in public.outcomes if it.power != NEUTRAL))
    return shown(public, position, variant, without_minors=is_blind)


def shown(public: Public, position: Position, variant: Variant, *, without_minors: bool = False) -> Preview:
    """A result that is not published, of orders given in this position."""
    turn = public.next.turn
    return Preview(
        drawing=drawing_of(position, variant, public.outcomes),
        outcomes=outcome_views(public.outcomes, position, variant),
        notices=notice_views(public.notices),
        verdict=public.verdict.sentence if public.verdict else "",
        following=drawing_of(public.next, variant),
        following_title=phase_words(turn),
        following_lines=position_lines(public.next, variant),
        without_minors=without_minors,
    )
