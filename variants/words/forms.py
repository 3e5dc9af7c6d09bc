"""Facts as sentences need them. After the colon of a field stands the form that is wanted:

place           "Munich"; `short` "Mun"; `to` "to Mun"; `in` "in Mun"; `marked` "Munich (Mun)"; `id` "MUN"
power           "Soviet Union"; `the` "the Soviet Union"; `called` without the article where it takes none
unit            "A Mun"; `owned` with its owner where units share a province, `whose` always; `a` "an army"; `id` as is
order           "A Mun–Cze", with its owner where units share a province
faction         "communist"; `letter` "C"; `mark` "CA (communist)"; `build` "BUILD CA for a communist army"
mark            `a` "a communist army", for "CA"
kind of unit    "army"; `a` "an army"
phase           "Movement"; `orders` what can be ordered in it, `todo` how
turn            "Spring 1926"; `phase` "Spring 1926, movement"
number          "3"; `,` "3,000"; `unit|units` the word that goes with it, see `messages.py`
several         `or`, `and`, `,`, `then`, `else`: as in "Mun, Ruh or Tyr", after the form of each one, as in `short or`;
                `next` for sentences
example         what could be written on this board: see `examples.py`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from adjudication import reasons
from adjudication.reasons import NO_FACTS
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit, unit_from_text
from variants.words import orders
from variants.words.english import listed
from variants.words.messages import EXAMPLE, english, term, worded

if TYPE_CHECKING:
    from variants.words import Words


def fact_words(name: str, fact: Any, form: str, words: Words) -> str:
    """The fact of that name in this form; raises KeyError for a form that it doesn’t have."""
    write = FORMS.get(name, _word_to_look_up)
    if not isinstance(fact, tuple) or isinstance(fact, reasons.GivenOrder | reasons.Fallen | reasons.Edit):
        return write(fact, form, words)
    each, _, join = form.rpartition(" ")
    return listed([write(it, each, words) for it in fact], join or ",")


def _place(location: str, form: str, words: Words) -> str:
    board = words.ruleset.board
    if form == "id":
        return location
    if form == "marked":
        return f"{board.name(location)} ({board.provinces[location].abbr})"
    name = orders.place_words(location, board) if form else board.name(location)
    return term(form, place=name) if form in {"to", "in"} else name


def _power(power: str, form: str, words: Words) -> str:
    name = orders.power_words(power)
    return name_in_sentence(words.called.get(power, name) if form == "called" else f"the {name}") if form else name


def name_in_sentence(name: str) -> str:
    """A power's name within an English sentence, as in "the Soviet Union", in the reader's language."""
    return term("the", name=name.removeprefix("the ")) if name.startswith("the ") else name


def _unit(unit: Unit, form: str, words: Words) -> str:
    board = words.ruleset.board
    if form in {"a", "id"}:
        return _mark(unit.mark, form, words) if form == "a" else str(unit)
    owner = {
        "": "",
        "owned": orders.owner_of_shared(unit.province, {unit.province: unit}, board),
        "whose": f"{orders.power_words(unit.power)} ",
    }
    return owner[form] + orders.unit_words(unit, board)


def _order(given: reasons.GivenOrder, form: str, words: Words) -> str:
    board, units = words.ruleset.board, {it.province: it for it in (given.helped, given.unit) if it}
    return orders.owner_of_shared(given.unit.province, units, board) + orders.order_words(given.order, units, board)


def _fallen(fallen: reasons.Fallen, form: str, words: Words) -> str:
    return words.clause("lost fleet", {"unit": fallen.unit, "by": fallen.by})


def _edit(edit: reasons.Edit, form: str, words: Words) -> str:
    write = edited_unit if edit.what == "unit" else edited_owner
    return words.clause(
        f"edited {edit.what}", {"place": edit.place, "now": write(edit.now, words), "was": write(edit.was, words)}
    )


def edited_unit(text: str, words: Words) -> str:
    """The unit in a changed position, as in "German army", "minor power’s fleet (nc)", "nothing"."""
    power, _, written_unit = text.partition(" ")
    if not written_unit:
        return term("no unit")
    unit = unit_from_text(power, written_unit)
    whose = term(NEUTRAL) if power == NEUTRAL else words.ruleset.names[power][1]
    kind = unit.kind.value
    coast = f" ({unit.location[4:].lower()})" if "/" in unit.location else ""
    if not unit.faction:
        return term(f"{kind} of", whose=whose) + coast
    return term(f"{kind} of faction", whose=whose, faction=worded(words.ruleset.factions[unit.faction])) + coast


def edited_owner(text: str, words: Words) -> str:
    """The owner of a centre in a changed position, as in "Germany", "Germans (communist)", "no one"."""
    power, _, faction = text.partition(" ")
    if power not in words.ruleset.names:
        return term("no owner")
    name = words.ruleset.names[power][0]
    return f"{name} ({worded(words.ruleset.factions[faction])})" if faction else name


def _faction(letter: str, form: str, words: Words) -> str:
    adjective = worded(words.ruleset.factions[letter])
    if form == "build":
        return term("build", order=f"BUILD {letter}A", unit=_mark(f"{letter}A", "a", words))
    return {"": adjective, "letter": letter, "mark": f"{letter}A ({adjective})"}[form]


def _mark(mark: str, form: str, words: Words) -> str:
    """The letters before a unit's place."""
    kind, faction = mark[-1], words.ruleset.factions.get(mark[:-1])
    if faction is None:
        return _kind(kind, form, words)
    return term(f"{'an' if faction[0] in 'aeiou' else 'a'} faction {kind}", faction=worded(faction))


def _kind(kind: str, form: str, words: Words) -> str:
    return term({"": kind, "a": f"a {kind}"}[form])


def _phase_name(kind: str, form: str, words: Words) -> str:
    return words.clause(f"{form} {kind}", NO_FACTS) if form else term(f"name {kind}")


def _turn(code: str, form: str, words: Words) -> str:
    turn = Turn.from_code(code)
    return orders.phase_words(turn) if form == "phase" else orders.turn_words(turn)


def _count(count: int, form: str, words: Words) -> str:
    return format(count, form)


def _typed(text: str, form: str, words: Words) -> str:
    return text


def _example(_: None, form: str, words: Words) -> str:
    return words.examples[form]


def _word_to_look_up(word: Any, form: str, words: Words) -> str:
    return term(word) if word in english()[0] else str(word)


_KINDS: Mapping[Callable[[Any, str, Words], str], frozenset[str]] = {
    _place: reasons.PLACES,
    _power: reasons.POWERS,
    _unit: reasons.UNITS,
    _order: reasons.ORDERS,
    _fallen: reasons.FALLEN,
    _edit: reasons.EDITS,
    _faction: reasons.FACTIONS,
    _count: reasons.COUNTS,
    _kind: frozenset({"kind"}),
    _turn: frozenset({"turn"}),
    _mark: frozenset({"mark"}),
    _typed: frozenset({"typed", "rest", "reason"}),
    _phase_name: frozenset({"phase"}),
    _example: frozenset({EXAMPLE}),
}
FORMS = {name: write for write, names in _KINDS.items() for name in names}
"""Name of a fact -> what writes it; the others are words to look up."""
