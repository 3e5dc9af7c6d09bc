"""Emails about a tournament: to its entrants, and to addresses that a director invites."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.urls import reverse

from games.kernel import clock
from games.kernel.after_commit import start_task_after_commit
from games.kernel.wording import day_words, moment_words
from games.news.emails import send_waiting, single_email
from games.seating.services.placing import path_to_refuse, refuses_invitations
from games.tournaments.models import Place, Tournament, TournamentLetter
from games.tournaments.texts import texts

TERMS, ADMITTED, CHECK_IN, INVITED, MESSAGE = "terms", "admitted", "check-in", "invited", "message"
"""The kinds of emails: their words are in `texts.toml`."""


def write_to(tournament: Tournament, users: Iterable[int], kind: str, **facts: str | int) -> None:
    """Send one email to each of these users. The facts fill the fields of its sentence."""
    now = clock.now()
    TournamentLetter.objects.bulk_create(
        TournamentLetter(tournament=tournament, user_id=user, kind=kind, facts=facts, written=now, next_try=now)
        for user in sorted(set(users))
    )
    start_task_after_commit("games.tasks.send_invitations")


def write_to_entrants(tournament: Tournament, kind: str) -> None:
    """To all who have entered and not withdrawn."""
    write_to(tournament, tournament.entrants.exclude(place=Place.OUT).values_list("user_id", flat=True), kind)


def send_tournament_letters() -> None:
    """Send the emails that are due, and delete invitations that have expired. Call it outside any transaction."""
    over = Q(tournament__closes__lte=clock.now()) | Q(tournament__published=None)
    TournamentLetter.objects.exclude(email="").filter(over, next_try__isnull=True).delete()
    shown = TournamentLetter.objects.filter(tournament__hidden__isnull=True)
    send_waiting(shown.select_related("tournament", "user"), _email, _forget)


def _forget(letter: TournamentLetter) -> None:
    """Delete an email that was sent, unless it went to an address: then it stays as the invitation."""
    if letter.email:
        TournamentLetter.objects.filter(pk=letter.pk).update(next_try=None)
    else:
        letter.delete()


def _email(letter: TournamentLetter) -> EmailMultiAlternatives | None:
    reference = f"tournament-{letter.pk}"
    if letter.email:
        return None if refuses_invitations(letter.email) else _invitation(letter, reference)
    words = texts("letters", letter.kind)
    facts, moment = letter.facts, letter.facts.get("moment")
    until = moment_words(datetime.fromisoformat(moment)) if moment else ""
    known_facts = {**facts, "name": letter.tournament.name, "until": until}
    address = reverse("games:tournament", args=[letter.tournament.slug])
    assert letter.user is not None, "it has a reader"
    to = letter.user.email
    if not (to and letter.user.is_active):
        return None
    subject, sentence = words["subject"].format(**known_facts), words["sentence"].format(**known_facts)
    return single_email(subject, sentence, to=to, about=reference, address=address, act=str(words["act"]))


def _invitation(letter: TournamentLetter, reference: str) -> EmailMultiAlternatives:
    """An invitation, which contains nothing that a director wrote."""
    assert letter.tournament.closes is not None, "no series invites"
    words = texts("letters", INVITED)
    return single_email(
        words["subject"],
        words["sentence"],
        to=letter.email,
        about=reference,
        address=reverse("games:tournament-invitation", args=[letter.token]),
        act=str(words["act"]),
        closing=words["closing"].format(until=day_words(letter.tournament.closes)),
        never=path_to_refuse(letter.email),
    )
