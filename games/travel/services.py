"""Adding a game that was played elsewhere: it is read, adjudicated again, and stored completely or not at all."""

import base64
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from adjudication.resolution import Verdict
from games.kernel import clock, codec
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.locking import lock_account
from games.kernel.models import Amendment, Game, OpenedBids, Phase, Result, Status, Undoing
from games.kernel.news import tell
from games.kernel.refusals import Refusal
from games.kernel.wording import has_web_address, one_line
from games.orders.models import Commitment
from games.seating.services.bots import any_bot_account
from games.seating.services.new_game import LONGEST_NAME, NO_WEB_ADDRESS, SHORTEST_NAME, objection_to_name, store_game
from games.travel import news
from variants.kinds import Ending
from variants.travel import PlayedGame, Replayed, WrongFile, read_games, replayed, without_messages
from variants.travel.games import PlayedPhase
from variants.travel.reading import MOST_CHARACTERS
from variants.words import say

MOST_PACKED = 220_000
"""What a form may send besides files, less the rest of the form."""
LEVEL = 1
OPTIONS: Final[dict[str, Any]] = {"press": "none", "draws": "none", "gm_in_private": False}


class BadFile(Refusal):
    """A file that is not a game we can add; nothing was stored."""


@dataclass(frozen=True, slots=True)
class GameInFile:
    """The content of a file before it is added. `players`: a power's name -> a player's. `kept`: the file, packed."""

    name: str
    variant: str
    first: str
    last: str
    phases: int
    verdict: str
    players: Mapping[str, str]
    differences: tuple[str, ...]
    kept: str


def preview_file(text: str, name: str = "") -> GameInFile:
    """What would be added from this file, under this name or the file's own. Raises BadFile."""
    replay = _read_one_game(text)
    _options_of(replay.game)
    heading, phases = replay.game.heading, replay.game.standing
    variant = heading.variant
    return GameInFile(
        name=_name_of_game(replay.game, name),
        variant=variant.title,
        first=phases[0].title,
        last=phases[-1].title,
        phases=len(phases),
        verdict=say(_verdict_of(replay.game), variant.ruleset),
        players={variant.power(power).name: player for power, player in heading.players.items()},
        differences=replay.differences,
        kept=pack(without_messages(text)),
    )


@transaction.atomic
def add_game(*, by: int, text: str, name: str = "") -> str:
    """Add the game to the archive as played elsewhere, and return its slug. Raises BadFile, and nothing is stored.

    Its game master is an account for bots, because nobody has any rights in it.
    """
    replay = _read_one_game(text)
    lock_account(by)
    now = clock.now()
    name, heading, verdict = _name_of_game(replay.game, name), replay.game.heading, _verdict_of(replay.game)
    game = store_game(any_bot_account().pk, name, heading.variant, _options_of(replay.game), now)
    game.variant_version, game.variant_digest = heading.version, heading.digest
    game.status = Status.FINISHED if heading.status == Status.FINISHED else Status.CLOSED
    game.verdict = codec.verdict_to_row(verdict)
    game.elsewhere = {
        "game": heading.id or game.slug,
        "players": dict(heading.players),
        "differences": list(replay.differences),
    }
    game.save()
    _store_phases(game, replay.game.phases, now)
    tell(news.GAME_ADDED, game, at=now, by=by)
    return game.slug


def _read_one_game(text: str) -> Replayed:
    try:
        games = read_games(text)
        if len(games) > 1:
            raise BadFile(_("This file has {count} games. Send one game at a time.").format(count=len(games)))
        replay = replayed(games[0])
    except WrongFile as wrong:
        raise BadFile(_("This file can’t be added. {wrong}").format(wrong=wrong)) from wrong
    for power, name in replay.game.heading.players.items():
        if has_web_address(name):
            player = replay.game.heading.variant.power(power).name
            told = _("This file can’t be added. The name of {player}’s player contains a web address. Change it.")
            raise BadFile(told.format(player=player))
    if not replay.game.standing:
        raise BadFile(_("This file can’t be added. It has no phase with orders."))
    return replay


def _name_of_game(game: PlayedGame, typed_name: str) -> str:
    """The wanted name, otherwise the name in the file, otherwise a description of the game."""
    name = one_line(typed_name) or game.heading.name
    if has_web_address(name):
        raise BadFile(_("{no_address} You can enter another name for the game.").format(no_address=NO_WEB_ADDRESS))
    if SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        return name
    if one_line(typed_name):
        raise BadFile(objection_to_name(name))
    return _("{variant} played elsewhere").format(variant=game.heading.variant.title)


def _verdict_of(game: PlayedGame) -> Verdict:
    last = game.standing[-1].public.turn
    return game.heading.verdict or Verdict((), Ending.FILE_ENDS, {"turn": last.code})


def _options_of(game: PlayedGame) -> GameOptions:
    heading = game.heading
    open_bids = heading.open_bids_at_end or any(phase.bids for phase in game.phases)
    try:
        return GameOptions.create(heading.variant, **OPTIONS, last_year=heading.last_year, open_bids_at_end=open_bids)
    except BadOptions as bad:
        raise BadFile(_("This file can’t be added. {bad}").format(bad=bad)) from bad


def _store_phases(game: Game, past_phases: tuple[PlayedPhase, ...], now: datetime) -> None:
    """Store the phases in the order in which their results were published, as in the record."""
    undoings = _undoings(game, past_phases)
    phases = [
        Phase(
            game=game,
            ordinal=it.ordinal,
            turn=it.position.turn.code,
            position=codec.position_to_row(it.position),
            notices=codec.notices_to_row(it.facts.notices),
            opened=_moment_closed(it.facts.closed, now),
            closed=_moment_closed(it.facts.closed, now),
            undoing=undoings.get(_undoing_of(it)),
            reveals=[] if it.facts.stays_sealed else ["open_bids_at_end"],
        )
        for it in past_phases
    ]
    Phase.objects.bulk_create(phases)
    pairs = list(zip(phases, past_phases, strict=True))
    Result.objects.bulk_create(
        Result(
            phase=phase,
            public=codec.public_to_row(it.public),
            missed=list(it.facts.missed),
            engine_version=it.facts.engine or codec.ENGINE_VERSION,
            inputs_hmac="",
        )
        for phase, it in pairs
    )
    Amendment.objects.bulk_create(Amendment(phase=phase, **each) for phase, it in pairs for each in it.facts.amendments)
    Commitment.objects.bulk_create(
        Commitment(phase=phase, codes=record["sheets"], previous=record["previous"], code=record["code"])
        for phase, it in pairs
        if (record := it.facts.record)
    )
    OpenedBids.objects.bulk_create(
        OpenedBids(
            phase=phase,
            bids={power: [list(bid) for bid in bids] for power, bids in it.bids.items()},
            sheets=dict(it.facts.sheets or {}),
        )
        for phase, it in pairs
        if it.bids is not None
    )


def _undoing_of(phase: PlayedPhase) -> tuple[str, str] | None:
    undone = phase.facts.undone
    return (undone["at"], undone["reason"]) if undone else None


def _undoings(game: Game, phases: tuple[PlayedPhase, ...]) -> dict[tuple[str, str] | None, Undoing]:
    """One for each act that undid phases; its first phase is the one that was opened again."""
    acts: dict[tuple[str, str] | None, Undoing] = {}
    for phase in sorted(phases, key=lambda it: it.ordinal):
        act = _undoing_of(phase)
        if act is not None and act not in acts:
            at = datetime.fromisoformat(act[0])
            turn = phase.position.turn.code
            acts[act] = Undoing.objects.create(game=game, at=at, by_id=game.gm_id, back_to=turn, reason=act[1])
    return acts


def _moment_closed(text: str, now: datetime) -> datetime:
    moment = datetime.fromisoformat(text) if text else now
    if moment > now:
        raise BadFile(_("This file can’t be added. It has a phase that closed in the future."))
    return moment


def pack(text: str) -> str:
    """The text of a file, packed into the page between its check and its addition, so that nothing is stored before.
    Raises BadFile if it is too long even when packed."""
    code = base64.b64encode(lzma.compress(text.encode(), preset=LEVEL)).decode()
    if len(code) > MOST_PACKED:
        raise BadFile(_("The file is too large. Send one game at a time."))
    return code


def unpack(code: str) -> str:
    """The text that `pack` packed. Raises BadFile for anything else."""
    try:
        unpacking = lzma.LZMADecompressor(memlimit=32 * 1024 * 1024)
        return unpacking.decompress(base64.b64decode(code), max_length=MOST_CHARACTERS).decode()
    except (ValueError, lzma.LZMAError, EOFError) as wrong:
        raise BadFile(_("The file did not arrive whole. Choose it again.")) from wrong
