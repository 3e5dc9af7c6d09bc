"""`python -m variants bring`: boards of other programs as the beginning of a facts.yaml."""

from pathlib import Path

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

WESTLAND (WESTERN) ASH &SC
OWNS ASH
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


def test_homes_centres_and_minor_powers_are_brought_from_dpjudge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.map").write_text(DPJUDGE, encoding="utf-8")
    assert main(["bring", str(tmp_path / "small.map")]) == 0
    brought = capsys.readouterr().out
    spaces = yaml.safe_load(brought)["spaces"]
    assert '# For variant.toml: Westland has homes = ["ASH"].' in brought
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
