"""How games ended, for scoring: stored once a game is over, because it never changes after that."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Q

from adjudication.position import Position
from adjudication.turns import Turn
from games.endings.rules import is_concession, is_win
from games.kernel import codec
from games.kernel.models import OVER, Game, Phase, Result, Status
from games.tournaments.models import Table
from games.tournaments.rules.scoring import PowerResult, TableResult
from variants.variant import Variant


def stand_in(table: Table) -> Game:
    """What stands for the game of a table that was played elsewhere: a game that is over, and in no database."""
    told = table.outcome or {}
    facts = {"name": told["name"], "variant_slug": told["variant"], "variant_digest": told["digest"]}
    return Game(pk=-table.pk, status=Status.CLOSED, verdict=told["verdict"], stored_options={}, **facts)


def store_outcome(game: Game) -> None:
    """For the hook `game_over`: store how the game ended. The caller holds the lock on the game."""
    table = Table.objects.filter(game=game).first()
    if table is not None:
        table.outcome = outcome_of(game)
        table.save(update_fields=["outcome"])


def outcome_of(game: Game) -> dict[str, Any] | None:
    """{"powers": [[power, centres, the year in which it fell or null, its centres at the end of each year]], "first":
    year, "last": year}; None before the end, and if the game never began."""
    phases = list(game.phases.order_by("ordinal"))
    if game.status not in OVER or not phases:
        return None
    last = Result.objects.filter(phase=phases[-1]).first()
    after = [codec.public_result_of(last).next] if last is not None else []
    return _outcome(codec.variant_of(game), [*map(codec.position_of, phases), *after], phases[-1])


def outcomes_now(games: Mapping[int, Game], phases: Iterable[tuple[int, int, str]]) -> dict[int, dict[str, Any]]:
    """The outcomes of games in progress if they ended now, by the id of the game, read in one statement. `phases`:
    game, number and turn of each. The positions that open a year, and the newest one, are enough to tell which power
    fell when."""
    ordinals_needed, last_ordinals = dict[tuple[int, int], int](), dict[int, int]()
    for game, ordinal, turn in sorted(phases):
        ordinals_needed.setdefault((game, Turn.from_code(turn).year), ordinal)
        last_ordinals[game] = ordinal
    conditions = Q(pk__in=())
    for game in last_ordinals:
        ordinals = {ordinal for (other, _year), ordinal in ordinals_needed.items() if other == game}
        conditions |= Q(game=game, ordinal__in=ordinals | {last_ordinals[game]})
    rows = defaultdict[int, list[Phase]](list)
    for row in Phase.objects.filter(conditions).order_by("game", "ordinal"):
        rows[row.game_id].append(row)
    return {
        game: _outcome(codec.variant_of(games[game]), [*map(codec.position_of, found)], found[-1])
        for game, found in rows.items()
    }


def _outcome(variant: Variant, positions: Sequence[Position], last_phase: Phase) -> dict[str, Any]:
    years, last = [it.turn.year for it in positions], Turn.from_code(last_phase.turn).year
    # what a year ends with is what the next one, or the whole game, opens or ends with
    at_ends = [next((at for at in positions if at.turn.year > it), positions[-1]) for it in range(years[0], last + 1)]
    survivors = [
        {unit.power for unit in it.units} | {beaten.unit.power for beaten in it.dislodged} | {*it.centres.values()}
        for it in positions
    ]
    powers = []
    for power in variant.powers:
        lives = max((number for number, there in enumerate(survivors) if power.id in there), default=-1)
        fell = None if lives == len(positions) - 1 else years[max(lives, 0)]
        by_year = [len(at.centres_of(power.id)) for at in at_ends]
        powers.append([power.id, len(positions[-1].centres_of(power.id)), fell, by_year])
    return {"powers": powers, "first": years[0], "last": last}


def table_result(game: Game, outcome: Mapping[str, Any], *, conceded_as_drawn: bool) -> TableResult:
    """The result of a game, from its outcome and the way it ended. `conceded_as_drawn`: if it was conceded, as if all
    survivors had drawn."""
    variant, verdict = codec.variant_of(game), codec.verdict_of(game)
    as_drawn = verdict is None or (conceded_as_drawn and is_concession(verdict))
    winners = verdict.winners if verdict and not as_drawn else ()
    return TableResult(
        powers=tuple(
            PowerResult(power, centres, fell, tuple(by_year)) for power, centres, fell, by_year in outcome["powers"]
        ),
        winners=winners,
        is_won=bool(winners) and verdict is not None and is_win(verdict),
        first_year=outcome["first"],
        last_year=outcome["last"],
        target=target_of(variant),
        total=len(variant.ruleset.board.centres),
    )


def target_of(variant: Variant) -> int:
    """How many centres win the game; all of them if a win takes more than a number."""
    match variant.ruleset.victory.aims:
        case (("centres", {"count": int(count)}),):
            return count
        case _:
            return len(variant.ruleset.board.centres)
