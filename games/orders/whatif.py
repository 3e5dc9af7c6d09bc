"""Trying out orders: a copy of a position, guesses at every power's orders, and what the adjudicator makes of them.

Nothing here reads or writes a row. Guesses travel with the page. A position that they led to travels signed, so that
the adjudicator never gets a position that no orders lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from django.core import signing

from adjudication import judge, serialisation
from adjudication.auction import budget
from adjudication.errors import FormatError
from adjudication.orders import Hold, OrderSheet
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, Public
from games.history.parts import NoticeView, OutcomeView
from games.history.results import notice_views, outcome_views
from games.kernel import codec
from games.kernel.wording import PhaseWords, words_of_phase_kind
from games.orders import choices
from games.orders.forms import ONE_LIST, OrderControl, order_controls
from games.orders.parts import MinorChoice, WarningView
from games.orders.sheets import ORDER_FIELD, ReadSheet, SentSheet, read_once, sheet_from_orders
from variants import bots
from variants.maps import Drawing, FactionView, drawing_of, factions_of, has_succeeded
from variants.registry import find
from variants.variant import PowerInfo, Variant
from variants.words import ending_words
from variants.words.orders import phase_words, turn_words

SALT = "games.whatif"
BIDS = "bids"
PROGRAM = "program"
"""The field that keeps what a program guessed, to be compared with what is written now."""


@dataclass(frozen=True, slots=True, repr=False)
class Guess:
    """What one power might write: canonical orders by location, bids and other lines as typed, and all of it read.
    `by_program`: a program made this guess, and nothing has been changed since."""

    orders: Mapping[str, str]
    bids: str
    sheet: ReadSheet
    by_program: bool = False

    @property
    def text(self) -> str:
        return _as_text(self.orders, self.bids)

    @property
    def slips(self) -> Iterator[Slip]:
        """Every mistake, with the field that it is in."""
        power = self.sheet.power
        fields = {order: field_name(power, f"{ORDER_FIELD}{place}") for place, order in self.orders.items()}
        name = self.sheet.variant.power(power).name
        for problem in self.sheet.problems:
            anchor = fields.get(problem.text, field_name(power, BIDS))
            yield Slip(name, anchor, problem.text, problem.sentence)


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in a guess."""

    power: str
    anchor: str
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class GuessedSide:
    """One power in the form; `bids` is None if it has no points and nothing is written. `given`: is there anything?
    `program`: a program's guess, if the form still has it unchanged."""

    power: PowerInfo
    mine: bool
    controls: tuple[OrderControl, ...]
    bids: str | None
    budget: int
    given: bool
    program: str | None

    @property
    def bids_id(self) -> str:
        return field_name(self.power.id, BIDS)

    @property
    def program_id(self) -> str:
        return field_name(self.power.id, PROGRAM)


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result, without units that held undisturbed and unordered. `warnings`: what does not fit in each power’s own
    orders. `following` is the next position, signed, or "" at the end of the game."""

    warnings: tuple[tuple[PowerInfo, tuple[WarningView, ...]], ...]
    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    verdict: str
    following: str
    following_title: str


@dataclass(frozen=True, slots=True)
class Trial:
    """The page: a position, a form for every power, every mistake, and the result if there were none."""

    code: str
    title: str
    words: PhaseWords
    one_list: bool
    factions: tuple[FactionView, ...]
    token: str
    drawing: Drawing
    sides: tuple[GuessedSide, ...]
    minors: tuple[MinorChoice, ...]
    slips: tuple[Slip, ...]
    judged: TrialResult | None

    @property
    def example(self) -> str:
        """A sample bid for this page; "" where no points are bid."""
        return f"1: {self.minors[0].choices[0].label}" if self.minors else ""

    @property
    def has_others(self) -> bool:
        """Are there other powers to guess orders for?"""
        return any(not side.mine for side in self.sides)


def field_name(power: str, name: str) -> str:
    """The name of one power's field: "FRANCE:order-PAR", "FRANCE:bids"."""
    return f"{power}:{name}"


def signed_position(position: Position, slug: str) -> str:
    """The position, signed for the page of this game."""
    return signing.dumps([slug, codec.position_to_row(position)], salt=SALT, compress=True)


def position_from_token(token: str, slug: str) -> Position | None:
    """The position sent from a page of this game; None if it was not signed here for it."""
    try:
        signed_slug, row = signing.loads(token, salt=SALT)
        return serialisation.position_from_json(row) if signed_slug == slug else None
    except (signing.BadSignature, FormatError):
        return None


def guess_from_sheet(sheet: ReadSheet) -> Guess:
    """A player's own orders as a guess. Lines with mistakes go to the bids, where the mistakes are shown."""
    bids = [f"{bid.points}: {bid.order}" for bid in choices.bid_views(sheet.lawful, sheet.position, sheet.variant)]
    unread = [problem.text for problem in sheet.problems]
    chosen = {row.location: row.chosen for row in choices.order_rows(sheet) if row.chosen}
    return Guess(chosen, "\n".join([*bids, *unread]), sheet)


def read_guess(
    orders: Mapping[str, str],
    bids: str,
    power: str,
    position: Position,
    variant: Variant,
    *,
    program: str | None = None,
) -> Guess:
    """The guess in the fields of one power, read as one text; `program` is what a program had guessed, if anything."""
    text = _as_text(orders, bids)
    read = read_once(SentSheet(text), power, position, variant)
    return Guess(orders, bids, read, program is not None and program.split() == text.split())


def with_guesses(guesses: Mapping[str, Guess], seed: int, *, mine: str | None) -> dict[str, Guess]:
    """The guesses, with a program's for every power except `mine` that is empty or was filled in by a program.

    The `seed` must have nothing to do with that of a bot that plays, because its bids are secret.
    """
    return {
        power: guess if power == mine or (guess.text and not guess.by_program) else _program_guess(guess.sheet, seed)
        for power, guess in guesses.items()
    }


def _program_guess(sheet: ReadSheet, seed: int) -> Guess:
    power, position, variant = sheet.power, sheet.position, sheet.variant
    orders = _program_guesses(choices.position_key(position), variant.ref, seed)[power]
    return replace(guess_from_sheet(sheet_from_orders(orders, power, position, variant)), by_program=True)


@lru_cache(maxsize=choices.POSITIONS_KEPT)
def _program_guesses(key: str, slug: str, seed: int) -> dict[str, OrderSheet]:
    """A program's guesses for all powers: everyone who asks about the same position gets the same ones."""
    return bots.guesses(choices.position_from_key(key), find(slug).ruleset, seed)


def _as_text(orders: Mapping[str, str], bids: str) -> str:
    return "\n".join([*filter(None, orders.values()), bids])


def trial(
    position: Position, variant: Variant, guesses: Mapping[str, Guess], *, slug: str, mine: str | None, judging: bool
) -> Trial:
    """The page for these guesses, with a result if it is wanted and there are no mistakes."""
    slips = tuple(slip for guess in guesses.values() for slip in guess.slips)
    result = None
    if judging and not slips:
        sheets = {power: guess.sheet.lawful for power, guess in guesses.items()}
        result = judge.adjudicate(position, sheets, variant.ruleset).public
    kind = position.turn.kind.value
    sides = (_guessed_side(guess, mine=power == mine) for power, guess in guesses.items())
    return Trial(
        code=position.turn.code,
        title=turn_words(position.turn),
        words=words_of_phase_kind(kind),
        one_list=kind in ONE_LIST,
        factions=factions_of(variant),
        token=signed_position(position, slug),
        drawing=drawing_of(position, variant, result.outcomes if result else ()),
        sides=tuple(sorted((side for side in sides if side.controls or side.budget), key=lambda side: not side.mine)),
        minors=choices.minor_choices(position, variant),
        slips=slips,
        judged=_trial_result(result, guesses, position, variant, slug) if result else None,
    )


def _guessed_side(guess: Guess, *, mine: bool) -> GuessedSide:
    sheet = guess.sheet
    kind, ruleset = sheet.position.turn.kind.value, sheet.variant.ruleset
    income = budget(sheet.power, sheet.position, ruleset)
    field = field_name(sheet.power, ORDER_FIELD)
    return GuessedSide(
        power=sheet.variant.power(sheet.power),
        mine=mine,
        controls=tuple(order_controls(choices.order_rows(sheet), guess.orders, field, kind=kind)),
        bids=guess.bids if income or guess.bids else None,
        budget=income,
        given=guess.by_program or bool(sheet.text.strip()),
        program=guess.text if guess.by_program else None,
    )


def _is_quiet(outcome: OrderOutcome, guesses: Mapping[str, Guess]) -> bool:
    """Did a unit hold without being ordered to?"""
    if not isinstance(outcome.order, Hold) or outcome.reason or not has_succeeded(outcome):
        return False
    return outcome.power not in guesses or outcome.order not in guesses[outcome.power].sheet.lawful.orders


def _trial_result(
    result: Public, guesses: Mapping[str, Guess], position: Position, variant: Variant, slug: str
) -> TrialResult:
    next_turn = result.next.turn
    warnings = ((variant.power(power), choices.warning_views(guess.sheet)) for power, guess in guesses.items())
    outcomes = [outcome for outcome in result.outcomes if not _is_quiet(outcome, guesses)]
    return TrialResult(
        warnings=tuple((power, found) for power, found in warnings if found),
        outcomes=outcome_views(outcomes, position, variant),
        notices=notice_views(result.notices, variant),
        verdict=ending_words(result, variant.ruleset),
        following="" if result.verdict else signed_position(result.next, slug),
        following_title=phase_words(next_turn),
    )
