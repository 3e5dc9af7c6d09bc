"""Sentences and facts: each case has its sentence, each sentence its case, and what happened is stored without loss."""

import json
import re
from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from adjudication.errors import NotationError
from adjudication.fitting import Misfit
from adjudication.judge import resolve
from adjudication.notation import parse_order
from adjudication.orders import Build, Convoy, Disband, Hold, Move, OrderSheet, Retreat, Support
from adjudication.possible import Impossible
from adjudication.reasons import AS_WRITTEN, Coded, Facts, Fallen, GivenOrder, Misreading, Reason, UnitOrder
from adjudication.resolution import Notice, NoticeKind, VerdictKind
from adjudication.serialisation import facts_from_json, facts_to_json
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind
from tests.adjudication.boards import STANDARD, position, unit
from tests.adjudication.test_reasons import KINDS as OF_THE_RULES
from tests.adjudication.test_reasons import OF_THE_DISLODGED, declared
from tests.variants.wild import all_that_is_said
from variants.kinds import Ending, PositionChange
from variants.registry import offered, teaching
from variants.variant import Variant
from variants.words import messages, say, words_for
from variants.words.messages import english

FIELD, LETTER, WORD = re.compile(r"({[^{}]*})"), re.compile(r"\w"), re.compile(r"(?<!\w)[a-z]{2,}")
TYPED, TYPED_WITH_QUOTES = re.compile("“[^”]*”"), re.compile("“.*”")
KINDS = (*OF_THE_RULES, *Misfit, *Impossible, *Ending, *PositionChange)
OF_FATES = {Reason.DISLODGED, Reason.DESTROYED, Reason.MINOR_DISBANDED, Reason.DISORDER_DISBANDED}
WITHIN_OTHERS = {
    "did you mean": {"suggestions"},
    "lost fleet": {"unit", "by"},
    **{f"edited {what}": {"place", "now", "was"} for what in ("unit", "centre")},
}
"""Parts of sentences that are no reason’s."""
OF_PHASES = {f"{part} {phase.value}" for part in ("orders", "todo") for phase in PhaseKind}
FOR_GOOD = {
    f"for good {key}" for variant in (*offered(), *teaching()) for key in variant.ruleset.disorder.permanent_effects
}
IDLE = {"idle in disorder": set[str](), "idle in disorder: imbalance": {"count"}}
AIMS = {f"aim {key}": {*facts} for variant in (*offered(), *teaching()) for key, facts in variant.ruleset.victory.aims}
AHEAD = {
    "ahead retreat": {"places", "unit", "place"},
    "ahead disband": {"unit", "place"},
    "ahead retreat or disband": {"places", "unit", "place"},
    "ahead builds": {"units"},
    "ahead builds or waive": {"units"},
    "ahead waive": set[str](),
    "ahead removals": {"places"},
}
OTHERS = {**{key: set[str]() for key in OF_PHASES | FOR_GOOD}, **WITHIN_OTHERS, **IDLE, **AIMS, **AHEAD}
"""Key of what no reason or kind says -> the facts that it may tell."""


def possible_facts(kind: Coded) -> Iterator[tuple[str, set[str]]]:
    """The key of each case, with each set of facts that may come with it."""
    for case, needed, maybe in declared(kind):
        always = needed | (OF_THE_DISLODGED if kind in OF_FATES else set())
        for some in chain.from_iterable(combinations(sorted(maybe), count) for count in range(len(maybe) + 1)):
            yield f"{kind}: {case}" if case else str(kind), always | {*some}


def taken(kind: Coded) -> Iterator[tuple[str, str | None]]:
    """The key and the sentence for each set of facts; None if there is no sentence for it."""
    _, sentences = english()
    for key, facts in possible_facts(kind):
        fitting = (it.template for it in sentences.get(key, ()) if it.fields <= facts)
        yield key, next(fitting, None)


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_has_a_sentence_that_tells_no_other_facts_than_are_declared(kind: Coded) -> None:
    _, sentences = english()
    assert [key for key, sentence in taken(kind) if sentence is None] == []
    for key in {key for key, _ in possible_facts(kind)}:
        known = set[str]().union(*(facts for other, facts in possible_facts(kind) if other == key))
        assert [it.template for it in sentences[key] if not it.fields <= known] == []


def test_no_sentence_is_left_over() -> None:
    _, sentences = english()
    told = {(key, template) for kind in KINDS for key, template in taken(kind)}
    assert {
        (key, it.template)
        for key, found in sentences.items()
        for it in found
        if (key, it.template) not in told and key not in OTHERS
    } == set()


def test_what_no_reason_says_is_there_too_and_tells_no_other_facts() -> None:
    _, sentences = english()
    for key, facts in OTHERS.items():
        assert all(it.fields <= facts for it in sentences[key]), key


def test_what_the_rules_say_becomes_whole_sentences() -> None:
    for said in all_that_is_said():
        sentence = words_for(said.ruleset).say(said.told)
        assert sentence.endswith((".", "?")), said
        assert sentence[0] == sentence[0].upper()
        assert "{" not in sentence


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_sentences_give_examples_of_the_board_at_hand(variant: Variant) -> None:
    rules, examples = variant.ruleset, words_for(variant.ruleset).examples
    seas = [it.id for it in rules.board.provinces.values() if not it.kind.takes_armies]
    units = [*(f"A {it}" for it in rules.board.army), *(f"F {it}" for it in seas)]
    everywhere = position("S1901M", {rules.powers[0]: units})
    orders = {form: parse_order(examples[form], everywhere, rules) for form in ("move", "short", "support")}
    assert orders["move"] == orders["short"]
    assert isinstance(orders["support"], Support)
    if seas:
        assert isinstance(parse_order(examples["convoy"], everywhere, rules), Convoy)
    assert {examples["place"], examples["coast"]} <= set(rules.board.locations)
    assert examples["name"] in say(NotationError(Misreading.NO_PLACE, case="province", typed="X"), rules)


class Dots:
    """A language that has a dot for every letter of a message and keeps its fields."""

    def gettext(self, message: str, /) -> str:
        return "".join(part if FIELD.fullmatch(part) else LETTER.sub("·", part) for part in FIELD.split(message))

    def ngettext(self, one: str, several: str, number: int, /) -> str:
        return f"{number}: {self.gettext(one if number == 1 else several)}"


def test_all_words_but_names_go_through_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "spoken", Dots())
    for said in all_that_is_said():
        spoken = words_for(said.ruleset).say(said.told)
        has_quotes = any(quote in str(fact) for fact in said.facts.values() for quote in "“”")
        typed = TYPED_WITH_QUOTES if has_quotes else TYPED
        sentence = typed.sub("", spoken)
        names = {*WORD.findall(" ".join(place.name for place in said.ruleset.board.provinces.values()))}
        assert {*WORD.findall(sentence)} - names - {"nc", "ec", "sc", "wc"} == set(), sentence


def test_a_number_chooses_between_two_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    bids = [messages.term("bid", points=points, order="A Mun H") for points in (1, 2)]
    assert bids == ["Bid of 1 point: A Mun H", "Bid of 2 points: A Mun H"]
    monkeypatch.setattr(messages, "spoken", Dots())
    assert messages.term("bid", points=2, order="A Mun H") == "2: ··· ·· 2 ······: A Mun H"


def test_what_no_longer_fits_is_told_by_its_code() -> None:
    assert say(Notice("no such kind", None, None), STANDARD) == "No such kind."
    assert say(Notice(NoticeKind.NEW_MINOR, None, None, {"place": "ZZZ"}), STANDARD) == "New minor."


def test_a_unit_that_was_dislodged_tells_the_case_of_its_order_and_then_its_fate() -> None:
    before = position("F1901M", {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"]})
    orders = {
        "FRANCE": OrderSheet((Move("PAR", "LON", via=True),)),
        "GERMANY": OrderSheet((Move("BUR", "PAR"), Support("PIC", "BUR", "PAR"))),
    }
    (beaten, *_) = resolve(before, orders, STANDARD).public.outcomes
    assert say(beaten, STANDARD) == (
        "Paris and London are not adjacent, and no chain of fleets could convoy an army between them. "
        "Dislodged by A Bur–Par."
    )


def test_facts_come_back_from_json_as_they_were() -> None:
    for said in all_that_is_said():
        stored = json.dumps(facts_to_json(said.facts))
        assert facts_from_json({"facts": json.loads(stored)}) == said.facts, said


@pytest.mark.parametrize("helped", [None, unit("GERMANY", "A MUN"), Unit("GERMANS", UnitKind.ARMY, "MUN", "C")])
@pytest.mark.parametrize(
    "order",
    [
        Hold("TYR"),
        Move("TYR", "BOH"),
        Move("TYR", "BUL/EC", via=True),
        Support("TYR", "MUN"),
        Support("TYR", "MUN", "BOH"),
        Convoy("TYR", "MUN", "BOH"),
        Retreat("TYR", "SPA/NC"),
        Disband("TYR"),
        Build(UnitKind.FLEET, "TYR"),
        Build(UnitKind.ARMY, "TYR", "C"),
    ],
)
def test_an_order_within_facts_comes_back_as_it_was(order: UnitOrder, helped: Unit | None) -> None:
    by = GivenOrder(unit("AUSTRIA", "A TYR"), order, helped if isinstance(order, Support | Convoy) else None)
    facts: Facts = {"by": by, "fallen": (Fallen(unit("ITALY", "F ION"), by),)}
    assert facts_from_json({"facts": json.loads(json.dumps(facts_to_json(facts)))}) == facts


def test_a_finished_sentence_is_told_as_it_was_written() -> None:
    facts = facts_from_json({"kind": "centre taken", "sentence": "France takes {Spain}."})
    assert facts == {AS_WRITTEN: "France takes {Spain}."}
    assert say(Notice("centre taken", "FRANCE", "SPA", facts), STANDARD) == "France takes {Spain}."


def test_no_two_kinds_share_a_key() -> None:
    for kinds in ((Reason, Misreading), (NoticeKind, VerdictKind)):
        values = [kind.value for group in kinds for kind in group]
        assert len(values) == len({*values})
