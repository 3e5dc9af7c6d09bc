"""Worked examples of a variant's rules: data for the rules page and claims to test the adjudicator.

`examples.toml` in the variant's folder is a list of

    [[example]]
    title = "The Austrian army is bought"
    text = "One to three sentences for players."
    decision = "D5"                 # where the rules page says how an open point is read here; or
    source = "Diplomacy Points 5"   # where the published rules say it: a number or a heading

    phase = "S1926M"                                    # what is judged; everything here may be left out, and
    units = { GERMANY = ["A MUN"], NEUTRAL = ["A AUS", "A CZE"] }     # then phase, units, centers and memory are
    centers = { GERMANY = ["MUN"] }                                   # those of the start
    relations = { "FRANCE GERMANY" = "war" }
    memory = { }                                        # its entries replace those of the start
    dislodged = { ITALY = [{ unit = "A VEN", by = "TYR", retreats = ["ROM"] }] }
    contested = ["PIE"]
    orders = { GERMANY = ["A MUN - CZE"] }
    bids = { GERMANY = [{ points = 1, order = "A AUS S A MUN - CZE" }] }

    results = { "A MUN - CZE" = ["succeeds"], "A AUS S A MUN - CZE" = ["given"] }     # what must come of it
    reasons = { }                                       # order -> reason, as "support cut"; "" for none
    next = "W1926A"                                     # played on, without orders, until this phase; else one phase
    after = { GERMANY = ["A CZE"], ITALY = [] }         # all units of these powers afterwards
    retreats = { "A VEN" = ["ROM"] }                    # all units just dislodged, and where they may go
    centers_after = { GERMANY = ["CZE", "MUN"] }        # all centres of these powers afterwards
    relations_after = { "FRANCE GERMANY" = "neutral" }
    memory_after = { }
    notices = ["The minor power in Czechia is back."]   # all sentences about what happened without an order
    winners = ["GERMANY"]

Every order that is given must have its results. An order is named there as it was given or in canonical text, where
two powers give the same one as in "FRANCE: WAIVE"; a unit without an order holds, as in "A PAR H".
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from adjudication.board import province_of
from adjudication.judge import resolve, with_next_phase
from adjudication.notation import write_order
from adjudication.orders import Order, location_of
from adjudication.position import Position
from adjudication.relations import stance_of
from adjudication.resolution import OrderOutcome, OrderResult, Public
from adjudication.ruleset import Ruleset
from adjudication.serialisation import lists_by_key, position_to_json
from variants.phase_json import BadPhase, OrderedPhase, read_phase
from variants.rulebook import Rulebook
from variants.variant import Variant
from variants.words import say

DESCRIPTION = ("title", "text", "decision", "source")
PHASE = ("phase", "units", "centers", "relations", "memory", "dislodged", "contested", "orders", "bids")
Names: TypeAlias = Mapping[str, Any]
HARM = frozenset({OrderResult.DISLODGED, OrderResult.DESTROYED})
MOST_PHASES = 20


class BadExample(ValueError):
    """An example that can't be played or says too little; the message names it."""


@dataclass(frozen=True, slots=True)
class OrderAsWritten:
    power: str
    text: str
    order: Order


@dataclass(frozen=True, slots=True)
class Example:
    """`decision` and `source`: one of them is "". `claims` are as in the file, with units, centres and orders in one
    spelling."""

    title: str
    text: str
    decision: str
    source: str
    phase: OrderedPhase
    given: tuple[OrderAsWritten, ...]
    claims: Mapping[str, Any]

    @property
    def position(self) -> Position:
        return self.phase.position


def examples_of(variant: Variant) -> tuple[Example, ...]:
    """The examples of a variant; raises BadExample."""
    return read_examples(variant.examples_text, variant.rulebook)


def read_examples(text: str, rulebook: Rulebook) -> tuple[Example, ...]:
    """The examples of an examples.toml, in its order; raises BadExample."""
    entries = tomllib.loads(text).get("example", [])
    examples = tuple(_example(entry, rulebook) for entry in entries)
    titles = [example.title for example in examples]
    for title in titles:
        if titles.count(title) > 1:
            raise BadExample(f"Two examples have the title {title!r}.")
    return examples


def _example(entry: Mapping[str, Any], rulebook: Rulebook) -> Example:
    title = entry.get("title", "")
    if not (title and entry.get("text")):
        raise BadExample(f"An example needs a title and a text: {title or entry}.")
    if bool(entry.get("decision")) is bool(entry.get("source")):
        raise BadExample(f"{title}: An example names either a decision or a source.")
    for key in entry:
        if key not in (*DESCRIPTION, *PHASE, *CLAIMS):
            raise BadExample(f"{title}: {key!r} is not known; there are {', '.join((*DESCRIPTION, *PHASE, *CLAIMS))}.")
    try:
        # The phase as the adjudicator reads it, completed from the start.
        start = position_to_json(rulebook.start)
        centers = lists_by_key((power, centre) for centre, power in rulebook.start.centres.items())
        given_facts = {key: entry[key] for key in PHASE if key in entry}
        phase = read_phase({"units": start["units"], "centers": centers, **given_facts}, rulebook)
    except BadPhase as error:
        raise BadExample(f"{title}: {error}") from error
    example = Example(
        title=title,
        text=entry["text"],
        decision=entry.get("decision", ""),
        source=entry.get("source", ""),
        phase=phase,
        given=tuple(_orders_as_written(entry, phase)),
        claims={key: _in_one_spelling(key, entry[key]) for key in CLAIMS if key in entry},
    )
    results = example.claims.get("results", {})
    for each in example.given:
        if not {each.text, f"{each.power}: {each.text}"} & set(results):
            raise BadExample(f"{title}: “{each.text}” is ordered, and “results” does not name it.")
    return example


def _orders_as_written(entry: Mapping[str, Any], phase: OrderedPhase) -> Iterable[OrderAsWritten]:
    for name, texts in entry.get("orders", {}).items():
        power = name.strip().upper().replace(" ", "_")
        for text, order in zip(texts, phase.sheets[power].orders, strict=True):
            yield OrderAsWritten(power, _in_capitals(text), order)


def _in_capitals(text: str) -> str:
    return " ".join(text.upper().split())


def _in_one_spelling(key: str, claim: Any) -> Any:
    match key:
        case "results" | "reasons":
            return {_in_capitals(order): value for order, value in claim.items()}
        case "after" | "centers_after" | "retreats":
            return {name: sorted(map(_in_capitals, places)) for name, places in claim.items()}
        case "winners":
            return sorted(claim)
    return claim


# The results of an example.


def play(example: Example, ruleset: Ruleset) -> Public:
    """Adjudicate one phase, or as many as lead to the one that the example gives as `next`. Raises BadExample."""
    public = resolve(example.position, example.phase.sheets, ruleset).public
    for _ in range(MOST_PHASES):
        if public.next.turn.code == example.claims.get("next", public.next.turn.code):
            return public
        public = with_next_phase(public, ruleset)
    raise BadExample(f"{example.title}: {example.claims['next']} does not follow within {MOST_PHASES} phases.")


def answers_to_claims(example: Example, public: Public, ruleset: Ruleset) -> dict[str, Any]:
    """The adjudicator's answer to each claim, in the same words: equal to `example.claims` if all are met."""
    played = PlayedExample(example, public, ruleset, ruleset.relations.stances)
    return {key: CLAIMS[key](played, claim) for key, claim in example.claims.items()}


@dataclass(frozen=True, slots=True)
class PlayedExample:
    """An example and its results. Each method answers one kind of claim."""

    example: Example
    public: Public
    ruleset: Ruleset
    stances: tuple[str, ...]

    @property
    def after(self) -> Position:
        return self.public.next

    def results(self, orders: Names) -> dict[str, list[str]]:
        outcomes = {name: named_outcome(name, self.example, self.public) for name in orders}
        return {n: [r.value for r in o.results] if o else ["no such order"] for n, o in outcomes.items()}

    def reasons(self, orders: Names) -> dict[str, str]:
        outcomes = {name: named_outcome(name, self.example, self.public) for name in orders}
        return {name: o.reason.value if o and o.reason else "" for name, o in outcomes.items()}

    def next(self, _: str) -> str:
        return self.after.turn.code

    def units(self, powers: Names) -> dict[str, list[str]]:
        return {power: sorted(map(str, self.after.units_of(power))) for power in powers}

    def retreats(self, _: Names) -> dict[str, list[str]]:
        return {str(dislodged.unit): sorted(dislodged.retreats) for dislodged in self.after.dislodged}

    def centers(self, powers: Names) -> dict[str, list[str]]:
        return {power: sorted(self.after.centres_of(power)) for power in powers}

    def relations(self, pairs: Names) -> dict[str, str]:
        parts = {each: each.partition(" ") for each in pairs}
        return {each: stance_of(power, other, self.after, self.stances) for each, (power, _, other) in parts.items()}

    def memory(self, names: Names) -> dict[str, Any]:
        return {name: self.after.memory.get(name) for name in names}

    def notices(self, _: Sequence[str]) -> list[str]:
        return [say(notice, self.ruleset) for notice in self.public.notices]

    def winners(self, _: Sequence[str]) -> list[str]:
        return sorted(self.public.verdict.winners) if self.public.verdict else []


CLAIMS: Mapping[str, Callable[[PlayedExample, Any], Any]] = {
    "results": PlayedExample.results,
    "reasons": PlayedExample.reasons,
    "next": PlayedExample.next,
    "after": PlayedExample.units,
    "retreats": PlayedExample.retreats,
    "centers_after": PlayedExample.centers,
    "relations_after": PlayedExample.relations,
    "memory_after": PlayedExample.memory,
    "notices": PlayedExample.notices,
    "winners": PlayedExample.winners,
}


def named_outcome(name: str, example: Example, public: Public) -> OrderOutcome | None:
    """The outcome of the order that `results` names so; None without one, or if powers would have to be named."""
    orders = [(g.power, g.order) for g in example.given if name in (g.text, f"{g.power}: {g.text}")]
    outcomes = [
        o for o in public.outcomes if (o.power, o.order) in orders or name in _names_of_outcome(o, example.position)
    ]
    return outcomes[0] if len({outcome.power for outcome in outcomes}) == 1 else None


def _names_of_outcome(outcome: OrderOutcome, position: Position) -> tuple[str, str]:
    text = write_order(outcome.order, position)
    return text, f"{outcome.power}: {text}"


def outcomes_to_show(example: Example, public: Public) -> tuple[OrderOutcome, ...]:
    """The outcomes that the example is about: of the orders given in it, of those it names, of units that were bid for,
    and of units that came to harm."""
    names = {**example.claims.get("results", {}), **example.claims.get("reasons", {})}
    named_outcomes = [named_outcome(name, example, public) for name in names]
    given_orders = [(each.power, each.order) for each in example.given]
    places = {province_of(location_of(bid.order)) for sheet in example.phase.sheets.values() for bid in sheet.bids}
    return tuple(
        outcome
        for outcome in public.outcomes
        if (outcome.power, outcome.order) in given_orders
        or outcome in named_outcomes
        or HARM & set(outcome.results)
        or (outcome.unit and outcome.unit.province in places)
    )
