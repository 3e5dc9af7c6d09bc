"""Judges the closed phases of a game once more and compares."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.kernel.models import Game
from games.mastering.judging import replay


class Command(BaseCommand):
    help = "Judge the closed phases of these games once more (of all, if none is named). Ends with 1 on a difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="slug")

    def handle(self, *args: Any, slugs: list[str], **options: Any) -> None:
        games = Game.objects.order_by("pk")
        if slugs:
            games = games.filter(slug__in=slugs)
        if missing := set(slugs) - set(games.values_list("slug", flat=True)):
            raise CommandError(f"There is no game {', '.join(sorted(missing))}.")
        changed = [f"{game.slug} {turn}" for game in games for turn in replay(game_id=game.pk)]
        if changed:
            raise CommandError("\n".join(changed))
        self.stdout.write(f"{games.count()} games replayed, every phase as it was.")
