"""Finishing a tournament: its winners and the best with each power are announced, and hidden standings with them."""

from django.utils.translation import gettext as _

from games.kernel.languages import later
from games.kernel.models import NOT_OVER
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.tournaments import letters
from games.tournaments.desk import label_of
from games.tournaments.models import Table
from games.tournaments.queries import SeriesView
from games.tournaments.rights import Here, director_act, may_direct
from games.tournaments.services import log_change


def may_finish(here: Here) -> None:
    may_direct(here)
    tournament = here.row
    unless(not tournament.is_series, NotAllowed(_("A series is never finished. Its last day is in its terms.")))
    unless(tournament.published, WrongMoment(_("Publish the tournament first.")))
    unless(tournament.finished is None, WrongMoment(_("The tournament is finished already.")))
    told = _("Not all rounds are seated. Seat them, or change the terms if there are fewer.")
    unless(here.is_all_seated, WrongMoment(told))
    tables = Table.objects.filter(round__tournament=tournament, game__status__in=NOT_OVER).select_related("round")
    going = ", ".join(label_of(it) for it in tables.order_by("round__number", "number"))
    unless(not going, WrongMoment(_("Games are still going on. Tables: {tables}.").format(tables=going)))


@director_act.locked(
    "finish",
    may_finish,
    done=later("The winners are announced. We’ve told all entrants."),
    to="games:tournament",
    only_tournaments=True,
)
def finish(here: Here, by: int) -> None:
    """Announce the winners, the best with each power, and the standings if they were hidden; and write to all entrants.

    Raises WrongMoment before all rounds are seated and all games over, and if nobody has points.
    """
    tournament = here.row
    tournament.finished = here.now
    tournament.save(update_fields=["finished"])
    seen = SeriesView(tournament.slug, None)
    unless(seen.winners, WrongMoment(_("No player has any points yet, so nobody has won.")))
    winners = ", ".join(f"{row.name} {row.total}" for row in seen.winners)
    log_change(tournament, "finished", by, winners=winners, best="; ".join(map(_best, seen.best_of_powers.items())))
    letters.write_to_entrants(tournament, letters.FINISHED, by=by)


def _best(of_power: tuple[str, tuple[str, ...]]) -> str:
    power, names = of_power
    return _("{power}: {people}").format(power=power, people=", ".join(names))
