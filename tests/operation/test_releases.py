"""No release needs an empty database: what each release stored comes up to this version, and goes back."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from diplomacy_site.backups import migrate_to, opened_backup
from games.kernel.models import Game
from tests.database import new_database
from tests.operation.release import RELEASES
from tests.operation.test_upgrades import described, shadowed
from tests.story import Story

if TYPE_CHECKING:
    from pathlib import Path

    from tests.moment import Moment

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("file", sorted(RELEASES.glob("*.backup")), ids=lambda file: file.stem)
def test_a_backup_of_every_release_is_restored_goes_on_and_goes_back(file: Path, moment: Moment) -> None:
    with file.open("rb") as content, opened_backup(content) as (backup, _):
        pass
    moment.now, of_now = backup.moment + timedelta(hours=2), described()
    with new_database():
        migrate_to(backup.migrations)
        of_then = described()
        call_command("restore", str(file), stdout=StringIO())
        assert described() == of_now
        assert shadowed().endswith(": no differences.\n")
        game = Game.objects.get(name="People")
        Story(game).deadline()
        assert game.phases.count() == 3
        migrate_to(backup.migrations)
        assert described() == of_then
