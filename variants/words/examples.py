"""Sample orders for sentences that say how to write them; each fits the board on which the mistake was made."""

from collections.abc import Iterator, Mapping

from adjudication.board import Board, province_of
from adjudication.ruleset import Ruleset
from variants.words.orders import place_words


def examples_on(ruleset: Ruleset) -> Mapping[str, str]:
    """Form -> sample order. The army is in the first home from which two units can work together."""
    board = ruleset.board
    homes = [home for power in ruleset.powers for home in ruleset.homes.get(power, ())]
    triples = (
        (here, there, beside)
        for here in (*homes, *board.army)
        for there in sorted(board.army.get(here, ()))
        for beside in sorted(board.army[there] - {here})
    )
    here, there, beside = next(triples, (board.locations[0],) * 3)
    sea, coast, shore = next(_crossings(board), (here,) * 3)
    split_coast = next((location for location in board.locations if location not in board.provinces), "")
    move = f"A {here} - {there}"
    return {
        "place": here,
        "name": board.name(here),
        "coast": split_coast or there,
        "army": f"A {here}",
        "fleet": f"F {split_coast or sea}",
        "move": move,
        "short": f"A {place_words(here, board)}-{place_words(there, board)}",
        "support": f"A {beside} S {move}",
        "convoy": f"F {sea} C A {coast} - {shore}",
        "condition": f"IF A {here} DISLODGED: {there}, {beside}",
    }


def _crossings(board: Board) -> Iterator[tuple[str, str, str]]:
    """Seas, each with two of its shores."""
    for sea, places in board.fleet.items():
        shores = sorted({it for it in map(province_of, places) if board.provinces[it].kind.is_shore})
        if board.province(sea).kind.is_water and len(shores) > 1:
            yield sea, shores[0], shores[1]
