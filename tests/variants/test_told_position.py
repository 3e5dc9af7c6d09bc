"""A position as a game master reports it is read line by line, and every mistake is named."""

from __future__ import annotations

import re

import pytest

from adjudication.civil_disorder import disordered_powers
from adjudication.judge import adjudicate
from adjudication.position import Position
from adjudication.units import Unit
from variants.game import Game
from variants.registry import find, offered
from variants.travel import told_position, told_words
from variants.travel.told_position import WrongPosition, read_position
from variants.travel.written_position import blank_form, write_position
from variants.variant import Variant
from variants.words import say

STANDARD = find("standard")
REPORT = """
# Our game by email
== Fall 1903, Movement ==

Austria: A Vie, A Bud
Italy 2: A Ven; F Nap.
- Russia: Army St Petersburg, Fleet Spain (south coast)
Germany: none

Supply Centers:
Austria: Vienna, Budapest
**Italy** (2): Ven, Nap
Russia: StP
Germany: Mun
"""

WRONG = """Summer 1903
Austira: A Vie
Italy: A Wenice, F Nap
Russia: F Mos
Germany: A Nap
France 3: A Par
what is this
Centres:
Italy: Nap, Tyr
Russia: Nap
"""


def mistakes(text: str, variant: Variant = STANDARD) -> dict[int, str]:
    with pytest.raises(WrongPosition) as wrong:
        read_position(text, variant)
    return {line: it.sentence for it in wrong.value.mistakes for line in it.lines or (0,)}


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_the_start_and_what_follows_it_are_read_as_they_are_written(variant: Variant) -> None:
    position: Position = variant.start
    for _ in range(3):
        assert read_position(write_position(position, variant), variant).position == position
        position = adjudicate(position, {}, variant.ruleset).public.next
    assert read_position(blank_form(variant), variant).position == variant.start


def test_a_report_may_be_written_as_people_write_it() -> None:
    position = read_position(REPORT, STANDARD).position
    assert position.turn.code == "F1903M"
    assert [str(unit) for unit in position.units_of("RUSSIA")] == ["A STP", "F SPA/SC"]
    assert position.centres_of("ITALY") == ("NAP", "VEN")
    assert position.centres_of("GERMANY") == ("MUN",)
    assert not position.units_of("GERMANY")


def test_units_may_stand_below_their_power_and_powers_be_abbreviated() -> None:
    below = "Fall 1903\nGer: A Mun F Kie and A Ber\nITA:\nA Ven\nFleet Naples\n\nCentres\nGer:\nMun, Kie\nItaly: Ven"
    position = read_position(below, STANDARD).position
    assert [str(unit) for unit in position.units_of("GERMANY")] == ["A BER", "A MUN", "F KIE"]
    assert [str(unit) for unit in position.units_of("ITALY")] == ["A VEN", "F NAP"]
    assert position.centres_of("GERMANY") == ("KIE", "MUN")
    points = find("1926")
    minors = write_position(points.start, points).replace("Minor powers: ", "Minor powers:\n")
    assert read_position(minors, points).position == points.start


def test_every_line_with_a_mistake_is_named() -> None:
    found = mistakes(WRONG)
    assert "can’t be read" in found[1]
    assert found[2] == "There is no power “Austira” in this variant. Did you mean Austria?"
    assert "Wenice" in found[3]
    assert "cannot be there" in found[4]
    assert "Naples" not in found[5] or "line 3" in found[5]
    assert found[6] == "The line says 3, but lists 1 unit."
    assert "Write a power, a colon" in found[7]
    assert "Correct the others first" in found[9], "there are at most eight sentences"
    corrected = (
        WRONG.replace("Summer 1903", "Spring 1903").replace("A Wenice", "A Venice").replace("Austira", "Austria")
    )
    found = mistakes(corrected)
    assert found[9] == "Tyrolia is not a supply centre."
    assert found[10] == "A supply centre has one owner, but Naples is also on line 9."
    assert "The turn is missing" in mistakes(WRONG.replace("Summer 1903\n", ""))[0]


LONG = "Fall 1903\nItaly: A Ven\nCentres:\nItaly: Ven"


def test_a_line_that_is_too_long_is_refused_and_never_cut() -> None:
    long = LONG.replace("A Ven", f"A Ven, {', '.join(['none'] * 500)}, A Rome")
    assert (
        mistakes(long)[2] == "This line has 3,020 characters; at most 2,000 are allowed. Split it into several lines."
    )
    shorter = long.replace(", none" * 200, "")
    position = read_position(shorter, STANDARD).position
    assert [str(unit) for unit in position.units_of("ITALY")] == ["A ROM", "A VEN"]


@pytest.mark.parametrize(
    "line",
    [f"Italy: A {'x' * 121}", f"Contested: {'y' * 200}", f"In disorder: {'z' * 121}", f"DP:\nItaly: {'1' * 121}"],
)
def test_an_item_that_is_too_long_is_refused_with_what_is_allowed(line: str) -> None:
    found = mistakes(LONG.replace("Centres:", f"{line}\nCentres:"))
    assert "characters; at most 120 are allowed between commas. Put a comma after each item." in " ".join(
        found.values()
    )


def test_spaces_between_words_say_nothing() -> None:
    text = LONG.replace("A Ven", "A Ven, F Nap")
    spaced = text.replace(" ", " \t\u00a0 " * 2_000)
    assert read_position(spaced, STANDARD) == read_position(text, STANDARD)


def test_a_text_of_too_many_characters_or_lines_is_refused() -> None:
    assert mistakes(LONG + "\n" * 600) == {
        0: "The text has 603 lines, but at most 600 are allowed. Put reports in their own field."
    }
    assert "characters, but at most 100,000 are allowed" in mistakes(f"{LONG}\n# {'x' * 100_000}")[0]


def test_a_turn_that_the_variant_does_not_have_is_refused_with_those_it_has() -> None:
    assert "“Spring 1903, movement”" in mistakes("Winter 1903, movement\nItaly: A Ven\nCentres:\n")[1]
    assert "from 1901" in mistakes("Fall 1900\nItaly: A Ven\nCentres:\n")[1]
    assert (
        read_position("Winter 1903\nItaly: A Ven\nCentres:\nItaly: Ven, Rom", STANDARD).position.turn.code == "W1903A"
    )


def test_dislodged_units_retreat_where_the_rules_let_them() -> None:
    text = (
        "Fall 1903, Retreats\nItaly: A Tri\nAustria: A Vie\nDislodged:\nAustria: A Trieste from Venice\n"
        "Contested: Budapest\nCentres:\nItaly: Ven"
    )
    (beaten,) = read_position(text, STANDARD).position.dislodged
    assert (beaten.unit.power, beaten.attacker_from) == ("AUSTRIA", "VEN")
    assert "VEN" not in beaten.retreats
    assert "BUD" not in beaten.retreats
    assert "ALB" in beaten.retreats
    assert "Units are dislodged only" in mistakes(text.replace("Retreats", "Movement"))[0]


def test_a_power_in_disorder_is_out_for_good_by_the_rules_of_its_variant() -> None:
    points = find("1926")
    text = write_position(points.start, points) + "In disorder: Turkey\n"
    told = read_position(text, points)
    assert disordered_powers(told.position) == ("TURKEY",)
    assert not told.position.units_of("TURKEY")
    assert any("disbanded" in say(notice, points.ruleset) for notice in told.notices)
    assert read_position(write_position(told.position, points), points).position == told.position


@pytest.mark.parametrize(
    "variant", [find("balkan-battle"), find("three-way-balkan-battle"), find("ambition-and-empire")]
)
def test_homes_that_powers_have_won_are_read_as_they_are_written(variant: Variant) -> None:
    game = Game(variant)
    while "homes" not in game.position.memory:
        game.push({power: game.bot(power, seed=1) for power in game.deciding})
    for _ in range(3):
        assert read_position(write_position(game.position, variant), variant).position == game.position
        game.push({power: game.bot(power, seed=1) for power in game.deciding})
    assert "#   Homes:" in blank_form(variant)


def test_only_as_many_homes_are_read_as_a_power_can_win() -> None:
    balkan = find("balkan-battle")
    text = write_position(balkan.start, balkan)
    assert read_position(f"{text}Homes:\nTurkey: Con\nAustria: Vie, Bud", balkan).position.memory == {
        **balkan.start.memory,
        "homes": {"AUSTRIA": ["BUD"]},
    }
    lines = len(text.splitlines())
    too_many = mistakes(f"{text}Homes:\nAustria: Budapest, Serbia", balkan)
    assert too_many == {lines + 2: "Austria can have at most 2 homes, and begins with 1 of them."}
    assert mistakes(f"{text}Homes:\nAustria: ADR", balkan)[lines + 2] == "Adriatic Sea is not a supply centre."
    classic = write_position(STANDARD.start, STANDARD)
    assert read_position(f"{classic}Home centres:\nItaly: Rome", STANDARD).position == STANDARD.start
    assert "at most 3 homes" in mistakes(f"{classic}Homes:\nItaly: Tunis", STANDARD)[len(classic.splitlines()) + 2]
    assert "#   Homes:" not in blank_form(STANDARD)


def test_points_that_the_rules_do_not_give_are_a_mistake() -> None:
    points = find("1926")
    text = write_position(points.start, points)
    assert read_position(f"{text}DP:\nGermany: 3\n", points).position == points.start
    lines = len(text.splitlines())
    assert mistakes(f"{text}DP:\nGermany: 5\n", points)[lines + 2].startswith("Germany can’t have 5")


def test_single_places_are_changed_as_on_the_page_of_the_position() -> None:
    position = read_position("MUN unit -\nBER unit GERMANY F BER\nROM centre FRANCE\n", STANDARD).position
    assert position.turn == STANDARD.start.turn
    assert [str(unit) for unit in position.units_of("GERMANY")] == ["F BER", "F KIE"]
    assert position.centres["ROM"] == "FRANCE"
    assert "Kiel" in mistakes("MUN unit GERMANY A KIE")[1] or "two places" in mistakes("MUN unit GERMANY A KIE")[1]


# Reports as game masters, judges and spreadsheets write them: all of them say the same.

SAME = "Fall 1903\nAustria: A Vie, F Tri\nRussia: A Mos, F StP/sc\nCentres:\nAustria: Vie, Tri, Bud\nRussia: Mos, StP"
FORMS = {
    "a unit a line": """Fall 1903
Austria
A Vienna
F Trieste
Russia
A Moscow
F St Petersburg (sc)
Centres
Austria
Vie
Tri
Bud
Russia
Moscow
StP""",
    "a judge's mail": """
Starting position for Fall of 1903.

Austria:   Army  Vienna.
Austria:   Fleet Trieste.
Russia:    Army  Moscow.
Russia:    Fleet St. Petersburg (south coast).

Ownership of supply centers:

Austria:   Budapest, Trieste,
           Vienna.
Russia:    Moscow, St.
           Petersburg.
Unowned:   Serbia, Greece.

Austria:   3 Supply centers,  2 Units:  Builds   1 unit.
Russia:    2 Supply centers,  2 Units:  Builds   0 units.

The next phase of 'lugano' will be Movement for Fall of 1903.""",
    "a forum": """[b][size=120]Fall 1903[/size][/b]
[b]Austria[/b] (Anna): A Vie, F Tri
[b]Russia[/b] (Boris): A Mos, F StP(sc)
[u]Supply centres[/u]
[list][*][b]Austria[/b] (3): Bud, Tri, Vie
[*][b]Russia[/b] (2): Mos, StP
[/list]""",
    "Markdown": """# Fall 1903

## Units

- **Austria:** A Vie, F Tri
- **Russia:** `A Mos`, `F StP/sc`

## Supply centres

| Power | Centres |
|-------|---------|
| Austria | Bud, Tri, Vie |
| Russia | Mos, StP |
""",
    "a spreadsheet": """Fall 1903
Power,Units,Centres
Austria,"A Vie, F Tri","Bud, Tri, Vie"
Russia,"A Mos, F StP/sc","Mos, StP"
""",
    "rows": """Fall 1903
Austria;A;Vie
Austria;F;Tri
Russia;A;Mos
Russia;F;StP/sc
Centres:
Austria;Vie;Tri;Bud
Russia;Mos;StP""",
    "rows with titles": """Fall 1903
Country\tType\tProvince
Austria\tArmy\tVienna
Austria\tFleet\tTrieste
Russia\tArmy\tMoscow
Russia\tFleet\tSt Petersburg/sc
Centres
Austria\tVie\tTri\tBud
Russia\tMos\tStP""",
    "capitals": """FALL 1903
AUSTRIA: A VIE, F TRI
RUSSIA: A MOS, F STP(SC)
SUPPLY CENTRES
AUSTRIA: VIE, TRI, BUD
RUSSIA: MOS, STP""",
    "wrapped": """Fall 1903
Austria: A Vie,
  F Tri
Russia: A Mos, F
  StP/sc
Centres:
Austria: Vie, Tri,
Bud
Russia: Mos,
  StP""",
    "letters": """Fall 1903
A: A(Vie), F(Tri)
R: A(Mos), F(StP sc)
Centres:
A: Vie, Tri, Bud
R: Mos, StP""",
    "other names": """Fall 1903
Austria-Hungary 2: A Vie, F Tri
The Russian: A Mos, F StP-sc
Centres:
Austro-Hungarian: Vie, Tri, Bud
Russian: Mos, StP""",
    "a quotation": """> Fall 1903
> Austria: A Vie, F Tri
> Russia: A Mos, F StP/sc
> Centres:
> Austria: Vie, Tri, Bud
> Russia: Mos, StP""",
    "a column for each power": """Fall 1903
| Austria (Anna) | Russia (Boris) |
|----------------|----------------|
| A Vie          | A Mos          |
| F Tri          | F StP/sc       |
Centres:
| Austria | Russia |
|---------|--------|
| Bud     | StP    |
| Tri     |        |
| Vie     | Mos    |""",
    "columns of a spreadsheet": """Fall 1903
Russia\tAustria
A Mos\tA Vie
F StP/sc\tF Tri
SCs
Russia\tAustria
Mos\tTri
StP\tVie
\tBud""",
    "columns and rows": """Fall 1903
\tAustria\tRussia
Units\tA Vie\tA Mos
\tF Tri\tF StP/sc
Centres\tVie\tMos
\tTri\tStP
\tBud""",
    "columns with commas": """Fall 1903
Power,Austria,Russia
Units,"A Vie, F Tri","A Mos, F StP/sc"
Centres,"Vie, Tri, Bud","Mos, StP"
""",
    "lists by letter": """Fall 1903
Austria:
a. A Vie
b. F Tri
Russia:
a) A Mos
b) F StP/sc
Centres:
Austria: Vie, Tri, Bud
Russia: Mos, StP""",
    "labels on units": """Fall 1903
Austrian A Vie
Austrian F Tri
Russian A Mos
Russian F StP/sc
Centres:
Austria: Vie, Tri, Bud
Russia: Mos, StP""",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_read_in_whatever_form_it_was_written(form: str) -> None:
    assert read_position(FORMS[form], STANDARD) == read_position(SAME, STANDARD)


@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"Markdown", "a forum", "a column for each power"}))
def test_a_report_with_a_word_too_many_is_not_read(form: str) -> None:
    """But in titles, sizes and names of players, which say nothing."""
    text = FORMS[form]
    for at in (found.start() for found in re.finditer(r"(?<![\w.])(?=\w)", text)):
        with pytest.raises(WrongPosition):
            read_position(f"{text[:at]}NOT {text[at:]}", STANDARD)


def test_powers_are_known_by_their_other_names() -> None:
    points = find("1926")
    text = write_position(points.start, points)
    renamed = text.replace("Soviet Union", "USSR", 1).replace("Soviet Union", "Russia").replace("Britain", "UK")
    assert "Soviet" not in renamed
    assert read_position(renamed, points).position == points.start


def test_dislodged_units_may_be_starred_or_told_with_their_retreats() -> None:
    text = "Spring 1903, retreats\nAustria: {}A Vie\nRussia: A Ser\nCentres:\nAustria: Vie\n{}"
    told = [
        text.format("*A Ser, ", ""),
        text.format("A Ser (dislodged), ", ""),
        text.format("A Serbia*, ", ""),
        text.format("", "The Austrian Army in Serbia can retreat to Albania or Greece.\n"),
        text.format("", "Austrian A Serbia can retreat to Albania or OTB.\n"),
    ]
    for each in told:
        (beaten,) = read_position(each, STANDARD).position.dislodged
        assert str(beaten.unit) == "A SER"


def test_orders_without_a_position_are_said_to_be_so_once() -> None:
    orders = "Movement results for Fall of 1903.\nAustria: Army Vienna -> Galicia.\nAustria: F Tri HOLD.\nA Mos - Ukr"
    (only,) = mistakes(orders).values()
    assert only.startswith("This text has orders but no position.")
    both = mistakes(f"{SAME}\nMoves\nAustria: A Vie - Gal\nRussia: A Mos S F StP")
    assert len(set(both.values())) <= 2, "mistakes of one kind are one sentence"


def test_struck_out_units_and_unknown_columns_are_not_read() -> None:
    assert mistakes(SAME.replace("A Vie, F Tri", "[s]A Vie[/s], F Tri"))
    assert mistakes(SAME.replace("A Vie, F Tri", "~~A Vie~~, F Tri"))
    assert mistakes(SAME.replace("A Vie, F Tri", "A V\u0336i\u0336e\u0336, F Tri"))
    assert "Call the columns" in mistakes("Fall 1903\nPower,Mood\nAustria,good")[2]


def test_a_row_with_more_columns_than_powers_or_a_title_of_its_own_is_refused() -> None:
    columns = "Fall 1903\n{},Austria,Russia\n{},A Vie,A Mos\n"
    assert mistakes(columns.format("", "Mood"))[3] == "The row “Mood” can’t be read. Call the rows Units and Centres."
    assert mistakes("Fall 1903\nAustria,Russia\nA Vie,A Mos,A War")[3] == (
        "This row has 3 columns, but there are 2 above it."
    )
    assert "There is no Kiel (ec)" in mistakes("Fall 1903\nAustria,Russia\nF Kie/ec,A Mos")[3]


def test_a_name_of_a_power_and_of_a_place_is_read_as_neither() -> None:
    ambition = find("ambition-and-empire")
    text = f"{write_position(ambition.start, ambition)}Centres:\nAustria\nDenmark\n"
    assert any("could be a power or a place" in it for it in mistakes(text, ambition).values())


def test_minor_powers_that_are_not_named_are_asked_for() -> None:
    points = find("1926")
    whole = write_position(points.start, points)
    silent = "\n".join(line for line in whole.splitlines() if not line.startswith("Minor powers"))
    told = read_position(silent, points)
    assert told.asks_for_minors
    assert told.position == points.start
    as_before = read_position(f"{silent}\nMinor powers: as at the start", points)
    assert (as_before.asks_for_minors, as_before.position) == (False, points.start)
    none = read_position(f"{silent}\nMinor powers: none", points)
    assert not none.asks_for_minors
    assert not none.position.units_of("NEUTRAL")
    assert read_position(write_position(none.position, points), points).position.units == none.position.units
    assert not read_position(SAME, STANDARD).asks_for_minors


TITLED = "Spring 1901, movement\nTurkey:\nA Con\nA Smy\n{title}\nA Par\nF Bre\nCentres:\nTurkey: Con\nFrance: Par\n"


def test_a_title_begins_a_power_or_ends_the_one_before_it() -> None:
    read = read_position(TITLED.format(title="## France"), find("standard")).position
    assert [str(unit) for unit in read.units_of("FRANCE")] == ["A PAR", "F BRE"]
    with pytest.raises(WrongPosition) as refused:
        read_position(TITLED.format(title="## Played by Bob"), find("standard"))
    assert refused.value.mistakes[0].lines == (6, 7)


def test_a_report_with_two_turns_is_refused() -> None:
    with pytest.raises(WrongPosition, match="The text names two turns"):
        read_position(TITLED.format(title="Fall 1902"), find("standard"))


def test_no_more_mistakes_are_looked_for_after_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    real = told_words.unit_in

    def counted(power: str, text: str, variant: Variant) -> Unit:
        asked.append(text)
        return real(power, text, variant)

    monkeypatch.setattr(told_position, "unit_in", counted)
    with pytest.raises(WrongPosition):
        read_position("\n".join(["France: " + "A Xur, " * 20] * 500), find("standard"))
    assert len(asked) <= 1_000
