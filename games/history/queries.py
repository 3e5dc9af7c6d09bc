"""What has happened in a game: its history, its published record, and what was undone."""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Annotated

from django.utils.translation import gettext as _

from adjudication.resolution import Public
from adjudication.turns import Turn
from games.history.chart import CentreHistory, CentresThen, centre_history
from games.history.parts import NoticeView, PowerPosition, RelationsView, ResultView, UndoneView
from games.history.results import notice_views, position_lines, relations_view, result_view, sealed_code, why_undone
from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.marks import InApi
from games.kernel.models import OVER, Brought, Occupancy, Phase, Result, Undoing
from games.kernel.page import Page, part
from games.kernel.parts import PhaseHead
from variants.maps import Drawing, FactionView, drawing_of, factions_of, with_orders_before
from variants.variant import Variant
from variants.words.orders import phase_words, turn_words


def history_view(access: GameAccess) -> CentreHistory:
    """How many supply centres each power had, from the start to now."""
    game = access.game
    rows = game.phases.order_by("ordinal").values_list("ordinal", "turn", "position")
    records = [CentresThen(ordinal, Turn.from_code(turn), position["centres"]) for ordinal, turn, position in rows]
    results = Result.objects.filter(phase__game=game).order_by("-phase__ordinal")
    last = results.first() if game.status in OVER else None
    if last is not None:
        end = codec.public_result_of(last).next
        records.append(CentresThen(records[-1].ordinal, end.turn, end.centres))
    return centre_history(records, codec.variant_of(game))


def reports_brought_along(access: GameAccess) -> str:
    """The game master's report of the turns before the game came to this site; "" if there is none."""
    return Brought.objects.filter(game=access.game_id).values_list("reports", flat=True).first() or ""


def undone_view(access: GameAccess) -> tuple[UndoneView, ...]:
    """Everything that was undone in this game, newest first: results that were public and no longer count."""
    game = access.game
    variant = codec.variant_of(game)
    acts = Undoing.objects.filter(game=game).select_related("by").order_by("-pk")
    return tuple(_undone_act_view(act, variant) for act in acts)


def _undone_act_view(act: Undoing, variant: Variant) -> UndoneView:
    results = {
        result.phase_id: result
        for result in Result.every.filter(phase__undoing=act).select_related("phase__commitment")
    }
    phases = Phase.every.filter(undoing=act).order_by("ordinal")
    results_undone = [results[phase.pk] for phase in phases if phase.pk in results]
    return UndoneView(
        at=act.at,
        by=act.by.get_username(),
        back_to=turn_words(Turn.from_code(act.back_to)),
        reason=why_undone(act, variant.ruleset),
        results=tuple(result_view(it, codec.public_result_of(it), variant) for it in results_undone),
        unjudged=tuple(_phase_title(phase) for phase in phases if phase.pk not in results),
    )


def _phase_title(phase: Phase) -> str:
    return phase_words(Turn.from_code(phase.turn))


# Parts of the page of a game.


@part("drawing")
def drawing(page: Page) -> Annotated[Drawing, InApi("What is drawn on the map.")]:
    """The map of the phase shown; if the phase is closed, with the arrows of its outcomes."""
    rows = page.rows
    public = rows.public if rows.shows_its_result and not rows.final else None
    return drawing_of(rows.position, rows.variant, public.outcomes if public else ())


@part("aftermath")
def drawing_with_last_orders(page: Page) -> Drawing:
    """The map of the phase shown; if it has no arrows, with those of the orders that led to its position."""
    rows, map_drawing = page.rows, drawing(page)
    if rows.result is None or rows.public is None or map_drawing.arrows:
        return map_drawing
    return with_orders_before(map_drawing, codec.position_of(rows.result.phase), rows.public.outcomes, rows.variant)


@part("position_lines")
def lines_of_position(
    page: Page,
) -> Annotated[tuple[PowerPosition, ...], InApi("Units and centres by power, for display.")]:
    """The units and centres of each power, and of the minor powers."""
    return position_lines(page.rows.position, page.rows.variant)


@part("relations")
def relations(
    page: Page,
) -> Annotated[RelationsView | None, InApi("The relations; null in variants without declarations.")]:
    """The relations in the position shown; None in variants without declarations."""
    return relations_view(page.rows.position, page.rows.variant, page.my_power)


@part("factions")
def factions(
    page: Page,
) -> Annotated[tuple[FactionView, ...], InApi("The factions that units may belong to; mostly none.")]:
    return factions_of(page.rows.variant)


@part("years")
def years(page: Page) -> tuple[tuple[int, list[PhaseHead]], ...]:
    """The phases of the game by year, oldest first."""
    return tuple((year, list(heads)) for year, heads in groupby(page.phases, attrgetter("year")))


@part("notices")
def notices(page: Page) -> Annotated[tuple[NoticeView, ...], InApi("What happened when this phase began.")]:
    return notice_views(codec.notices_of(page.rows.shown), page.rows.variant) if page.rows.shown else ()


@part("result")
def result(
    page: Page,
) -> Annotated[
    ResultView | None, InApi("The result of the phase or, while it is open, of the one before; null without one.")
]:
    """The result of the phase shown, or of the one before if it is open."""
    rows = page.rows
    return view_of_result(page, rows.result, rows.public) if rows.result and rows.public else None


def view_of_result(page: Page, result: Result, public: Public) -> ResultView:
    """A result with this content, for the viewer of this page."""
    rows = page.rows
    amended, bots = rows.access.is_repaired, bots_in_phase(result, rows.seated.values())
    return result_view(result, public, rows.variant, amended=amended, mine=rows.my_power, bots=bots)


@part("sealed_record")
def sealed_record(page: Page) -> str:
    """The fingerprint of the sealed record, for emails: there the site can't change it later. "" if there is none."""
    last = page.rows.result
    code = sealed_code(last.phase) if last else ""
    return (
        _("Fingerprint of the sealed record for {title}: {code}").format(title=_phase_title(last.phase), code=code)
        if last and code
        else ""
    )


def bots_in_phase(result: Result, players: Iterable[Occupancy]) -> dict[str, str]:
    """The levels of the bots, by power, that played in the phase of this result and are still among those `players`."""
    closed = result.phase.closed
    playing = (it for it in players if closed and it.since <= closed)
    return {it.seat.power: it.bot or "player’s" for it in playing if it.bot or it.own_bot}
