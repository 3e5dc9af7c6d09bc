"""Trying orders: a copy of a position, what one guesses that everybody writes, and what the judge makes of it.

Nothing here reads or writes a row. What was guessed travels with the page; a position that came about by guesses
travels signed, so that the judge is never asked about one that no orders lead to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core import signing

from adjudication import judge, serialisation
from adjudication.auction import budget
from adjudication.errors import FormatError
from adjudication.notation import pretty_order, read_sheet, write_order
from adjudication.orders import Hold, where
from adjudication.words import phase_words
from games.history.drawing import drawing_of, succeeded
from games.history.parts import Drawing, NoticeView, OutcomeView
from games.history.results import notice_views, outcome_views
from games.kernel import codec
from games.kernel.wording import words_of
from games.orders.desk import LONGEST_TEXT, minors_of, rows_of
from games.orders.forms import ONE_LIST, OrderControl, controls_of
from games.orders.parts import BidRow, MinorChoice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudication.orders import OrderSheet
    from adjudication.position import Position
    from adjudication.resolution import OrderOutcome, Public
    from games.kernel.wording import PhaseWords
    from variants.variant import PowerInfo, Variant


SALT = "games.whatif"

BIDS = "bids"


@dataclass(frozen=True, slots=True, repr=False)
class Guess:
    """What one power writes: canonical orders by location, and bids as typed."""

    orders: Mapping[str, str]
    bids: str

    @property
    def text(self) -> str:
        return "\n".join([*filter(None, self.orders.values()), self.bids])


NOTHING = Guess({}, "")


@dataclass(frozen=True, slots=True)
class Slip:
    """Something guessed that cannot stand."""

    power: str
    anchor: str
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Side:
    """One power in the form; `bids` is None where it has no points and none are written. Is anything `given`?"""

    power: PowerInfo
    mine: bool
    controls: tuple[OrderControl, ...]
    bids: str | None
    budget: int
    given: bool

    @property
    def bids_id(self) -> str:
        return field_of(self.power.id, BIDS)


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of it, without units that hold unasked and are let be. `following` is the next position, signed, or ""
    at the end of the game."""

    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    verdict: str
    following: str
    following_title: str


@dataclass(frozen=True, slots=True)
class Trial:
    """The page: a position, everybody's form, every mistake, and the result once it was judged without any."""

    title: str
    kind_title: str
    words: PhaseWords
    one_list: bool
    token: str
    drawing: Drawing
    sides: tuple[Side, ...]
    minors: tuple[MinorChoice, ...]
    slips: tuple[Slip, ...]
    judged: Judged | None

    @property
    def example(self) -> str:
        """A bid that may be written here, "" where nobody bids."""
        return f"1: {self.minors[0].choices[0].label}" if self.minors else ""


def field_of(power: str, name: str) -> str:
    """The name of a field of one power: "FRANCE:order-PAR", "FRANCE:bids"."""
    return f"{power}:{name}"


def sealed(position: Position, slug: str) -> str:
    """The position for the page of a game, signed."""
    return signing.dumps([slug, codec.position_to_row(position)], salt=SALT, compress=True)


def unsealed(token: str, slug: str) -> Position | None:
    """The position in a page of this game; None if it is none of ours."""
    try:
        of_game, row = signing.loads(token, salt=SALT)
        return serialisation.position_from_json(row) if of_game == slug else None
    except (signing.BadSignature, FormatError):
        return None


def guess_of(text: str, power: str, position: Position, variant: Variant) -> Guess:
    """A sheet that its holder wrote, as a guess; lines that cannot stand stay among the bids, where they are named."""
    found = read_sheet(text, power, position, variant.ruleset)
    rows = rows_of(found.sheet, power, position, variant)
    board = variant.ruleset.board
    bids = [f"{bid.points}: {pretty_order(bid.order, position, board)}" for bid in found.sheet.bids]
    unread = [problem.text for problem in found.problems]
    return Guess({row.location: row.chosen for row in rows if row.chosen}, "\n".join([*bids, *unread]))


def bid_rows(guess: Guess, power: str, position: Position, variant: Variant) -> tuple[BidRow, ...]:
    """The bids of a guess as the order form has them."""
    sheet = read_sheet(guess.text, power, position, variant.ruleset).sheet
    return tuple(BidRow(where(bid.order), write_order(bid.order, position), bid.points) for bid in sheet.bids)


def trial(
    position: Position,
    variant: Variant,
    guesses: Mapping[str, Guess],
    *,
    slug: str,
    mine: str | None,
    judging: bool,
) -> Trial:
    """The page for these guesses, judged if that is wanted and nothing in them is wrong."""
    read = {
        power.id: _read(power, guesses.get(power.id, NOTHING), position, variant) for power in variant.powers
    }
    slips = tuple(slip for _, wrong in read.values() for slip in wrong)
    sheets = {power: sheet for power, (sheet, _) in read.items()}
    public = None
    if judging and not slips:
        public = judge.adjudicate(position, sheets, variant.ruleset).public
    kind = position.turn.kind.value
    return Trial(
        title=position.turn.title,
        kind_title=position.turn.kind_title,
        words=words_of(kind),
        one_list=kind in ONE_LIST,
        token=sealed(position, slug),
        drawing=drawing_of(position, variant, public.outcomes if public else ()),
        sides=_sides(position, variant, guesses, sheets, mine),
        minors=minors_of(position, variant),
        slips=slips,
        judged=_judged(public, sheets, position, variant, slug) if public else None,
    )


def _read(
    power: PowerInfo, guess: Guess, position: Position, variant: Variant
) -> tuple[OrderSheet, tuple[Slip, ...]]:
    found = read_sheet(guess.text[:LONGEST_TEXT], power.id, position, variant.ruleset)
    places = [field_of(power.id, f"order-{place}") for place, order in guess.orders.items() if order]
    slips = []
    for problem in found.problems:
        in_list = problem.line <= len(places)
        anchor = places[problem.line - 1] if in_list else field_of(power.id, BIDS)
        slips.append(Slip(power.name, anchor, problem.text, problem.sentence))
    if len(guess.text) > LONGEST_TEXT:
        sentence = f"This is longer than {LONGEST_TEXT} characters. Take some lines away."
        slips.append(Slip(power.name, field_of(power.id, BIDS), "", sentence))
    return found.sheet, tuple(slips)


def _sides(
    position: Position,
    variant: Variant,
    guesses: Mapping[str, Guess],
    sheets: Mapping[str, OrderSheet],
    mine: str | None,
) -> tuple[Side, ...]:
    """Every power that has something to order or points to bid, the reader's own first."""
    sides = (
        _side(
            power, guesses.get(power.id, NOTHING), sheets[power.id], position, variant, mine=power.id == mine
        )
        for power in variant.powers
    )
    return tuple(
        sorted((side for side in sides if side.controls or side.budget), key=lambda side: not side.mine)
    )


def _side(
    power: PowerInfo, guess: Guess, sheet: OrderSheet, position: Position, variant: Variant, *, mine: bool
) -> Side:
    rows = rows_of(sheet, power.id, position, variant)
    kind = position.turn.kind.value
    income = budget(power.id, position, variant.ruleset)
    return Side(
        power=power,
        mine=mine,
        controls=tuple(controls_of(rows, guess.orders, field_of(power.id, "order-"), kind=kind)),
        bids=guess.bids if income or guess.bids else None,
        budget=income,
        given=bool(guess.text.strip()),
    )


def _is_quiet(outcome: OrderOutcome, sheets: Mapping[str, OrderSheet]) -> bool:
    """A unit that only stands there, and was not told to."""
    if not isinstance(outcome.order, Hold) or outcome.sentence or not succeeded(outcome):
        return False
    return outcome.power not in sheets or outcome.order not in sheets[outcome.power].orders


def _judged(
    public: Public, sheets: Mapping[str, OrderSheet], position: Position, variant: Variant, slug: str
) -> Judged:
    following = public.next.turn
    told = [outcome for outcome in public.outcomes if not _is_quiet(outcome, sheets)]
    return Judged(
        outcomes=outcome_views(told, position, variant),
        notices=notice_views(public.notices),
        verdict=public.verdict.sentence if public.verdict else "",
        following="" if public.verdict else sealed(public.next, slug),
        following_title=phase_words(following),
    )
