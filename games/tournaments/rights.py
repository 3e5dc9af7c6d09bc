"""What directors and entrants may do, and the rules about playing in a tournament and looking at what its entrants
keep from each other.

People who play never look, and those who have looked never play. Nobody can undo either: not by withdrawing, nor by
ceasing to be a director.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar, Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.acts import Acts, FactsOfAct, Rule, refuse_unseen, subject_of
from games.kernel.languages import later
from games.kernel.limits import count_series_change
from games.kernel.models import Game, Joiner, Occupancy, Sitting
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.tournaments.models import Director, Entrant, Look, Place, Round, Tournament
from games.tournaments.terms import Entry, RoundTerms, Terms, terms_of, tournament_terms_of

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
ONLY_DIRECTORS = later("Only a director can do that.")
CLOSED = later("Entry to this tournament is closed.")
PUBLISH_FIRST = later("Publish the tournament first.")
DIRECTORS_DONT_PLAY = later("By the terms, directors don’t play.")


class Here:
    """A user's standpoint in a tournament or a series; `user_id` is None for a stranger. Each fact is read only
    once."""

    def __init__(self, row: Tournament, user_id: int | None) -> None:
        self.row, self.user_id = row, user_id
        self.terms: Terms = terms_of(row)

    @cached_property
    def now(self) -> datetime:
        return clock.now()

    @property
    def is_open(self) -> bool:
        """Can people enter and withdraw?"""
        return self.row.closes is not None and self.now < self.row.closes

    @cached_property
    def director_rows(self) -> list[Director]:
        return list(self.row.directors.select_related("user").order_by("pk"))

    @cached_property
    def is_director(self) -> bool:
        return any(it.user_id == self.user_id for it in self.director_rows)

    @property
    def directors(self) -> list[str]:
        return [row.user.get_username() for row in self.director_rows]

    @cached_property
    def round_rows(self) -> list[Round]:
        return list(self.row.rounds.order_by("number"))

    @property
    def is_all_seated(self) -> bool:
        """Have all rounds that the terms promise been seated?"""
        return sum(row.seated is not None for row in self.round_rows) >= tournament_terms_of(self.row).rounds

    @cached_property
    def mine(self) -> Entrant | None:
        """The user as an entrant."""
        rows = self.row.entrants.exclude(place=Place.OUT)
        return rows.filter(user=self.user_id).select_related("user").first() if self.user_id else None

    @cached_property
    def plays(self) -> bool:
        """Is the user a director who plays, or has said so?"""
        return self.is_director and plays(self.row, self.user_id or NOBODY)

    @cached_property
    def sees_plans(self) -> bool:
        """Is the user a director who has looked, and doesn't play?"""
        return self.is_director and sees_wishes(self.row, self.user_id or NOBODY)


class InATournament(Protocol[P, T_co]):
    """A service as others call it: with the tournament, the user, and what the act asks for."""

    def __call__(self, tournament_id: int, by: int, *args: P.args, **sent: P.kwargs) -> T_co: ...


class ActsInTournaments(Acts):
    """Those of directors, or of entrants."""

    def locked(
        self, name: str, rule: Rule, **facts: Unpack[FactsOfAct]
    ) -> Callable[[Callable[Concatenate[Here, int, P], T]], InATournament[P, T]]:
        """Declare an act that is done in one transaction with the tournament locked, after its rule has allowed it. It
        counts against the limit of changes."""
        subject = subject_of(rule)

        def declare(does: Callable[Concatenate[Here, int, P], T]) -> InATournament[P, T]:
            @wraps(does)
            def service(tournament_id: int, by: int, *args: P.args, **sent: P.kwargs) -> T:
                with transaction.atomic():
                    here = lock(tournament_id, by, rule, *([sent[subject]] if subject else []))
                    refuse_unseen(facts.get("replaces"), here, sent)
                    return does(here, by, *args, **sent)

            return self(name, rule, **facts)(service)

        return declare


director_act, entrant_act = ActsInTournaments(), ActsInTournaments()


def lock(tournament_id: int, by: int, rule: Rule, *about: object) -> Here:
    """This user's standpoint in the tournament, which is locked until the transaction ends, if the rule allows it."""
    row = Tournament.objects.select_for_update(of=("self",)).filter(pk=tournament_id).first()
    if row is None:
        raise NotAllowed(_("There is no such tournament."))
    here = Here(row, by)
    count_series_change(by)
    rule(here, *about)
    return here


# What directors may do.


def refuse_if_shut(series: Tournament) -> None:
    unless(not (series.shut or series.hidden), WrongMoment(_("The moderators of this site have closed it.")))


def may_direct(here: Here) -> None:
    unless(here.is_director, NotAllowed(ONLY_DIRECTORS))
    refuse_if_shut(here.row)


def may_write(here: Here) -> None:
    may_direct(here)
    unless(here.row.published, WrongMoment(_("Publish the tournament first: nobody can enter a draft.")))


def may_publish(here: Here) -> None:
    may_direct(here)
    unless(here.row.published is None, WrongMoment(_("It is published already.")))


def may_delete(here: Here) -> None:
    may_direct(here)
    unless(here.row.published is None, WrongMoment(_("What is published can’t be deleted.")))


def may_leave(here: Here) -> None:
    """Allow directors to stop, even if the moderators have closed it."""
    unless(here.is_director, NotAllowed(ONLY_DIRECTORS))
    told = _("You are the last director. Add another one first, or delete the draft if it is one.")
    unless(len(here.director_rows) > 1, WrongMoment(told))


def may_invite(here: Here) -> None:
    may_direct(here)
    unless(here.row.published, WrongMoment(PUBLISH_FIRST))
    unless(here.is_open, WrongMoment(CLOSED))


def may_put_games(here: Here) -> None:
    may_direct(here)
    told = _("A tournament has only the tables that it seats. Games are put into series.")
    unless(here.row.is_series, WrongMoment(told))
    told = _("Publish the series first: everyone can read which games are in it.")
    unless(here.row.published, WrongMoment(told))


def _only_with_rounds(here: Here) -> None:
    may_direct(here)
    unless(not here.row.is_series, NotAllowed(_("A series has no rounds.")))


def may_add_round(here: Here) -> None:
    _only_with_rounds(here)
    told = _("By the terms of the tournament, there are no more rounds. Change them first.")
    unless(len(here.round_rows) < tournament_terms_of(here.row).rounds, WrongMoment(told))


def may_change_round(here: Here, number: int) -> Round:
    _only_with_rounds(here)
    row = next((it for it in here.round_rows if it.number == number), None)
    if row is None:
        raise NotAllowed(_("The tournament has no such round."))
    unless(row.seated is None, WrongMoment(_("This round is seated, so its terms no longer change.")))
    return row


def may_move_end(here: Here, number: int) -> Round:
    """Allow this for a round that is seated, until its hour has come."""
    may_direct(here)
    row = next((it for it in here.round_rows if it.number == number and it.seated), None)
    unless(here.row.finished is None, WrongMoment(_("The tournament is over.")))
    if row is None:
        raise WrongMoment(_("There is no such round that is seated. Change its terms instead."))
    ends = RoundTerms.stored(row.terms).ends
    unless(ends is None or here.now < ends, WrongMoment(_("The round has ended.")))
    return row


def may_delete_round(here: Here, number: int) -> Round:
    row = may_change_round(here, number)
    unless(number == len(here.round_rows), WrongMoment(_("Only the last round can be deleted.")))
    return row


def may_call_check_in(here: Here, number: int) -> Round:
    """Allow this for a round that is not seated yet."""
    may_direct(here)
    row = next((it for it in here.round_rows if it.number == number and it.seated is None), None)
    unless(here.row.published, WrongMoment(PUBLISH_FIRST))
    if row is None:
        raise WrongMoment(_("There is no such round that is not seated yet."))
    return row


def may_set_check_in(here: Here, number: int) -> Round:
    row = may_call_check_in(here, number)
    told = _("Ask everyone to check in first. Without that, all who have a place play.")
    unless(row.check_in_until, WrongMoment(told))
    return row


# What entrants may do.


def _only_entrants(here: Here) -> Entrant:
    _only_published(here)
    if here.mine is None:
        raise NotAllowed(_("You have not entered this tournament."))
    return here.mine


def _only_published(here: Here) -> None:
    is_there = here.row.published is not None and not here.row.is_series
    unless(is_there, NotAllowed(_("There is no such tournament.")))


def may_enter(here: Here) -> None:
    """Allow people to enter or to offer to be a substitute, as far as they have what the terms ask for."""
    _only_published(here)
    terms = tournament_terms_of(here.row)
    message = _("Only people on the directors’ list can enter this tournament. Ask a director to put you on it.")
    unless(terms.entry != Entry.LIST, NotAllowed(message))
    refuse_if_shut(here.row)
    unless(terms.directors_play or not here.is_director, NotAllowed(DIRECTORS_DONT_PLAY))
    unless(here.mine is None, WrongMoment(_("You have entered already.")))


def may_withdraw(here: Here) -> Entrant:
    entrant = _only_entrants(here)
    told = _("All rounds are seated. If you can’t play any more, write to a director: {names}.")
    has_seat = here.is_all_seated and entrant.place == Place.IN
    unless(not has_seat, WrongMoment(told.format(names=", ".join(here.directors))))
    return entrant


def may_wish(here: Here) -> Entrant:
    entrant = _only_entrants(here)
    text = _("The last round is seated. Nothing depends on this any more, and what you had written has been deleted.")
    unless(not here.is_all_seated, WrongMoment(text))
    return entrant


def may_check_in(here: Here, number: int) -> Round:
    entrant = _only_entrants(here)
    unless(entrant.place == Place.IN, NotAllowed(_("You have no place in this tournament yet.")))
    row = next((it for it in here.round_rows if it.number == number), None)
    if row is None or row.seated or row.check_in_until is None or row.check_in_until <= here.now:
        raise WrongMoment(_("You can’t check in for this round now."))
    return row


# Playing and looking.


def plays(tournament: Tournament, user_id: int) -> bool:
    """Is or ever was this user an entrant or on the waiting list; have they or had they a seat or a place at a table,
    or sat for somebody there; or are they a director who has said that they play?"""
    here = Game.objects.filter(table__round__tournament=tournament)
    facts = (
        Occupancy.objects.filter(game__in=here, user=user_id),
        Joiner.objects.filter(game__in=here, user=user_id),
        Sitting.objects.filter(occupancy__game__in=here, sitter=user_id, accepted=True),
        tournament.directors.filter(user=user_id, plays=True),
    )
    return tournament.entrants.filter(user=user_id).values("pk").union(*(it.values("pk") for it in facts)).exists()


def sees_wishes(tournament: Tournament, director: int) -> bool:
    """Does this director see wishes, check-ins, plans and their faults?"""
    return tournament.looks.filter(user=director).exists() and not plays(tournament, director)


def hides_standings(tournament: Tournament) -> bool:
    """Do only some see points and standings now?"""
    return getattr(terms_of(tournament), "hides_standings", False) and tournament.finished is None


def sees_standings(tournament: Tournament, user_id: int | None) -> bool:
    """Does this user see points and standings now? While they are hidden, only directors who don't play do."""
    if not hides_standings(tournament):
        return True
    is_director = user_id is not None and tournament.directors.filter(user=user_id).exists()
    return is_director and user_id is not None and not plays(tournament, user_id)


def may_look(here: Here) -> None:
    may_direct(here)
    _only_published(here)
    told = _("You play in this tournament, have played or have said so. So you can’t see its wishes and plans.")
    unless(not here.plays, NotAllowed(told))


def may_play(tournament: Tournament, user_id: int) -> None:
    """The rule for everyone who gets a place, by all doors."""
    by_terms = getattr(terms_of(tournament), "directors_play", False)
    is_director = tournament.directors.filter(user=user_id).exists()
    unless(by_terms or not is_director, NotAllowed(DIRECTORS_DONT_PLAY))
    told = _("Those who have looked at the wishes and plans of a tournament can’t play in it.")
    unless(not tournament.looks.filter(user=user_id).exists(), NotAllowed(told))


def may_plan(here: Here, number: int) -> Round:
    """Allow directors who don't play to have plans made and the round seated; and if all play, all of them."""
    may_direct(here)
    tournament, director = here.row, here.user_id or NOBODY
    others = tournament.directors.filter(plays=False).exclude(user=director)
    all_play = not others.exclude(user__in=tournament.entrants.values("user")).exists()
    told = _("Directors who play leave the seating to those who don’t.")
    unless(all_play or not plays(tournament, director), NotAllowed(told))
    return may_call_check_in(here, number)


def has_looked(game: Game, user_id: int) -> bool:
    """For the hook of this name."""
    looks = Look.objects.filter(tournament__rounds__tables__game=game, user=user_id)
    return bool(getattr(game, "is_in_series", True) and looks.exists())
