"""The rules about playing in a tournament and looking at what its entrants keep from each other.

People who play never look, and those who have looked never play. Nobody can undo either: not by withdrawing, nor by
ceasing to be a director.
"""

from django.utils.translation import gettext as _

from games.kernel.models import Game, Joiner, Occupancy, Sitting
from games.kernel.refusals import NotAllowed
from games.kernel.rules import unless
from games.tournaments.models import Look, Tournament
from games.tournaments.terms import terms_of


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


def may_play(tournament: Tournament, user_id: int) -> None:
    """The rule for everyone who gets a place, by all doors."""
    by_terms = getattr(terms_of(tournament), "directors_play", False)
    is_director = tournament.directors.filter(user=user_id).exists()
    unless(by_terms or not is_director, NotAllowed(_("By the terms, directors don’t play.")))
    told = _("Those who have looked at the wishes and plans of a tournament can’t play in it.")
    unless(not tournament.looks.filter(user=user_id).exists(), NotAllowed(told))


def may_plan(tournament: Tournament, director: int) -> None:
    """Allow directors who don't play to have plans made and the round seated; and if all play, all of them."""
    others = tournament.directors.filter(plays=False).exclude(user=director)
    all_play = not others.exclude(user__in=tournament.entrants.values("user")).exists()
    told = _("Directors who play leave the seating to those who don’t.")
    unless(all_play or not plays(tournament, director), NotAllowed(told))


def has_looked(game: Game, user_id: int) -> bool:
    """For the hook of this name."""
    looks = Look.objects.filter(tournament__rounds__tables__game=game, user=user_id)
    return bool(getattr(game, "is_in_series", True) and looks.exists())
