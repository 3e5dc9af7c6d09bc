"""The Collapse of the Dual Empire: powers, board, deployment and months."""

from dataclasses import replace

import pytest

from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.notation import read_sheet, write_sheet
from adjudication.options import must_decide, order_options
from adjudication.orders import Build, Hold
from adjudication.position import Position
from adjudication.reasons import Reason
from adjudication.resolution import OrderResult
from adjudication.situation import Situation
from adjudication.turns import PhaseKind, Turn
from adjudication.units import Unit, UnitKind
from tests.variants.dual_empire import BOARD, RULES, START, played, position, problem, problems, sentences, units_of
from variants.words import say

DEPLOYMENT = RULES.special[PhaseKind.DEPLOYMENT]
NEUTRAL = {"BAL", "BRV", "CLU", "DEB", "FIU", "GOR", "MIS", "PRZ", "SZO", "TAR", "ZEN"}
LANDS = {
    "CZECHS": "BOH BRN BRT KOS MOR OLO OST PAR PLZ PRA SLO",
    "GERMANS": "BUR CAR GRA KRU LIN LOW NSU SAL SIL SSU STY TRU TYR UPP UST VIE WSU",
    "MAGYARS": "BAJ BAK BUD DEB KAP MAK MIS NAG PEC PES SZO TIS VAC",
    "POLES": "CRP GOR KRA LEM NBU PRE PRZ SAM SAN TER VIS",
    "RUMANIANS": "BAN BRV CLU ETR MUR ORA SAT SBU TAR WTR",
    "CROATS": "BAL CRO DAL FIU LJU NOV OSI SAR SUB TRI ZAG ZEN",
}
LIST = """
Baj Baja, Bak Bakony, BaL Banja Luka, Ban Banat, Boh Bohemia, Bra Brasov, Bra Bratislava, Brn Brno, Bud Buda, Bur
Burgenland, Car Carinthia, Clu Cluj, Cro Croatia, Crp Carpathians, Dal Dalmatia, Deb Debrecen, ETr East
Transylvania, Fiu Fiume, Gor Gorlice, Gra Graz, Kap Kaposvar, Kos Kosice, Kra Krakow, Kru Krumlov, Lem Lemburg, Lin
Linz, Lju Ljublijana, Low Lower Austria, Mak Mako, Mis Miskovec, Mor Moravia, Mur Mures, Nag Nagykanisza, NBu North
Bukovina, Nov Novi Sad, NSu North Sudetenland, Olo Olomouc, Ora Oradea, Osi Osijek, Ost Ostrava, Par Pardubice, Pec
Pecs, Pes Pest, Plz Plzen, Pra Prague, Pre Presov, Prz Przemysl, Sal Salzburg, Sam Sambor, San San, Sar Sarajevo,
Sat Satu Mare, SBu South Bukovina, Sil Silesia, Slo Slovakia, SSu South Sudetenland, Sty Styria, Sub Subotica, Szo
Szolnok, Tar Targu Mures, Ter Ternopol, Tis Tisza, Tri Trieste, Tru Trutnov, Tyr Tyrol, Upp Upper Austria, Ust Usti,
Vac Vac, Vie Vienna, Vis Vistula, WSu West Sudetenland, WTr West Transylvania, Zag Zagreb, Zen Zenica
"""
"""The published list of abbreviations (rule 12)."""


# Powers and board.


def test_the_participants_are_the_germans_magyars_czechoslovaks_serbo_croats_rumanians_and_poles() -> None:
    assert RULES.powers == ("CROATS", "CZECHS", "GERMANS", "MAGYARS", "POLES", "RUMANIANS")


def test_no_fleets_are_used_on_a_map_without_sea() -> None:
    assert BOARD.fleet == {}
    assert len(BOARD.provinces) == 74
    assert len(BOARD.centres) == 40
    assert sum(map(len, BOARD.army.values())) == 2 * 188
    assert all(not p.kind.takes_fleets for p in BOARD.provinces.values())


def test_rule_12_abbreviations_are_the_published_ones_but_for_the_two_that_share_one() -> None:
    published = [line.split(" ", 1) for line in " ".join(LIST.split()).split(", ")]
    assert len(published) == 74
    ours = {"Brasov": "Brv", "Bratislava": "Brt"}
    board = {province.name: province.abbr for province in BOARD.provinces.values()}
    assert board == {name: ours.get(name, abbr) for abbr, name in published}


def test_home_centres_are_those_of_the_published_list() -> None:
    assert RULES.homes == {
        "CZECHS": ("BOH", "MOR", "PRA", "SLO"),
        "GERMANS": ("BAN", "CRP", "NSU", "PEC", "SAL", "SIL", "STY", "UPP", "VIE"),
        "MAGYARS": ("BAK", "BUD", "MAK", "PES"),
        "POLES": ("KRA", "LEM", "NBU", "PRE"),
        "RUMANIANS": ("ETR", "ORA", "SAT", "WTR"),
        "CROATS": ("CRO", "SAR", "SUB", "TRI"),
    }


def test_d4_the_first_two_of_each_list_are_democratic_and_the_last_two_communist() -> None:
    factions = RULES.control.factions(START)
    assert "".join(factions[p] for p in ("PRA", "BOH", "MOR", "SLO")) == "DDCC"
    assert "".join(factions[p] for p in ("UPP", "STY", "VIE", "SAL")) == "DDCC"
    assert "".join(factions[p] for p in ("BAK", "BUD", "PES", "MAK")) == "DDCC"
    assert "".join(factions[p] for p in ("KRA", "PRE", "LEM", "NBU")) == "DDCC"
    assert "".join(factions[p] for p in ("SAT", "WTR", "ORA", "ETR")) == "DDCC"
    assert "".join(factions[p] for p in ("TRI", "CRO", "SAR", "SUB")) == "DDCC"
    assert {centre for centre, faction in factions.items() if faction == "I"} == {*("NSU", "SIL", "PEC", "CRP", "BAN")}


def test_d5_sal_is_salzburg_and_german_and_sar_is_sarajevo_and_serbo_croat() -> None:
    assert (BOARD.name("SAL"), BOARD.name("SAR")) == ("Salzburg", "Sarajevo")
    assert (START.centres["SAL"], START.centres["SAR"]) == ("GERMANS", "CROATS")


@pytest.mark.parametrize("line", ["CA Bra - Slo", "CA Vie - Bra", "CA Vie S Bra", "Bra H", "ca vie s ca bra - slo"])
def test_d5_bra_alone_is_refused_as_ambiguous_with_both_names(line: str) -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE"]})
    assert problem(line, "GERMANS", november) == (
        "“Bra” could mean Bratislava (Brt) or Brasov (Brv): write the one you mean."
    )


def test_d5_brt_and_brv_and_the_full_names_are_understood() -> None:
    written = {"CA Brt": "BRT", "CA Bratislava": "BRT", "CA Pressburg": "BRT", "CA KOS": "KOS"}
    for text, place in written.items():
        reading = read_sheet(f"PLACE {text}", "CZECHS", START, RULES)
        assert reading.sheet.orders == (Build(UnitKind.ARMY, place, "C"),)
    brasov = {problem(f"PLACE DA {name}", "RUMANIANS", START) for name in ("Brv", "Brasov")}
    assert brasov == {"Brasov is a neutral supply centre, where armies cannot be placed."}


def test_d8_neutral_are_at_most_three_towns_of_a_people_that_touch_neither_german_land_nor_an_imperial_centre() -> None:
    assert len(adjudicate(START, {}, RULES).public.next.units) == len(START.centres) == 29
    assert {*BOARD.centres} - START.centres.keys() == NEUTRAL
    german = {*LANDS["GERMANS"].split(), *RULES.homes["GERMANS"]}
    assert not any(german.intersection(BOARD.army[place]) for place in NEUTRAL)
    assert all(len(NEUTRAL.intersection(land.split())) <= 3 for land in LANDS.values())


# Rule 4: deployment.


def test_before_november_there_is_a_deployment_turn_in_october_1918_in_which_everybody_deploys() -> None:
    assert START.turn.code == "OCT1918P"
    assert (START.turn.title, START.turn.kind_title) == ("October 1918", "Deployment")
    assert set(must_decide(START, RULES)) == set(RULES.powers)


def test_an_imperialist_army_stands_on_each_of_the_five_imperial_centres() -> None:
    assert units_of("GERMANS", START) == ["IA BAN", "IA CRP", "IA NSU", "IA PEC", "IA SIL"]
    assert len(START.units) == 5


def test_each_race_begins_with_two_communist_and_two_democratic_armies_where_it_chose() -> None:
    public = played(
        START,
        {
            "GERMANS": ["PLACE CA Tyr", "PLACE CA Vie", "PLACE DA Low", "PLACE DA Sty"],
            "CZECHS": ["CA Slo", "BUILD CA BRT", "place da pra", "DA Plzen"],
        },
    )
    assert units_of("GERMANS", public.next) == [
        *("IA BAN", "IA CRP", "DA LOW", "IA NSU", "IA PEC", "IA SIL", "DA STY", "CA TYR", "CA VIE")
    ]
    assert units_of("CZECHS", public.next) == ["CA BRT", "DA PLZ", "DA PRA", "CA SLO"]
    placed = [each for each in public.outcomes if each.power == "CZECHS"]
    assert [each.results for each in placed] == [(OrderResult.SUCCEEDS,)] * 4
    assert not any(notice.power in ("GERMANS", "CZECHS") for notice in public.notices)
    assert public.next.turn.code == "NOV1918M"
    assert public.next.centres == START.centres


def test_armies_are_placed_within_the_racial_boundaries_of_the_owning_race_only() -> None:
    for power, land in LANDS.items():
        offered = {place for place, _ in DEPLOYMENT.options(power, Situation(START, RULES))}
        assert offered == {*land.split()} - {"NSU", "SIL", "PEC", "CRP", "BAN"} - NEUTRAL
    assert sorted(place for land in LANDS.values() for place in land.split()) == sorted(BOARD.provinces)
    assert problem("CA Linz", "CZECHS", START) == (
        "Linz is outside your people’s land. You can place armies only there."
    )


def test_nobody_places_a_second_army_in_a_province() -> None:
    assert problem("CA Low\nDA Low", "GERMANS", START) == "You have already placed an army in Lower Austria."
    assert problem("CA Pecs", "MAGYARS", START) == "There is already an army in Pecs."


def test_4a_armies_may_not_be_placed_on_neutral_supply_centres() -> None:
    assert problem("CA Deb", "MAGYARS", START) == "Debrecen is a neutral supply centre, where armies cannot be placed."
    assert "DEB" not in {place for place, _ in DEPLOYMENT.options("MAGYARS", Situation(START, RULES))}


def test_4b_communists_may_not_be_placed_on_democratic_home_centres_and_likewise_democrats() -> None:
    assert problem("CA Pra", "CZECHS", START) == (
        "Prague is a democratic home centre: a communist army cannot be placed there."
    )
    assert problem("DA Vie", "GERMANS", START) == (
        "Vienna is a communist home centre: a democratic army cannot be placed there."
    )
    rows = dict(DEPLOYMENT.options("GERMANS", Situation(START, RULES)))
    assert rows["VIE"] == (Build(UnitKind.ARMY, "VIE", "C"),)
    assert rows["STY"] == (Build(UnitKind.ARMY, "STY", "D"),)
    assert rows["LOW"] == (Build(UnitKind.ARMY, "LOW", "C"), Build(UnitKind.ARMY, "LOW", "D"))


def test_nobody_places_more_than_two_of_a_faction() -> None:
    assert problem("CA Vie\nCA Sal\nCA Low", "GERMANS", START) == "You have only 2 communist armies to place."


def test_nobody_places_imperialist_armies_fleets_or_armies_without_a_faction() -> None:
    say = "Say which army to place: CA (communist) or DA (democratic). Imperialist armies are already on the board."
    assert problem("IA Tyr", "GERMANS", START) == say
    assert problem("A Tyr", "GERMANS", START) == say
    assert problem("F Tri", "CROATS", START) == "There are no fleets in this variant: you can place only armies."


def test_nothing_else_is_ordered_in_the_deployment() -> None:
    (only,) = problems("IA Sil H", "GERMANS", START)
    assert "H" in say(only.why, RULES)
    refusal = DEPLOYMENT.refusal(Hold("SIL"), "GERMANS", Situation(START, RULES))
    assert refusal is not None
    assert refusal.reason is Reason.WRONG_PHASE
    assert problem("WAIVE", "GERMANS", START) == "Deployment: players place armies, as in PLACE CA and the province."


def test_every_placing_that_is_offered_is_accepted_and_the_other_way_round() -> None:
    marks = [(kind, faction) for kind in UnitKind for faction in ("", *RULES.factions)]
    every = [Build(kind, place, faction) for place in sorted(BOARD.provinces) for kind, faction in marks]
    situation = Situation(START, RULES)
    for power in RULES.powers:
        offered = [order for row in order_options(power, START, RULES) for order in row.orders]
        assert offered == [order for order in every if DEPLOYMENT.refusal(order, power, situation) is None]


def test_a_sheet_says_what_is_still_to_be_placed() -> None:
    situation = Situation(START, RULES)

    def missing(text: str) -> tuple[str, ...]:
        return DEPLOYMENT.unfinished(read_sheet(text, "GERMANS", START, RULES).sheet.orders, "GERMANS", situation)

    assert missing("") == ("2 communist armies", "2 democratic armies")
    assert missing("CA Vie\nDA Upp\nDA Sty") == ("1 communist army",)
    assert missing("CA Vie\nCA Sal\nDA Upp\nDA Sty") == ()


def test_a_written_deployment_is_read_back_as_it_was() -> None:
    sheet = read_sheet("CA Vie\nCA Low\nDA Upp\nDA Sty", "GERMANS", START, RULES).sheet
    assert write_sheet(sheet, START) == "BUILD CA VIE\nBUILD CA LOW\nBUILD DA UPP\nBUILD DA STY"
    assert read_sheet(write_sheet(sheet, START), "GERMANS", START, RULES).sheet == sheet


# D1: omissions.


def test_d1_who_writes_nothing_gets_armies_on_the_home_centres_of_their_factions() -> None:
    public = resolve(START, {}, RULES).public
    for power in RULES.powers:
        communist = [c for c in RULES.homes[power] if RULES.control.factions(START)[c] == "C"]
        democratic = [c for c in RULES.homes[power] if RULES.control.factions(START)[c] == "D"]
        placed = {unit for unit in public.next.units_of(power) if unit.faction != "I"}
        assert placed == {
            *(Unit(power, UnitKind.ARMY, place, "C") for place in communist),
            *(Unit(power, UnitKind.ARMY, place, "D") for place in democratic),
        }
    assert public.outcomes == ()
    assert sentences(public)[:2] == [
        "Croats: CA Sar, CA Sub, DA Cro and DA Tri were placed automatically, because no order said where.",
        "Czechs: CA Mor, CA Slo, DA Boh and DA Pra were placed automatically, because no order said where.",
    ]


def test_d1_what_is_left_out_in_part_goes_to_the_free_home_centres_in_alphabetical_order() -> None:
    public = played(START, {"CZECHS": ["CA Slo", "DA Pra"], "MAGYARS": ["CA Baj", "DA Vac"]})
    assert units_of("CZECHS", public.next) == ["DA BOH", "CA MOR", "DA PRA", "CA SLO"]
    assert units_of("MAGYARS", public.next) == ["CA BAJ", "DA BAK", "CA MAK", "DA VAC"]
    assert [say(n, RULES) for n in public.notices if n.power == "CZECHS"] == [
        "Czechs: CA Mor and DA Boh were placed automatically, because no order said where."
    ]
    assert {notice.kind for notice in public.notices} == {"placed"}


def test_d1_with_no_home_centre_left_the_other_provinces_follow_by_their_names() -> None:
    blocked = replace(
        START, units=(*START.units, *(Unit("CROATS", UnitKind.ARMY, place, "C") for place in ("MOR", "SLO")))
    )
    public = played(blocked, {"CZECHS": ["DA Brt", "DA Pra"]})
    assert units_of("CZECHS", public.next) == ["CA BRN", "DA BRT", "CA KOS", "DA PRA"]


def test_d1_what_was_placed_unlawfully_counts_as_left_out() -> None:
    lines = "CA Pra\nCA Brt\nDA Linz\nIA Olo\nDA Boh\nDA Boh"
    reading = read_sheet(lines, "CZECHS", START, RULES)
    assert [each.text for each in reading.problems] == ["CA Pra", "DA Linz", "IA Olo", "DA Boh"]
    after = resolve(START, {"CZECHS": reading.sheet}, RULES).public.next
    assert units_of("CZECHS", after) == ["DA BOH", "CA BRT", "CA MOR", "DA PRA"]


def test_d1_an_unlawful_placing_that_reaches_the_judge_is_told_and_replaced() -> None:
    written = read_sheet("CA Brt", "CZECHS", START, RULES).sheet
    unlawful = written._replace(orders=(Build(UnitKind.ARMY, "PRA", "C"), Build(UnitKind.ARMY, "BRT", "C")))
    public = resolve(START, {"CZECHS": unlawful}, RULES).public
    assert [(each.order, each.results, each.reason) for each in public.outcomes] == [
        (Build(UnitKind.ARMY, "BRT", "C"), (OrderResult.SUCCEEDS,), None),
        (Build(UnitKind.ARMY, "PRA", "C"), (OrderResult.ILLEGAL,), Reason.WRONG_FACTION),
    ]
    assert units_of("CZECHS", public.next) == ["DA BOH", "CA BRT", "CA MOR", "DA PRA"]


def test_d1_armies_of_a_power_given_up_for_good_are_placed_too() -> None:
    alone, _ = put_in_civil_disorder(START, "CZECHS", RULES)
    assert "CZECHS" not in must_decide(alone, RULES)
    after = played(alone, {"MAGYARS": ["CA Baj"]}).next
    assert units_of("CZECHS", after) == ["DA BOH", "CA MOR", "DA PRA", "CA SLO"]


def test_what_one_race_deploys_changes_nothing_for_another() -> None:
    alone = played(START, {"CZECHS": ["CA Brt"]}).next
    beside = played(START, {"CZECHS": ["CA Brt"], "GERMANS": ["CA Low", "DA Tyr"]}).next
    for power in set(RULES.powers) - {"GERMANS"}:
        assert alone.units_of(power) == beside.units_of(power)


# Rule 3: the months.


def codes(first: Turn, count: int) -> list[str]:
    turns = [first]
    while len(turns) < count:
        turns.append(RULES.calendar.after(turns[-1]))
    return [turn.code for turn in turns]


def test_the_first_movement_turn_is_november_1918_and_build_turns_follow_every_second_month() -> None:
    assert codes(START.turn, 34) == [
        *("OCT1918P", "NOV1918M", "NOV1918R", "DEC1918M", "DEC1918R", "DEC1918A"),
        *("JAN1919M", "JAN1919R", "FEB1919M", "FEB1919R", "FEB1919A"),
        *("MAR1919M", "MAR1919R", "APR1919M", "APR1919R", "APR1919A"),
        *("MAY1919M", "MAY1919R", "JUN1919M", "JUN1919R", "JUN1919A"),
        *("JUL1919M", "JUL1919R", "AUG1919M", "AUG1919R", "AUG1919A"),
        *("SEP1919M", "SEP1919R", "OCT1919M", "OCT1919R", "OCT1919A"),
        *("NOV1919M", "NOV1919R", "DEC1919M"),
    ]


def test_d2_centres_are_counted_before_build_turns_only() -> None:
    turns = [Turn.from_code(code) for code in codes(START.turn, 34)]
    assert [turn.code for turn in turns if RULES.calendar.counts_centres(turn)] == [
        *("DEC1918R", "FEB1919R", "APR1919R", "JUN1919R", "AUG1919R", "OCT1919R")
    ]


def test_months_in_which_nobody_is_beaten_or_builds_follow_each_other() -> None:
    november = adjudicate(START, {}, RULES).public.next
    december = adjudicate(november, {}, RULES).public.next
    january = adjudicate(december, {}, RULES).public.next
    assert [p.turn.code for p in (november, december, january)] == ["NOV1918M", "DEC1918M", "JAN1919M"]
    assert january.turn.title == "January 1919"


def test_retreats_follow_any_month_that_needs_them() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "CA STY"], "CZECHS": ["DA LOW"]})
    beaten: Position = adjudicate(
        november,
        {"GERMANS": read_sheet("CA Vie - Low\nCA Sty S CA Vie - Low", "GERMANS", november, RULES).sheet},
        RULES,
    ).public.next
    assert beaten.turn.code == "NOV1918R"
    assert must_decide(beaten, RULES) == ("CZECHS",)
    (retreat,) = order_options("CZECHS", beaten, RULES)
    assert str(retreat.unit) == "DA LOW"
    after = played(beaten, {"CZECHS": ["DA Low - Kru"]}).next
    assert units_of("CZECHS", after) == ["DA KRU"]
