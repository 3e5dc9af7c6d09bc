"""How much room a word takes up on the map, on any machine."""

# advance widths of a semi-bold grotesque in thousandths of the type size
WIDTHS = {
    **dict(zip("ABCDEFGHIJKLM", (724, 657, 744, 724, 608, 586, 755, 744, 275, 561, 677, 566, 906), strict=True)),
    **dict(zip("NOPQRSTUVWXYZ", (741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690, 705, 653), strict=True)),
    **dict(zip("abcdefghijklm", (575, 630, 577, 630, 593, 377, 625, 613, 261, 261, 569, 261, 898), strict=True)),
    **dict(zip("nopqrstuvwxyz", (610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 562, 576, 562), strict=True)),
}
UNKNOWN_WIDTH = 640
CAP_HEIGHT = 0.78


def text_size(text: str, size: float) -> tuple[float, float]:
    """(width, height) in map units, with half a unit of space on each side."""
    return sum(WIDTHS.get(letter, UNKNOWN_WIDTH) for letter in text) * size / 1000 + 1, size * CAP_HEIGHT
