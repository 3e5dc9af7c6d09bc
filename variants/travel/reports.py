"""A game for people, as game masters and zines print it: plain text, Markdown or BBCode."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from adjudication.units import NEUTRAL
from variants.survivors import listed_powers
from variants.travel.games import PlayedGame, PlayedPhase
from variants.variant import Variant
from variants.words import say
from variants.words.orders import pretty_order

MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")


class Style(NamedTuple):
    """The markup of a report. `plain` makes text harmless; `title` and `heading` take such text; `item` takes an order
    and why it failed, "" if it did not; `table` takes lines that belong together."""

    plain: Callable[[str], str]
    title: Callable[[str], str]
    heading: Callable[[str], str]
    name: Callable[[str], str]
    item: Callable[[str, str], str]
    link: Callable[[str, str], str]


def _underlined(mark: str) -> Callable[[str], str]:
    return lambda text: f"{text}\n{mark * len(text)}"


def _order_with_reason(order: str, why: str) -> str:
    return f"  {order}" + (f"  [{why}]" if why else "")


TEXT = Style(
    str,
    _underlined("="),
    _underlined("-"),
    lambda text: f"{text}:",
    _order_with_reason,
    lambda text, to: f"{text}: {to}",
)
MARKDOWN = Style(
    lambda text: MARKS.sub(r"\\\1", text),
    lambda text: f"# {text}",
    lambda text: f"## {text}",
    lambda text: f"**{text}**\n",
    lambda order, why: f"- {order}" + (f" *({why})*" if why else ""),
    lambda text, to: f"[{text}]({to})",
)
BBCODE = Style(
    lambda text: text.replace("[", "(").replace("]", ")"),
    lambda text: f"[b][size=150]{text}[/size][/b]",
    lambda text: f"[b][u]{text}[/u][/b]",
    lambda text: f"[b]{text}[/b]",
    lambda order, why: f"{order} [i]({why})[/i]" if why else order,
    lambda text, to: f"[url={to}]{text}[/url]",
)


def text(game: PlayedGame) -> str:
    return "\n\n".join(_parts(game, TEXT)) + "\n"


def markdown(game: PlayedGame) -> str:
    return "\n\n".join(_parts(game, MARKDOWN)) + "\n"


def bbcode(game: PlayedGame) -> str:
    return "\n\n".join(_parts(game, BBCODE)) + "\n"


def _parts(game: PlayedGame, style: Style) -> Iterator[str]:
    heading, variant = game.heading, game.heading.variant
    yield style.title(style.plain(heading.name or variant.title))
    yield style.plain(variant.title)
    if heading.players:
        players = (f"{variant.power(power).name} ({name})" for power, name in heading.players.items())
        yield f"Players: {style.plain(', '.join(players))}."
    for phase in game.standing:
        yield from _parts_of_phase(phase, game, style)
    if heading.verdict is not None:
        yield style.heading("The game is over")
        winners = listed_powers(heading.verdict.winners, variant)
        sentence = say(heading.verdict, variant.ruleset)
        yield style.plain(sentence if not winners or winners in sentence else f"{sentence} Winners: {winners}.")


def _parts_of_phase(phase: PlayedPhase, game: PlayedGame, style: Style) -> Iterator[str]:
    variant = game.heading.variant
    yield style.heading(style.plain(phase.title))
    if game.heading.maps:
        yield style.link("Map", game.heading.maps.format(ordinal=phase.ordinal))
    yield from _orders_by_power(phase, variant, style)
    notices = [say(it, variant.ruleset) for it in (*phase.facts.notices, *phase.public.notices)]
    if notices:
        yield style.plain(" ".join(notices))
    if phase.public.next.centres != phase.position.centres:
        board, after, lines = variant.ruleset.board, phase.public.next, list[str]()
        for power in variant.powers:
            centres = sorted(board.name(centre) for centre in after.centres_of(power.id))
            if centres:
                lines.append(style.item(style.plain(f"{power.name} {len(centres)}: {', '.join(centres)}"), ""))
        yield "\n".join([style.name("Supply centres"), *lines])


def _orders_by_power(phase: PlayedPhase, variant: Variant, style: Style) -> Iterator[str]:
    """The orders of every power that has any, then those of the minor powers, and the bids."""
    names = {power.id: power.name for power in variant.powers} | {NEUTRAL: "Minor powers"}
    for power, name in names.items():
        orders = [it for it in phase.public.outcomes if it.power == power]
        bids = (phase.bids or {}).get(power, ())
        notes = ["  No orders received."] if power in phase.facts.missed and not orders else []
        if not (orders or bids or notes):
            continue
        lines = list[str]()
        for outcome in orders:
            order = pretty_order(outcome.order, phase.position, variant.ruleset.board)
            lines.append(style.item(style.plain(order), style.plain(say(outcome, variant.ruleset))))
        lines += [style.item(style.plain(f"Bid: {points} for {order}"), "") for points, order in bids]
        yield "\n".join([style.name(name), *lines, *notes])
