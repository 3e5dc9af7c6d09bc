"""The published record of a game, which `python -m variants replay` and the players' check read. Public facts only."""

from typing import Any

from adjudication.ruleset import Ruleset
from games.deadlines.options import LastYear
from games.history.results import why_undone
from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.models import Game, OpenedBids, Result
from games.orders.models import Commitment
from games.sealed.options import BidsAtEnd
from variants.receipts import RECORD_FORMAT
from variants.words import told_notice, told_public, told_verdict

Document = dict[str, Any]


def record_view(access: GameAccess) -> Document:
    """Every adjudicated phase, even if undone, in the order of publication."""
    game = Game.objects.get(pk=access.game_id)
    elsewhere, variant = game.elsewhere or {}, game.options.variant
    rules = variant.ruleset if variant else None
    results = Result.every.filter(phase__game=game).order_by("pk").prefetch_related("phase__amendments")
    results = results.select_related("phase__commitment", "phase__undoing", "phase__opened_bids")
    for result in results:
        result.phase.game = game
    return {
        "format": RECORD_FORMAT,
        "language": "en",
        "game": elsewhere.get("game", game.slug),
        "name": game.name,
        "variant": {"slug": game.variant_slug, "version": game.variant_version, "digest": game.variant_digest},
        "options": {
            "last_year": game.options[LastYear].last_year,
            "open_bids_at_end": game.options[BidsAtEnd].open_bids_at_end,
        },
        "status": game.status,
        "verdict": _verdict(game, rules),
        **({"players": elsewhere["players"]} if elsewhere.get("players") else {}),
        "phases": [_phase_record(result, rules) for result in results],
    }


def _verdict(game: Game, rules: Ruleset | None) -> Document | None:
    """The verdict of a game; as it is stored if the variant no longer exists."""
    if rules is None or not game.verdict:
        return game.verdict
    void = {"void": True} if game.verdict.get("void") else {}
    return {**(told_verdict(codec.verdict_of(game), rules) or {}), **void}


def _phase_record(result: Result, rules: Ruleset | None) -> Document:
    phase = result.phase
    undoing, terms = phase.undoing, phase.game.options[BidsAtEnd]
    commitment: Commitment | None = getattr(phase, "commitment", None)
    opened: OpenedBids | None = getattr(phase, "opened_bids", None)  # once a game that publishes its bids is over
    assert phase.closed is not None, "a phase with a result has closed"
    return {
        "ordinal": phase.ordinal,
        "turn": phase.turn,
        "closed": phase.closed.isoformat(),
        "position": phase.position,
        "notices": [told_notice(it, rules) for it in codec.notices_of(phase)] if rules else phase.notices,
        "amendments": [
            {"power": it.power, "place": it.place, "was": it.was, "instead": it.instead, "reason": it.reason}
            for it in sorted(phase.amendments.all(), key=lambda it: it.pk)
        ],
        "result": told_public(codec.public_result_of(result), rules) if rules else result.public,
        "missed": result.missed,
        "engine": result.engine_version,
        "record": {"code": commitment.code, "previous": commitment.previous, "sheets": commitment.codes}
        if commitment
        else None,
        "sheets": (opened.sheets or None) if opened else None,
        "undone": {"at": undoing.at.isoformat(), "reason": why_undone(undoing, rules)} if undoing else None,
        # of a game that was played elsewhere, we don't have the orders as players wrote them
        **({"bids": opened.bids} if opened and not opened.sheets else {}),
        # the terms publish what was saved for other phases at the end, but not for this one
        **({"stays_sealed": True} if terms.open_bids_at_end and not phase.shows(BidsAtEnd) else {}),
    }
