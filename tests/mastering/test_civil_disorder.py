"""The variant's rules do what the page about permanent civil disorder promises."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from adjudication.civil_disorder import CivilDisorder, Independence
from adjudication.judge import adjudicate, put_in_civil_disorder
from adjudication.orders import Declare, OrderSheet
from adjudication.position import Dislodged, Position
from adjudication.relations import stance_of
from adjudication.ruleset import Ruleset
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind
from games.mastering.queries import disorder_sentences
from tests.browsers import address, visitor
from tests.cast import CAROL, TEN
from tests.factories import running_game
from tests.story import Story
from variants.dual_empire.factions import Imbalance
from variants.formal.rules import Silence
from variants.registry import find, offered
from variants.variant import Variant
from variants.words import words_for
from variants.words.orders import unit_words

each_variant = pytest.mark.parametrize("variant", offered(), ids=[variant.slug for variant in offered()])


def first(kind: PhaseKind, position: Position, ruleset: Ruleset) -> Position:
    """The position when the first phase of that kind begins, with no orders until then."""
    while position.turn.kind is not kind:
        position = replace(adjudicate(position, {}, ruleset).public.next, contested=frozenset())
    return position


def at(position: Position, kind: PhaseKind, ruleset: Ruleset) -> Position:
    """The same position in the next phase of that kind."""
    turn = position.turn
    while turn.kind is not kind:
        turn = ruleset.calendar.after(turn)
    return replace(position, turn=turn)


def end_of_year(position: Position, ruleset: Ruleset) -> Position:
    """The position at the end of the year, without any orders."""
    year = position.turn.year
    while position.turn.year == year:
        position = adjudicate(position, {}, ruleset).public.next
    return position


def its_units_stay_and_hold(power: str, before: Position, ruleset: Ruleset) -> None:
    after, _ = put_in_civil_disorder(before, power, ruleset)
    assert after.units == before.units
    assert after.centres == before.centres
    following = adjudicate(after, {}, ruleset).public.next
    assert following.units_of(power) == before.units_of(power)
    beaten, *others = before.units_of(power)
    free = sorted(ruleset.board.army.get(beaten.location, ()) - before.units_by_province().keys())
    dislodged = replace(
        before,
        units=tuple(unit for unit in before.units if unit != beaten),
        dislodged=(Dislodged(beaten, None, tuple(free[:1])),),
    )
    left, _ = put_in_civil_disorder(at(dislodged, PhaseKind.RETREAT, ruleset), power, ruleset)
    assert list(adjudicate(left, {}, ruleset).public.next.units_of(power)) == others


def it_builds_nothing_and_its_surplus_goes(power: str, before: Position, ruleset: Ruleset) -> None:
    bare = replace(before, units=tuple(unit for unit in before.units if unit.power != power))
    after, _ = put_in_civil_disorder(at(bare, PhaseKind.ADJUSTMENT, ruleset), power, ruleset)
    assert not adjudicate(after, {}, ruleset).public.next.units_of(power)
    poor = replace(before, centres={centre: owner for centre, owner in before.centres.items() if owner != power})
    after, _ = put_in_civil_disorder(at(poor, PhaseKind.ADJUSTMENT, ruleset), power, ruleset)
    left = adjudicate(after, {}, ruleset).public.next
    surplus = sum(-count for count in ruleset.builds.centres_minus_units(power, poor).values() if count < 0)
    assert len(left.units_of(power)) == len(before.units_of(power)) - surplus


def its_units_are_gone(power: str, before: Position, ruleset: Ruleset) -> None:
    beaten, *_ = before.units_of(power)
    dislodged = replace(before, dislodged=(Dislodged(beaten, None, ()),))
    after, _ = put_in_civil_disorder(dislodged, power, ruleset)
    assert not after.units_of(power)
    assert after.dislodged == ()


def its_empty_centres_become_minors(power: str, before: Position, ruleset: Ruleset) -> None:
    after, _ = put_in_civil_disorder(before, power, ruleset)
    for centre in before.centres_of(power):
        assert centre not in after.centres
        assert after.unit_at(centre) == Unit(NEUTRAL, UnitKind.ARMY, centre)


def an_occupied_centre_waits_for_fall(power: str, before: Position, ruleset: Ruleset) -> None:
    other = next(one for one in ruleset.powers if one != power)
    centre = next(centre for centre in before.centres_of(power) if ruleset.board.army.get(centre))
    guest = Unit(other, UnitKind.ARMY, centre)
    occupied = replace(before, units=(*(u for u in before.units if u.province != centre), guest))
    after, _ = put_in_civil_disorder(occupied, power, ruleset)
    assert after.centres[centre] == power
    assert end_of_year(after, ruleset).centres[centre] == other
    deserted = replace(after, units=tuple(unit for unit in after.units if unit != guest))
    following = end_of_year(deserted, ruleset)
    assert centre not in following.centres
    assert following.unit_at(centre) == Unit(NEUTRAL, UnitKind.ARMY, centre)


def it_keeps_its_centres_and_never_wins(power: str, before: Position, ruleset: Ruleset) -> None:
    centres = [place.id for place in ruleset.board.provinces.values() if place.centre]
    alone = replace(before, units=before.units_of(power), centres=dict.fromkeys(centres, power))
    for centre in centres:
        letters = ruleset.control.possible_factions(centre, power, ruleset)
        alone = ruleset.control.with_owner(centre, power, letters[0] if letters else "", alone)
    after, _ = put_in_civil_disorder(alone, power, ruleset)
    while after.turn.year == before.turn.year:
        public = adjudicate(after, {}, ruleset).public
        assert public.verdict is None or power not in public.verdict.winners
        after = public.next
    assert set(after.centres_of(power)) == set(centres)


def its_first_armies_are_placed(power: str, before: Position, ruleset: Ruleset) -> None:
    start = find("collapse-of-the-dual-empire").start
    after, _ = put_in_civil_disorder(start, power, ruleset)
    placed = len(adjudicate(after, {}, ruleset).public.next.units_of(power))
    assert placed == len(adjudicate(start, {}, ruleset).public.next.units_of(power)) > len(start.units_of(power))


def its_relations_change_only_for_the_worse(power: str, before: Position, ruleset: Ruleset) -> None:
    other = next(one for one in ruleset.powers if one != power)
    after, _ = put_in_civil_disorder(at(before, PhaseKind.DECLARATION, ruleset), power, ruleset)
    now = after
    for wanted, becomes in (("ALLIANCE", "neutrality"), ("WAR", "war"), ("NEUTRALITY", "war")):
        declared = {other: OrderSheet((Declare(wanted.lower(), power),))}
        public = adjudicate(now, declared, ruleset).public
        assert stance_of(other, power, public.next, ruleset.relations.stances) == becomes
        now = replace(at(public.next, PhaseKind.DECLARATION, ruleset), units=after.units)


CLAIMS: dict[str, Callable[[str, Position, Ruleset], None]] = dict(
    zip(
        (
            *CivilDisorder.permanent_effects,
            Imbalance.permanent_effects[-1],
            Silence.permanent_effects[-1],
            *Independence.permanent_effects,
        ),
        (
            its_units_stay_and_hold,
            it_builds_nothing_and_its_surplus_goes,
            it_keeps_its_centres_and_never_wins,
            its_first_armies_are_placed,
            its_relations_change_only_for_the_worse,
            its_units_are_gone,
            its_empty_centres_become_minors,
            an_occupied_centre_waits_for_fall,
        ),
        strict=True,
    )
)
"""The key of a sentence -> what it promises."""


@each_variant
def test_every_sentence_about_permanent_civil_disorder_is_true_in_its_variant(variant: Variant) -> None:
    ruleset = variant.ruleset
    before = first(PhaseKind.MOVEMENT, variant.start, ruleset)
    power = next(power for power in ruleset.powers if before.units_of(power))
    assert ruleset.disorder.permanent_effects
    for key in ruleset.disorder.permanent_effects:
        CLAIMS[key](power, before, ruleset)


@pytest.mark.django_db
@each_variant
def test_the_page_says_what_happens_in_this_variant_and_in_no_other(variant: Variant) -> None:
    game = running_game(variant=variant.slug, players=TEN[: variant.players])
    power = Story(game).seen_by(CAROL).powers[0]
    page = visitor(CAROL).get(address("disorder", game, power=power.id)).content.decode()
    words = words_for(variant.ruleset)
    said = {key for key in CLAIMS if words.fill(f"for good {key}", {}) in page}
    assert said == set(variant.ruleset.disorder.permanent_effects)


@each_variant
def test_the_page_names_the_units_and_centres_of_this_board(variant: Variant) -> None:
    ruleset = variant.ruleset
    before = first(PhaseKind.MOVEMENT, variant.start, ruleset)
    power = next(power for power in ruleset.powers if before.units_of(power))
    said = " ".join(disorder_sentences(power, before, variant))
    after, _ = put_in_civil_disorder(before, power, ruleset)
    for unit in before.units_of(power):
        assert unit_words(unit, ruleset.board) in said
    assert ("Disbanded" in said) == (not after.units_of(power))
    assert ("New minor powers" in said) == (after.units_of(NEUTRAL) != before.units_of(NEUTRAL))
    for centre in before.centres_of(power):
        assert ruleset.board.name(centre) in said
