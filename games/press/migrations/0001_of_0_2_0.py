import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REFUSE = """
CREATE FUNCTION press_message_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM press_thread thread JOIN kernel_game game ON game.id = thread.game_id
        WHERE thread.id = OLD.thread_id AND game.practice
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'messages are never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER press_message_never_changes BEFORE UPDATE OR DELETE ON press_message
    FOR EACH ROW EXECUTE FUNCTION press_message_refuse();
"""

ALLOW = """
DROP TRIGGER press_message_never_changes ON press_message;
DROP FUNCTION press_message_refuse();
"""


class Migration(migrations.Migration):
    replaces = [
        ("press", "0001_initial"),
        ("press", "0002_practice_games"),
        ("press", "0003_announcements_in_full"),
        ("press", "0004_messages_by_assistants"),
    ]

    initial = True

    dependencies = [("kernel", "0001_of_0_2_0"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Notebook",
            fields=[
                (
                    "occupancy",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="kernel.occupancy",
                    ),
                ),
                ("text", models.TextField(blank=True, max_length=20000)),
                ("version", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("power", models.CharField(blank=True, max_length=40)),
                ("turn", models.CharField(blank=True, max_length=12)),
                ("sent", models.DateTimeField()),
                ("text", models.TextField(max_length=4000)),
                ("key", models.CharField(blank=True, max_length=64, null=True)),
                (
                    "assistant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sent", models.DateTimeField()),
                ("text", models.TextField(max_length=4000)),
                ("key", models.CharField(blank=True, max_length=64, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="remarks", to="kernel.game"
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
            name="RemarkReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField(max_length=500)),
                ("made", models.DateTimeField()),
                ("dealt", models.DateTimeField(blank=True, null=True)),
                (
                    "remark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="press.remark"
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
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField(max_length=500)),
                ("made", models.DateTimeField()),
                ("dealt", models.DateTimeField(blank=True, null=True)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="press.message"
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
            name="Thread",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "powers",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), blank=True, default=list, size=None
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="threads", to="kernel.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PressLetter",
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
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="letters", to="press.thread"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="message",
            name="thread",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="messages", to="press.thread"
            ),
        ),
        migrations.CreateModel(
            name="Bookmark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="bookmarks", to="press.thread"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Withheld",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="withheld", to="press.message"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"verbose_name_plural": "withheld"},
        ),
        migrations.CreateModel(
            name="AnnouncementLetter",
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
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="letters", to="press.message"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("sent__isnull", True)), fields=["next_try"], name="announcements_to_send"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("message", "user"), name="one_letter_per_announcement")
                ],
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("power", models.CharField(max_length=40)),
                (
                    "game",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="kernel.game"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "user", "power"), name="mute_once_per_power")]
            },
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.UniqueConstraint(fields=("game", "user", "key"), name="remark_once_per_form"),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.CheckConstraint(condition=models.Q(("text__gt", "")), name="remark_has_words"),
        ),
        migrations.AddConstraint(
            model_name="remarkreport",
            constraint=models.UniqueConstraint(fields=("remark", "user"), name="remark_report_once_per_reader"),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(fields=("message", "user"), name="report_once_per_reader"),
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.UniqueConstraint(fields=("game", "powers"), name="thread_once_per_set"),
        ),
        migrations.AddIndex(
            model_name="pressletter",
            index=models.Index(
                condition=models.Q(("sent__isnull", True)), fields=["next_try"], name="press_letters_to_send"
            ),
        ),
        migrations.AddConstraint(
            model_name="pressletter",
            constraint=models.UniqueConstraint(fields=("thread", "user"), name="one_press_letter_until_read"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(fields=("thread", "number"), name="message_number_once_per_thread"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(fields=("thread", "power", "key"), name="message_once_per_form"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(condition=models.Q(("text__gt", "")), name="message_has_words"),
        ),
        migrations.AddConstraint(
            model_name="bookmark",
            constraint=models.UniqueConstraint(fields=("thread", "user"), name="bookmark_once_per_reader"),
        ),
        migrations.AddConstraint(
            model_name="withheld", constraint=models.UniqueConstraint(fields=("message", "user"), name="withheld_once")
        ),
        migrations.RunSQL(REFUSE, ALLOW),
    ]
