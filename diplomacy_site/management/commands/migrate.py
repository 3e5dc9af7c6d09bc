"""Changes the tables, and says what state they are in if that fails."""

import traceback
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        before = set(MigrationRecorder(connection).applied_migrations())
        try:
            super().handle(*args, **options)
        except Exception as fault:
            if connection.in_atomic_block or isinstance(
                fault, CommandError
            ):  # all of it is undone, or nothing was done
                raise
            traceback.print_exc()
            nodes = MigrationLoader(connection).graph.nodes.keys()
            new = sorted(nodes & MigrationRecorder(connection).applied_migrations().keys() - before)
            old = {app: max((name for each, name in nodes & before if each == app), default="zero") for app, _ in new}
            raise CommandError(
                f"A migration failed. Done before it, and still there: {', '.join(map('.'.join, new)) or 'none'}. Mend "
                "the cause and type the same again. ./host upgrade goes back by itself; by hand: "
                + "; ".join(f"manage.py migrate {app} {name}" for app, name in old.items())
            ) from fault
