"""Emails about a tournament: to its entrants, and to addresses that a director invites."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.after_commit import start_task_after_commit
from games.kernel.languages import later
from games.kernel.wording import day_words, moment_words
from games.news.emails import send_waiting, single_email
from games.seating.services.placing import path_to_refuse, refuses_invitations
from games.tournaments.models import Tournament, TournamentLetter


class Words(NamedTuple):
    """An email's words. `sentence` has fields for {name} and the email's facts. `act`: what the reader can do there."""

    subject: str
    sentence: str
    act: str


TERMS, ADMITTED, CHECK_IN, INVITED, MESSAGE = "terms", "admitted", "check-in", "invited", "message"
WORDS = {
    TERMS: Words(
        later("{name}: the terms have changed"),
        later("The directors have changed the terms of the tournament “{name}”. Its page tells what is different."),
        later("See what has changed"),
    ),
    ADMITTED: Words(
        later("{name}: you have a place"),
        later("A place in the tournament “{name}” has become free, and it is yours."),
        later("See the tournament"),
    ),
    MESSAGE: Words(
        later("{name}: a message from the directors"),
        later("The directors of the tournament “{name}” have written to all entrants."),
        later("Read the message"),
    ),
    CHECK_IN: Words(
        later("{name}: check in for the next round"),
        later("Round {number} of the tournament “{name}” begins soon. Only those who check in by {until} are seated."),
        later("Check in"),
    ),
}
INVITED_SUBJECT = later("An invitation to a Diplomacy tournament")
INVITED_SENTENCE = later("The directors of a Diplomacy tournament invite you to enter.")
INVITED_CLOSING = later(
    "There you can read which tournament it is, and who directs it. If you have no account yet, you can sign up there. "
    "The invitation is for you alone and is open until {until}. If you expect none, ignore this email."
)


def write_to(tournament: Tournament, users: Iterable[int], kind: str, **facts: str | int) -> None:
    """Send one email to each of these users. The facts fill the fields of its sentence."""
    now = clock.now()
    TournamentLetter.objects.bulk_create(
        TournamentLetter(tournament=tournament, user_id=user, kind=kind, facts=facts, written=now, next_try=now)
        for user in sorted(set(users))
    )
    start_task_after_commit("games.tasks.send_invitations")


def send_tournament_letters() -> None:
    """Send the emails that are due, and delete invitations that have expired. Call it outside any transaction."""
    over = Q(tournament__closes__lte=clock.now()) | Q(tournament__published=None)
    TournamentLetter.objects.exclude(email="").filter(over, next_try__isnull=True).delete()
    send_waiting(TournamentLetter.objects.select_related("tournament", "user"), _email, _forget)


def _forget(letter: TournamentLetter) -> None:
    """Delete an email that was sent, unless it went to an address: then it stays as the invitation."""
    if letter.email:
        TournamentLetter.objects.filter(pk=letter.pk).update(next_try=None)
    else:
        letter.delete()


def _email(letter: TournamentLetter) -> EmailMultiAlternatives | None:
    about = f"tournament-{letter.pk}"
    if letter.email:
        return None if refuses_invitations(letter.email) else _invitation(letter, about)
    words = WORDS[letter.kind]
    facts, moment = letter.facts, letter.facts.get("moment")
    until = moment_words(datetime.fromisoformat(moment)) if moment else ""
    known = {**facts, "name": letter.tournament.name, "until": until}
    address = reverse("games:tournament", args=[letter.tournament.slug])
    assert letter.user is not None, "it has a reader"
    to, act = letter.user.email, _(words.act)
    if not (to and letter.user.is_active):
        return None
    subject, sentence = words.subject.format(**known), words.sentence.format(**known)
    return single_email(subject, sentence, to=to, about=about, address=address, act=act)


def _invitation(letter: TournamentLetter, about: str) -> EmailMultiAlternatives:
    """An invitation, which contains nothing that a director wrote."""
    assert letter.tournament.closes is not None, "no series invites"
    return single_email(
        INVITED_SUBJECT,
        INVITED_SENTENCE,
        to=letter.email,
        about=about,
        address=reverse("games:tournament-invitation", args=[letter.token]),
        act=_("See the invitation"),
        closing=INVITED_CLOSING.format(until=day_words(letter.tournament.closes)),
        never=path_to_refuse(letter.email),
    )
