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
    """The result of a phase that began with this position, with facts in place of stored sentences."""
    verdict = public.verdict
    parts: list[OrderOutcome | Notice | Verdict] = [*public.outcomes, *public.notices, *([verdict] if verdict else [])]
    if not any(AS_WRITTEN in each.facts for each in parts):
        return public
    result = adjudicate_published(position, public.outcomes, ruleset)
    return replace(
        public,
        outcomes=_all_in_facts(public.outcomes, result.outcomes, ruleset),
        notices=_all_in_facts(public.notices, result.notices, ruleset),
        verdict=verdict and _in_facts(verdict, [result.verdict] if result.verdict else [], ruleset),
    )


def _all_in_facts(items: Sequence[T], candidates: Sequence[T], ruleset: Ruleset) -> tuple[T, ...]:
    """All items as facts. Items at the same index usually say the same."""
    if len(items) == len(candidates):
        return tuple([_in_facts(each, [there], ruleset) for each, there in zip(items, candidates, strict=True)])
    return tuple([_in_facts(each, candidates, ruleset) for each in items])


def notice_recoded(notice: Notice, turn: str, ruleset: Ruleset) -> Notice:
    """A notice from between two phases, in facts. Only the power, the province and a person’s reason are known. `turn`:
    the code of the phase with which it is shown."""
    reason = str(notice.facts.get(AS_WRITTEN, "")).partition(" Reason: ")[2]
    all_facts = {"power": notice.power, "place": notice.province, "turn": turn, "reason": reason}
    facts = {name: fact for name, fact in all_facts.items() if fact}
    return _in_facts(notice, (replace(notice, facts=each) for each in _cases(notice.kind, facts, ruleset)), ruleset)


def verdict_recoded(verdict: Verdict, kinds: Iterable[str], other_facts: Iterable[Facts], ruleset: Ruleset) -> Verdict:
    """The verdict, in facts, of a game that no phase's result ended. `kinds`: the possible ones; `other_facts`: what it
    may tell besides the winners."""
    candidates = (
        Verdict(verdict.winners, kind, facts)
        for kind in kinds
        for each in other_facts
        for facts in _cases(kind, {"powers": verdict.winners, **each}, ruleset)
    )
    return _in_facts(verdict, candidates, ruleset)


def _cases(kind: str, facts: Facts, ruleset: Ruleset) -> Iterator[Facts]:
    """The facts of each sentence of this kind."""
    for key, sentences in words_for(ruleset).sentences.items():
        prefix, _, case = key.partition(": ")
        for sentence in sentences if prefix == kind else ():
            if sentence.fields <= facts.keys():
                named_facts = {name: facts[name] for name in facts if name in sentence.fields}
                yield {**({CASE: case} if case else {}), **named_facts}


def _in_facts(item: T, candidates: Iterable[T], ruleset: Ruleset) -> T:
    """The first candidate that says the same as the item; the item itself if there is none."""
    sentence = item.facts.get(AS_WRITTEN)
    return next((each for each in candidates if say(each, ruleset) == sentence), item) if sentence else item
