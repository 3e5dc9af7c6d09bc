"""The arrangements of unit, label and centre mark that placement may try."""

from collections.abc import Iterator
from dataclasses import dataclass

UNIT_SIZE = (27.0, 20.0)
GAP = 3.0


@dataclass(frozen=True)
class Rectangle:
    """A rectangle around (x, y), relative to the arrangement's centre, in map units."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Arrangement:
    """Boxes for "unit", "label" and perhaps "centre"; a higher `bonus` means it looks better."""

    boxes: dict[str, Rectangle]
    bonus: float


@dataclass(frozen=True)
class Parts:
    """The parts to place: the label's size, and the mark's size or 0 if there is no centre."""

    label: tuple[float, float]
    mark: float

    def boxes(
        self, unit: tuple[float, float], label: tuple[float, float], mark: tuple[float, float]
    ) -> dict[str, Rectangle]:
        found = {"unit": Rectangle(*unit, *UNIT_SIZE), "label": Rectangle(*label, *self.label)}
        if self.mark:
            found["centre"] = Rectangle(*mark, self.mark, self.mark)
        return found


def arrangements(parts: Parts) -> Iterator[Arrangement]:
    yield from stacked(parts)
    yield from side_by_side(parts)
    yield from columns(parts)
    yield from diagonals(parts)


def stacked(parts: Parts) -> Iterator[Arrangement]:
    """The label in a row with the mark, above or below the unit; or the mark beside the unit."""
    width, height = parts.label
    indent = (parts.mark + GAP) / 2 if parts.mark else 0.0
    for side, bonus in ((1, 2.0), (-1, 1.2)):
        low, high = side * (height / 2 + GAP / 2), -side * (UNIT_SIZE[1] / 2 + GAP / 2)
        row = width + 2 * indent
        yield Arrangement(parts.boxes((0, high), (indent, low), (parts.mark / 2 - row / 2, low)), bonus)
        if parts.mark:
            for hand in (1, -1):
                unit, mark = (hand * (parts.mark / 2 + 1), high), (-hand * (UNIT_SIZE[0] / 2 + 1), high)
                yield Arrangement(parts.boxes(unit, (0, low), mark), bonus - 1.2)


def side_by_side(parts: Parts) -> Iterator[Arrangement]:
    width, height = parts.label
    indent = (parts.mark + GAP) / 2 if parts.mark else 0.0
    row = width + 2 * indent
    for hand in (1, -1):
        unit, middle = (hand * (row / 2 + GAP / 2), 0.0), -hand * (UNIT_SIZE[0] / 2 + GAP / 2)
        yield Arrangement(parts.boxes(unit, (middle + indent, 0), (middle - row / 2 + parts.mark / 2, 0)), -0.5)
        if parts.mark:
            unit = (hand * (width / 2 + GAP / 2), 0.0)
            label, mark = (middle, -(parts.mark + GAP) / 2), (middle, (height + GAP) / 2)
            yield Arrangement(parts.boxes(unit, label, mark), -1.5)


def columns(parts: Parts) -> Iterator[Arrangement]:
    """For thin spaces: mark, unit and label stacked."""
    if parts.mark:
        for side in (1, -1):
            label = (0.0, side * (UNIT_SIZE[1] / 2 + GAP + parts.label[1] / 2))
            mark = (0.0, -side * (UNIT_SIZE[1] / 2 + GAP + parts.mark / 2))
            yield Arrangement(parts.boxes((0, 0), label, mark), -1.0)


def diagonals(parts: Parts) -> Iterator[Arrangement]:
    """For slanting spaces."""
    for dx in (-1, 1):
        for dy in (-1, 1):
            for k in (0.5, 0.9):
                label = (dx * k * UNIT_SIZE[0] * 0.7, dy * (UNIT_SIZE[1] / 2 + GAP + parts.label[1] / 2))
                beside_label = (label[0] - dx * (parts.label[0] / 2 + GAP + parts.mark / 2), label[1])
                beside_unit = (-dx * (UNIT_SIZE[0] / 2 + GAP + parts.mark / 2), 0.0)
                mark = beside_label if k < 0.9 else beside_unit
                yield Arrangement(parts.boxes((0, 0), label, mark), -0.8 - k)
