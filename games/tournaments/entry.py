"""Entering a tournament, withdrawing, checking in, and what entrants keep from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from secrets import compare_digest
from typing import Annotated

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.acts import Asked, Username
from games.kernel.after_commit import start_task_after_commit
from games.kernel.blocks import is_blocked
from games.kernel.languages import later
from games.kernel.limits import count_invitations
from games.kernel.locking import account_named, lock_account
from games.kernel.models import Game
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.wording import moment_words, one_line
from games.tournaments import letters, rights
from games.tournaments.letters import ADMITTED, CHECKED_IN, CHECKED_OUT, INVITED, REMINDER, ask_to_check_in, write_to
from games.tournaments.models import LONGEST_TEAM, Entrant, Look, Place, Round, Tournament, TournamentLetter, Wishes
from games.tournaments.rights import Here, director_act, entrant_act
from games.tournaments.roster import MOST_CHARACTERS, read_roster
from games.tournaments.rules.combining import team_key
from games.tournaments.services import RoundNumber, log_change
from games.tournaments.standings import one_spelling
from games.tournaments.terms import Entry, RoundTerms, terms_of, tournament_terms_of
from games.tournaments.texts import texts
from variants.registry import offered

MOST_REFUSED = 10
LONGEST_CHECK_IN = timedelta(days=14)
CHOOSE_PLACE = later("Choose a place from the list.")
CHECKED = {
    True: later("You’ve checked in. You’ll be told where you sit."),
    False: later("You’ve checked out of this round."),
}
Token = Annotated[str, Asked(says="The token of the invitation link, where the terms ask for it.", most=43)]
AsSubstitute = Annotated[bool, Asked(says="Offer to be a substitute.")]
IsHere = Annotated[bool, Asked(says="False if you can’t play after all.")]
CheckInUntil = Annotated[
    datetime, Asked(says="When check-in ends, at most 14 days ahead.", label=later("Check in until"))
]
Roster = Annotated[
    str,
    Asked(says="A line for each person, or a table with titles over its columns.", most=MOST_CHARACTERS, trimmed=False),
]
PlaceOfEntrant = Annotated[
    str, Asked(says="What they have from now on.", choices=Place.choices, missing=CHOOSE_PLACE, wrong=CHOOSE_PLACE)
]
Team = Annotated[str | None, Asked(says="The name of their team.", most=LONGEST_TEAM, blank=True)]


@entrant_act.locked("enter", rights.may_enter, done=texts("entered").__getitem__, to="games:tournament")
def enter(here: Here, by: int, *, token: Token = "", as_substitute: AsSubstitute = False) -> Place:
    """Enter a tournament, or offer to be a substitute.

    Returns the place that this gives. Raises WrongMoment for anyone but substitutes once entry is closed; NotAllowed
    for people kept out by the terms, a look or a director.
    """
    message = _("You need the invitation link to enter this tournament. Ask a director for it.")
    unless(opens_entry(here.row, token), NotAllowed(message))
    unless(as_substitute or here.is_open, WrongMoment(rights.CLOSED))
    _may_take_part(here.row, by)
    lock_account(by)
    return Place(_place(here.row, by, as_substitute=as_substitute).place)


def opens_entry(tournament: Tournament, token: str) -> bool:
    """Is this the token of the invitation link, or does nobody need it?"""
    has_link = compare_digest(token.encode(), (tournament.invitation or "").encode())
    return has_link or getattr(terms_of(tournament), "entry", None) != Entry.LINK


def is_open(tournament: Tournament) -> bool:
    """Can people enter and withdraw?"""
    return tournament.closes is not None and clock.now() < tournament.closes


def _may_take_part(tournament: Tournament, user_id: int) -> None:
    rights.refuse_if_shut(tournament)
    rights.may_play(tournament, user_id)
    blocked = any(is_blocked(by=it.user_id, whom=user_id) for it in tournament.directors.all())
    unless(not blocked, NotAllowed(_("You can’t enter this tournament.")))
    held = tournament.entrants.filter(user=user_id).exclude(place=Place.OUT)
    unless(not held.exists(), WrongMoment(_("You have entered already.")))


def _place(tournament: Tournament, user_id: int, *, as_substitute: bool = False, team: str = "") -> Entrant:
    """Give this person a place, or one on the waiting list, even if they had withdrawn before."""
    places = tournament_terms_of(tournament).places
    taken = tournament.entrants.filter(place=Place.IN).count()
    place = Place.SUBSTITUTE if as_substitute else Place.WAITING if places and taken >= places else Place.IN
    named = _team(Entrant(tournament=tournament, user_id=user_id), team) if team else ""
    given = {"place": place, "turn": _next_turn(tournament), "entered": clock.now(), "team": named}
    entrant, _made = Entrant.objects.update_or_create(tournament=tournament, user_id=user_id, defaults=given)
    if place == Place.IN:
        ask_to_check_in(tournament, [user_id])
    return entrant


def _team(entrant: Entrant, typed: str) -> str:
    """The name of a team; written as others in it write it already, if only capitals or spaces differ."""
    name, others = one_line(typed)[:LONGEST_TEAM], entrant.tournament.entrants.exclude(user=entrant.user_id)
    teams = others.order_by("turn", "pk").values_list("team", flat=True)
    return next((it for it in teams if team_key(it) == team_key(name)), name)


def _next_turn(tournament: Tournament) -> int:
    return (tournament.entrants.aggregate(last=Max("turn"))["last"] or 0) + 1


@entrant_act.locked(
    "withdraw",
    rights.may_withdraw,
    done=later("You’ve withdrawn. What you had written for this tournament has been deleted."),
    to="games:tournament",
)
def withdraw(here: Here, _by: int) -> None:
    """Withdraw from a tournament."""
    _remove(here.row, rights.may_withdraw(here))


def _remove(tournament: Tournament, entrant: Entrant) -> None:
    """Remove an entrant. If that frees a place while entry is open, or between the call to check in and the seating of
    a round, the first person on the waiting list gets it."""
    place_before, entrant.place = entrant.place, Place.OUT
    entrant.save(update_fields=["place"])
    Wishes.objects.filter(entrant=entrant).delete()
    letters.mark_as_seen(tournament, entrant.user_id)  # its page no longer does that
    called = list(tournament.rounds.filter(seated__isnull=True, check_in_until__isnull=False))
    for row in called:
        _say(row, entrant.user_id, is_here=False)
    next_entrant = tournament.entrants.filter(place=Place.WAITING).order_by("turn").first()
    if place_before == Place.IN and next_entrant is not None and (called or is_open(tournament)):
        next_entrant.place = Place.IN
        next_entrant.save(update_fields=["place"])
        write_to(tournament, [next_entrant.user_id], ADMITTED)
        ask_to_check_in(tournament, [next_entrant.user_id])


def _say(this_round: Round, user_id: int, *, is_here: bool) -> None:
    """Note whether this user plays in the round, so that they aren't reminded."""
    others = [user for user in this_round.present if user != user_id]
    this_round.present = [*others, user_id] if is_here else others
    this_round.save(update_fields=["present"])
    about = {"tournament": this_round.tournament_id, "kind": REMINDER, "facts__number": this_round.number}
    TournamentLetter.objects.filter(user=user_id, **about).delete()


@entrant_act.locked("wish", rights.may_wish)
def change_entry(
    here: Here,
    by: int,
    *,
    team: str = "",
    second_seat: bool = False,
    powers: Mapping[str, Sequence[str]] | None = None,
    variants: Sequence[str] = (),
    refused: Sequence[str] = (),
) -> None:
    """Say what you would like: powers by variant, variants, and the names of people you won’t play with. Only directors
    who have looked see it, and they don’t play.

    Favourites come first. Raises WrongMoment once the last round is seated; NotAllowed for a wish that the tournament
    doesn't offer.
    """
    entrant = rights.may_wish(here)
    people = [account_named(name).pk for name in dict.fromkeys(filter(None, map(one_line, refused)))]
    text = _("You can name at most {most} people you won’t play with.").format(most=MOST_REFUSED)
    unless(len(people) <= MOST_REFUSED, NotAllowed(text))
    unless(by not in people, NotAllowed(_("You can’t refuse to play with yourself.")))
    known = {variant.slug: {power.id for power in variant.powers} for variant in offered()}
    told = _("There is no such variant. Choose one from the list.")
    unless({*variants, *(powers or ())} <= known.keys(), NotAllowed(told))
    for slug, named in (powers or {}).items():
        text = _("There is no such power. Choose each power only once, from those in the list.")
        unless(len({*named}) == len(named) and {*named} <= known[slug], NotAllowed(text))
    entrant.second_seat = second_seat
    if here.is_open and tournament_terms_of(here.row).team_best is not None:
        entrant.team = _team(entrant, team)
    entrant.save(update_fields=["second_seat", "team"])
    wanted = {"powers": powers or {}, "variants": [*variants], "refused": people}
    Wishes.objects.update_or_create(entrant=entrant, defaults=wanted)


@entrant_act.locked("check_in", rights.may_check_in, done=CHECKED.__getitem__, to="games:tournament")
def check_in(here: Here, by: int, *, number: RoundNumber, is_here: IsHere = True) -> bool:
    """Check in for a round, or say that you can’t play after all."""
    _say(rights.may_check_in(here, number), by, is_here=is_here)
    return is_here


# What directors do with the entrants.


@director_act(
    "look",
    rights.may_look,
    done=later("You see wishes and plans now."),
    to="games:manage-tournament",
    only_tournaments=True,
)
@transaction.atomic
def look(*, tournament_id: int, by: int) -> None:
    """Show wishes and plans to you from now on. After that you can’t play in this tournament."""
    games = Game.objects.filter(table__round__tournament=tournament_id).order_by("pk")
    list(games.select_for_update(of=("self",)).values_list("pk"))  # nobody gets a seat meanwhile
    tournament = rights.lock(tournament_id, by, rights.may_look).row
    lock_account(by)
    Look.objects.get_or_create(tournament=tournament, user_id=by, defaults={"at": clock.now()})


@director_act.locked(
    "call_check_in",
    rights.may_call_check_in,
    done=later("We’ve told everyone who has a place."),
    to="games:manage-tournament",
    only_tournaments=True,
    replaces=lambda here, number: rights.may_call_check_in(here, number).check_in_until,
)
def call_check_in(here: Here, by: int, *, number: RoundNumber, until: CheckInUntil) -> None:
    """Ask all entrants by email to check in for a round until then. Only those who do are seated."""
    tournament, this_round, now = here.row, rights.may_call_check_in(here, number), here.now
    told = _("Choose a moment from now on, at most 14 days ahead.")
    unless(now < until <= now + LONGEST_CHECK_IN, WrongMoment(told))
    starts, told = RoundTerms.stored(this_round.terms).starts, _("The round begins {moment}; check-in ends by then.")
    unless(starts is None or until <= starts, WrongMoment(told.format(moment=starts and moment_words(starts))))
    this_round.check_in_until = until
    this_round.save(update_fields=["check_in_until"])
    log_change(tournament, "check-in", by, number=number, moment=until.isoformat())
    users = tournament.entrants.filter(place=Place.IN).values_list("user_id", flat=True)
    ask_to_check_in(tournament, users, tournament.rounds.filter(number=number), by=by)


@director_act.locked(
    "set_check_in",
    rights.may_set_check_in,
    done=later("Saved. We’re telling them."),
    to="games:manage-tournament",
    only_tournaments=True,
)
def set_check_in(here: Here, by: int, *, number: RoundNumber, username: Username, is_here: IsHere = True) -> None:
    """Check an entrant in or out until the round is seated, also after its check-in ended, and tell them.

    What they had said before is told to no one. Raises WrongMoment before the call to check in.
    """
    tournament = here.row
    entrant = tournament.entrants.filter(user__username=username, place=Place.IN).first()
    if entrant is None:
        raise WrongMoment(_("Nobody with that name has a place."))
    _say(rights.may_set_check_in(here, number), entrant.user_id, is_here=is_here)
    write_to(tournament, [entrant.user_id], CHECKED_IN if is_here else CHECKED_OUT, by=by, number=number)


@director_act.locked("invite", rights.may_invite)
def invite_roster(here: Here, by: int, *, text: Roster) -> int:
    """Send an email to each address of a list, with a line for each person: name, address, favourite powers, team. An
    address gets only one.

    Returns how many people are listed. Raises BadRoster; WrongMoment before the tournament is published and once entry
    is closed; TooOften.
    """
    tournament, terms = here.row, [RoundTerms.stored(it.terms) for it in here.round_rows]
    people = read_roster(text, list({board.slug: board for it in terms for board in it.boards()}.values()))
    now = here.now
    invited_addresses = set(map(str.casefold, tournament.letters.exclude(email="").values_list("email", flat=True)))
    new_people = [it for it in people if it.email.casefold() not in invited_addresses]
    count_invitations(by, len(new_people))
    TournamentLetter.objects.bulk_create(
        TournamentLetter(
            tournament=tournament,
            email=it.email,
            kind=INVITED,
            facts={"name": it.name, "team": it.team, "powers": it.powers},
            written=now,
            next_try=now,
        )
        for it in new_people
    )
    start_task_after_commit("games.tasks.send_invitations")
    return len(people)


def invitation_with(token: str) -> TournamentLetter:
    """The invitation with this token. Raises WrongMoment if it has been used or has expired."""
    rows = TournamentLetter.objects.select_related("tournament").filter(token=token.replace("\0", "")).exclude(email="")
    invitation = rows.filter(tournament__closes__gt=clock.now(), tournament__published__isnull=False).first()
    if invitation is None:
        raise WrongMoment(_("This invitation is no longer open. Ask a director for another."))
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, user_id: int) -> str:
    """Enter by an invitation sent to an address, with the team and powers that the director wrote beside it. The
    invitation works once. Returns the tournament's slug."""
    tournament_id = invitation_with(token).tournament_id
    tournament = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament_id)
    letter = invitation_with(token)
    _may_take_part(tournament, user_id)
    lock_account(user_id)
    entrant = _place(tournament, user_id, team=letter.facts["team"])
    if letter.facts["powers"]:
        Wishes.objects.update_or_create(entrant=entrant, defaults={"powers": letter.facts["powers"]})
    letter.delete()
    return tournament.slug


def _place_shown(here: Here, username: str) -> str | None:
    rows = one_spelling(here.row.entrants.select_related("user").order_by("turn", "pk"))
    return next((f"{it.place} {it.team}" for it in rows if it.user.get_username() == username), None)


@director_act.locked(
    "set_place",
    rights.may_direct,
    done=later("Saved."),
    to="games:manage-tournament",
    only_tournaments=True,
    replaces=_place_shown,
)
def set_place(here: Here, by: int, *, username: Username, place: PlaceOfEntrant, team: Team = None) -> None:
    """Give an entrant, or a user who has not entered, a place, the waiting list, or a place among the substitutes, or
    withdraw them; or another team.

    They are told. Raises UnknownPlayer; NotAllowed for someone who may not enter or has blocked this director.
    """
    tournament = here.row
    entrant = tournament.entrants.select_related("user").filter(user__username=username).first()
    if entrant is None:
        unless(tournament.published and not tournament.is_series, WrongMoment(rights.PUBLISH_FIRST))
        user = account_named(username)
        _may_take_part(tournament, user.pk)
        is_free = not (user.is_bot or user.is_guest or is_blocked(by=user.pk, whom=by))
        unless(is_free, NotAllowed(_("{user} can’t be given a place.").format(user=user)))
        lock_account(user.pk)
        entrant, _made = Entrant.objects.get_or_create(
            tournament=tournament, user=user, defaults={"place": Place.OUT, "entered": clock.now()}
        )
    if team is not None:
        entrant.team = _team(entrant, team)
        entrant.save(update_fields=["team"])
    if place == entrant.place:
        return
    log_change(tournament, f"place-{Place(place)}", by, user=entrant.user)
    if place == Place.OUT:
        _remove(tournament, entrant)
        return
    rights.may_play(tournament, entrant.user_id)
    entrant.place, entrant.turn = Place(place), _next_turn(tournament)
    entrant.save(update_fields=["place", "turn"])
    if place == Place.IN:
        write_to(tournament, [entrant.user_id], ADMITTED, by=by)
        ask_to_check_in(tournament, [entrant.user_id], by=by)


def enter_by_word(tournament: Tournament, user_id: int, *, by: int) -> None:
    """Give somebody who has played a place, and tell them, or one on the waiting list, unless they have entered
    before."""
    has_entered = tournament.entrants.filter(user=user_id).exists()
    if not has_entered and _place(tournament, user_id).place == Place.IN:
        write_to(tournament, [user_id], ADMITTED, by=by)


def forget_entries_of(user_id: int) -> None:
    """For the hook `account_left`: free the places of a deleted account in rounds that are not seated."""
    for entrant in Entrant.objects.filter(user=user_id).exclude(place=Place.OUT).order_by("tournament_id"):
        tournament = Tournament.objects.select_for_update(of=("self",)).get(pk=entrant.tournament_id)
        _remove(tournament, entrant)
    TournamentLetter.objects.filter(user=user_id).delete()
