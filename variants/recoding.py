"""Facts in place of finished sentences that older versions stored.

A phase is adjudicated again from its published orders. If the result says the same, its facts replace the sentence; if
it doesn’t, the sentence stays as it was written.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from adjudication.corrections import adjudicate_published
from adjudication.position import Position
from adjudication.reasons import AS_WRITTEN, CASE, Facts
from adjudication.resolution import Notice, OrderOutcome, Public, Verdict
from adjudication.ruleset import Ruleset
from variants.words import say, words_for

T = TypeVar("T", OrderOutcome, Notice, Verdict)


def recoded(public: Public, position: Position, ruleset: Ruleset) -> Public:
    """The result of a phase that began with this position."""
    verdict = public.verdict
    parts: list[OrderOutcome | Notice | Verdict] = [*public.outcomes, *public.notices, *([verdict] if verdict else [])]
    if not any(AS_WRITTEN in each.facts for each in parts):
        return public
    computed = adjudicate_published(position, public.outcomes, ruleset)
    return replace(
        public,
        outcomes=_all_in_facts(public.outcomes, computed.outcomes, ruleset),
        notices=_all_in_facts(public.notices, computed.notices, ruleset),
        verdict=verdict and _in_facts(verdict, [computed.verdict] if computed.verdict else [], ruleset),
    )


def _all_in_facts(told: Sequence[T], known: Sequence[T], ruleset: Ruleset) -> tuple[T, ...]:
    """All items as facts. Items at the same index usually say the same."""
    if len(told) == len(known):
        return tuple([_in_facts(each, [there], ruleset) for each, there in zip(told, known, strict=True)])
    return tuple([_in_facts(each, known, ruleset) for each in told])


def notice_recoded(told: Notice, turn: str, ruleset: Ruleset) -> Notice:
    """A notice from between two phases, of which only the power, the province and a person’s reason are known. `turn`:
    the code of the phase with which it is shown."""
    reason = str(told.facts.get(AS_WRITTEN, "")).partition(" Reason: ")[2]
    known = {"power": told.power, "place": told.province, "turn": turn, "reason": reason}
    facts = {name: fact for name, fact in known.items() if fact}
    return _in_facts(told, (replace(told, facts=each) for each in _cases(told.kind, facts, ruleset)), ruleset)


def verdict_recoded(told: Verdict, kinds: Iterable[str], more: Iterable[Facts], ruleset: Ruleset) -> Verdict:
    """The verdict of a game that did not end with the result of a phase. `kinds`: the possible ones; `more`: facts that
    it may tell besides the winners."""
    found = (
        Verdict(told.winners, kind, facts)
        for kind in kinds
        for each in more
        for facts in _cases(kind, {"powers": told.winners, **each}, ruleset)
    )
    return _in_facts(told, found, ruleset)


def _cases(kind: str, facts: Facts, ruleset: Ruleset) -> Iterator[Facts]:
    """The facts of each sentence of this kind."""
    for key, sentences in words_for(ruleset).sentences.items():
        prefix, _, case = key.partition(": ")
        for sentence in sentences if prefix == kind else ():
            if sentence.fields <= facts.keys():
                named_facts = {name: facts[name] for name in facts if name in sentence.fields}
                yield {**({CASE: case} if case else {}), **named_facts}


def _in_facts(told: T, known: Iterable[T], ruleset: Ruleset) -> T:
    """The known item that says the same."""
    sentence = told.facts.get(AS_WRITTEN)
    return next((each for each in known if say(each, ruleset) == sentence), told) if sentence else told
