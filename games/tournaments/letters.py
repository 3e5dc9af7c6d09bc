"""What entrants are told of a tournament, by email and on the site; and emails to addresses that a director invites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse

from games.kernel import clock
from games.kernel.after_commit import start_task_after_commit
from games.kernel.days import ONE_DAY
from games.kernel.languages import later
from games.kernel.limits import LETTERS_TO_ONE, count_letters
from games.kernel.wording import day_words, moment_words
from games.news.emails import send_waiting, single_email, takes_another
from games.news.outboxes import InboxLine, Outbox, Reach
from games.seating.services.placing import path_to_refuse, refuses_emails, refuses_invitations
from games.tournaments.models import Place, Round, Tournament, TournamentLetter
from games.tournaments.texts import texts

TERMS, ADMITTED, CHECK_IN, INVITED, MESSAGE = "terms", "admitted", "check-in", "invited", "message"
REMINDER, CHECKED_IN, CHECKED_OUT, FINISHED = "reminder", "checked-in", "checked-out", "finished"
NO_SEAT, NOT_BEGUN = "no-seat", "not-begun"
"""The kinds of emails: their words are in `texts.toml`."""

CHANGES_TOGETHER = timedelta(minutes=10)
HINDRANCES = texts("hindrances")
"""Why a round could not begin at its hour."""
STOP = later("Send me no emails about this tournament")


def write_to(
    tournament: Tournament,
    users: Iterable[int],
    kind: str,
    *,
    by: int | None = None,
    due: datetime | None = None,
    **facts: str | int,
) -> None:
    """Tell each of these users one thing, in place of what they were told of its kind, and about the same round. The
    email about changed terms waits for others. The facts fill the fields of its sentence. `by`: whose emails they are.
    Raises TooOften. The caller holds the lock on the tournament."""
    now, readers = clock.now(), sorted(set(users))
    same = {"number": facts["number"]} if "number" in facts else {}
    tournament.letters.filter(user__in=readers, kind=kind, facts__contains=same).delete()
    if by is not None:
        count_letters(by, len(readers))
    due = due or (now + CHANGES_TOGETHER if kind == TERMS else now)
    TournamentLetter.objects.bulk_create(
        TournamentLetter(tournament=tournament, user_id=user, kind=kind, facts=facts, written=now, next_try=due)
        for user in readers
    )
    start_task_after_commit("games.tasks.send_invitations")


def write_to_entrants(tournament: Tournament, kind: str, *, by: int) -> None:
    """To all who have entered and not withdrawn."""
    write_to(tournament, tournament.entrants.exclude(place=Place.OUT).values_list("user_id", flat=True), kind, by=by)


def ask_to_check_in(
    tournament: Tournament, users: Iterable[int], rounds: QuerySet[Round] | None = None, *, by: int | None = None
) -> None:
    """Ask people with a place to check in for these rounds, or for all that wait for it; a day before its end, or
    halfway if that is later, those who have said nothing get another email."""
    now, readers = clock.now(), list(users)
    waiting = tournament.rounds if rounds is None else rounds
    for row in waiting.filter(seated__isnull=True, check_in_until__gt=now):
        assert row.check_in_until is not None, "it is later than now"
        reminded = row.check_in_until - min(ONE_DAY, (row.check_in_until - now) / 2)
        for kind, due in ((CHECK_IN, now), (REMINDER, reminded)):
            moment = row.check_in_until.isoformat()
            write_to(tournament, readers, kind, by=by, due=due, number=row.number, moment=moment)


def send_tournament_letters() -> None:
    """Send the emails that are due, and delete invitations that have expired. Call it outside any transaction."""
    over = Q(tournament__closes__lte=clock.now()) | Q(tournament__published=None)
    TournamentLetter.objects.exclude(email="").filter(over, next_try__isnull=True).delete()
    shown = TournamentLetter.objects.filter(tournament__hidden__isnull=True)
    send_waiting(shown.select_related("tournament", "user"), _email, _forget)


def _forget(letter: TournamentLetter) -> None:
    """Note that an email was sent, or isn't wanted. It stays as an invitation, or among the reader's notifications."""
    if letter.kind == REMINDER:
        letter.delete()
    else:
        TournamentLetter.objects.filter(pk=letter.pk).update(next_try=None)


class Lines(Outbox[Any]):
    """What was told, among the reader's notifications; but no reminders, which wait for their moment."""

    shown = TournamentLetter.objects.filter(tournament__hidden=None)
    rows = shown.exclude(kind=REMINDER).select_related("tournament", "user")
    is_about_games = False

    def notices(self, rows: Iterable[Any], _reach: Reach) -> Iterator[InboxLine]:
        for row in rows:
            about, at = row.tournament, row.written.isoformat()
            key, sentence = f"{about.slug}:{row.kind}:{row.facts.get('number')}:{at}", _words(row)["sentence"]
            yield InboxLine(key, row.written, about.name, sentence, _page_of(row), row.seen is not None, row)


def mark_as_seen(tournament: Tournament, user_id: int) -> None:
    """Mark all that this user was told about it as seen, because they look at its page."""
    tournament.letters.filter(user=user_id, seen=None).update(seen=Now())


def _page_of(letter: TournamentLetter) -> str:
    return reverse("games:tournament", args=[letter.tournament.slug])


def _words(letter: TournamentLetter) -> dict[str, str]:
    """What an entrant is told, by their own clocks."""
    assert letter.user is not None, "it has a reader"
    moment = letter.facts.get("moment")
    until = moment_words(datetime.fromisoformat(moment), letter.user.time_zone) if moment else ""
    why = HINDRANCES.get(letter.facts.get("hindrance", ""), "")
    facts = {**letter.facts, "name": letter.tournament.name, "until": until, "why": why}
    return {part: words.format(**facts) for part, words in texts("letters", letter.kind).items()}


def _is_wanted(letter: TournamentLetter, email: str) -> bool:
    """Does its reader want it, and still have a part in the tournament and in the check-in that it is about?"""
    if letter.kind == NOT_BEGUN:
        return letter.tournament.directors.filter(user=letter.user).exists()
    has_part = letter.tournament.entrants.filter(user=letter.user).exclude(place=Place.OUT)
    if refuses_emails(about(letter.tournament, email)) or not has_part.exists():
        return False
    if "moment" not in letter.facts:
        return takes_another(email, LETTERS_TO_ONE)
    asked = {"number": letter.facts["number"], "check_in_until": letter.facts["moment"]}
    row = letter.tournament.rounds.filter(**asked, seated__isnull=True, check_in_until__gt=clock.now()).first()
    has_said = row is None or (letter.kind == REMINDER and letter.user_id in row.present)
    return not has_said and has_part.filter(place=Place.IN).exists()


def about(tournament: Tournament, email: str) -> str:
    """What stands for an address and one tournament where people stop its emails."""
    return f"{email}/{tournament.slug}"


def _email(letter: TournamentLetter) -> EmailMultiAlternatives | None:
    reference = f"tournament-{letter.pk}"
    if letter.email:
        return None if refuses_invitations(letter.email) else _invitation(letter, reference)
    assert letter.user is not None, "it has a reader"
    to = letter.user.email
    if not (to and letter.user.is_active and _is_wanted(letter, to)):
        return None
    stop = {"never": path_to_refuse(about(letter.tournament, to)), "never_says": str(STOP)}
    return single_email(**_words(letter), to=to, about=reference, address=_page_of(letter), **stop)


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
