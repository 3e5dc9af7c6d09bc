"""The standings as files: a table for spreadsheets, and JSON in the format that dipvis uses (the program behind
diplomacytv.com), with our boards added."""

import csv
from io import StringIO
from typing import Any

from django.utils.translation import gettext as _

from games.endings.rules import is_win
from games.kernel import codec
from games.tournaments.parts import PlayerRow, ScoredTable
from games.tournaments.queries import SeriesView
from games.tournaments.results import target_of
from games.tournaments.terms import RoundTerms

SIGNS_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the beginning of a cell."""


def as_csv(view: SeriesView) -> str:
    """A line for each player, with their points in each round of a tournament or in each game of a series."""
    games = list(view.games.values())
    heads = view.sheet.round_names or [it.name for it in games]
    text = StringIO()
    lines = csv.writer(text)
    team = [_("team")] if view.sheet.teams else []
    lines.writerow(map(_safe, [_("rank"), _("player"), *team, _("games"), _("total"), *heads]))
    for row in view.sheet.standings:
        played = {it.game: it.points for it in row.played}
        of_rounds, of_games = [it.points if it else "" for it in row.rounds], [played.get(it) for it in games]
        who = map(_safe, [row.name, *([row.team] if team else [])])
        points = of_rounds if view.sheet.round_names else of_games
        lines.writerow([row.rank, *who, len(row.played), row.total, *points])
    return text.getvalue()


def results_as_csv(view: SeriesView) -> str:
    """A line for each game and each person who has points from it, and for points that a director added."""
    sheet, text = view.sheet, StringIO()
    lines = csv.writer(text)
    about = (_("rank"), _("player"), _("team"), _("round"), _("table"), _("game"), _("variant"), _("power"))
    told = (_("centres"), _("centres by year"), _("eliminated"), _("points"), _("part"), _("counts"), _("ruling"))
    lines.writerow([*about, *told])
    for row, shown in zip(sheet.found, sheet.standings, strict=True):
        who = [row.rank, _safe(shown.name), _safe(shown.team)]
        for it, played in zip([it for it in row.games if it.seat and it.table is not None], shown.played, strict=True):
            assert it.seat is not None
            table = sheet.tables[it.round][it.table or 0]
            held = {power: facts for power, *facts in sheet.outcomes[table.game.pk]["powers"]}
            centres, fell, by_year = held[it.seat.power]
            game = [it.round + 1, table.number, _safe(played.game.name), played.game.variant_title, played.power_name]
            counts = _("yes") if played.counted else _("no")
            points = [played.points, played.part, counts, _safe(played.reason)]
            lines.writerow([*who, *game, centres, " ".join(map(str, by_year)), fell, *points])
        lines.writerows([*who, *[""] * 8, given.points, "", _("yes"), _safe(given.reason)] for given in shown.given)
    return text.getvalue()


def _safe(cell: str) -> str:
    """The text of a cell, changed so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell.startswith(SIGNS_OF_FORMULAS) else cell


def as_json(view: SeriesView) -> dict[str, Any]:
    """The tables that count. dipvis doesn't have `boards`, `teams` and `members`, nor the keys of a table from
    `players` on. This site asks nobody where they live, so `location` and `wdr_id` are empty."""
    variants = {it.table.game.variant_slug: codec.variant_of(it.table.game) for it in view.sheet.scored}
    start = view.row.published or view.row.created
    return {
        "name": view.row.name,
        "year": start.year,
        "wdr_id": None,
        "rounds": {str(number): _round(view, number) for number in range(1, len(view.sheet.rows) + 1)},
        "results": [_result(row) for row in view.sheet.standings],
        "teams": [
            {"name": it.name, "ranking": it.rank, "score": float(it.total), "members": [who for who, *_ in it.members]}
            for it in view.sheet.teams
        ],
        "boards": {
            slug: {
                "title": variant.title,
                "centres": len(variant.ruleset.board.centres),
                "target": target_of(variant),
                "powers": {power.id: power.name for power in variant.powers},
            }
            for slug, variant in variants.items()
        },
    }


def _round(view: SeriesView, number: int) -> dict[str, Any]:
    row = view.sheet.rows[number - 1]
    scoring = RoundTerms.stored(row.terms).scoring if row.terms else ""
    tables = [it for it in view.sheet.scored if it.round == number]
    names = {it.table.pk: f"R{number}T{it.table.number or it.table.pk}" for it in tables}
    return {
        "scoring_system": view.terms.system(scoring).title,
        "games": {names[it.table.pk]: _game(view, it) for it in tables},
    }


def _game(view: SeriesView, scored: ScoredTable) -> dict[str, Any]:
    table, verdict = scored.table, codec.verdict_of(scored.table.game)
    turn = view.sheet.turns[table.game_id]
    drawers = verdict.winners if verdict and not is_win(verdict) else ()
    began = table.began.date().isoformat() if scored.game.slug else None
    return {
        "started": began,
        "draw": {"season": turn.season.value, "year": turn.year, "powers": [*drawers]} if drawers else None,
        "players": {
            seat.power: {
                "name": seat.players[-1] if seat.players else None,
                "location": None,
                "wdr_id": None,
                "score": float(seat.points),
                "final_scs": seat.centres,
                "elimination_year": seat.fell_in,
                "in_draw": seat.power in drawers,
                "everyone": [*seat.players],
            }
            for seat in scored.seats
        },
        "board": table.game.variant_slug,
        "title": scored.game.name,
        "address": scored.game.slug or None,
    }


def _result(row: PlayerRow) -> dict[str, Any]:
    return {
        "player_name": row.name,
        "player_wdr_id": None,
        "ranking": row.rank,
        "score": float(row.total),
        "score_breakdown": [
            {"round": number, "score": float(it.points), "counts": it.counted}
            for number, it in enumerate(row.rounds, 1)
            if it
        ],
        "team": row.team,
        "rulings": [
            *({"score": float(it.points), "reason": it.reason, "game": it.game.name} for it in row.played if it.reason),
            *({"score": float(it.points), "reason": it.reason, "game": None} for it in row.given),
        ],
    }
