"""Plays whole games with bots through the services and reports how they ended."""

import time
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from games.kernel.models import Game
from games.management.rehearsal import create_bot_game, play_to_the_end
from variants.bots import Level
from variants.registry import SLUGS, UnknownVariant, find
from variants.words.english import amount


class Command(BaseCommand):
    help = "Play whole games with bots, each until a victory or for some years. Exit with 1 if any failed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int, metavar="N")
        parser.add_argument("--variant", default=SLUGS[0])
        parser.add_argument("--years", type=int, default=10)
        parser.add_argument("--level", choices=[level.value for level in Level], default=Level.EASY.value)

    def handle(self, *args: Any, count: int, variant: str, years: int, level: str, **options: Any) -> None:
        try:
            seats = find(variant).players
        except UnknownVariant as unknown:
            raise CommandError(str(unknown)) from None
        mark, users = uuid4().hex[:8], get_user_model().objects
        names = [f"bot-{mark}-{number}" for number in range(seats + 1)]  # no one can sign in to them
        gm, *players = [users.create_user(username=name, email=f"{name}@example.invalid").pk for name in names]
        create = partial(create_bot_game, variant=variant, gm=gm, players=players, early=True, level=Level(level))
        verdicts: Counter[str] = Counter()
        start = time.monotonic()
        for number in range(1, count + 1):
            verdicts[self._play(create(name=f"Rehearsal {number}"), number, years)] += 1
        self.stdout.write(f"{amount(count, 'game')} in {time.monotonic() - start:.0f} s: {dict(verdicts)}")
        if verdicts["failed"]:
            raise CommandError(f"{verdicts['failed']} of {amount(count, 'game')} failed and went on hold.")

    def _play(self, game: Game, number: int, years: int) -> str:
        try:
            phases = play_to_the_end(game, years=years)
        except Exception as error:  # noqa: BLE001 - the game is on hold by now; the others are still to be played
            game.refresh_from_db()
            self.stderr.write(f"{number}: {game.status}, {type(error).__name__}: {error}")
            return "failed"
        verdict = game.verdict_sentence
        self.stdout.write(f"{number}: {phases} phases, {game.status}. {verdict}")
        return game.status
