"""Upgrades: migrations go back, games keep the rules they started with, `shadow` shows what would differ."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from diplomacy_site.accounts.models import TakenLook, User
from diplomacy_site.embedded import places
from games.consent.models import Asking
from games.consent.services import answer_request, change_terms
from games.deadlines.phases import close_due_phase
from games.kernel import codec
from games.kernel.checks import OF_0_1_0
from games.kernel.models import Event, Game, Phase, Result, Status
from games.mastering.services.desk import close_game
from games.press.services import send_message
from tests.cast import CAROL, PLAYERS, person
from tests.database import copy_of_database, database_address, use_database
from tests.factories import running_game
from tests.moment import Moment
from tests.story import Story
from variants.registry import find
from variants.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)
OURS = {config.label for config in apps.get_app_configs() if config.name.startswith(("games", "diplomacy_site"))}
SECRETS = ("MUN", "CZE", "AUS")


def shadowed() -> str:
    said = StringIO()
    try:
        call_command("game", "shadow", stdout=said)
    except CommandError as differing:
        said.write(f"ended with 1: {differing}")
    return said.getvalue()


@pytest.fixture
def story() -> Story:
    """A game with one adjudicated phase, in which a bid has moved a unit."""
    story = Story(running_game())
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.deadline()
    return story


def test_a_shadow_of_unchanged_rules_finds_everything_as_it_was(story: Story) -> None:
    before = list(Game.objects.values()), list(Result.objects.values())
    assert shadowed() == "1 game, 1 phase: no differences.\n"
    assert (list(Game.objects.values()), list(Result.objects.values())) == before


def test_a_shadow_names_the_phase_that_an_altered_rule_decides_otherwise(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules if Diplomacy Points bought nothing."""

    def altered(game: Game) -> Variant:
        variant = find(game.variant_slug)
        return replace(variant, ruleset=replace(variant.ruleset, auction=find("standard").ruleset.auction))

    monkeypatch.setattr(Game, "variant", property(altered))
    said = shadowed()
    assert said == (
        f"game {story.game.pk} differs: S1926M: another result\n"
        "ended with 1: 1 of 1 game with differences; 1 phase compared."
    )
    assert not any(word in said for word in SECRETS)


def test_a_fault_of_new_code_in_one_game_is_named_without_its_words(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_game: Game) -> Variant:
        raise ValueError("A MUN - CZE")

    monkeypatch.setattr(Game, "variant", property(broken))
    said = shadowed()
    assert f"game {story.game.pk} differs: can no longer be adjudicated: ValueError\n" in said
    assert not any(word in said for word in SECRETS)


def test_a_running_game_on_other_data_would_be_held_and_one_that_is_over_is_left_alone(story: Story) -> None:
    Game.objects.update(variant_digest="of another map", variant_version="0.9")
    said = shadowed()
    assert f"game {story.game.pk} differs: would be put on hold: Game {story.game.pk} was begun on version 0.9" in said
    assert "ended with 1" in said
    close_game(game_id=story.game.pk, by=person(CAROL).pk)
    said = shadowed()
    assert f"game {story.game.pk} is over and was not compared" in said
    assert "ended with 1" not in said


def test_a_running_game_keeps_to_the_data_of_its_variant_that_it_began_with(story: Story) -> None:
    variant = find(story.game.variant_slug)
    assert (story.game.variant_version, story.game.variant_digest) == (variant.version, variant.digest)
    Game.objects.update(variant_digest="of another map")
    with pytest.raises(codec.VariantChanged):
        close_due_phase(phase_id=story.deadline_comes().pk)
    story.game.refresh_from_db()
    assert story.game.status == Status.HELD, "not adjudicated by other rules, and nothing is lost"


@pytest.fixture
def of_0_1_0() -> Iterator[dict[str, str]]:
    """The environment for commands on a database in which version 0.1.0 has games."""
    with copy_of_database() as name:
        use_database(name)
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE games_game (id bigint); DELETE FROM django_migrations WHERE app = 'kernel'")
        redis = str(settings.CACHES["default"]["LOCATION"])
        local = {"DJANGO_SETTINGS_MODULE": "diplomacy_site.settings.local", "REDIS_URL": redis}
        yield {**os.environ, **local, "DATABASE_URL": database_address()}


@pytest.mark.parametrize("command", ["migrate", "migrate accounts", "check --database default"])
def test_a_database_of_0_1_0_is_refused_before_it_is_touched(of_0_1_0: dict[str, str], command: str) -> None:
    before = described()
    words = [sys.executable, "manage.py", *command.split()]
    done = subprocess.run(
        words, check=False, cwd=places.CHECKOUT, env=of_0_1_0, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "made by version 0.1.0, whose games this version cannot read: nothing was changed, so either" in done.stderr
    assert "Traceback" not in done.stderr
    assert described() == before


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    made = tmp_path / "site.backup"
    call_command("backup", str(made))
    return made


def test_no_backup_is_restored_into_a_database_of_0_1_0(backup: Path, of_0_1_0: dict[str, str]) -> None:
    before = described()
    with pytest.raises(CommandError, match=r"made by version 0\.1\.0"):
        call_command("restore", str(backup))
    assert described() == before


def test_the_handbook_says_what_to_do_with_a_database_of_0_1_0() -> None:
    assert "**From version 0.1.0:**" in (places.CHECKOUT / "HOSTING.md").read_text()
    assert "“From version 0.1.0” in HOSTING.md" in OF_0_1_0


def test_every_migration_has_a_way_back() -> None:
    for (app, name), migration in MigrationLoader(connection).disk_migrations.items():
        one_way = [type(step).__name__ for step in migration.operations if not step.reversible]
        assert app not in OURS or not one_way, f"{app}.{name}: {one_way}"


@pytest.fixture
def back_in_place() -> Iterator[None]:
    """Whatever happens, leave the tables as the other tests need them."""
    yield
    call_command("migrate", verbosity=0, interactive=False)


def test_accounts_whose_names_look_alike_keep_them(back_in_place: None) -> None:
    MigrationExecutor(connection).migrate([("accounts", "0001_of_0_2_0")])
    names = ["anna", "anna.", "оса", "oca", "www.evil.example", "e" * 150]
    User.objects.bulk_create(User(username=name, email=f"{at}@example.org") for at, name in enumerate(names))
    call_command("migrate", verbosity=0, interactive=False)
    assert [user.username for user in User.objects.order_by("pk")] == names
    holders = dict(TakenLook.objects.filter(look__in=["anna", "oca"]).values_list("look", "user__username"))
    assert holders == {"anna": "anna", "oca": "оса"}, "the oldest account has the look"


ALL_TOLD = {"gm_previews": True, "gm_sees_bids": True, "gm_sees_saved": True, "open_bids_at_end": True}
"""Terms that reveal everything that terms can."""
BEFORE = ("kernel", "0001_of_0_2_0")


def _agreed(game: Game, moment: Moment, **choices: bool) -> None:
    moment.wait(hours=1)
    change_terms(game_id=game.pk, by=game.gm_id, choices=choices)
    for name in PLAYERS[:3]:
        answer_request(game_id=game.pk, user_id=person(name).pk, number=Asking.objects.latest("pk").pk, agrees=True)
    moment.wait(hours=1)


def test_phases_of_games_from_before_reveal_what_their_rows_tell_and_no_more(
    back_in_place: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the older version had stored: the terms before their first change since a phase opened."""
    moment, options = Moment(monkeypatch), {"variant": "three-way-balkan-battle", **ALL_TOLD}
    game, alone, same = (running_game(players=PLAYERS[:3], name=f"Game {n}", **options) for n in range(3))
    Story(game).deadline()
    _agreed(game, moment, open_bids_at_end=False)
    _agreed(game, moment, open_bids_at_end=True)
    Story(game).deadline()
    _agreed(game, moment, gm_previews=False)
    Story(game).deadline()
    _agreed(game, moment, gm_previews=True)
    Story(game).deadline()
    Event.objects.create(game=alone, at=moment.now, kind="terms changed", by_id=alone.gm_id, facts={"changes": "Some."})
    call_command("migrate", *BEFORE, verbosity=0, interactive=False)
    phases = MigrationExecutor(connection).loader.project_state(BEFORE).apps.get_model("kernel", "Phase").objects
    assert list(phases.filter(game=same.pk).values_list("former_terms", flat=True)) == [None]
    phases.update(former_terms=None)
    phases.filter(game=game.pk, ordinal__lte=2).update(former_terms=ALL_TOLD)
    phases.filter(game=game.pk, ordinal=3).update(former_terms={**ALL_TOLD, "gm_previews": False})
    phases.filter(game=alone.pk).update(former_terms=ALL_TOLD)
    call_command("migrate", verbosity=0, interactive=False)
    lacking = {
        (phase.game_id, phase.ordinal): ALL_TOLD.keys() - set(phase.reveals) for phase in Phase.objects.order_by("pk")
    }
    assert lacking == {
        (game.pk, 0): set(),
        (game.pk, 1): {"open_bids_at_end"},
        (game.pk, 2): {"gm_previews"},
        (game.pk, 3): {"gm_previews"},
        (game.pk, 4): set(),
        (alone.pk, 0): set(ALL_TOLD),
        (same.pk, 0): set(),
    }
    call_command("migrate", *BEFORE, verbosity=0, interactive=False)
    former = phases.filter(game=game.pk).order_by("ordinal").values_list("former_terms", flat=True)
    assert list(former) == [
        None,
        {**ALL_TOLD, "open_bids_at_end": False},
        {**ALL_TOLD, "gm_previews": False},
        {**ALL_TOLD, "gm_previews": False},
        None,
    ]


def test_going_back_to_a_version_that_had_the_same_tables_loses_no_row(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_message(game_id=story.game.pk, user_id=person(PLAYERS[0]).pk, text="Good morning.")
    plan = StringIO()
    call_command("showmigrations", "--plan", stdout=plan)
    before = _rows()
    assert {"press_message", "kernel_phase"} <= before.keys()
    monkeypatch.setattr(sys, "stdin", StringIO(plan.getvalue()))
    call_command("migrate_back", stdout=StringIO())
    assert _rows() == before


def _rows() -> dict[str, int]:
    """Of each table that has any."""
    with connection.cursor() as cursor:
        counts = {}
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608 - Django's own names
            counts[table] = cursor.fetchone()[0]
    return {table: count for table, count in counts.items() if count}


def described() -> list[tuple[str, ...]]:
    """Every column, index, constraint, trigger and function."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
            "WHERE table_schema = 'public' UNION ALL "
            "SELECT tablename, indexname, indexdef, '' FROM pg_indexes WHERE schemaname = 'public' UNION ALL "
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), '' FROM pg_constraint "
            "WHERE connamespace = 'public'::regnamespace UNION ALL "
            "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), '' FROM pg_trigger "
            "WHERE NOT tgisinternal UNION ALL "
            "SELECT proname, '', regexp_replace(prosrc, '\\s+', ' ', 'g'), '' FROM pg_proc "
            "WHERE pronamespace = 'public'::regnamespace ORDER BY 1, 2, 3"
        )
        found: list[tuple[str, ...]] = cursor.fetchall()
    return found
