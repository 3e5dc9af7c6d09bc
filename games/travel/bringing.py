"""Games brought from elsewhere: the position, the reports about it, and the players."""

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from adjudication.position import Position
from adjudication.resolution import Notice
from games.kernel import clock, codec
from games.kernel.limits import count_request_to_user
from games.kernel.locking import account_named
from games.kernel.models import Brought, Game
from games.kernel.models.brought import LONGEST_REPORTS
from games.kernel.news import tell
from games.kernel.refusals import BadGame, NotAllowed, UnknownPlayer
from games.kernel.rules import unless
from games.seating.services.new_game import create_game
from games.seating.services.placing import invite_by_email, place_in_seat
from games.travel import news
from games.travel.services import BadFile
from variants.kinds import PositionChange
from variants.phase_json import BadPhase, read_phase
from variants.registry import find
from variants.survivors import survivors
from variants.travel import WrongFile, read_games, replayed
from variants.travel.reading import json_objects, printable
from variants.travel.told_position import WrongPosition, read_position
from variants.travel.written_position import write_position
from variants.variant import Variant

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@transaction.atomic
def bring_game(
    *, by: int, variant: str, position: str, players: Mapping[str, str], reports: str = "", **chosen: Any
) -> str:
    """Create a game that continues in this position, as `told_position` reads it, and return its slug.

    `players`: power -> the name of its player, or an email address to invite. `by` becomes game master. BadGame names
    each wrong field, that of a player as in "player GERMANY".
    """
    try:
        reading = read_position(position, find(variant))
    except WrongPosition as wrong:
        raise BadGame({"position": str(wrong)}) from wrong
    if reading.asks_for_minors:
        raise BadGame({"position": _("Say where the minor powers’ units are, as in “Minor powers: as at the start”.")})
    turn = reading.position.turn
    last_year = chosen.get("last_year")
    if last_year is not None and last_year < turn.year:
        told = _("The game goes on in {year}. Enter that year or a later one, or none.")
        raise BadGame({"last_year": told.format(year=turn.year)})
    slug = create_game(by=by, variant=variant, **chosen)
    game = Game.objects.get(slug=slug)
    notice = Notice(PositionChange.POSITION_ENTERED, None, None, {"turn": turn.code})
    # Plain text with line breaks of one kind.
    text_kept = UNPRINTABLE.sub("", reports.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if len(text_kept) > LONGEST_REPORTS:
        sentence = _("The reports have {count} characters; at most {most} are allowed.")
        raise BadGame({"reports": sentence.format(count=f"{len(text_kept):,}", most=f"{LONGEST_REPORTS:,}")})
    Brought.objects.create(
        game=game,
        position=codec.position_to_row(reading.position),
        notices=codec.notices_to_row([notice, *reading.notices]),
        reports=text_kept,
    )
    game.seats.exclude(power__in=survivors(reading.position, find(variant))).update(disordered=True)
    tell(news.POSITION_ENTERED, game, at=clock.now(), by=by, turn=turn.code)
    _seat_players(game, players, by)
    return slug


def _seat_players(game: Game, players: Mapping[str, str], by: int) -> None:
    problems: dict[str, str] = {}
    seats = {seat.power: seat for seat in game.seats.filter(disordered=False)}
    for power, name in players.items():
        if name.strip():
            try:
                closed = _("This power is out of the game or in permanent civil disorder, so no one can play it.")
                unless(power in seats, NotAllowed(closed))
                if "@" in name:
                    count_request_to_user(by, game)
                    invite_by_email(game, seats[power], name, by=by)
                else:
                    place_in_seat(game, seats[power], account_named(name), clock.now(), by=by)
            except (UnknownPlayer, NotAllowed) as refusal:
                problems[f"player {power}"] = refusal.sentence
    if problems:
        raise BadGame(problems)


def position_text_of_file(text: str, variant: Variant) -> str:
    """The position of a phase of `variants.phase_json`, or the last one of a game in one of the forms for programs, as
    text for `told_position`. Raises BadFile."""
    try:
        position = _position_in_file(text, variant)
        lines = write_position(position, variant)
        read_again = read_position(lines, variant).position
    except (WrongFile, BadPhase, WrongPosition) as wrong:
        raise BadFile(_("This file can’t be read. {why}").format(why=printable(str(wrong)))) from wrong
    if read_again != position:
        raise BadFile(
            _("This position remembers more than its text can say, so a game of this kind can’t be brought along.")
        )
    return lines


def _position_in_file(text: str, variant: Variant) -> Position:
    _line, document = next(json_objects(text))
    if "phases" not in document and "units" in document:
        return read_phase(document, variant.rulebook).position
    games = read_games(text)
    game = replayed(games[0]).game
    slug = game.heading.variant.slug
    if slug != variant.slug or len(games) > 1:
        told = _("it must have one game of {variant}, the variant you chose, not of {slug}.")
        raise WrongFile(_("The file"), told.format(variant=variant.title, slug=slug))
    return game.end
