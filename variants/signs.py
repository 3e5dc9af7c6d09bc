"""What a drawing shows at one place: units, holders of centres, and signs on them."""

from dataclasses import dataclass
from html import escape

from variants.lines import Point, circle_centre, coordinates

SHIELD = "M-9-10.5H9q1.5 0 1.5 1.5V1C10.5 6.6 5.5 9.8 0 11.5-5.5 9.8-10.5 6.6-10.5 1V-9q0-1.5 1.5-1.5z"
FUNNELS = "H-8.4V-6H-5.8V-10.6H-2.8V-6H.4V-10.6H3.4V-6H8.4V-2.6"
DISC = "M0-11.5A11.5 11.5 0 1 1 0 11.5 11.5 11.5 0 1 1 0-11.5z"
SQUARE = "M-8.6-10H8.6Q10-10 10-8.6V8.6Q10 10 8.6 10H-8.6Q-10 10-10 8.6V-8.6Q-10-10-8.6-10z"
DIAMOND = "M0-14.5 14.5 0 0 14.5-14.5 0z"
ARMIES = (SHIELD, DISC, SQUARE, DIAMOND)
"""The outlines of an army: without factions, of the first faction, of the second …"""
BADGE_BY = (12.0, -10.0)
SHIP = f"M-14-2.6{FUNNELS}H14L10.8 8.8Q10.3 10.4 8.6 10.4H-8.6Q-10.3 10.4-10.8 8.8z"
CANNON = "M-5.5-4.4 5.5-6.2M-2.6 1.6-6.6 4.6M-3 -1.4a3.1 3.1 0 1 0 .1 0"
WAVE = "M-7.5 4.2q1.9-2.6 3.8 0t3.8 0 3.8 0 3.6 0"
CROSS = "M-5-5 5 5M-5 5 5-5"
PLUS = "M-5 0H5M0-5V5"
BAR = "M-11.3-11.3 11.3 11.3"
STAR = "M0-6.6 1.9-2.3 6.3-2 2.9 1 4.1 5.4 0 2.9-4.1 5.4-2.9 1-6.3-2-1.9-2.3z"
CLASH = "M-6-6 6 6M-6 6 6-6M-7.5-3.5-3.5-7.5M7.5-3.5 3.5-7.5"


@dataclass(frozen=True, slots=True)
class UnitMark:
    """A unit to draw: kind "A" or "F", its location, its colour slot, its power's letter ("" for a minor), the letter
    of its faction ("" without one) and the number of that faction, from 1. `idle`: it takes no orders. `placed`: an
    order of this phase puts it there."""

    kind: str
    location: str
    colour: str
    letter: str
    title: str
    faction: str = ""
    form: int = 0
    idle: bool = False
    placed: bool = False


@dataclass(frozen=True, slots=True)
class CentreMark:
    """The faction that holds a centre; `form` as with units."""

    centre: str
    letter: str
    form: int
    title: str


def ring_around(place: Point, radius: float) -> str:
    return f'<circle class="ring" {circle_centre(place)} r="{radius}"/>'


def sign_at(place: Point, style: str, shape: str) -> str:
    transform = f'transform="translate({coordinates(place)})"'
    return f'<path class="casing" {transform} d="{shape}"/><path class="{style}" {transform} d="{shape}"/>'


def unit_token(unit: UnitMark, place: Point, style: str) -> str:
    fleet = unit.kind == "F"
    traits = {"unit": unit.location, "kind": unit.kind, "colour": unit.colour}
    attributes = " ".join(f'data-{name}="{escape(trait)}"' for name, trait in traits.items())
    style += (" idle" if unit.idle else "") + (" placed" if unit.placed else "")
    shape = f'<path class="body" d="{SHIP if fleet else outline(unit.form)}"/>'
    letter = f'<text y="{7.6 if fleet else 4.6}" font-size="{11 if fleet else 13}">{escape(unit.letter)}</text>'
    device = f'<path class="device" d="{WAVE if fleet else CANNON}"/>'
    halo = '<circle class="ring" r="16"/>' if "dislodged" in style else ""
    inside = f"<title>{escape(unit.title)}</title>{halo}{shape}{letter if unit.letter else device}{badge(unit.faction)}"
    return f'<g class="{style}" {attributes} transform="translate({coordinates(place)}) scale(.95)">{inside}</g>'


def outline(form: int) -> str:
    return ARMIES[min(form, len(ARMIES) - 1)]


def badge(letter: str) -> str:
    """The letter of a faction, at the shoulder of a unit."""
    if not letter:
        return ""
    x, y = BADGE_BY
    return (
        f'<g class="badge"><circle cx="{x}" cy="{y}" r="7.4"/>'
        f'<text x="{x}" y="{y + 4}" font-size="11">{escape(letter)}</text></g>'
    )


def centre_badge(mark: CentreMark, place: Point) -> str:
    """A centre's mark with the letter of the faction that holds it."""
    shape = f'<path d="{outline(mark.form)}" transform="scale(.68)"/>'
    letter = f'<text y="3.6" font-size="10">{escape(mark.letter)}</text>'
    return shape_at("holder", place, shape + letter, mark.title)


def shape_at(style: str, place: Point, shape: str, title: str = "") -> str:
    title_element = f"<title>{escape(title)}</title>" if title else ""
    return f'<g class="{style}" transform="translate({coordinates(place)})">{title_element}{shape}</g>'
