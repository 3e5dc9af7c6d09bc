"""The standard board with armed minor powers and Diplomacy Points."""

from dataclasses import replace

from adjudication.auction import DiplomacyPoints
from adjudication.civil_disorder import Independence
from adjudication.neutrals import ArmedMinors
from adjudication.units import NEUTRAL
from tests.adjudication.boards import STANDARD, position

MINORS = replace(STANDARD, neutrals=ArmedMinors(), auction=DiplomacyPoints(most=3), disorder=Independence())
WITH_MINORS = replace(
    position(
        "S1901M",
        {"GERMANY": ["A MUN", "F KIE"], "ITALY": ["A VEN"], "TURKEY": ["F CON"], NEUTRAL: ["A BOH", "A TYR", "A RUM"]},
        {"GERMANY": ["MUN", "KIE", "BER", "HOL"], "ITALY": ["VEN", "ROM", "NAP"], "TURKEY": ["CON", "SMY"]},
    ),
    memory={"minors": {"RUM": "A"}},
)
