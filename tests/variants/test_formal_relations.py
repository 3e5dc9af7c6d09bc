"""What powers at war, neutral powers and allies may do to each other in Formal Diplomacy."""

import pytest

from adjudication.board import province_of
from adjudication.orders import Convoy, Move, Support
from adjudication.position import Position
from tests.variants.formal_table import (
    ALLIANCE,
    NEUTRALITY,
    RULES,
    START,
    WAR,
    is_void,
    offered,
    outcome,
    played,
    refusal,
    related,
    sentences,
    standing,
    table,
    told,
)
from variants.words import say

each_stance = pytest.mark.parametrize("stance", [ALLIANCE, NEUTRALITY, WAR])


def sentence(position: Position, power: str, text: str) -> str:
    refused = refusal(position, power, text)
    assert refused is not None
    return say(refused, RULES)


# Enter a province that the other power owns.


@pytest.mark.parametrize(("stance", "void"), [(ALLIANCE, False), (NEUTRALITY, True), (WAR, False)])
def test_you_cannot_enter_a_neutral_powers_home_country_or_any_supply_centers_it_owns(stance: str, void: bool) -> None:
    position = table(
        {"GERMANY": ["A RUH", "A MUN", "F MAO"]}, related(FRANCE_GERMANY=stance), centres={"BEL": "FRANCE"}
    )
    for text in ("A MUN - BUR", "A RUH - BEL", "F MAO - BRE"):
        assert is_void(position, "GERMANY", text) is void
    public = played(position, {"GERMANY": ["A MUN - BUR", "A RUH - BEL", "F MAO - BRE"]})
    assert standing(public, "GERMANY") == (["A MUN", "A RUH", "F MAO"] if void else ["A BEL", "A BUR", "F BRE"])


def test_a_refused_entry_says_whose_land_it_is_and_why_it_is_closed() -> None:
    position = table({"GERMANY": ["A MUN"]})
    expected = "Burgundy belongs to France, which is neutral towards Germany: A Mun may not enter."
    assert sentence(position, "GERMANY", "A MUN - BUR") == expected
    public = played(position, {"GERMANY": ["A MUN - BUR"]})
    assert told(public, "A MUN") == "illegal: closed land"
    assert say(outcome(public, "A MUN"), RULES) == expected


def test_everybody_enters_their_own_land_and_nobodys() -> None:
    position = table({"GERMANY": ["A MUN", "A KIE", "F HOL"]})
    for text in ("A MUN - RUH", "A MUN - BER", "A KIE - HOL", "F HOL - BEL", "F HOL - NTH"):
        assert not is_void(position, "GERMANY", text)


def test_an_army_is_not_landed_on_neutral_land_either() -> None:
    position = table({"ENGLAND": ["A LON", "F ENG"]})
    assert is_void(position, "ENGLAND", "A LON - PIC VIA")
    assert is_void(position, "ENGLAND", "F ENG C A LON - PIC")
    assert not is_void(position, "ENGLAND", "A LON - BEL VIA")
    assert not is_void(position, "ENGLAND", "F ENG C A LON - BEL")


@pytest.mark.parametrize(("stance", "void"), [(WAR, False), (NEUTRALITY, True), (ALLIANCE, True)])
def test_you_can_move_on_any_of_their_pieces_anywhere_even_on_a_neutral_powers_home_area(
    stance: str, void: bool
) -> None:
    position = table({"FRANCE": ["A BOH"], "GERMANY": ["A MUN"]}, related(FRANCE_GERMANY=stance))
    assert is_void(position, "GERMANY", "A MUN - BOH") is void


def test_an_enemy_next_door_opens_no_other_neutral_land() -> None:
    position = table({"FRANCE": ["A BOH"], "GERMANY": ["A MUN"]}, related(FRANCE_GERMANY=WAR))
    assert is_void(position, "GERMANY", "A MUN - TYR")


def test_the_owners_own_unit_opens_nothing() -> None:
    position = table({"AUSTRIA": ["A BOH"], "GERMANY": ["A MUN"]})
    assert is_void(position, "GERMANY", "A MUN - BOH")


# Move to a province that holds their unit.


def attack_on(stance: str, defence: str = "A BEL H") -> dict[str, str]:
    """Germany attacks a French unit in unowned Belgium two to one."""
    position = table({"FRANCE": ["A BEL"], "GERMANY": ["A RUH", "F HOL"]}, related(FRANCE_GERMANY=stance))
    assert not is_void(position, "GERMANY", "A RUH - BEL")
    public = played(position, {"FRANCE": [defence], "GERMANY": ["A RUH - BEL", "F HOL S A RUH - BEL"]})
    return {unit: told(public, unit) for unit in ("A BEL", "A RUH", "F HOL")}


def test_you_cannot_dislodge_an_allys_units_under_any_circumstances() -> None:
    assert attack_on(ALLIANCE) == {"A BEL": "stands", "A RUH": "fails: ally there", "F HOL": "given"}


def test_a_movement_to_a_neutral_that_does_not_move_is_void_and_treated_as_a_hold() -> None:
    assert attack_on(NEUTRALITY) == {"A BEL": "stands", "A RUH": "fails: gave way", "F HOL": "given"}


def test_an_enemy_is_dislodged() -> None:
    assert attack_on(WAR) == {"A BEL": "dislodged: dislodged", "A RUH": "succeeds", "F HOL": "given"}


@each_stance
def test_you_can_order_there_in_the_hope_that_they_are_successful_in_moving_out(stance: str) -> None:
    assert attack_on(stance, "A BEL - PIC") == {"A BEL": "succeeds", "A RUH": "succeeds", "F HOL": "given"}


def test_why_an_allys_unit_and_a_neutral_one_are_not_dislodged_is_told() -> None:
    for stance, words in (
        (ALLIANCE, "A Bel stays, and Germany cannot dislodge it."),
        (NEUTRALITY, "A Bel did not leave, so the move was treated as a hold."),
    ):
        position = table({"FRANCE": ["A BEL"], "GERMANY": ["A RUH"]}, related(FRANCE_GERMANY=stance))
        public = played(position, {"GERMANY": ["A RUH - BEL"]})
        assert say(outcome(public, "A RUH"), RULES) == words


def test_allies_who_move_against_each_other_stay() -> None:
    position = table({"FRANCE": ["A BEL", "A PIC"], "GERMANY": ["A HOL"]}, related(FRANCE_GERMANY=ALLIANCE))
    public = played(position, {"FRANCE": ["A BEL - HOL", "A PIC S A BEL"], "GERMANY": ["A HOL - BEL"]})
    assert [told(public, unit) for unit in ("A BEL", "A HOL")] == ["fails: ally there", "fails: ally there"]


# Bounce each other.


@each_stance
@pytest.mark.parametrize("goal", ["BEL", "SKA"])
def test_everybody_bounces_in_an_unowned_empty_province_and_at_sea(stance: str, goal: str) -> None:
    units = {"BEL": {"FRANCE": ["A BUR"], "GERMANY": ["A RUH"]}, "SKA": {"FRANCE": ["F NTH"], "GERMANY": ["F DEN"]}}[
        goal
    ]
    ((french,), (german,)) = units.values()
    position = table(units, related(FRANCE_GERMANY=stance))
    public = played(position, {"FRANCE": [f"{french} - {goal}"], "GERMANY": [f"{german} - {goal}"]})
    assert [told(public, french), told(public, german)] == ["fails: bounced", "fails: bounced"]
    assert public.next.contested == frozenset({goal})


def test_the_stronger_of_two_neutrals_gets_in_where_nobody_is_dislodged() -> None:
    """D5, the example of the text."""
    position = table({"FRANCE": ["A BUR"], "GERMANY": ["A RUH", "F HOL"]})
    public = played(position, {"FRANCE": ["A BUR - BEL"], "GERMANY": ["A RUH - BEL", "F HOL S A RUH - BEL"]})
    assert [told(public, unit) for unit in ("A BUR", "A RUH", "F HOL")] == ["fails: bounced", "succeeds", "given"]
    assert standing(public, "GERMANY") == ["A BEL", "F HOL"]
    assert standing(public, "FRANCE") == ["A BUR"]
    assert public.next.dislodged == ()


# Cut a support.


@pytest.mark.parametrize(("stance", "cut"), [(ALLIANCE, False), (NEUTRALITY, False), (WAR, True)])
def test_only_an_enemy_cuts_support(stance: str, cut: bool) -> None:
    """Belgium supports a move to Holland, and a German army moves on Belgium."""
    position = table({"FRANCE": ["A BEL", "F NTH"], "GERMANY": ["A RUH"]}, related(FRANCE_GERMANY=stance))
    orders = {"FRANCE": ["A BEL S F NTH - HOL", "F NTH - HOL"], "GERMANY": ["A RUH - BEL"]}
    public = played(position, orders)
    assert told(public, "A BEL") == ("cut: support cut" if cut else "given")


# Support their unit.


@pytest.mark.parametrize(
    ("stance", "void", "are"),
    [(ALLIANCE, False, ""), (NEUTRALITY, True, "neutral towards each other"), (WAR, True, "at war")],
)
def test_support_is_for_allies_alone(stance: str, void: bool, are: str) -> None:
    position = table({"FRANCE": ["A BEL"], "GERMANY": ["A HOL"]}, related(FRANCE_GERMANY=stance))
    for text in ("A HOL S A BEL", "A HOL S A BEL - RUH"):
        if stance == NEUTRALITY and text.endswith("RUH"):
            continue  # void for two reasons
        assert is_void(position, "GERMANY", text) is void
        if void:
            expected = f"Germany and France are {are}: A Hol may not support A Bel."
            assert sentence(position, "GERMANY", text) == expected


def test_a_power_supports_its_own_units() -> None:
    position = table({"GERMANY": ["A MUN", "A KIE"]})
    assert not is_void(position, "GERMANY", "A KIE S A MUN")


def test_support_received_from_an_ally_counts() -> None:
    position = table(
        {"FRANCE": ["A BEL"], "GERMANY": ["A RUH"], "ENGLAND": ["F HOL"]},
        related(FRANCE_GERMANY=WAR, ENGLAND_GERMANY=ALLIANCE),
    )
    public = played(position, {"GERMANY": ["A RUH - BEL"], "ENGLAND": ["F HOL S A RUH - BEL"]})
    assert told(public, "A RUH") == "succeeds"


# Convoy their army.


@pytest.mark.parametrize(
    ("stance", "void", "are"),
    [(ALLIANCE, False, ""), (NEUTRALITY, True, "neutral towards each other"), (WAR, True, "at war")],
)
def test_convoys_are_for_allies_alone(stance: str, void: bool, are: str) -> None:
    position = table({"FRANCE": ["F ENG"], "ENGLAND": ["A LON"]}, related(ENGLAND_FRANCE=stance))
    assert is_void(position, "FRANCE", "F ENG C A LON - BEL") is void
    assert is_void(position, "ENGLAND", "A LON - BEL VIA") is void
    if void:
        expected = f"France and England are {are}: F ENG may not convoy A Lon."
        assert sentence(position, "FRANCE", "F ENG C A LON - BEL") == expected
        assert sentence(position, "ENGLAND", "A LON - BEL VIA") == (
            "There is no chain of your own and allied fleets that could convoy from London to Belgium."
        )
    public = played(position, {"FRANCE": ["F ENG C A LON - BEL"], "ENGLAND": ["A LON - BEL VIA"]})
    assert standing(public, "ENGLAND") == (["A LON"] if void else ["A BEL"])


def test_an_unwanted_convoy_never_happens() -> None:
    """An enemy's fleet cannot convoy an army that means to go by land."""
    position = table({"FRANCE": ["F ENG"], "ENGLAND": ["A BEL"]}, related(ENGLAND_FRANCE=WAR))
    public = played(position, {"FRANCE": ["F ENG C A BEL - PIC"], "ENGLAND": ["A BEL - PIC"]})
    assert [told(public, unit) for unit in ("F ENG", "A BEL")] == ["illegal: not a friend", "succeeds"]


def test_every_fleet_of_a_chain_must_be_a_friends() -> None:
    units = {"ENGLAND": ["A LON", "F ENG"], "FRANCE": ["F MAO"]}
    allied, hostile = (table(units, related(ENGLAND_FRANCE=stance)) for stance in (ALLIANCE, WAR))
    for text in ("A LON - POR VIA", "F ENG C A LON - POR"):
        assert not is_void(allied, "ENGLAND", text)
        assert is_void(hostile, "ENGLAND", text)
    expected = "F ENG is in no chain of fleets that can bring A Lon to Portugal."
    assert sentence(hostile, "ENGLAND", "F ENG C A LON - POR") == expected


def test_a_move_by_sea_that_no_friend_could_bring_about_cannot_be_supported() -> None:
    position = table({"ENGLAND": ["A LON", "F MAO"], "FRANCE": ["F ENG"]}, related(ENGLAND_FRANCE=WAR))
    assert is_void(position, "ENGLAND", "F MAO S A LON - BRE")
    expected = "No friendly fleets could bring A Lon to Brest, so that move cannot be supported."
    assert sentence(position, "ENGLAND", "F MAO S A LON - BRE") == expected
    own = table({"ENGLAND": ["A LON", "F MAO", "F ENG"]}, related(ENGLAND_FRANCE=WAR))
    assert not is_void(own, "ENGLAND", "F MAO S A LON - BRE")


def test_a_fleet_that_supports_the_landing_does_not_convoy_it_as_well() -> None:
    position = table({"ENGLAND": ["A LON", "F ENG"], "GERMANY": ["F NTH"]}, related(ENGLAND_GERMANY=WAR))
    assert is_void(position, "ENGLAND", "F ENG S A LON - BEL")
    with_friend = table({"ENGLAND": ["A LON", "F ENG"], "GERMANY": ["F NTH"]}, related(ENGLAND_GERMANY=ALLIANCE))
    assert not is_void(with_friend, "ENGLAND", "F ENG S A LON - BEL")


# Take their supply centre.


@pytest.mark.parametrize(("stance", "owner"), [(ALLIANCE, "FRANCE"), (WAR, "GERMANY")])
def test_an_allys_center_is_not_taken_by_standing_in_it(stance: str, owner: str) -> None:
    position = table({"GERMANY": ["A PAR"]}, related(FRANCE_GERMANY=stance), "F1901R")
    public = played(position, {})
    assert public.next.centres["PAR"] == owner
    assert standing(public, "GERMANY") == ["A PAR"]
    assert sentences(public) == (["Germany takes Paris from France."] if stance == WAR else [])


def test_a_neutral_powers_center_is_not_taken_even_by_one_that_stands_there_by_right() -> None:
    position = table({"FRANCE": ["A VIE"], "GERMANY": ["A BOH", "A TYR"]}, related(FRANCE_GERMANY=WAR), "F1901M")
    fight = played(position, {"GERMANY": ["A TYR - VIE", "A BOH S A TYR - VIE"]})
    assert told(fight, "A TYR") == "succeeds"
    count = played(fight.next, {})
    assert count.next.unit_at("VIE") is not None
    assert count.next.centres["VIE"] == "AUSTRIA"


def test_a_centre_of_nobody_is_taken() -> None:
    public = played(table({"GERMANY": ["A BEL"]}, turn="F1901R"), {})
    assert public.next.centres["BEL"] == "GERMANY"


# D3: treated as a hold if the neutral does not move.


def test_d3_such_a_move_keeps_nobody_out() -> None:
    """England, at war with France, takes the province that neutral Germany moved to."""
    position = table(
        {"FRANCE": ["A BEL"], "GERMANY": ["A RUH"], "ENGLAND": ["F NTH", "F HOL"]}, related(ENGLAND_FRANCE=WAR)
    )
    orders = {"GERMANY": ["A RUH - BEL"], "ENGLAND": ["F NTH - BEL", "F HOL S F NTH - BEL"]}
    public = played(position, orders)
    assert [told(public, unit) for unit in ("A BEL", "A RUH", "F NTH")] == [
        "dislodged: dislodged",
        "fails: gave way",
        "succeeds",
    ]
    (contest,) = public.contests
    german = next(attack for attack in contest.attacks if attack.unit.power == "GERMANY")
    assert (german.strength, german.prevents) == (0, 0)


def test_d3_even_with_supports_it_attacks_nobody_and_keeps_nobody_out() -> None:
    position = table(
        {"FRANCE": ["A BEL"], "GERMANY": ["A RUH", "A HOL"], "ENGLAND": ["F NTH", "F ENG"]}, related(ENGLAND_FRANCE=WAR)
    )
    orders = {"GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL"], "ENGLAND": ["F NTH - BEL", "F ENG S F NTH - BEL"]}
    public = played(position, orders)
    assert told(public, "F NTH") == "succeeds"


def test_d3_such_a_move_cuts_nothing() -> None:
    position = table(
        {"FRANCE": ["A BEL", "A BUR"], "GERMANY": ["A HOL"], "ENGLAND": ["A RUH"]}, related(ENGLAND_FRANCE=WAR)
    )
    orders = {"FRANCE": ["A BEL S A BUR - RUH", "A BUR - RUH"], "GERMANY": ["A HOL - BEL"]}
    public = played(position, orders | {"ENGLAND": ["A RUH H"]})
    assert told(public, "A BEL") == "given"


def test_d3_if_the_neutral_leaves_the_move_bounces_and_keeps_out_like_any_other() -> None:
    position = table({"FRANCE": ["A BEL"], "GERMANY": ["A HOL"], "ENGLAND": ["F ENG"]})
    orders = {"FRANCE": ["A BEL - PIC"], "GERMANY": ["A HOL - BEL"], "ENGLAND": ["F ENG - BEL"]}
    public = played(position, orders)
    assert [told(public, unit) for unit in ("A BEL", "A HOL", "F ENG")] == [
        "succeeds",
        "fails: bounced",
        "fails: bounced",
    ]
    assert "BEL" in public.next.contested


def test_d3_whether_the_neutral_moves_may_depend_on_others() -> None:
    """Three neutral units in a row all move if the first one does, and all stay if it is stopped."""
    units = {"ENGLAND": ["F DEN"], "GERMANY": ["F HEL"], "FRANCE": ["F HOL"], "RUSSIA": ["F SWE"]}
    chain = {"ENGLAND": ["F DEN - SKA"], "GERMANY": ["F HEL - DEN"], "FRANCE": ["F HOL - HEL"]}
    going = played(table(units), chain)
    assert [told(going, unit) for unit in ("F DEN", "F HEL", "F HOL")] == ["succeeds"] * 3
    stopped = played(table(units), chain | {"RUSSIA": ["F SWE - SKA"]})
    assert [told(stopped, unit) for unit in ("F DEN", "F HEL", "F HOL")] == [
        "fails: bounced",
        "fails: gave way",
        "fails: gave way",
    ]


def test_d3_in_a_circle_of_neutral_units_the_moves_all_succeed() -> None:
    position = table({"ENGLAND": ["F HOL"], "GERMANY": ["F HEL"], "FRANCE": ["F NTH"]})
    orders = {"ENGLAND": ["F HOL - HEL"], "GERMANY": ["F HEL - NTH"], "FRANCE": ["F NTH - HOL"]}
    public = played(position, orders)
    assert [told(public, unit) for unit in ("F HOL", "F HEL", "F NTH")] == ["succeeds"] * 3


def test_d3_a_circle_that_somebody_bounces_out_of_holds() -> None:
    position = table({"ENGLAND": ["F HOL"], "GERMANY": ["F HEL"], "FRANCE": ["F NTH"], "RUSSIA": ["F NWY"]})
    orders = {"ENGLAND": ["F HOL - HEL"], "GERMANY": ["F HEL - NTH"], "FRANCE": ["F NTH - HOL"]}
    public = played(position, orders | {"RUSSIA": ["F NWY - NTH"]})
    assert all("succeeds" not in told(public, unit) for unit in ("F HOL", "F HEL", "F NTH", "F NWY"))
    assert public.next.units == position.units


def test_d3_two_neutrals_that_move_against_each_other_both_hold() -> None:
    position = table({"FRANCE": ["A BEL", "F NTH"], "GERMANY": ["A HOL"]})
    orders = {"FRANCE": ["A BEL - HOL", "F NTH S A BEL - HOL"], "GERMANY": ["A HOL - BEL"]}
    public = played(position, orders)
    assert [told(public, unit) for unit in ("A BEL", "A HOL")] == ["fails: gave way"] * 2


def held_back(french: str) -> dict[str, str]:
    """The Germans move from the Ruhr to Belgium, Munich supports that unit to hold, and the English attack it two to
    one."""
    position = table(
        {"FRANCE": ["A BEL"], "GERMANY": ["A RUH", "A MUN"], "ENGLAND": ["A HOL", "A KIE"]},
        related(ENGLAND_GERMANY=WAR),
    )
    orders = {
        "FRANCE": [french],
        "GERMANY": ["A RUH - BEL", "A MUN S A RUH"],
        "ENGLAND": ["A HOL - RUH", "A KIE S A HOL - RUH"],
    }
    public = played(position, orders)
    return {unit: told(public, unit) for unit in ("A RUH", "A MUN", "A HOL")}


def test_d3_a_unit_whose_move_counts_as_a_hold_is_supported_as_one() -> None:
    assert held_back("A BEL H") == {"A RUH": "fails: gave way", "A MUN": "given", "A HOL": "fails: held off"}


def test_d3_a_support_to_hold_comes_to_nothing_if_the_neutral_leaves_and_the_unit_moves() -> None:
    assert held_back("A BEL - PIC") == {"A RUH": "succeeds", "A MUN": "invalid: unmatched support", "A HOL": "succeeds"}


def test_d3_a_convoyed_army_gives_way_as_well() -> None:
    units = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A BEL"]}
    orders = {"ENGLAND": ["A LON - BEL VIA", "F NTH C A LON - BEL"]}
    stays = played(table(units), orders | {"FRANCE": ["A BEL H"]})
    assert told(stays, "A LON") == "fails: gave way"
    leaves = played(table(units), orders | {"FRANCE": ["A BEL - PIC"]})
    assert told(leaves, "A LON") == "succeeds"


# D4.


def test_d4_a_unit_with_a_void_support_holds_and_may_be_supported() -> None:
    position = table(
        {"FRANCE": ["A BEL", "A BUR"], "GERMANY": ["A RUH", "A HOL"], "ENGLAND": ["F NTH"]}, related(FRANCE_GERMANY=WAR)
    )
    orders = {
        "FRANCE": ["A BEL S F NTH - HOL", "A BUR S A BEL"],
        "GERMANY": ["A RUH - BEL", "A HOL S A RUH - BEL"],
        "ENGLAND": ["F NTH - HOL"],
    }
    public = played(position, orders)
    assert told(public, "A BEL") == "illegal: not a friend"
    assert told(public, "A BUR") == "given"
    assert told(public, "A RUH") == "fails: held off"


def test_d4_a_void_support_adds_nothing() -> None:
    position = table({"FRANCE": ["A BEL"], "GERMANY": ["A RUH"], "ENGLAND": ["F NTH"]}, related(FRANCE_GERMANY=WAR))
    orders = {"GERMANY": ["A RUH - BEL"], "ENGLAND": ["F NTH S A RUH - BEL"]}
    public = played(position, orders)
    assert told(public, "F NTH") == "illegal: not a friend"
    assert told(public, "A RUH") == "fails: held off"
    assert told(public, "A BEL") == "stands"


def test_d4_a_void_convoy_still_occupies_the_fleet() -> None:
    position = table({"FRANCE": ["F ENG"], "ENGLAND": ["A LON"], "GERMANY": ["F NTH"]}, related(FRANCE_GERMANY=WAR))
    public = played(position, {"FRANCE": ["F ENG C A LON - BEL"], "GERMANY": ["F NTH - ENG"]})
    assert told(public, "F ENG") == "illegal: not a friend"
    assert told(public, "F NTH") == "fails: held off"


def test_a_void_move_is_not_supported_but_the_unit_is() -> None:
    position = table({"GERMANY": ["A MUN", "A RUH"]})
    assert is_void(position, "GERMANY", "A RUH S A MUN - BUR")
    assert sentence(position, "GERMANY", "A RUH S A MUN - BUR") == (
        "Burgundy belongs to France, which is neutral towards Germany: A Mun may not enter."
    )
    public = played(position, {"GERMANY": ["A MUN - BUR", "A RUH S A MUN"]})
    assert told(public, "A RUH") == "given"


# D6.


def beaten_in_tyrolia(relations: dict[str, str]) -> tuple[str, ...]:
    position = table({"GERMANY": ["A TYR"], "ITALY": ["A VEN", "A PIE"]}, related(GERMANY_ITALY=WAR, **relations))
    public = played(position, {"ITALY": ["A VEN - TYR", "A PIE S A VEN - TYR"]})
    (beaten,) = public.next.dislodged
    return beaten.retreats


@pytest.mark.parametrize(
    ("stance", "retreats"),
    [(NEUTRALITY, ("MUN",)), (ALLIANCE, ("BOH", "MUN", "TRI", "VIE")), (WAR, ("BOH", "MUN", "TRI", "VIE"))],
)
def test_d6_retreats_obey_the_same_entry_rules(stance: str, retreats: tuple[str, ...]) -> None:
    """Bohemia, Trieste and Vienna are Austrian. Italy is at war with Austria, so it may be in Tyrolia."""
    assert beaten_in_tyrolia({"AUSTRIA_GERMANY": stance, "AUSTRIA_ITALY": WAR}) == retreats


def test_d6_a_retreat_to_neutral_land_is_refused_with_the_reason() -> None:
    position = table({"GERMANY": ["A TYR"], "ITALY": ["A VEN", "A PIE"]}, related(GERMANY_ITALY=WAR, AUSTRIA_ITALY=WAR))
    beaten = played(position, {"ITALY": ["A VEN - TYR", "A PIE S A VEN - TYR"]}).next
    assert is_void(beaten, "GERMANY", "A TYR - BOH")
    expected = "Bohemia belongs to Austria, which is neutral towards Germany: A Tyr may not enter."
    assert sentence(beaten, "GERMANY", "A TYR - BOH") == expected


def test_d6_a_unit_with_no_lawful_retreat_disbands() -> None:
    position = table(
        {"GERMANY": ["A TYR", "A MUN"], "ITALY": ["A VEN", "A PIE"]}, related(GERMANY_ITALY=WAR, AUSTRIA_ITALY=WAR)
    )
    public = played(position, {"ITALY": ["A VEN - TYR", "A PIE S A VEN - TYR"]})
    assert told(public, "A TYR") == "destroyed: destroyed"
    assert public.next.dislodged == ()


def test_d6_an_enemy_that_left_neutral_land_does_not_open_it_to_a_retreat() -> None:
    position = table(
        {"GERMANY": ["A TYR"], "ITALY": ["A VEN", "A PIE"], "RUSSIA": ["A BOH"]},
        related(GERMANY_ITALY=WAR, AUSTRIA_ITALY=WAR, GERMANY_RUSSIA=WAR),
    )
    orders = {"ITALY": ["A VEN - TYR", "A PIE S A VEN - TYR"], "RUSSIA": ["A BOH - SIL"]}
    (beaten,) = played(position, orders).next.dislodged
    assert beaten.retreats == ("MUN",)


# D11.


@pytest.mark.parametrize(("stance", "counts"), [(ALLIANCE, False), (NEUTRALITY, True), (WAR, True)])
def test_d11_a_support_does_not_count_against_an_ally_of_the_supporter(stance: str, counts: bool) -> None:
    position = table(
        {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"], "ITALY": ["A MAR"]},
        related(FRANCE_GERMANY=WAR, FRANCE_ITALY=ALLIANCE, GERMANY_ITALY=stance),
    )
    public = played(position, {"FRANCE": ["A PAR - BUR"], "ITALY": ["A MAR S A PAR - BUR"]})
    assert told(public, "A PAR") == ("succeeds" if counts else "fails: held off")
    if not counts:
        assert say(outcome(public, "A PAR"), RULES) == (
            "Bur was held: 1 against 1, because support does not count against the supporter’s own power or its ally."
        )


# The options.


def test_at_the_start_nothing_is_offered_that_enters_or_helps_another_power() -> None:
    position = table({power: [str(unit) for unit in START.units_of(power)] for power in RULES.powers})
    for power in RULES.powers:
        for order in offered(position, power):
            if isinstance(order, Move):
                owner = RULES.territory.owner(province_of(order.destination), position)
                assert owner in (None, power)
            if isinstance(order, Support | Convoy):
                helped = position.unit_at(order.supported if isinstance(order, Support) else order.army)
                assert helped is not None
                assert helped.power == power
