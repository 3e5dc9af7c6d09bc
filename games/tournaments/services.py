"""What directors do: create a tournament or a series, publish it, change it, and add and remove games of a series.

A service that concerns a game locks it first, then the row of the tournament. A service that creates games locks the
tournament first, because nobody else knows these games yet.
"""

import secrets
from datetime import datetime
from typing import Annotated, Any

from django import forms
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.acts import Asked, Username
from games.kernel.days import problem_with_day
from games.kernel.languages import later
from games.kernel.limits import count_public_change, count_series_change
from games.kernel.locking import account_named, lock_account, lock_game
from games.kernel.models import Game, new_invitation
from games.kernel.news import tell
from games.kernel.queries import NOBODY
from games.kernel.refusals import BadInput, NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.wording import one_line
from games.seating.services.new_game import objection_to_name
from games.tournaments import letters, news, rights
from games.tournaments.effects import Effect, effect_of
from games.tournaments.models import LONGEST_MESSAGE, Change, Director, Place, Round, Table, Tournament
from games.tournaments.results import outcome_of
from games.tournaments.rights import Here, director_act
from games.tournaments.terms import BOUNDS, RoundTerms, Terms, TournamentTerms, terms_of
from games.tournaments.texts import texts

MOST_DIRECTORS, MOST_GAMES = 8, 200
ONLY_YOURS = later("You can add only games that you run on this site, with people.")
SLUG_LENGTH = 40
RoundNumber = Annotated[int, Asked(says="The number of the round.", least=1, most=BOUNDS["rounds"][-1])]
GameToPut = Annotated[str, Asked(says="The slug of a game that you run.")]
TableInSeries = Annotated[int, Asked(says="The number of its table in the series.", least=1)]
Plays = Annotated[bool, Asked(says="Whether you’ll play.")]
PUBLISHED = {
    "series": later("Published. Everyone can read it now, and you can add games."),
    "rounds": later("Published. Everyone can read it now, and people can enter."),
    "empty": later("Published. Everyone can read it now, and people can enter. It has no round yet: add one."),
}
"""What is said then."""
Message = Annotated[
    str,
    Asked(
        says="Everyone can read it.",
        **texts("fields", "message"),
        most=LONGEST_MESSAGE,
        missing=later("Write something first."),
        widget=forms.Textarea(attrs={"rows": 3}),
    ),
]


@transaction.atomic
def create(*, by: int, name: str, text: str, terms: Terms, closes: datetime | None = None, notes: str = "") -> str:
    """Create a draft, which only its director sees, and return its slug: a tournament whose entry `closes` at that
    moment, or a series. Raises BadInput; TooOften after 200 in an hour."""
    count_series_change(by)
    name = _checked(name, terms, closes)
    lock_account(by)
    tournament = Tournament.objects.create(
        slug=f"{slugify(name)[:SLUG_LENGTH] or 'tournament'}-{secrets.token_hex(4)}",
        name=name,
        text=text,
        notes=notes,
        terms=terms.to_json(),
        is_series=closes is None,
        closes=closes,
        invitation=new_invitation() if closes else None,
        created=clock.now(),
    )
    Director.objects.create(tournament=tournament, user_id=by)
    if tournament.is_series:
        Round.objects.create(tournament=tournament)
    return tournament.slug


def _checked(typed: str, terms: Terms, closes: datetime | None, series: Tournament | None = None) -> str:
    """The name on one line, with single spaces. Raises BadInput. `series`: the one that changes."""
    name, problems = one_line(typed), terms.problems()
    if objection := objection_to_name(name):
        problems["name"] = objection
    if closes and (objection := problem_with_day(closes)):
        problems["closes"] = objection
    if closes and not isinstance(terms, TournamentTerms):
        problems["closes"] = _("A series has no end of entry.")
    if series and isinstance(terms, TournamentTerms):
        rounds = [RoundTerms.stored(row.terms) for row in series.rounds.all()]
        if len(rounds) > terms.rounds:
            problems["rounds"] = _("There are {count} rounds already.").format(count=len(rounds))
        if any("scoring" in it.problems(terms) for it in rounds):
            problems["own"] = _("A round is scored by these points.")
    unless(not problems, BadInput(problems))
    return name


def log_change(
    series: Tournament, kind: str, by: int, *, game: Game | None = None, user: Any = None, **facts: Any
) -> None:
    """Add a line to the public list of changes, which drafts don't have."""
    if series.published:
        about = {"game": game, "user": user, "facts": facts}
        Change.objects.create(tournament=series, at=clock.now(), by_id=by, kind=kind, **about)


@director_act.locked("change", rights.may_direct)
def change(
    here: Here,
    by: int,
    *,
    name: str,
    text: str,
    terms: Terms,
    closes: datetime | None = None,
    notes: str = "",
    confirmed: str = "",
) -> None:
    """Change name, text, notes, end of entry and terms, all together. What is left out takes its usual value.

    Once it is published, its page keeps a record of each change except those of the notes, and entrants get an email
    about changed terms. Raises BadInput; Unconfirmed if places or points of results that stand change, or rulings were
    made in another scale: it tells them, and the `mark` to send as `confirmed`.
    """
    series, before = here.row, here.terms
    name = _checked(name, terms, None if closes == series.closes else closes, series)
    if effect := effect_of(series, before, terms):
        shown = effect if rights.sees_standings(series, by) else Effect(terms, is_hidden=True)
        shown.refuse_unless(confirmed)
    if name != series.name:
        log_change(series, "name", by, before=series.name, name=name)
    if text != series.text:
        log_change(series, "text", by)
    if terms != before:
        log_change(series, "terms", by, before=before.to_json(), after=terms.to_json())
    if effect and effect.moves:
        log_change(series, "moved", by, count=len(effect.moves), leaders=effect.leaders)
    if closes and closes != series.closes:
        log_change(series, "closes", by, moment=closes.isoformat())
    if terms != before and series.published:
        letters.write_to_entrants(series, letters.TERMS, by=by)
    series.name, series.text, series.terms, series.notes = name, text, terms.to_json(), notes
    series.closes = closes or series.closes
    series.save(update_fields=["name", "text", "terms", "notes", "closes"])


@director_act.locked("message", rights.may_write)
def write_to_entrants(here: Here, by: int, *, message: Message) -> None:
    """Write to all entrants: a line that everyone can read, and an email to each of them that says so."""
    log_change(here.row, "message", by, text=message)
    letters.write_to_entrants(here.row, letters.MESSAGE, by=by)


@director_act.locked("publish", rights.may_publish, done=PUBLISHED.__getitem__, to="games:tournament")
def publish(here: Here, by: int) -> str:
    """Let everyone read it, and people enter.

    Returns what it is, as in `PUBLISHED`. Raises WrongMoment if entry would have ended already.
    """
    series = here.row
    _checked(series.name, here.terms, series.closes, series)
    told = _("Entry would have ended already, so nobody could enter. Choose a later end of entry first.")
    unless(series.is_series or here.is_open, WrongMoment(told))
    series.published = clock.now()
    series.save(update_fields=["published"])
    log_change(series, "published", by)
    return "series" if series.is_series else "rounds" if here.round_rows else "empty"


@director_act.locked(
    "delete", rights.may_delete, done=later("The draft is deleted."), to="games:tournaments", back="games:tournament"
)
def delete_draft(here: Here, _by: int) -> None:
    """Delete a draft."""
    here.row.delete()


@director_act.locked(
    "add_director",
    rights.may_direct,
    done=lambda name: _("{name} is a director now.").format(name=name),
    to="games:edit-tournament",
)
def add_director(here: Here, by: int, *, username: Username) -> str:
    """Make a user a director, too.

    Returns the name. Raises UnknownPlayer; WrongMoment if there are 8, and for an entrant where directors don't play.
    """
    series, user = here.row, account_named(username)
    lock_account(user.pk)
    directors = {row.user_id for row in here.director_rows}
    unless(user.pk not in directors, WrongMoment(_("{name} is a director already.").format(name=user.get_username())))
    told = _("There can be at most {most} directors. One of them has to leave first.")
    unless(len(directors) < MOST_DIRECTORS, WrongMoment(told.format(most=MOST_DIRECTORS)))
    told = _("{name} has entered, and by the terms, directors don’t play.").format(name=user.get_username())
    entered = series.entrants.filter(user=user).exclude(place=Place.OUT).exists()
    unless(not entered or getattr(here.terms, "directors_play", False), WrongMoment(told))
    Director.objects.create(tournament=series, user=user)
    log_change(series, "director", by, user=user)
    return str(user.get_username())


@director_act.locked(
    "choose_to_play", rights.may_direct, done=later("Saved."), to="games:edit-tournament", by_programs=False
)
def choose_to_play(here: Here, by: int, *, plays: Plays) -> None:
    """Say whether a director is going to play in their own tournament; while they say so, they can't look at wishes.
    Raises NotAllowed as `rights.may_play`; WrongMoment to take it back for who plays, or has played."""
    if plays:
        rights.may_play(here.row, by)
    here.row.directors.filter(user=by).update(plays=plays)
    unless(plays or not rights.plays(here.row, by), WrongMoment(_("You play, or have played, and that stays so.")))


@director_act.locked(
    "stop_directing",
    rights.may_leave,
    done=lambda name: _("You’re no longer a director of “{name}”.").format(name=name),
    to="games:tournaments",
    back="games:edit-tournament",
)
def leave(here: Here, by: int) -> str:
    """Stop being a director, unless you are the last one.

    The moderators may have closed it. Returns its name.
    """
    here.row.directors.filter(user=by).delete()
    log_change(here.row, "left", by)
    return here.row.name


def leave_all(user_id: int) -> None:
    """For the hook `account_left`: this user directs nothing any more. Drafts without a director are deleted."""
    for series in Tournament.objects.select_for_update(of=("self",)).filter(directors__user=user_id).order_by("pk"):
        series.directors.filter(user=user_id).delete()
        if series.published is None and not series.directors.exists():
            series.delete()


def forget_end(game: Game, by: int) -> None:
    """For the hook `end_withdrawn`: a table whose game goes on does not count."""
    table = Table.objects.filter(game=game).select_related("round").first()
    if table is not None:
        series = Tournament.objects.select_for_update(of=("self",)).get(pk=table.round.tournament_id)
        table.outcome = None
        table.save(update_fields=["outcome"])
        log_change(series, "corrected", by, game=game)


@director_act("put_game", rights.may_put_games, done=later("The game is in the series."), to="games:tournament-games")
@transaction.atomic
def put_game(*, tournament_id: int, by: int, game: GameToPut) -> None:
    """Put a game that you run into a series.

    Raises WrongMoment before the series is published, for a game already in a series, and for one begun outside the
    terms' days; NotAllowed for a game that the director doesn't run, a practice game, and one played elsewhere.
    """
    game_id = Game.objects.filter(slug=game.replace("\0", "")).values_list("pk", flat=True).first()
    unless(game_id, NotAllowed(ONLY_YOURS))
    row, series = lock_game(game_id or NOBODY), rights.lock(tournament_id, by, rights.may_put_games).row
    unless(row.is_run_by(by) and not row.practice and row.elsewhere is None, NotAllowed(ONLY_YOURS))
    count_public_change(row.pk, by)
    held = Table.objects.filter(game=row).exists()
    unless(not held, WrongMoment(_("This game is in a series already, and can’t be in two.")))
    message = _("A series has at most {most} games. Start another one for more.").format(most=MOST_GAMES)
    unless(Table.objects.filter(round__tournament=series).count() < MOST_GAMES, WrongMoment(message))
    began = row.phases.filter(ordinal=0).values_list("opened", flat=True).first()
    message = _("This game began on a day on which, by the terms of the series, no game that counts may begin.")
    unless(began is None or terms_of(series).allow(began), WrongMoment(message))
    now, outcome = clock.now(), outcome_of(row)
    Table.objects.create(round=series.rounds.get(), game=row, added=now, added_by_id=by, outcome=outcome)
    log_change(series, "game", by, game=row)
    tell(news.PUT_IN, row, at=now, by=by, series=series.name)


@director_act(
    "take_out",
    rights.may_direct,
    done=later("The game is out of the series. Its points no longer count."),
    to="games:tournament-games",
    by_programs=False,
)
@transaction.atomic
def take_out(*, tournament_id: int, by: int, table: TableInSeries) -> None:
    """Take a table's game out of the series. Any director may. Raises WrongMoment if it isn't in the series."""
    rows = Table.objects.filter(pk=table, round__tournament=tournament_id)
    game_id, refusal = rows.values_list("game_id", flat=True).first(), WrongMoment(_("This game isn’t in the series."))
    unless(game_id, refusal)
    game, series = lock_game(game_id or NOBODY), rights.lock(tournament_id, by, rights.may_direct).row
    gone, _rows = rows.delete()
    unless(gone, refusal)
    log_change(series, "removed", by, game=game)
    tell(news.TAKEN_OUT, game, at=clock.now(), by=by, series=series.name)
