"""What two checkouts show differently is told line by line."""

from __future__ import annotations

from tests.house.crawl import told


def page(*tags: str) -> str:
    return "200\n" + "".join(tags)


def test_each_line_that_differs_is_told_once_with_the_pages_where_it_does() -> None:
    before = {f"player: {name}": page("<h1>Gane</h1>", f"<p>{name}</p>") for name in ("game", "log", "talk", "terms")}
    after = {name: text.replace("Gane", "Game") for name, text in before.items()}
    assert list(told(before, after)) == [
        "4 pages before, 4 after; 4 differ, by 2 lines",
        "    4 + <h1>Game</h1>    in player: game, player: log, player: talk, …",
        "    4 - <h1>Gane</h1>    in player: game, player: log, player: talk, …",
    ]


def test_what_always_differs_is_not_told() -> None:
    before = page(
        '<script nonce="AbC=" src="/static/site.0123456789ab.js">', '<div data-ticket="a:1vx1wO:HAMOnXTxW6S9z4GuP4XU">'
    )
    after = page(
        '<script nonce="dEf=" src="/static/site.ba9876543210.js">', '<div data-ticket="a:1vx1wP:hamOnXTxW6S9z4GuP4XU">'
    )
    assert list(told({"gm: game": before}, {"gm: game": after})) == ["1 pages before, 1 after; 0 differ, by 0 lines"]


def test_another_order_of_the_same_lines_and_pages_of_only_one_side_are_told() -> None:
    before = {"gm: game": page("<b>1</b>", "<i>2</i>"), "gm: old": "200"}
    after = {"gm: game": page("<i>2</i>", "<b>1</b>"), "gm: new": "200", "player: new": "200"}
    assert list(told(before, after)) == [
        "2 pages before, 3 after; 1 differ, by 1 lines",
        "    1   the same lines in another order    in gm: game",
        "only before: old",
        "only after: new",
    ]
