"""Takes the tables back to those of an earlier version."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from diplomacy_site.backups import migrate_to

APPLIED = "[X]"


class Command(BaseCommand):
    help = (
        "Undo every migration that an earlier version had not. It needs that version’s output of "
        "`showmigrations --plan`, as its input, and runs in the later version."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        names = [line.split()[1].partition(".") for line in sys.stdin if line.startswith(APPLIED)]
        then = frozenset((app, name) for app, _, name in names)
        if not then:
            raise CommandError("The input is not the output of `showmigrations --plan`. Nothing was changed.")
        migrate_to(then)
        for app, name in MigrationLoader(None).replacements.keys() - then:
            # The earlier version knows a squashed migration by the names of what it replaces, which stay recorded.
            MigrationRecorder(connection).record_unapplied(app, name)
        self.stdout.write(f"The tables of {connection.settings_dict['NAME']} are as they were.")
