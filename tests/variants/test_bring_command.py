"""`python -m variants bring`: boards of other programs as the beginning of a facts.yaml."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from variants.__main__ import main

DPJUDGE = """
Ash        = ash ashford
Berg       = brg
Spa        = spa
Spa (nc)   = spa/nc spa(nc)
Spa (sc)   = spa/sc spa(sc)
West Sea   = wes west
South Sea  = sou

COAST ASH ABUTS brg SPA/NC WES
LAND BRG ABUTS ASH SPA
COAST spa ABUTS ASH BRG SOU WES
COAST SPA/NC ABUTS ASH WES
COAST SPA/SC ABUTS SOU
WATER WES ABUTS ASH SPA/NC
WATER SOU ABUTS SPA/SC

BEGIN SPRING 1850 MOVEMENT
VICTORY 3

WESTLAND (WESTERN) ASH &SC
OWNS ASH
A SPA
UNITS
A ASH
F ASH

_MINOR (MINOR)
OWNS SPA
DUMMY
A SPA
"""
JDIP = """<PROVINCES>
  <PROVINCE shortname="ash" fullname="Ash"><UNIQUENAME name="ashford"/>
    <ADJACENCY type="mv" refs="brg spa"/><ADJACENCY type="xc" refs="wes spa-nc"/></PROVINCE>
  <PROVINCE shortname="brg" fullname="Berg"><ADJACENCY type="mv" refs="ash spa"/></PROVINCE>
  <PROVINCE shortname="spa" fullname="Spa"><ADJACENCY type="nc" refs="ash wes"/>
    <ADJACENCY type="sc" refs="sou"/><ADJACENCY type="mv" refs="ash brg"/></PROVINCE>
  <PROVINCE shortname="wes" fullname="West Sea"><UNIQUENAME name="west"/>
    <ADJACENCY type="xc" refs="ash spa-nc"/></PROVINCE>
  <PROVINCE shortname="sou" fullname="South Sea"><ADJACENCY type="xc" refs="spa-sc"/></PROVINCE>
</PROVINCES>
"""
TABLE = """short,name,kind,army,fleet
Ash,Ash,coast,Brg Spa,WES spa/nc
brg,Berg,land,Ash Spa,
Spa,Spa,coast,,
spa/nc,Spa (nc),coast,,WES
spa/sc,Spa (sc),coast,,SOU
WES,West Sea,sea,,
SOU,South Sea,sea,,
"""


@pytest.mark.parametrize(("name", "text"), [("small.map", DPJUDGE), ("small.xml", JDIP), ("small.csv", TABLE)])
def test_names_kinds_borders_and_aliases_are_brought(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["bring", str(tmp_path / name)]) == 0
    facts = yaml.safe_load(capsys.readouterr().out)
    assert list(facts["spaces"]) == ["Ash", "Brg", "Spa", "WES", "SOU"]
    assert facts["spaces"]["WES"] == {"name": "West Sea", "sea": 1, "sites": []}
    assert facts["spaces"]["Spa"]["coasts"] == {"nc": [], "sc": []}
    assert facts["army"].split("\n") == ["Ash: Brg Spa", "Brg: Spa", ""]
    assert facts["fleet"].split("\n") == ["Ash: Spa/nc WES", "SOU: Spa/sc", "Spa/nc: WES", ""]
    assert facts["aliases"] == ({"Ash": ["ashford"], "WES": ["west"]} if "ashford" in text else None)


def test_homes_centres_units_and_minor_powers_are_brought_from_dpjudge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.map").write_text(DPJUDGE, encoding="utf-8")
    assert main(["bring", str(tmp_path / "small.map")]) == 0
    brought = capsys.readouterr().out
    spaces = yaml.safe_load(brought)["spaces"]
    assert '# For variant.toml: Westland has homes = ["ASH"], units = ["F ASH"].' in brought
    assert '# For variant.toml: [minors] has armies = ["SPA"].' in brought
    assert '# For variant.toml: first_turn = "S1850M".' in brought
    assert "# For variant.toml: centres = 3 under [victory]." in brought
    assert (spaces["Ash"]["sc"], "owner" in spaces["Ash"]) == (1, False)
    assert (spaces["Spa"]["sc"], "owner" in spaces["Spa"]) == (1, False)


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.map", "hello", "There is no line like COAST BER ABUTS KIE MUN PRU."),
        ("a.map", "Ash = ash\nCOAST ASH ABUTS BRG", "Line 2: BRG has no name; it needs a line like “Berlin = ber”."),
        ("a.map", "COAST ASH ABUTS BRG", "Line 1: ASH has no name; it needs a line like “Berlin = ber”."),
        ("a.csv", "hello", "Line 1: the columns must be short,name,kind,army,fleet."),
        ("a.csv", TABLE.replace("land", "hill"), "Line 3: brg is land, coast or sea, not “hill”."),
        ("a.csv", TABLE.replace("Ash Spa", "Ash Lisbon"), "Line 3: Brg borders Lisbon, which has no row."),
        ("a.xml", "hello", "This is not XML"),
        ("a.xml", "<A/>", "There is no element PROVINCE with an ADJACENCY."),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(
    name: str, text: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["bring", str(tmp_path / name)]) == 2
    assert fault in capsys.readouterr().err


READ = "What is read: DPjudge’s .map, jDip’s .xml, or a .csv with the columns short,name,kind,army,fleet."
ELSEWHERE = {
    "install.php": ("webDiplomacy’s install.php", "<?php\nInstallTerritory::$Territories=array();"),
    "map.go": ("godip’s map.go", 'return graph.New().\n\t\tProv("nat").Conn("nrg", c.Sea).Flag(c.Sea).'),
    "board.svg": ("an SVG, like DiplomacyGM’s", '<?xml version="1.0"?>\n<svg\n  xmlns="http://www.w3.org/2000/svg"></svg>'),
    "board.xml": ("an SVG, like DiplomacyGM’s", '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"></svg:svg>'),
    "modern.cfg": ("Parlance’s .cfg", "# By Eric\n\n[variant]\nname=modern\n\n[borders]\nADA=AMY ANA ANK, FLT ANA\n"),
    "standard.mdf": ("a map of DAIDE", "MDF (AUS ENG) (((AUS BUD TRI VIE)) (ALB))"),
    "config.json": ("JSON, like DiplomacyGM’s or diplicity’s", '{\n "name": "Imperial", "svg config": {}}'),
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_board_of_another_program_is_recognised_and_answered_with_what_is_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    form, text = ELSEWHERE[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["bring", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err == f"{tmp_path / name}: this looks like {form}, which is not read. {READ}\n"


def test_any_other_file_is_answered_with_what_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "board.zip").write_bytes(bytes(range(256)))
    assert main(["bring", str(tmp_path / "board.zip")]) == 2
    assert capsys.readouterr().err.endswith(f"There is no line like COAST BER ABUTS KIE MUN PRU. {READ}\n")


def brought(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """The facts, and the remarks above them."""
    status = main(["bring", str(path)])
    shown = capsys.readouterr()
    assert status == 0, shown.err
    return yaml.safe_load(shown.out), "".join(line for line in shown.out.splitlines(True) if line.startswith("#"))


def in_file(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    (folder / name).write_bytes(text.encode(encoding))
    return folder / name


def test_neighbours_of_jdip_may_be_called_by_any_name_of_any_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """<PROVINCES><BORDER_DEFINITIONS><BORDER id="ice" description="no way in spring"/></BORDER_DEFINITIONS>
    <PROVINCE shortname="swe" fullname="Sweden" borders="ice"><ADJACENCY type="mv" refs="nor"/>
      <ADJACENCY type="xc" refs="channel nor"/></PROVINCE>
    <PROVINCE shortname="nwy1" fullname="Norway"><UNIQUENAME name="nor"/><ADJACENCY type="mv" refs="swe"/>
      <ADJACENCY type="nc" refs="channel swe"/></PROVINCE>
    <PROVINCE shortname="ire" fullname="Ireland"><ADJACENCY type="mv" refs="ire"/>
      <ADJACENCY type="xc" refs="channel"/></PROVINCE>
    <PROVINCE shortname="ch" fullname="Channel"><ADJACENCY type="xc" refs="swe nor-nc ire"/></PROVINCE></PROVINCES>"""
    owners = """<VARIANTS><VARIANT><MAP adjacencyURI="north.xml"/><POWER name="The North"/>
    <SUPPLYCENTER province="swe" homepower="the north"/><SUPPLYCENTER province="nwy1"/></VARIANT></VARIANTS>"""
    in_file(tmp_path, "variants.xml", owners)
    facts, remarks = brought(in_file(tmp_path, "north.xml", text), capsys)
    assert facts["army"].split() == ["Nwy1:", "Swe"]
    assert facts["fleet"].split("\n") == ["CH: Ire Nwy1/nc Swe", "Nwy1/nc: Swe", ""]
    assert [key for key, place in facts["spaces"].items() if "sc" in place] == ["Swe", "Nwy1"]
    assert 'The North has homes = ["SWE"].' in remarks
    assert "Sweden: its borders have rules (ice)." in remarks
    assert "The rule ice was left out: no way in spring." in remarks


START = """<?xml version="1.0"?>
<!DOCTYPE VARIANTS [
  <!ELEMENT VARIANTS (VARIANT+)>
  <!ATTLIST SUPPLYCENTER province CDATA #REQUIRED homepower CDATA "none" owner CDATA "none">
]>
<VARIANTS>
  <VARIANT name="Elsewhere" version="1.0"><MAP adjacencyURI="other.xml"/><POWER name="Nobody" adjective="No"/></VARIANT>
  <VARIANT name="Small" version="1.0"><MAP adjacencyURI="small.xml"/>
    <RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_OWNED"/></RULEOPTIONS>
    <POWER name="Westland" active="true" adjective="Western" altnames="The West, Westria"/>
    <POWER name="Eastland" active="false" adjective="Eastern"/>
    <STARTINGTIME turn="Spring, 401, Movement"/>
    <VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="3"/><GAME_LENGTH value="35"/></VICTORYCONDITIONS>
    <SUPPLYCENTER province="ash" homepower="westria" owner="the west"/>
    <SUPPLYCENTER province="brg" owner="westland"/>
    <SUPPLYCENTER province="spa"/>
    <SUPPLYCENTER province="spa" homepower="eastland" owner="south"/>
    <INITIALSTATE province="ashford" power="westria" unit="army"/>
    <INITIALSTATE province="spa" power="eastland" unit="fleet" unitcoast="nc"/>
  </VARIANT>
  <VARIANT name="Small, no units" version="1.0"><MAP adjacencyURI="small.xml"/></VARIANT>
</VARIANTS>"""


def test_the_start_of_a_game_of_jdip_is_brought_and_what_is_left_out_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_file(tmp_path, "variants.xml", START)
    _facts, remarks = brought(in_file(tmp_path, "small.xml", JDIP), capsys)
    assert remarks.splitlines() == [
        '# For variant.toml: Westland has homes = ["ASH"], colonies = ["BRG"], units = ["A ASH"].',
        '# For variant.toml: Eastland has homes = ["SPA"], units = ["F SPA/NC"].',
        '# For variant.toml: first_turn = "S401M".',
        "# For variant.toml: centres = 3 under [victory].",
        "# Eastland has no player there; it has one here.",
        "# variants.xml: spa was left out: there is no power south.",
        "# variants.xml: GAME_LENGTH = 35 was left out.",
        "# variants.xml: OPTION_BUILDS = VALUE_BUILDS_ANY_OWNED was left out.",
        "# variants.xml: Small, no units, on the same board, was left out.",
    ]


def test_a_board_of_dpjudge_keeps_what_it_says_and_names_what_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """\N{ZERO WIDTH NO-BREAK SPACE}Burgundy = bur
Marseilles = mar 747 mars?
Yellow Sea = yes
BLUE MAR
ST.GEORGE (ST.GEORGIAN) BUR
UNOWNED NOM
GADGET 7
LAND BUR ABUTS MAR SWI
COAST MAR ABUTS BUR *YES SWI nome
WATER YES ABUTS *MAR NOM
COAST NOM ABUTS YES Marseilles
Switzerland = swi
Nome = nom no
SHUT SWI ABUTS BUR MAR"""
    facts, remarks = brought(in_file(tmp_path, "a.map", text), capsys)
    assert [*facts["spaces"]] == ["Bur", "Mar", "YES", "Nom"]
    assert facts["army"].split("\n") == ["Bur: Mar", "Mar: Nom", ""]
    assert facts["fleet"].split("\n") == ["Mar: YES", "Nom: Mar YES", ""]
    assert facts["aliases"] == {"Mar": ["747", "mars?"], "Nom": ["no"]}
    assert (facts["spaces"]["Nom"]["sc"], "owner" in facts["spaces"]["Nom"]) == (1, False)
    assert 'Blue has homes = ["MAR"]' in remarks
    assert 'St.George has homes = ["BUR"]' in remarks
    assert "# Line 7 was left out: GADGET 7" in remarks
    assert (
        "# Nome borders Marseilles for fleets, but not the other way round; a border has no direction here." in remarks
    )
    assert "# Switzerland is impassable, so it is no space." in remarks


def test_a_board_that_builds_on_another_is_brought_with_it_or_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = in_file(tmp_path, "more.map", "MAP Small\nEASTLAND (EASTERN) BRG\n")
    assert main(["bring", str(file)]) == 2
    assert "Line 1: this board builds on Small.map, which must be in the same folder." in capsys.readouterr().err
    in_file(tmp_path, "small.map", DPJUDGE)
    facts, remarks = brought(file, capsys)
    assert facts["spaces"]["Brg"]["sc"] == 1
    assert "Eastland has homes" in remarks
    assert main(["bring", str(in_file(tmp_path, "small.map", "USE more.map"))]) == 2
    assert "more.map, line 1: Small.map is used twice." in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_a_table_may_come_from_a_spreadsheet(encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TABLE.replace(",", ";").replace("Berg", "Bergö")
    facts, _remarks = brought(in_file(tmp_path, "small.csv", text, encoding), capsys)
    assert facts["spaces"]["Brg"]["name"] == "Bergö"
    assert facts["army"].split("\n") == ["Ash: Brg Spa", "Brg: Spa", ""]
