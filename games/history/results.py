"""Public results and positions in words."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from adjudication.notation import parse_order, write_order
from adjudication.position import Position
from adjudication.relations import stance_of
from adjudication.resolution import Notice, NoticeKind, OrderOutcome, Public
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit
from games.history import parts
from games.kernel import codec
from games.kernel.languages import later
from games.kernel.models import Amendment, Phase, Result, Undoing
from games.kernel.queries import phase_head
from variants.maps import MINOR, colour_of, has_succeeded
from variants.variant import PowerInfo, Variant
from variants.words import ending_words, say
from variants.words.messages import worded
from variants.words.orders import pretty_order, unit_words

MINORS_NAME, MINORS = later("Minor powers"), later("the minor powers")
NO_BOTS: Mapping[str, str] = {}


def result_view(
    result: Result,
    public: Public,
    variant: Variant,
    *,
    amended: bool = True,
    mine: str | None = None,
    bots: Mapping[str, str] = NO_BOTS,
) -> parts.ResultView:
    """What happened in the phase of this result, minor powers last; `public` is its content. `amended`: has the game
    any amendments? `mine`: the viewer's power, which comes first. `bots`: power -> the level of the bot that played
    it."""
    phase, has_relations, rules = result.phase, public.turn.kind is PhaseKind.DECLARATION, variant.ruleset
    position = codec.position_of(phase)
    outcomes = outcome_views(public.outcomes, position, variant)
    sides = tuple(
        parts.SideResult(
            power=power,
            name=_side_name(power, variant),
            called=name_in_sentence(power, variant),
            letter="" if power == NEUTRAL else variant.power(power).letter,
            colour=colour_of(power, variant),
            mine=power == mine,
            bot=bots.get(power, ""),
            outcomes=tuple(outcome for outcome in outcomes if outcome.power == power),
            won=_centres_gained(power, position, public.next, variant, _("{centre} (from {power})")),
            lost=_centres_gained(power, public.next, position, variant, _("{centre} (to {power})")),
            notices=_notice_sentences(power, public, variant),
            missed=power in result.missed,
        )
        for power in sorted([*(power.id for power in variant.powers), NEUTRAL], key=lambda power: power != mine)
    )
    amendments = sorted(phase.amendments.all(), key=attrgetter("pk")) if amended else ()
    corrections = groupby(amendments, key=lambda each: (each.power, each.reason))  # those made together share a reason
    return parts.ResultView(
        head=phase_head(phase),
        outcomes=outcomes,
        sides=tuple(side for side in sides if side.mine or side.had_part),
        quiet=tuple(side for side in sides if not (side.mine or side.had_part)),
        general=tuple(say(it, rules) for it in public.notices if it.power is None),
        notices=notice_views(public.notices, variant),
        missed=tuple(result.missed),
        relations=relations_view(public.next, variant) if has_relations else None,
        verdict=ending_words(public, rules),
        amendments=tuple(
            " ".join((*(words_of_amendment(each, position, variant) for each in group), reason))
            for (_power, reason), group in corrections
        ),
        sealed_record=sealed_code(phase),
    )


def _notice_sentences(power: str, content: Public, variant: Variant) -> tuple[str, ...]:
    """The notices about a power, without those about centres, which are listed elsewhere. They appear below the power's
    name, so they don't repeat it."""
    own = (it for it in content.notices if it.power == power and it.kind != NoticeKind.CENTRE_TAKEN)
    name = "" if power == NEUTRAL else variant.power(power).name
    return tuple(capfirst(say(it, variant.ruleset).removeprefix(f"{name}: ")) for it in own)


def _centres_gained(power: str, before: Position, after: Position, variant: Variant, message: str) -> tuple[str, ...]:
    """The supply centres that the power has only in the position `after`, as in "Warsaw (from Poland)"."""
    gained = [centre for centre in after.centres_of(power) if before.centres.get(centre) != power]
    return tuple(_centre_gained(centre, before.centres.get(centre), variant, message) for centre in sorted(gained))


def _centre_gained(centre: str, loser: str | None, variant: Variant, message: str) -> str:
    name = variant.ruleset.board.name(centre)
    return message.format(centre=name, power=variant.power(loser).called) if loser and loser != NEUTRAL else name


def name_in_sentence(power: str, variant: Variant) -> str:
    """The power's name within a sentence, as in "France", "the minor powers"."""
    return MINORS if power == NEUTRAL else variant.power(power).called


def why_undone(act: Undoing, rules: Ruleset | None) -> str:
    """The reason and, before it, what was corrected."""
    if not act.corrected or rules is None:
        return act.reason
    power = MINORS if act.corrected == NEUTRAL else rules.called[act.corrected]
    message = (
        _("The orders and bids of {power} were corrected. {reason}")
        if act.bids
        else _("The orders of {power} were corrected. {reason}")
    )
    return message.format(power=power, reason=act.reason)


def _side_name(power: str, variant: Variant) -> str:
    return MINORS_NAME if power == NEUTRAL else variant.power(power).name


def words_of_amendment(amendment: Amendment, position: Position, variant: Variant) -> str:
    """A correction in words, as in "A Mun–Cze of Germany counts as A Mun H." or "… does not count."."""
    rules = variant.ruleset

    def order_words(text: str) -> str:
        order = parse_order(text, position, rules, "" if amendment.power == NEUTRAL else amendment.power)
        return pretty_order(order, position, rules.board)

    name = _("a minor power") if amendment.power == NEUTRAL else variant.power(amendment.power).name
    before, after = (order_words(each) if each else "" for each in (amendment.was, amendment.instead))
    if not before:
        message = _("{instead} of {power} counts as well.")
    elif after:
        message = _("{order} of {power} counts as {instead}.")
    else:
        message = _("{order} of {power} does not count.")
    return message.format(order=before, power=name, instead=after)


def outcome_views(
    outcomes: Iterable[OrderOutcome], position: Position, variant: Variant
) -> tuple[parts.OutcomeView, ...]:
    """The outcomes of orders given in this position, with those of minor powers last."""
    return tuple(
        parts.OutcomeView(
            power=outcome.power,
            power_name=_side_name(outcome.power, variant),
            text=pretty_order(outcome.order, position, variant.ruleset.board),
            order=write_order(outcome.order, position),
            results=tuple(result.value for result in outcome.results),
            succeeded=has_succeeded(outcome),
            sentence=say(outcome, variant.ruleset),
            told=outcome,
        )
        for outcome in sorted(outcomes, key=lambda outcome: outcome.power == NEUTRAL)
    )


def notice_views(notices: Iterable[Notice], variant: Variant) -> tuple[parts.NoticeView, ...]:
    rules = variant.ruleset
    return tuple(parts.NoticeView(str(it.kind), it.power, it.province, say(it, rules), it) for it in notices)


def position_lines(position: Position, variant: Variant) -> tuple[parts.PowerPosition, ...]:
    """Units and centres of every power in the variant's order, then the units of the minor powers."""
    powers = tuple(_power_position(power.id, power.name, power.letter, position, variant) for power in variant.powers)
    minors = _power_position(NEUTRAL, MINORS_NAME, "", position, variant)
    return (*powers, minors) if minors.units else powers


def _power_position(power: str, name: str, letter: str, position: Position, variant: Variant) -> parts.PowerPosition:
    rules, board = variant.ruleset, variant.ruleset.board
    homes = () if power == NEUTRAL else rules.builds.homes(power, Situation(position, rules))
    dislodged = tuple(item.unit for item in position.dislodged if item.unit.power == power)
    return parts.PowerPosition(
        power=power,
        name=name,
        letter=letter,
        colour=MINOR if power == NEUTRAL else colour_of(power, variant),
        units=tuple(_unit_words(unit, position, variant) for unit in position.units_of(power))
        + tuple(_("{unit} (dislodged)").format(unit=unit_words(unit, board)) for unit in dislodged),
        centres=tuple(sorted(_centre_words(centre, position, variant) for centre in position.centres_of(power))),
        homes=tuple(board.name(home) for home in homes),
    )


def _unit_words(unit: Unit, position: Position, variant: Variant) -> str:
    words = unit_words(unit, variant.ruleset.board)
    idle = unit.province in variant.ruleset.disorder.leaderless(position)
    return _("{unit} (takes no orders)").format(unit=words) if idle else words


def _centre_words(centre: str, position: Position, variant: Variant) -> str:
    """A centre in words, as in "Munich", "Vienna (communist)"."""
    name = variant.ruleset.board.provinces[centre].name
    faction = variant.ruleset.control.factions(position).get(centre)
    return f"{name} ({worded(variant.ruleset.factions[faction])})" if faction else name


def sealed_code(phase: Phase) -> str:
    """The code of the phase's sealed record; "" if it is older than such records."""
    commitment = getattr(phase, "commitment", None)
    return commitment.code if commitment else ""


# What the powers have declared to each other, as everyone may read it.

SYMBOLS = {"war": "×", "alliance": "+"}
NEUTRAL_SYMBOL = "–"


def relations_view(position: Position, variant: Variant, own_power: str | None = None) -> parts.RelationsView | None:
    """A row for each power with its relation to every other one; None in variants without declarations.

    With `own_power`, also this power's stances, except the one with which all powers start.
    """
    stances = variant.ruleset.relations.stances
    if not stances:
        return None
    return parts.RelationsView(
        stances=tuple(parts.StanceView(stance, _symbol_of_stance(stance)) for stance in stances),
        powers=tuple(power.id for power in variant.powers),
        rows=tuple(_relation_row(power, position, variant) for power in variant.powers),
        mine=_stance_lines(own_power, position, variant) if own_power else (),
    )


def stance_towards(other: str, power: str, position: Position, variant: Variant) -> str:
    """A power's current stance towards another; "" in variants without declarations."""
    stances = variant.ruleset.relations.stances
    return stance_of(power, other, position, stances) if stances else ""


def _relation_row(power: PowerInfo, position: Position, variant: Variant) -> parts.RelationRow:
    cells = tuple(_relation_cell(power, other, position, variant) for other in variant.powers)
    return parts.RelationRow(power.id, power.name, power.letter, str(power.colour), cells)


def _relation_cell(power: PowerInfo, other: PowerInfo, position: Position, variant: Variant) -> parts.RelationCell:
    if power.id == other.id:
        return parts.RelationCell(other.id, other.name, "", "")
    stance = stance_towards(other.id, power.id, position, variant)
    return parts.RelationCell(other.id, other.name, stance, _symbol_of_stance(stance))


def _stance_lines(own_power: str, position: Position, variant: Variant) -> tuple[parts.StanceLine, ...]:
    """The powers by this power's stance towards them. Powers without units and centres are left out."""
    living = {unit.power for unit in position.units} | set(position.centres.values())
    others_left = [power for power in variant.powers if power.id != own_power and power.id in living]
    stances = variant.ruleset.relations.stances[1:]
    return tuple(
        parts.StanceLine(
            stance,
            _symbol_of_stance(stance),
            tuple(it.name for it in others_left if stance_towards(it.id, own_power, position, variant) == stance),
        )
        for stance in stances
    )


def _symbol_of_stance(stance: str) -> str:
    return SYMBOLS.get(stance, NEUTRAL_SYMBOL)
