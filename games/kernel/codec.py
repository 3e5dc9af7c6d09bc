"""Translates between rows and the values of the rules. Nothing else does."""

import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.utils.crypto import salted_hmac

from adjudication import serialisation
from adjudication.notation import read_sheets
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.resolution import Notice, Public, Verdict
from games.kernel.models import Brought, Game, Phase, Result
from variants.variant import Variant

ENGINE_VERSION = "2"
"""Increased with every change to the rules' code that could change a result."""


UNEXPLAINED = {"reason": None, "sentence": "", "attacker_from": None}


class VariantChanged(Exception):
    """The game was started with variant data that differ from the site's current data."""


def variant_of(game: Game) -> Variant:
    """The variant of a game: good enough to show the game and to read orders."""
    return game.variant


def variant_to_judge(game: Game) -> Variant:
    """The variant that the game was started with; raises VariantChanged if its data have changed since."""
    variant = game.variant
    if variant.digest != game.variant_digest:
        raise VariantChanged(f"Game {game.pk} was begun on version {game.variant_version}; this is {variant.version}.")
    return variant


def position_to_row(position: Position) -> dict[str, Any]:
    return serialisation.position_to_json(position)


def position_of(phase: Phase) -> Position:
    """The position in which the orders of this phase are given."""
    return serialisation.position_from_json(phase.position)


def opening_position(row: Brought | None, variant: Variant) -> Position:
    """The position in which a game begins: the variant's start, or the one that was brought along."""
    return serialisation.position_from_json(row.position) if row else variant.start


def public_to_row(content: Public) -> dict[str, Any]:
    """The public result as a row, with the keys that a process of 0.2.0 needs: one may still run during an upgrade."""
    row, verdict = serialisation.public_to_json(content), content.verdict
    outcomes = [{**UNEXPLAINED, **outcome} for outcome in row["outcomes"]]
    verdict_row = verdict_to_row(verdict) if verdict else None
    return {**row, "outcomes": outcomes, "notices": notices_to_row(content.notices), "verdict": verdict_row}


def public_result_of(result: Result) -> Public:
    """What everyone may know of a closed phase."""
    return serialisation.public_from_json(result.public)


def notices_to_row(notices: Iterable[Notice]) -> list[dict[str, Any]]:
    """Notices as rows, with facts in the place of the sentence: version 0.2.0 can read no other keys."""
    rows = map(serialisation.notice_to_json, notices)
    return [{**row, "sentence": facts} for row in rows for facts in [row.pop("facts", "")]]


def notices_of(phase: Phase) -> tuple[Notice, ...]:
    """The notices about what changed when the phase opened or while it was open, apart from orders."""
    return tuple(map(serialisation.notice_from_json, phase.notices))


def verdict_to_row(verdict: Verdict, *, void: bool = False) -> dict[str, Any]:
    row = {"sentence": "", **serialisation.verdict_to_json(verdict)}
    return {**row, "void": True} if void else row


def verdict_of(game: Game) -> Verdict | None:
    return serialisation.verdict_from_json(game.verdict) if game.verdict else None


def read_order_sheets(lines_by_power: Mapping[str, str], position: Position, variant: Variant) -> dict[str, OrderSheet]:
    """Power -> its orders, read from canonical lines, without those that mean nothing any more (a power seceded)."""
    return read_sheets(lines_by_power, position, variant.ruleset)


def keyed_digest(phase: Phase, texts: Mapping[str, str]) -> str:
    """An HMAC over the phase's number and everything the adjudicator was given, with the newest key.

    Without the number, the same orders would have the same digest in a game in which someone tries out what they were.
    """
    return keyed_digests(phase, texts)[0]


def keyed_digests(phase: Phase, texts: Mapping[str, str]) -> tuple[str, ...]:
    """`keyed_digest` with each key, the newest first."""
    inputs = json.dumps([phase.pk, phase.position, sorted(texts.items())], sort_keys=True, ensure_ascii=False)
    return tuple(
        salted_hmac("games.inputs", inputs, secret=key, algorithm="sha256").hexdigest() for key in settings.SEALED_KEYS
    )


def digest_matches(result: Result, digests: Iterable[str]) -> bool:
    return any(hmac.compare_digest(result.inputs_hmac, digest) for digest in digests)
