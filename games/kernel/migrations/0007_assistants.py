import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

RIGHTS = [("talk", "messages"), ("clock", "clock"), ("seats", "seats"), ("results", "results")]

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
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("kernel", "0006_announced_deadlines")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="assistants",
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict, editable=False),
        ),
        migrations.CreateModel(
            name="Assistant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rights",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(choices=RIGHTS, max_length=10), size=None
                    ),
                ),
                ("made", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("answered", models.DateTimeField(blank=True, null=True)),
                ("ended", models.DateTimeField(blank=True, null=True)),
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "user"),
                        condition=Q(("ended__isnull", True)) & ~Q(("accepted", False)),
                        name="assists_a_game_once_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=Q(("accepted__isnull", True)) ^ Q(("answered__isnull", False)),
                        name="assistant_answered_when",
                    ),
                    models.CheckConstraint(
                        condition=Q(("ended__isnull", True)) | Q(("accepted", True)),
                        name="assistant_ends_after_accepting",
                    ),
                ]
            },
        ),
        migrations.RunSQL(KEEP, FORGET),
    ]
