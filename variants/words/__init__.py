"""What the rules say, in words: the only place where reasons, kinds of news and their facts become sentences."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from adjudication.board import Board, province_of
from adjudication.errors import NotationError
from adjudication.fitting import SheetWarning
from adjudication.possible import Objection
from adjudication.reasons import AS_WRITTEN, CASE, NO_FACTS, Facts, OrderRefusal
from adjudication.resolution import Notice, OrderOutcome, Public, Verdict
from adjudication.ruleset import Ruleset
from adjudication.serialisation import notice_to_json, public_to_json, verdict_to_json
from variants.words.english import listed
from variants.words.forms import fact_words
from variants.words.messages import Sentence, english, parse_sentences
from variants.words.orders import place_words

Told: TypeAlias = OrderOutcome | Notice | Verdict | OrderRefusal | Objection | NotationError | SheetWarning


class Words:
    """The sentences about one variant. `called`: power -> its name within a sentence."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.called = ruleset.called
        own_sentences = {key: parse_sentences(texts) for key, texts in ruleset.sentences.items()}
        self.sentences: Mapping[str, tuple[Sentence, ...]] = {**english()[1], **own_sentences}

    @cached_property
    def examples(self) -> Mapping[str, str]:
        """Form -> sample order that fits the board, for sentences that say how to write orders. The army is in the
        first home from which two units can work together."""
        board = self.ruleset.board
        homes = [home for power in self.ruleset.powers for home in self.ruleset.homes.get(power, ())]
        triples = (
            (here, there, beside)
            for here in (*homes, *board.army)
            for there in sorted(board.army.get(here, ()))
            for beside in sorted(board.army[there] - {here})
        )
        here, there, beside = next(triples, (board.locations[0],) * 3)
        sea, coast, shore = next(_crossings(board), (here,) * 3)
        split_coast = next((location for location in board.locations if location not in board.provinces), "")
        move = f"A {here} - {there}"
        return {
            "place": here,
            "name": board.name(here),
            "coast": split_coast or there,
            "army": f"A {here}",
            "fleet": f"F {split_coast or sea}",
            "move": move,
            "short": f"A {place_words(here, board)}-{place_words(there, board)}",
            "support": f"A {beside} S {move}",
            "convoy": f"F {sea} C A {coast} - {shore}",
            "condition": f"IF A {here} DISLODGED: {there}, {beside}",
        }

    def say(self, told: Told) -> str:
        """The sentence for people; "" if an order simply succeeded. Raises KeyError if none has these facts."""
        if isinstance(told, OrderOutcome):
            return self._outcome(told) if told.reason else ""
        return self.fill(told.kind if isinstance(told, Notice | Verdict) else told.reason, told.facts)

    def _outcome(self, outcome: OrderOutcome) -> str:
        reason, facts = outcome.reason, outcome.facts
        fate = facts.get("fate")
        if reason is None or fate is None or AS_WRITTEN in facts:
            return self.fill(reason or "", facts)
        cause = self.fill(reason, facts) if reason != fate else ""
        return f"{cause} {self.fill(str(fate), {'dislodged_by': facts['dislodged_by']})}".strip()

    def fill(self, key: str, facts: Facts) -> str:
        """The sentence for a reason or a kind that uses most of these facts. Raises KeyError if there is none."""
        clause = self.clause(key, facts)
        return clause[:1].upper() + clause[1:]

    def clause(self, key: str, facts: Facts) -> str:
        """The sentence of `fill` as a part of another sentence."""
        if AS_WRITTEN in facts:
            return str(facts[AS_WRITTEN])
        case = facts.get(CASE)
        for sentence in self.sentences[f"{key}: {case}" if case else key]:
            if sentence.fields <= facts.keys():
                return "".join(
                    text + (fact_words(name, facts.get(name), form, self) if name else "")
                    for text, name, form in sentence.parts(facts)
                )
        raise KeyError(key)


def _crossings(board: Board) -> Iterator[tuple[str, str, str]]:
    """Seas, each with two of its shores."""
    for sea, places in board.fleet.items():
        shores = sorted({it for it in map(province_of, places) if board.provinces[it].kind.is_shore})
        if board.province(sea).kind.is_water and len(shores) > 1:
            yield sea, shores[0], shores[1]


@lru_cache(maxsize=256)
def words_for(ruleset: Ruleset) -> Words:
    return Words(ruleset)


def say(told: Told, ruleset: Ruleset) -> str:
    """What happened, or why not, in one or two sentences; the code alone where a stored fact no longer fits."""
    try:
        return words_for(ruleset).say(told)
    except (LookupError, TypeError, ValueError):
        return f"{str(told.kind if isinstance(told, Notice | Verdict) else told.reason).capitalize()}."


def permanent_disorder_words(ruleset: Ruleset) -> tuple[str, ...]:
    """What permanent civil disorder does to a power, in sentences that call it "it"."""
    return tuple([words_for(ruleset).fill(f"for good {key}", NO_FACTS) for key in ruleset.disorder.permanent_effects])


def aim_words(ruleset: Ruleset) -> str:
    """What a power needs to win, as in "18 supply centres"."""
    words = words_for(ruleset)
    return listed([words.clause(f"aim {key}", facts) for key, facts in ruleset.victory.aims], "or this")


def ending_words(public: Public, ruleset: Ruleset) -> str:
    """How the game ended with this phase; "" if it didn’t."""
    return say(public.verdict, ruleset) if public.verdict else ""


def told_notice(notice: Notice, ruleset: Ruleset) -> dict[str, Any]:
    """The notice as JSON, with the sentence for people."""
    return {**notice_to_json(notice), "sentence": say(notice, ruleset)}


def told_verdict(verdict: Verdict | None, ruleset: Ruleset) -> dict[str, Any] | None:
    return {**verdict_to_json(verdict), "sentence": say(verdict, ruleset)} if verdict else None


def told_public(public: Public, ruleset: Ruleset) -> dict[str, Any]:
    """The result as JSON with sentences. An outcome has every key, even if there is nothing to say."""
    document = public_to_json(public)
    outcomes = [
        {"reason": None, "attacker_from": None, **row, "sentence": say(outcome, ruleset)}
        for row, outcome in zip(document["outcomes"], public.outcomes, strict=True)
    ]
    notices = [told_notice(notice, ruleset) for notice in public.notices]
    return {**document, "outcomes": outcomes, "notices": notices, "verdict": told_verdict(public.verdict, ruleset)}


def as_said(public: Public, ruleset: Ruleset) -> dict[str, Any]:
    """The result as JSON with sentences instead of facts and kinds of verdicts, which older results don’t have."""
    words = told_public(public, ruleset)
    for each in (*words["outcomes"], *words["notices"]):
        each.pop("facts", None)
    verdict = public.verdict and {"winners": list(public.verdict.winners), "sentence": say(public.verdict, ruleset)}
    return {**words, "verdict": verdict}
