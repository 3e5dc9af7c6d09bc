import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations, models

import games.kernel.models.packed

REFUSE = """
CREATE FUNCTION kernel_event_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM kernel_game WHERE id = OLD.game_id AND practice) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the public log only grows' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER kernel_event_only_grows BEFORE UPDATE OR DELETE ON kernel_event
    FOR EACH ROW EXECUTE FUNCTION kernel_event_refuse();
"""

ALLOW = """
DROP TRIGGER kernel_event_only_grows ON kernel_event;
DROP FUNCTION kernel_event_refuse();
"""

HOLD = """
CREATE FUNCTION kernel_seat_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed bigint := COALESCE(NEW.seat_id, OLD.seat_id);
BEGIN
    UPDATE kernel_seat SET held = EXISTS (SELECT FROM kernel_occupancy WHERE seat_id = changed AND until IS NULL AND NOT gives_way)
        WHERE id = changed;
    RETURN NULL;
END $$;
CREATE TRIGGER kernel_seat_is_held AFTER INSERT OR DELETE OR UPDATE OF until ON kernel_occupancy
    FOR EACH ROW EXECUTE FUNCTION kernel_seat_hold();
"""

LET_GO = """
DROP TRIGGER kernel_seat_is_held ON kernel_occupancy;
DROP FUNCTION kernel_seat_hold();
"""

NEVER_CHANGES = """
CREATE FUNCTION kernel_game_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a game of people never becomes a practice game' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER kernel_game_practice_never_changes BEFORE UPDATE ON kernel_game
    FOR EACH ROW WHEN (OLD.practice IS DISTINCT FROM NEW.practice) EXECUTE FUNCTION kernel_game_stays();
"""

MAY_CHANGE = """
DROP TRIGGER kernel_game_practice_never_changes ON kernel_game;
DROP FUNCTION kernel_game_stays();
"""

KEEP = """
CREATE FUNCTION kernel_game_keep_assistants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed bigint := COALESCE(NEW.game_id, OLD.game_id);
BEGIN
    UPDATE kernel_game SET assistants = (
        SELECT COALESCE(jsonb_object_agg(user_id, to_jsonb(rights)), '{}') FROM kernel_assistant
        WHERE game_id = changed AND accepted AND ended IS NULL
    ) WHERE id = changed;
    RETURN NULL;
END $$;
CREATE TRIGGER kernel_game_has_assistants AFTER INSERT OR UPDATE OR DELETE ON kernel_assistant
    FOR EACH ROW EXECUTE FUNCTION kernel_game_keep_assistants();
"""

FORGET = """
DROP TRIGGER kernel_game_has_assistants ON kernel_assistant;
DROP FUNCTION kernel_game_keep_assistants();
"""


class Migration(migrations.Migration):
    replaces = [
        ("kernel", "0001_initial"),
        ("kernel", "0002_bots_in_seats"),
        ("kernel", "0003_practice_games"),
        ("kernel", "0004_own_bots"),
        ("kernel", "0005_played_elsewhere"),
        ("kernel", "0006_announced_deadlines"),
        ("kernel", "0007_assistants"),
        ("kernel", "0008_brought"),
        ("kernel", "0009_following"),
        ("kernel", "0010_former_terms"),
        ("kernel", "0011_gm_enters"),
    ]

    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        TrigramExtension(),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("variant_slug", models.CharField(max_length=40)),
                ("variant_version", models.CharField(max_length=20)),
                ("variant_digest", models.CharField(max_length=64)),
                ("stored_options", models.JSONField(db_column="options")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "waiting for players"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("held", "on hold"),
                            ("finished", "finished"),
                            ("closed", "closed by the game master"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "assistants",
                    models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict, editable=False),
                ),
                ("by_invitation", models.BooleanField(default=False)),
                ("practice", models.BooleanField(default=False)),
                ("invitation", models.CharField(max_length=43, unique=True)),
                ("incident", models.CharField(blank=True, max_length=16)),
                ("verdict", models.JSONField(blank=True, null=True)),
                ("elsewhere", models.JSONField(blank=True, null=True)),
                ("created", models.DateTimeField()),
                (
                    "gm",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games_mastered",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Following",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="followings", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("kind", models.CharField(max_length=30)),
                ("facts", models.JSONField(blank=True, default=dict)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="events", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Brought",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", games.kernel.models.packed.PackedJSONField()),
                ("notices", models.JSONField(blank=True, default=list)),
                ("reports", models.TextField(blank=True, max_length=200000)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="brought", to="kernel.game"
                    ),
                ),
            ],
            options={"verbose_name_plural": "brought games"},
        ),
        migrations.CreateModel(
            name="Assistant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rights",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("talk", "messages"),
                                ("clock", "clock"),
                                ("seats", "seats"),
                                ("results", "results"),
                            ],
                            max_length=10,
                        ),
                        size=None,
                    ),
                ),
                ("made", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("answered", models.DateTimeField(blank=True, null=True)),
                ("ended", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.game"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Handover",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("by_moderators", models.BooleanField(default=False)),
                ("made", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("answered", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="handovers", to="kernel.game"
                    ),
                ),
                (
                    "giver",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "taker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Joiner",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("wishes", models.JSONField(blank=True, default=list)),
                ("own_bot", models.BooleanField(default=False)),
                ("joined", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="joiners", to="kernel.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="joined", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("written", models.DateTimeField()),
                ("next_try", models.DateTimeField(blank=True, null=True)),
                ("for_the_day", models.BooleanField(default=False)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("sent", models.DateTimeField(blank=True, null=True)),
                ("seen", models.DateTimeField(blank=True, null=True)),
                ("next_push", models.DateTimeField(blank=True, null=True)),
                ("pushed", models.BooleanField(default=False)),
                ("key", models.CharField(max_length=120)),
                ("kind", models.CharField(max_length=30)),
                ("ordinal", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="letters", to="kernel.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Phase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.PositiveIntegerField()),
                ("turn", models.CharField(max_length=12)),
                ("position", games.kernel.models.packed.PackedJSONField()),
                ("notices", models.JSONField(blank=True, default=list)),
                ("opened", models.DateTimeField()),
                ("deadline", models.DateTimeField(blank=True, null=True)),
                ("remaining", models.DurationField(blank=True, null=True)),
                ("announced", models.DateTimeField(blank=True, null=True)),
                ("closed", models.DateTimeField(blank=True, null=True)),
                ("graced", models.BooleanField(default=False)),
                ("window_ends", models.DateTimeField(blank=True, null=True)),
                ("before_window", models.DateTimeField(blank=True, null=True)),
                ("reminded", models.DateTimeField(blank=True, null=True)),
                ("former_terms", models.JSONField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="phases", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OpenedBids",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("bids", models.JSONField()),
                ("sheets", models.JSONField(default=dict)),
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="opened_bids", to="kernel.phase"
                    ),
                ),
            ],
            options={"verbose_name_plural": "opened bids"},
        ),
        migrations.CreateModel(
            name="Amendment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("power", models.CharField(max_length=40)),
                ("place", models.CharField(max_length=12)),
                ("was", models.CharField(max_length=80)),
                ("instead", models.CharField(blank=True, max_length=80)),
                ("reason", models.CharField(max_length=300)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="amendments", to="kernel.phase"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Result",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public", games.kernel.models.packed.PackedJSONField()),
                ("missed", models.JSONField(blank=True, default=list)),
                ("engine_version", models.CharField(max_length=20)),
                ("inputs_hmac", models.CharField(max_length=64)),
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="result", to="kernel.phase"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("power", models.CharField(max_length=40)),
                ("disordered", models.BooleanField(default=False)),
                ("held", models.BooleanField(default=False, editable=False)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Readiness",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readiness", to="kernel.phase"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="readiness", to="kernel.seat"
                    ),
                ),
            ],
            options={"verbose_name_plural": "readiness"},
        ),
        migrations.CreateModel(
            name="Occupancy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "bot",
                    models.CharField(
                        blank=True,
                        choices=[("easy", "easy"), ("medium", "medium"), ("strong", "strong")],
                        max_length=10,
                    ),
                ),
                ("gives_way", models.BooleanField(default=False)),
                ("own_bot", models.BooleanField(default=False)),
                ("gm_enters", models.BooleanField(default=False)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("owed", models.PositiveIntegerField(default=0)),
                ("missed", models.PositiveIntegerField(default=0)),
                ("silent", models.PositiveIntegerField(default=0)),
                ("departure", models.CharField(blank=True, max_length=10)),
                ("returned", models.BooleanField(default=False)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="occupancies", to="kernel.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="occupancies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="occupancies", to="kernel.seat"
                    ),
                ),
            ],
            options={"verbose_name_plural": "occupancies"},
        ),
        migrations.CreateModel(
            name="Sitting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("begins", models.DateTimeField()),
                ("ends", models.DateTimeField()),
                ("talks", models.BooleanField(default=False)),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("ended", models.DateTimeField(blank=True, null=True)),
                (
                    "occupancy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sittings", to="kernel.occupancy"
                    ),
                ),
                (
                    "sitter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Undoing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("back_to", models.CharField(max_length=12)),
                ("reason", models.CharField(max_length=600)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="undoings", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="phase",
            name="undoing",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="phases",
                to="kernel.undoing",
            ),
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "whom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("by", "whom"), name="block_once"),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("whom")), _negated=True), name="nobody_blocks_himself"
                    ),
                ]
            },
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("practice", True)), fields=["created"], name="practice_games_by_age"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("by_invitation", False)),
                fields=["status", "-created", "-id"],
                name="public_games_newest_first",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("by_invitation", False)),
                fields=["variant_slug", "-created"],
                name="public_games_of_a_variant",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("by_invitation", False), ("status__in", ("finished", "closed"))),
                fields=["-created", "-id"],
                include=("name", "variant_slug"),
                name="archive_newest_first",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass(
                    django.db.models.functions.text.Upper("name"), name="gin_trgm_ops"
                ),
                name="games_by_parts_of_names",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["open", "running", "paused", "held", "finished", "closed"])),
                name="game_status_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("incident__gt", ""), ("status", "held")),
                    models.Q(models.Q(("status", "held"), _negated=True), ("incident", "")),
                    _connector="OR",
                ),
                name="game_held_has_incident",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ("finished", "closed")), ("verdict__isnull", False)),
                    models.Q(
                        models.Q(("status__in", ("finished", "closed")), _negated=True), ("verdict__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="game_over_has_verdict",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("practice", False), ("by_invitation", True), _connector="OR"),
                name="practice_game_is_not_public",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("elsewhere__isnull", True),
                    models.Q(("practice", False), ("status__in", ("finished", "closed"))),
                    _connector="OR",
                ),
                name="game_played_elsewhere_is_over",
            ),
        ),
        migrations.AddConstraint(
            model_name="following", constraint=models.UniqueConstraint(fields=("user", "game"), name="follow_once")
        ),
        migrations.AddIndex(model_name="event", index=models.Index(fields=["game", "-id"], name="events_newest_first")),
        migrations.AddConstraint(
            model_name="assistant",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended__isnull", True), models.Q(("accepted", False), _negated=True)),
                fields=("game", "user"),
                name="assists_a_game_once_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="assistant",
            constraint=models.CheckConstraint(
                condition=models.Q(("accepted__isnull", True), ("answered__isnull", False), _connector="XOR"),
                name="assistant_answered_when",
            ),
        ),
        migrations.AddConstraint(
            model_name="assistant",
            constraint=models.CheckConstraint(
                condition=models.Q(("ended__isnull", True), ("accepted", True), _connector="OR"),
                name="assistant_ends_after_accepting",
            ),
        ),
        migrations.AddConstraint(
            model_name="handover",
            constraint=models.UniqueConstraint(
                condition=models.Q(("accepted__isnull", True)), fields=("game",), name="one_handover_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="handover",
            constraint=models.CheckConstraint(
                condition=models.Q(("accepted__isnull", True), ("answered__isnull", False), _connector="XOR"),
                name="handover_answered_when",
            ),
        ),
        migrations.AddConstraint(
            model_name="joiner", constraint=models.UniqueConstraint(fields=("game", "user"), name="join_once")
        ),
        migrations.AddIndex(
            model_name="letter",
            index=models.Index(condition=models.Q(("sent__isnull", True)), fields=["next_try"], name="letters_to_send"),
        ),
        migrations.AddConstraint(
            model_name="letter", constraint=models.UniqueConstraint(fields=("key",), name="letter_written_once")
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("disordered", False), ("held", False)), fields=["game"], name="free_seats"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat", constraint=models.UniqueConstraint(fields=("game", "power"), name="seat_once_per_power")
        ),
        migrations.AddConstraint(
            model_name="readiness",
            constraint=models.UniqueConstraint(fields=("phase", "seat"), name="ready_once_per_phase"),
        ),
        migrations.AddIndex(model_name="occupancy", index=models.Index(fields=["user", "game"], name="games_of_user")),
        migrations.AddConstraint(
            model_name="occupancy",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until__isnull", True)), fields=("seat",), name="seat_held_by_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="occupancy",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until__isnull", True)), fields=("game", "user"), name="one_seat_per_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="occupancy",
            constraint=models.CheckConstraint(
                condition=models.Q(("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"),
                name="occupancy_ends_after_it_began",
            ),
        ),
        migrations.AddConstraint(
            model_name="occupancy",
            constraint=models.CheckConstraint(
                condition=models.Q(("bot__in", ["", "easy", "medium", "strong"])), name="occupancy_bot_is_a_level"
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends__gt", models.F("begins"))), name="sitting_ends_after_it_begins"
            ),
        ),
        migrations.AddConstraint(
            model_name="sitting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended__isnull", True), models.Q(("accepted", False), _negated=True)),
                fields=("occupancy",),
                name="one_sitter_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="phase",
            index=models.Index(
                condition=models.Q(("closed__isnull", True)), fields=["deadline"], name="open_phases_by_deadline"
            ),
        ),
        migrations.AddIndex(
            model_name="phase",
            index=models.Index(
                condition=models.Q(("closed__isnull", False)), fields=["closed"], name="phases_by_closing"
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undoing__isnull", True)), fields=("game", "ordinal"), name="phase_ordinal_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("undoing__isnull", True), ("closed__isnull", False), _connector="OR"),
                name="undone_phase_is_closed",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed__isnull", True)), fields=("game",), name="one_open_phase"
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closed__isnull", False),
                    models.Q(("deadline__isnull", False), ("remaining__isnull", True)),
                    models.Q(("deadline__isnull", True), ("remaining__isnull", False)),
                    _connector="OR",
                ),
                name="open_phase_has_one_clock",
            ),
        ),
        migrations.RunSQL(REFUSE, ALLOW),
        migrations.RunSQL(HOLD, LET_GO),
        migrations.RunSQL(NEVER_CHANGES, MAY_CHANGE),
        migrations.RunSQL(KEEP, FORGET),
    ]
