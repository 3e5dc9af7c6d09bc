"""What has happened in a game: its history, its published record, and what was undone."""

from collections.abc import Mapping
from operator import attrgetter

from adjudication.resolution import Public
from adjudication.turns import Turn
from adjudication.words import phase_words
from games.history.chart import CentreHistory, Recorded, centre_history
from games.history.parts import ResultView, UndoneView
from games.history.results import NO_BOTS, code_of, result_view
from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.models import OVER, Brought, Phase, Result, Undoing
from games.kernel.queries import head_of
from variants.variant import Variant


def history_view(access: GameAccess) -> CentreHistory:
    """The supply centres of all powers from the start to now."""
    game = access.game
    rows = game.phases.order_by("ordinal").values_list("ordinal", "turn", "position")
    recorded = [Recorded(ordinal, Turn.from_code(turn), position["centres"]) for ordinal, turn, position in rows]
    results = Result.objects.filter(phase__game=game).order_by("-phase__ordinal")
    last = results.first() if game.status in OVER else None
    if last is not None:
        end = codec.public_of(last).next
        recorded.append(Recorded(recorded[-1].ordinal, end.turn, end.centres))
    return centre_history(recorded, codec.variant_of(game))


def reports_of(access: GameAccess) -> str:
    """What the game master has told of the turns before the game came here; "" if nothing."""
    return Brought.objects.filter(game=access.game_id).values_list("reports", flat=True).first() or ""


def undone_view(access: GameAccess) -> tuple[UndoneView, ...]:
    """What was undone in this game, newest first: results that were public and no longer count."""
    game = access.game
    variant = codec.variant_of(game)
    acts = Undoing.objects.filter(game=game).select_related("by").order_by("-pk")
    return tuple(_undone(act, variant) for act in acts)


def _undone(act: Undoing, variant: Variant) -> UndoneView:
    results = {
        result.phase_id: result
        for result in Result.every.filter(phase__undoing=act).select_related("phase__commitment")
    }
    phases = Phase.every.filter(undoing=act).order_by("ordinal")
    judged = [results[phase.pk] for phase in phases if phase.pk in results]
    return UndoneView(
        at=act.at,
        by=act.by.get_username(),
        back_to=Turn.from_code(act.back_to).title,
        reason=act.reason,
        results=tuple(result_of(it, codec.public_of(it), variant) for it in judged),
        unjudged=tuple(_title(phase) for phase in phases if phase.pk not in results),
    )


def _title(phase: Phase) -> str:
    return phase_words(Turn.from_code(phase.turn))


def result_of(
    result: Result,
    public: Public,
    variant: Variant,
    *,
    amended: bool = True,
    mine: str | None = None,
    bots: Mapping[str, str] = NO_BOTS,
) -> ResultView:
    """What happened in the phase of this result; `public` is its content. `amended`: has the game any amendments?
    `mine`: the viewer's power, which comes first; `bots` as in `result_view`."""
    phase = result.phase
    amendments = sorted(phase.amendments.all(), key=attrgetter("pk")) if amended else ()
    position, record = codec.position_of(phase), code_of(phase)
    head = head_of(phase)
    return result_view(
        public, position, head, result.missed, variant, amendments, sealed_record=record, mine=mine, bots=bots
    )
