"""Adding, changing and deleting the rounds of a tournament, until they are seated."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext as _

from games.kernel.acts import Asked
from games.kernel.days import problem_with_day
from games.kernel.game_options import BadOptions, GameOptions, declared_options
from games.kernel.languages import later
from games.kernel.refusals import BadGame, BadInput
from games.kernel.rules import unless
from games.kernel.wording import moment_words, one_line
from games.seating.options import SeatAssignment
from games.seating.services.new_game import objection_to_name
from games.tournaments import rights
from games.tournaments.letters import TERMS, write_to
from games.tournaments.models import Place, Round, Tournament
from games.tournaments.rights import Here, director_act
from games.tournaments.services import RoundNumber, log_change
from games.tournaments.terms import MOMENTS, Powers, RoundTerms
from variants.registry import offered

NewEnd = Annotated[
    datetime | None,
    Asked(
        says="When its games end in a draw; left out, they are played out.",
        label=later("New end (if empty, the games are played out)"),
    ),
]


def round_terms(
    *,
    name: str,
    variants: Sequence[str],
    choices: Mapping[str, Any],
    by_invitation: bool = False,
    scoring: str = "",
    times: int = 1,
    powers: Powers = Powers.RANDOM,
    top_tables: int = 0,
    **moments: datetime | None,
) -> RoundTerms:
    """The terms of a round, with options by which each of these variants can be played; `choices` are options by name,
    `moments` are those of MOMENTS. BadGame names each wrong field."""
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
    return RoundTerms(name, slugs, kept, by_invitation, scoring, times, powers, top_tables, **moments)


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


@director_act.locked("add_round", rights.may_add_round)
def add_round(here: Here, by: int, *, terms: RoundTerms) -> int:
    """Add a round, whose games all have these options; one that you leave out takes its usual value.

    It comes after the others. Returns its number. Raises WrongMoment if all rounds of the terms are there; BadInput.
    """
    _refuse_bad(terms, here)
    number = len(here.round_rows) + 1
    Round.objects.create(tournament=here.row, number=number, terms=terms.to_json(), due=terms.starts)
    _tell(here.row, "round", by, number=number, name=terms.name)
    return number


@director_act.locked("change_round", rights.may_change_round)
def change_round(here: Here, by: int, *, number: int, terms: RoundTerms) -> None:
    """Change a round that is not seated yet.

    Drops the plan if variants, bots, top tables or the dealing change. Raises WrongMoment once it is seated; BadInput.
    """
    row = rights.may_change_round(here, number)
    before = RoundTerms.stored(row.terms)
    _refuse_bad(terms, here, row)
    if before == terms:
        return
    row.terms = terms.to_json()
    if before.starts != terms.starts:
        row.due, row.hindrance = terms.starts, ""
    was, now = ((it.variants, it.powers, it.cut, it.options.get("bots")) for it in (before, terms))
    if was != now:
        row.plan, row.plan_wanted, row.tables_of_each = None, None, []
    row.save(update_fields=["terms", "plan", "plan_wanted", "tables_of_each", "due", "hindrance"])
    _tell(here.row, "round-terms", by, number=number, before=before.to_json(), after=terms.to_json())


@director_act.locked(
    "move_end",
    rights.may_move_end,
    done=later("The end of the round is moved. We’re telling everyone."),
    to="games:manage-tournament",
    only_tournaments=True,
    replaces=lambda here, number: RoundTerms.stored(rights.may_move_end(here, number).terms).ends,
)
def move_end(here: Here, by: int, *, number: RoundNumber, ends: NewEnd = None) -> None:
    """Move the end of a round that is seated, until its hour has come; without one, its games are played out."""
    row = rights.may_move_end(here, number)
    before = RoundTerms.stored(row.terms)
    terms = replace(before, ends=ends)
    _refuse_bad(terms, here, row)
    if before == terms:
        return
    row.terms, row.due = terms.to_json(), terms.next_hour(here.now)
    row.save(update_fields=["terms", "due"])
    _tell(here.row, "round-terms", by, number=number, before=before.to_json(), after=terms.to_json())


@director_act.locked(
    "delete_round", rights.may_delete_round, done=later("The round is deleted."), to="games:tournament"
)
def delete_round(here: Here, by: int, *, number: RoundNumber) -> None:
    """Delete a round that is not seated yet."""
    row = rights.may_delete_round(here, number)
    row.delete()
    _tell(here.row, "no-round", by, number=number, name=RoundTerms.stored(row.terms).name)


def _refuse_bad(terms: RoundTerms, here: Here, row: Round | None = None) -> None:
    problems, before = terms.problems(here.terms), row and RoundTerms.stored(row.terms)
    for name in MOMENTS:
        moment = getattr(terms, name)
        if moment and moment != getattr(before, name, None):
            told = problem_with_day(moment) or ("" if moment > here.now else _("Choose a moment from now on."))
            problems |= {name: told} if told else {}
    if terms.starts and row and row.check_in_until and row.check_in_until > terms.starts:
        told = _("People can check in until {moment}. Ask them to check in by an earlier moment first.")
        problems["starts"] = told.format(moment=moment_words(row.check_in_until))
    if terms.starts and terms.ends and terms.ends <= terms.starts and not (row and row.seated):
        problems["ends"] = _("The round would end before it begins. Choose a later end.")
    unless(not problems, BadInput(problems))


def _tell(tournament: Tournament, kind: str, by: int, **facts: Any) -> None:
    log_change(tournament, kind, by, **facts)
    if tournament.published:
        entrants = tournament.entrants.filter(place__in=(Place.IN, Place.WAITING))
        write_to(tournament, entrants.values_list("user_id", flat=True), TERMS, by=by)
