"""What moderators do about a tournament or a series, and how people report one to them."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.languages import later
from games.kernel.limits import count_series_change
from games.kernel.news import checked_reason
from games.kernel.refusals import BadInput, WrongMoment
from games.kernel.rules import unless
from games.kernel.wording import one_line
from games.people.models import ActKind, SeriesReport
from games.people.moderation import record_act
from games.press.services import reason_to_report
from games.seating.services.new_game import objection_to_name
from games.tournaments.models import Tournament

ONLY_A_DRAFT = later("This is a draft, which only its directors can see.")


@transaction.atomic
def moderate(*, by: int, tournament_id: int, act: str, reason: str, name: str = "") -> None:
    """Do one of the acts on tournaments, which the moderators' log records. With the name or the text go the lines of
    the list of changes that tell an earlier name, or what directors wrote to entrants. Raises BadReason; BadInput for a
    `name` that can't be; WrongMoment if it is so already."""
    why, kind, now = checked_reason(reason, needed=True), ActKind(act), clock.now()
    series = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament_id)
    unless(series.published, WrongMoment(str(ONLY_A_DRAFT)))
    new_name = one_line(name) if kind == ActKind.RENAMED else series.name
    if objection := objection_to_name(new_name):
        raise BadInput({"name": objection})
    fields: dict[str, dict[str, Any]] = {
        ActKind.HIDDEN: {"hidden": series.hidden or now},
        ActKind.SHOWN: {"hidden": None},
        ActKind.SHUT: {"shut": series.shut or now},
        ActKind.OPENED: {"shut": None},
        ActKind.RENAMED: {"name": new_name},
        ActKind.EMPTIED: {"text": ""},
    }
    written = fields[kind]
    gone = series.changes.filter(kind={ActKind.RENAMED: "name", ActKind.EMPTIED: "message"}.get(kind))
    is_new = any(getattr(series, field) != value for field, value in written.items())
    unless(is_new or gone.exists(), WrongMoment(_("It is so already.")))
    Tournament.objects.filter(pk=series.pk).update(**written)
    gone.delete()
    record_act(kind, by, why, now, user=_responsible(series), series=series.slug)


def _responsible(series: Tournament) -> Any:
    """A director or, without any, the user who published it."""
    director = series.directors.select_related("user").order_by("pk").first()
    return director.user if director else series.changes.get(kind="published").by


@transaction.atomic
def report(*, tournament_id: int, user_id: int, reason: str) -> None:
    """Report a tournament or a series to the moderators, once. Raises BadReason; TooOften after 200 in an hour."""
    count_series_change(user_id)
    series = Tournament.objects.get(pk=tournament_id)
    unless(series.published, WrongMoment(str(ONLY_A_DRAFT)))
    facts = {"name": series.name, "text": series.text, "director": _responsible(series), "made": clock.now()}
    facts |= {"reason": reason_to_report(reason)}
    SeriesReport.objects.get_or_create(series=series.slug, user_id=user_id, defaults=facts)
