"""The turn in which the first lawful order of a unit also says what the unit is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudication.legality import check_in
from adjudication.orders import Order, where
from adjudication.scene import Scene


def mustered(scene: Scene, orders: Mapping[str, Iterable[Order]]) -> Scene:
    """The scene with the units as their orders make them; `orders`: power -> what it wrote. In any other turn the
    scene as it is."""
    if scene.ruleset.muster is None or scene.ruleset.muster != scene.position.turn:
        return scene
    formed: set[str] = set()
    for power, some in orders.items():
        for order in some:
            unit = scene.unit_at(where(order))
            if unit and unit.province not in formed and check_in(order, power, scene) is None:
                formed.add(unit.province)
                scene = scene.formed(where(order))
    return scene
