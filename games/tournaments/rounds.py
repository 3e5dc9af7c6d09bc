"""Adding, changing and deleting the rounds of a tournament, until they are seated.

Each service locks the row of the tournament first.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.kernel.acts import director_act
from games.kernel.game_options import BadOptions, GameOptions, declared_options
from games.kernel.languages import later
from games.kernel.queries import NOBODY
from games.kernel.refusals import BadGame, BadInput, NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.wording import one_line
from games.seating.options import SeatAssignment
from games.seating.services.new_game import objection_to_name
from games.tournaments.letters import TERMS, write_to
from games.tournaments.models import Place, Round, Tournament
from games.tournaments.services import RoundNumber, locked_for_director, log_change
from games.tournaments.terms import Powers, RoundTerms, terms_of, tournament_terms_of
from variants.registry import offered


def round_terms(
    *,
    name: str,
    variants: Sequence[str],
    choices: Mapping[str, Any],
    by_invitation: bool = False,
    scoring: str = "",
    times: int = 1,
    powers: Powers = Powers.RANDOM,
) -> RoundTerms:
    """The terms of a round, with options by which each of these variants can be played; `choices` are options by name.
    BadGame names each wrong field."""
    name, problems = one_line(name), dict[str, str]()
    if objection := objection_to_name(name):
        problems["name"] = objection
    if powers != Powers.TABLE:
        choices = {**choices, "seats": SeatAssignment.RANDOM.value}
    elif choices.get("seats", SeatAssignment.CHOICE) == SeatAssignment.CHOICE:
        message = _("Players are seated together, so they can’t pick powers. Choose powers at random or by preference.")
        problems["seats"] = message
    slugs = tuple(dict.fromkeys(variants)) or ("",)
    options = [_options(slug, problems, by_invitation=by_invitation, **choices) for slug in slugs]
    if problems or options[0] is None:
        raise BadGame(problems)
    chosen = {name: choices.get(name, it.usual) for name, (_, it) in declared_options().items()}
    # what was left empty stays empty, because each variant has its own default
    kept = options[0].to_json() | {name: None for name, value in chosen.items() if value is None}
    return RoundTerms(name, slugs, kept, by_invitation, scoring, times, powers)


def _options(slug: str, problems: dict[str, str], *, by_invitation: bool, **choices: Any) -> GameOptions | None:
    """The options for this variant; None if it can't be played by them, and then `problems` says why."""
    variant = next((it for it in offered() if it.slug == slug), None)
    if variant is None:
        problems["variant"] = _("There is no such variant. Choose one from the list.")
        return None
    try:
        return GameOptions.create(variant, by_invitation=by_invitation, **choices)
    except BadOptions as bad:
        for field, sentence in bad.problems.items():
            problems.setdefault(field, _("In {variant}: {problem}").format(variant=variant.title, problem=sentence))
    return None


@director_act("add_round")
@transaction.atomic
def add_round(*, tournament_id: int, by: int, terms: RoundTerms) -> int:
    """Add a round, whose games all have these options; one that you leave out takes its usual value.

    It comes after the others. Returns its number. Raises WrongMoment if all rounds of the terms are there; BadInput.
    """
    tournament = _locked(tournament_id, by, terms)
    told = _("By the terms of the tournament, there are no more rounds. Change them first.")
    number = tournament.rounds.count() + 1
    unless(number <= tournament_terms_of(tournament).rounds, WrongMoment(told))
    Round.objects.create(tournament=tournament, number=number, terms=terms.to_json())
    _tell(tournament, "round", by, number=number, name=terms.name)
    return number


@director_act("change_round")
@transaction.atomic
def change_round(*, tournament_id: int, by: int, number: int, terms: RoundTerms) -> None:
    """Change a round that is not seated yet.

    Drops the plan if variants or the dealing change. Raises WrongMoment once it is seated; BadInput.
    """
    tournament = _locked(tournament_id, by, terms)
    row = _unseated(tournament, number)
    before = RoundTerms.stored(row.terms)
    if before == terms:
        return
    row.terms = terms.to_json()
    if (before.variants, before.powers) != (terms.variants, terms.powers):
        row.plan, row.plan_wanted, row.tables_of_each = None, None, []
    row.save(update_fields=["terms", "plan", "plan_wanted", "tables_of_each"])
    _tell(tournament, "round-terms", by, number=number, before=before.to_json(), after=terms.to_json())


@director_act("delete_round", done=later("The round is deleted."), to="games:tournament")
@transaction.atomic
def delete_round(*, tournament_id: int, by: int, number: RoundNumber) -> None:
    """Delete a round that is not seated yet."""
    tournament = _locked(tournament_id, by)
    row = _unseated(tournament, number)
    unless(number == tournament.rounds.count(), WrongMoment(_("Only the last round can be deleted.")))
    row.delete()
    _tell(tournament, "no-round", by, number=number, name=RoundTerms.stored(row.terms).name)


def _locked(tournament_id: int, by: int, terms: RoundTerms | None = None) -> Tournament:
    tournament = locked_for_director(tournament_id, by)
    unless(not tournament.is_series, NotAllowed(_("A series has no rounds.")))
    problems = terms.problems(terms_of(tournament)) if terms else {}
    unless(not problems, BadInput(problems))
    return tournament


def _unseated(tournament: Tournament, number: int) -> Round:
    row = tournament.rounds.filter(number=number or NOBODY).first()
    if row is None:
        raise NotAllowed(_("The tournament has no such round."))
    unless(row.seated is None, WrongMoment(_("This round is seated, so its terms no longer change.")))
    return row


def _tell(tournament: Tournament, kind: str, by: int, **facts: Any) -> None:
    log_change(tournament, kind, by, **facts)
    if tournament.published:
        entrants = tournament.entrants.filter(place__in=(Place.IN, Place.WAITING))
        write_to(tournament, entrants.values_list("user_id", flat=True), TERMS, by=by)
