"""Pictures as files; those that take long are painted once for everyone, the newest cards before anyone asks.

Painted PNGs are kept in one folder, so many bytes together; those painted first go first. Each can be painted again. So
it is no error, only slow, if they can't be written or read.
"""

import hashlib
import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from textwrap import wrap
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.template.loader import render_to_string

from games.history.queries import drawing
from games.kernel.models import Phase
from games.kernel.page import Page, page_for_strangers
from variants.lone_map import board_style, standalone_map
from variants.maps import Drawing, draw_svg

log = logging.getLogger(__name__)
PAINTER = Path(__file__).with_name("painter.py")
LONGEST_SECONDS = 60
"""The slowest map takes three seconds of a core; the machine may have other things to do first."""
FONT = Path(__file__).parents[1] / "fonts" / "dejavu-sans-bold.ttf"
FAMILY = "DejaVu Sans"
PREVIEW = (1200, 630)
"""The size that sites ask for when they preview links."""

MARGIN, MAP_SHARE = 28, 0.7
TITLE_LINE, TITLE_LINES = 18, 3
VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


class PowerCentres(NamedTuple):
    """A power and the supply centres it has."""

    name: str
    letter: str
    colour: str
    centres: int


def svg_to_png(svg: str, width: int = 1400) -> bytes:
    """A PNG of this SVG, with this width in pixels, painted by a process of its own: here, no page would be served for
    a second or two. Raises CalledProcessError or TimeoutExpired if that ends without one."""
    command = [sys.executable, "-I", str(PAINTER), str(FONT), FAMILY, str(width)]
    return subprocess.run(
        command, input=svg.encode(), stdout=subprocess.PIPE, timeout=LONGEST_SECONDS, check=True
    ).stdout


def paint_preview(variant_slug: str, drawing: Drawing, title: str, turn: str, tally: Iterable[PowerCentres]) -> bytes:
    """A card with the map and, beside it, a title, the turn and how many centres each power has, as PNG."""
    width, height = PREVIEW
    board = standalone_map(variant_slug, drawing)
    frame = VIEW_BOX.search(board)
    assert frame is not None, "every map says how large it is"
    map_width = min(height * float(frame[1]) / float(frame[2]), width * MAP_SHARE)
    lines = wrap(title, TITLE_LINE)[:TITLE_LINES]
    below_title = 64 + 36 * len(lines)
    context = {
        "width": width,
        "height": height,
        "map": board.replace("<svg ", f'<svg width="{map_width:.0f}" height="{height}" ', 1),
        "family": FAMILY,
        "x": round(map_width + MARGIN),
        "lines": [(64 + 36 * row, line) for row, line in enumerate(lines)],
        "below_title": below_title,
        "turn": turn,
        "tally": [(below_title + 46 + 40 * row, each) for row, each in enumerate(tally)],
    }
    return svg_to_png(render_to_string("history/card.svg", context), width)


END_OF_PNG = b"IEND\xaeB`\x82"
PNG, SVG = "image/png", "image/svg+xml"
CARDS_AT_ONCE = 10
"""How many cards are painted in one go, each in about a second of a core; the older of more than these wait until they
are asked for."""
PAINTER_VERSION = 2
"""Counts how often the same drawing has come to look otherwise as a picture, so that none is kept from before."""
LAST_PAINTED, REMEMBERED_SECONDS = "last-phase-with-a-card", 7 * 86_400
"""If it is forgotten, the newest phases are looked at once more."""


def kept_picture(name: str) -> bytes | None:
    """The picture kept under this name; None if there is none, or only what a power cut has left of one."""
    try:
        picture: bytes = (settings.PICTURES_FOLDER / name).read_bytes()
    except OSError:
        return None
    return picture if picture.endswith(END_OF_PNG) else None


def keep_picture(name: str, picture: bytes) -> None:
    """Keep the picture under this name, in place of the oldest ones if there is no room. Several processes that do this
    at once may exceed the bound by a picture each, until the next is kept."""
    folder, room = settings.PICTURES_FOLDER, settings.PICTURES_BYTES - len(picture)
    draft = folder / f"{name}.{token_hex(8)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Delete the oldest files beyond so many bytes; drafts too, because a process that is killed leaves one.
        files, newer = [], 0
        for file in folder.iterdir():
            with suppress(FileNotFoundError):  # another process does this too
                files.append((file.stat().st_mtime_ns, file.stat().st_size, file))
        for _, size, file in sorted(files, reverse=True):
            newer += size
            if newer > room:
                file.unlink(missing_ok=True)
        try:
            if room >= 0:
                draft.write_bytes(picture)
                draft.replace(folder / name)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        log.warning("A picture can't be kept in PICTURES_FOLDER, so it will be painted again: %s.", error.strerror)


@dataclass(frozen=True)
class PictureFile:
    """A picture; `paint` makes it. `shown` is all that it shows, so that the same name means the same picture."""

    kind: str
    shown: str
    paint: Callable[[], bytes]

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(f"{PAINTER_VERSION} {self.kind} {self.shown}".encode()).hexdigest()

    @property
    def kept(self) -> bytes | None:
        return kept_picture(self.digest)

    def make(self) -> bytes:
        """Paint the picture and keep it for those who ask next."""
        picture = self.paint()
        keep_picture(self.digest, picture)
        return picture


def map_file(variant: str, drawing: Drawing, kind: str) -> PictureFile:
    """A drawing of the map of this variant, as SVG or PNG."""
    makers = {
        SVG: lambda: standalone_map(variant, drawing).encode(),
        PNG: lambda: svg_to_png(standalone_map(variant, drawing)),
    }
    return PictureFile(kind, draw_svg(variant, drawing), makers[kind])


def card_file(view: Page) -> PictureFile:
    """The picture for link previews of a phase: its map, the game's name and the numbers of centres."""
    assert view.head is not None, "a phase that was opened has a title"
    game, title = view.game, f"{view.head.title} · {view.head.kind_title}"
    centres_of = view.rows.position.centres_of
    powers = view.rows.variant.powers
    colours = board_style()[1]
    tally = [PowerCentres(it.name, it.letter, colours[f"--owner-{it.colour}"], len(centres_of(it.id))) for it in powers]
    board = drawing(view)
    return PictureFile(
        PNG,
        f"card {game.name} {title} {draw_svg(game.board, board)}",
        lambda: paint_preview(game.board, board, game.name, title, tally),
    )


def paint_new_cards(must_stop: Callable[[], bool]) -> int:
    """Paint the cards of public games whose phases have opened since the last call; return how many. Stop once it
    `must_stop`; the next call begins with the newest."""
    if must_stop():
        return 0
    opened = Phase.objects.filter(closed=None, game__by_invitation=False).order_by("-pk")
    phases = list(opened.filter(pk__gt=cache.get(LAST_PAINTED, 0)).values_list("pk", "game__slug")[:CARDS_AT_ONCE])
    if phases:
        cache.set(LAST_PAINTED, phases[0][0], REMEMBERED_SECONDS)
    painted = 0
    for _, slug in phases:
        if must_stop():
            break
        card = card_file(page_for_strangers(slug))
        if card.kept is None:
            card.make()
            painted += 1
    return painted
