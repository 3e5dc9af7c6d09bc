"""Many games in the middle of play, with orders and bids saved for every seat, written in bulk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle, islice
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import transaction

from adjudication.judge import adjudicate
from adjudication.turns import PhaseKind
from games.kernel import clock, codec
from games.kernel.copying import insert_with_copy
from games.kernel.game_options import GameOptions
from games.kernel.models import Game, Occupancy, Phase, Seat, Status, new_invitation
from games.orders.sheets import sheet_from_orders
from games.sealed import store
from games.sealed.crypto import seal
from games.sealed.models import Sheets
from variants.bots import Level, play
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudication.position import Position
    from variants.variant import Variant

VARIANTS = ("1926", "standard")
MIDDLE_OF_PLAY = 30
"""In units."""
POSITIONS = 10
PEOPLE = 210
AT_ONCE = 100
FAR = timedelta(days=7)


@dataclass(frozen=True)
class Midgame:
    """A position and the lines that bots write in it."""

    variant: Variant
    position: Position
    written: dict[str, str]


def midgames(slug: str) -> Iterator[Midgame]:
    """Several different positions of a variant, each reached by bots."""
    variant = find(slug)
    for seed in range(POSITIONS):
        position = variant.start
        while True:
            sheets = {power.id: play(power.id, position, variant.ruleset, seed) for power in variant.powers}
            if len(position.units) >= MIDDLE_OF_PLAY and position.turn.kind is PhaseKind.MOVEMENT:
                break
            position = adjudicate(position, sheets, variant.ruleset).public.next
        lines = {power: sheet_from_orders(it, power, position, variant).canonical for power, it in sheets.items()}
        yield Midgame(variant, position, lines)


def fill(number: int, *, bots: int = 0) -> None:
    """So many games that wait for a deadline far away; and so many more that wait for the orders of strong bots."""
    kinds = [list(midgames(slug)) for slug in VARIANTS]
    chosen = islice(cycle([it for pair in zip(*kinds, strict=True) for it in pair]), number + bots)
    users = get_user_model().objects
    names = [f"player{one}" for one in range(PEOPLE)]
    people = [
        user.pk for user in users.bulk_create(users.model(username=name, email=f"{name}@example.org") for name in names)
    ]
    numbered = enumerate(chosen, start=-bots)
    while some := dict(islice(numbered, AT_ONCE)):
        _write(some, people)


@transaction.atomic
def _write(wanted: dict[int, Midgame], people: list[int]) -> None:
    now = clock.now()
    games = Game.objects.bulk_create(
        _game(number, it.variant, people[number % PEOPLE]) for number, it in wanted.items()
    )
    made = list(zip(games, wanted.items(), strict=True))
    seats = Seat.objects.bulk_create(
        Seat(game=game, power=power) for game, (_, it) in made for power in sorted(it.written)
    )
    phases = Phase.objects.bulk_create(
        Phase(
            game=game,
            ordinal=0,
            turn=it.position.turn.code,
            position=codec.position_to_row(it.position),
            opened=now,
            deadline=now + FAR,
        )
        for game, (_, it) in made
    )
    following = iter(seats)
    occupancies, bodies = [], dict[int, dict[int, store.Body]]()
    for phase, (number, it) in zip(phases, wanted.items(), strict=True):
        for place, power in enumerate(sorted(it.written), start=1):
            seat = next(following)
            user = people[(number + place) % PEOPLE]
            bot = "" if number >= 0 else Level.STRONG.value
            occupancies.append(Occupancy(game=phase.game, seat=seat, user_id=user, since=now, bot=bot))
            lines = it.written[power]
            body = store.Body() if bot else store.Body(saved=True, typed=lines, lines=lines, at=now.isoformat())
            bodies.setdefault(phase.pk, {})[seat.pk] = store._with_fresh_salt(body)
    Occupancy.objects.bulk_create(occupancies)
    sealed = ((phase, seal(store._pack_bodies(one), phase_id=phase)) for phase, one in bodies.items())
    insert_with_copy(Sheets, ("phase", "sealed"), sealed)


def _game(number: int, variant: Variant, master: int) -> Game:
    return Game(
        slug=f"storm-{number}" if number >= 0 else f"bots{number}",
        name=f"Storm {number}",
        variant_slug=variant.slug,
        variant_version=variant.version,
        variant_digest=variant.digest,
        stored_options=GameOptions.create(variant).to_json(),
        status=Status.RUNNING,
        gm_id=master,
        invitation=new_invitation(),
        created=clock.now(),
    )
