"""The rules of standard Diplomacy; other variants replace what they do differently."""

from collections.abc import Mapping
from typing import Any

from adjudication.adjustments import HomeCentres
from adjudication.auction import NoAuction
from adjudication.board import Board
from adjudication.civil_disorder import CivilDisorder
from adjudication.control import MostCentres, Occupation
from adjudication.legality import STANDARD_LEGALITY
from adjudication.neutrals import NoMinors
from adjudication.relations import EveryPowerForItself
from adjudication.ruleset import Ruleset
from adjudication.turns import STANDARD_YEAR


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The standard ruleset on any board; `facts` as in a variant.toml: `powers` with `id` and
    `homes`, and the `centres` that are needed for `victory`."""
    homes = {entry["id"]: tuple(sorted(entry["homes"])) for entry in facts["powers"]}
    return Ruleset(
        board=board,
        powers=tuple(sorted(homes)),
        homes=homes,
        calendar=STANDARD_YEAR,
        relations=EveryPowerForItself(),
        legality=STANDARD_LEGALITY,
        neutrals=NoMinors(),
        auction=NoAuction(),
        builds=HomeCentres(),
        disorder=CivilDisorder(),
        control=Occupation(),
        victory=MostCentres(facts["victory"]["centres"]),
    )
