"""Adjudicates the closed phases of games again and compares the results."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from adjudication.english import amount
from games.kernel.models import Game
from games.mastering.judging import replay


class Command(BaseCommand):
    help = "Adjudicate the closed phases of these games (or of all) again. Exit with 1 if a result differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="slug")

    def handle(self, *args: Any, slugs: list[str], **options: Any) -> None:
        games = Game.objects.of_this_site().order_by("pk")
        if slugs:
            games = games.filter(slug__in=slugs)
        if missing := set(slugs) - set(games.values_list("slug", flat=True)):
            raise CommandError(f"These games do not exist: {', '.join(sorted(missing))}.")
        changed = [f"{game.slug} {turn}" for game in games for turn in replay(game_id=game.pk)]
        if changed:
            raise CommandError("\n".join(changed))
        self.stdout.write(f"{amount(games.count(), 'game')} replayed: no differences.")
