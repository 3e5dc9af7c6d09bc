"""Seats assigned by the game master and people removed before the start, and invitations by email."""

from datetime import datetime, timedelta
from typing import Annotated, Any

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.endings.services import end_if_all_agree
from games.kernel import clock, hooks
from games.kernel.acts import Asked, Number, Power, Reason, Username, asked_for_user, gm_act
from games.kernel.after_commit import start_task_after_commit
from games.kernel.languages import later
from games.kernel.limits import INVITATIONS_TO_ONE, count_invitations, count_public_change, count_request_to_user
from games.kernel.live import announce_change
from games.kernel.locking import account_named, lock_account, lock_game, lock_game_for
from games.kernel.models import OVER, Game, Joiner, Occupancy, Seat, Status
from games.kernel.news import checked_reason, tell
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.standpoint import Standpoint
from games.kernel.wording import day_words
from games.news.emails import checked_address, digest_of_address, send_waiting, single_email, takes_another
from games.seating import news
from games.seating.models import Confirmation, JoinRequest, MailedInvitation, UnwantedAddress
from games.seating.rules import seats as rules
from games.seating.rules.joining import has_room, is_kept_for_guest
from games.seating.services.joining import call_roll_or_start, refuse_if_blocked
from games.seating.services.seats import give_seat

PLACED = later("{username} has a place in the game. We’ve told them.")
Joined = Annotated[str, asked_for_user(missing=later("Choose a player from the list."))]
PowerOrPlace = Annotated[
    str, Asked(says="The id of a power. Leave it out for a place without one, where powers are assigned later.")
]
Address = Annotated[
    str,
    Asked(
        says="The address that gets the invitation.",
        label=later("Email address"),
        most=254,
        missing=later("Enter the player’s email address."),
        is_email=True,
        widget=forms.TextInput(attrs={"inputmode": "email", "autocapitalize": "none", "autocomplete": "off"}),
    ),
]


@gm_act(
    "give_place",
    rules.may_give_place,
    done=PLACED,
    without=("power",),
    instead="Give a user a place without a power, where powers are assigned before the start. They can leave again.",
)
@gm_act("place", rules.may_place_player, done=PLACED, needs=("power",))
@transaction.atomic
def place_player(*, game_id: int, by: int, username: Username, power: Power = "") -> None:
    """Give a seat to a user before the start. They can leave again.

    This doesn't start the game: the game master does, or the player who takes the last seat. Raises UnknownPlayer;
    SeatTaken; NotAllowed for a game master who may not play, or plays in an anonymous game.
    """
    here = lock_game_for(game_id, by)
    if power:
        rules.may_place_player(here, power)
    else:
        rules.may_give_place(here)
    count_public_change(game_id, by)
    user = account_named(username)
    if not power:
        rules.only_invitable(here.game, user, None)
        if user.pk in here.members:
            raise SeatTaken(_("{user} has already joined this game.").format(user=user.get_username()))
        joiner = add_joiner(here.game, user, here.now)
        player, about = user.get_username(), str(joiner.pk)
        tell(news.PLACE_GIVEN, here.game, at=here.now, by=by, to=[user.pk], about=about, player=player)
        return
    is_joiner = any(row.user_id == user.pk for row in here.joiners)
    if not is_joiner and not is_kept_for_guest(here, power) and not has_room(here):
        raise SeatTaken(rules.NO_PLACES_LEFT)
    place_in_seat(here.game, here.seats[power], user, here.now, by=by)


def add_joiner(game: Game, user: Any, now: datetime) -> Joiner:
    """Give the user a place without a power. The caller holds the lock."""
    lock_account(user.pk)
    return Joiner.objects.create(game=game, user=user, joined=now)


def place_in_seat(game: Game, seat: Seat, user: Any, now: datetime, *, by: int) -> None:
    """Give the user a vacant seat, in place of a place without a power if they have one. The caller holds the lock."""
    rules.only_invitable(game, user, seat)
    occupancy = _occupy_before_start(game, seat, user, now)
    player, about = user.get_username(), str(occupancy.pk)
    tell(news.PLACED, game, at=now, by=by, to=[user.pk], about=about, power=seat.power, player=player)


def _occupy_before_start(game: Game, seat: Seat, user: Any, now: datetime) -> Occupancy:
    """Give the user the seat, in place of any place without a power. Email invitations to the seat end."""
    lock_account(user.pk)
    joiner = Joiner.objects.filter(game=game, user=user).first()
    own_bot = joiner is not None and joiner.own_bot
    if joiner is not None:
        joiner.delete()
    MailedInvitation.objects.filter(seat=seat).delete()
    return Occupancy.objects.create(game=game, seat=seat, user=user, since=now, own_bot=own_bot)


@gm_act.locked(
    "remove",
    rules.may_remove_player_who_joined,
    done=later("{username} has been removed. We’ve told them."),
    counted=True,
)
def remove_player(here: Standpoint, by: int, *, username: Joined, reason: Reason) -> None:
    """Remove a user who has joined, before the start.

    If the game needs approval, theirs is withdrawn. Raises BadReason.
    """
    game, now, why = here.game, here.now, checked_reason(reason, needed=True)
    user = account_named(username)
    if user.pk not in here.members:
        raise WrongMoment(_("{user} hasn’t joined this game.").format(user=user.get_username()))
    Occupancy.objects.filter(game=game, user=user, until__isnull=True).update(until=now)
    Joiner.objects.filter(game=game, user=user).delete()
    Confirmation.objects.filter(roll_call__game=game, user=user).delete()
    JoinRequest.objects.filter(game=game, user=user).update(accepted=False)
    about = f"{user.pk} {game.events.filter(kind=news.REMOVED.log).count()}"
    tell(news.REMOVED, game, at=now, by=by, to=[user.pk], about=about, player=user.get_username(), reason=why)
    hooks.players_changed(game, now)
    call_roll_or_start(game, now)


# Invitations by email to people who may not have an account here: sent once, for one seat, for a month.

VALID_FOR = timedelta(days=30)
SESSION_KEY = "invitation-by-email"
"""Where the session keeps the token of the last one that was opened."""
INVITATION_CLOSED = later("This invitation is no longer open. Ask the game master for another.")
SUBJECT = later("An invitation to play Diplomacy")
INVITED_TO_SEAT = later("A game master invites you to play {power} in a game of Diplomacy ({variant}).")
INVITED_TO_GAME = later(
    "A game master invites you to a game of Diplomacy ({variant}). You get a power before the first turn, and can say "
    "beforehand which you would like if the game asks for it."
)
CLOSING = later(
    "There you can see who invites you and to which game. If you have no account yet, you can sign up there. The "
    "invitation is for you alone and is open until {until}. If you expect none, ignore this email."
)


@gm_act("mail", rules.may_invite_by_email, done=later("We’re writing to {email}."))
@transaction.atomic
def send_email_invitation(*, game_id: int, by: int, email: Address, power: PowerOrPlace = "") -> None:
    """Invite someone by email to a seat without a player, which is kept for them. The link in the email works once.

    It is kept until the invitation is accepted, withdrawn or expired. An earlier invitation to the seat is withdrawn.
    Raises NotAllowed for text that isn't an address, and for one that has been invited to this game.
    """
    here = lock_game_for(game_id, by)
    if power:
        rules.may_invite_by_email(here, power)
    else:
        rules.may_give_place(here)
    count_request_to_user(by, here.game)
    invite_by_email(here.game, here.seats[power] if power else None, email, by=by)


def invite_by_email(game: Game, seat: Seat | None, email: str, *, by: int) -> None:
    """Invite this person. `email`: an address, or a name and an address, "Bodo <bodo@example.org>". The caller holds
    the lock on the game. Raises NotAllowed."""
    now, text = clock.now(), email.strip()
    address = text[text.rfind("<") + 1 : -1].strip() if text.endswith(">") else text
    try:
        address = checked_address(address)
    except ValidationError as error:
        raise NotAllowed(
            _("“{typed}” is not an email address. Write it as in name@example.org.").format(typed=text)
        ) from error
    MailedInvitation.objects.filter(Q(seat__isnull=False, seat=seat) | Q(expires__lte=now)).delete()
    if MailedInvitation.objects.filter(game=game, email__iexact=address).exists():
        told = _("{address} has been invited to another seat of this game. Withdraw that invitation first.")
        raise NotAllowed(told.format(address=address))
    count_invitations(by, 1)
    MailedInvitation.objects.create(game=game, seat=seat, email=address, expires=now + VALID_FOR, next_try=now)
    announce_change(game.pk)
    start_task_after_commit("games.tasks.send_invitations")


@gm_act.locked("withdraw_mailed", rules.may_withdraw_invitation, offered=False)
def withdraw_email_invitation(here: Standpoint, _by: int, *, number: Number) -> None:
    """Withdraw an invitation by email that nobody has accepted."""
    deleted, _rows = MailedInvitation.objects.filter(game=here.game, pk=number).delete()
    if not deleted:
        raise WrongMoment(_("That invitation has been used, or it is over."))
    announce_change(here.game.pk)


@transaction.atomic
def accept_email_invitation(*, token: str, user_id: int) -> str:
    """Take the seat that the email invites to, and return the slug of the game. The invitation works once.

    Raises WrongMoment if it has expired, SeatTaken, and NotAllowed for people who may not have this seat.
    """
    game_id = email_invitation_with(token).game_id
    here = lock_game_for(game_id, user_id)
    row = email_invitation_with(token)
    user = get_user_model().objects.get(pk=user_id)
    rules.may_accept_email_invitation(here, user, row.seat)
    refuse_if_blocked(here)
    game, now, seat = here.game, here.now, here.seats[row.seat.power] if row.seat else None
    row.delete()
    if seat is None:
        if user_id not in here.members:
            add_joiner(game, user, now)
            tell(news.JOINED, game, at=now, by=user_id)
        call_roll_or_start(game, now, here=user_id)
    elif game.status == Status.OPEN:
        _occupy_before_start(game, seat, user, now)
        tell(news.SEAT_TAKEN, game, at=now, by=user.pk, power=seat.power)
        call_roll_or_start(game, now, here=user_id)
    else:
        give_seat(game, seat, user, here.phase, now, by=game.gm_id)
        end_if_all_agree(game, now=now)
    return game.slug


def email_invitation_with(token: str) -> MailedInvitation:
    """The invitation with this token. Raises WrongMoment if there is none, or if its game is over."""
    rows = MailedInvitation.objects.select_related("game__gm", "seat").filter(token=token, expires__gt=clock.now())
    row = rows.first()
    if row is None:
        raise WrongMoment(INVITATION_CLOSED)
    return row


def send_invitations() -> None:
    """Send the waiting emails, and delete expired invitations. Call it outside any transaction."""
    closed = MailedInvitation.objects.filter(Q(expires__lte=clock.now()) | Q(game__status__in=OVER))
    with transaction.atomic():
        for game_id in sorted(set(closed.values_list("game_id", flat=True))):  # they would keep seats
            lock_game(game_id)
            closed.filter(game=game_id).delete()
            announce_change(game_id)
    send_waiting(
        MailedInvitation.objects.select_related("game", "seat"),
        _invitation_email,
        lambda row: MailedInvitation.objects.filter(pk=row.pk).update(next_try=None),
    )


def _invitation_email(row: MailedInvitation) -> EmailMultiAlternatives | None:
    if refuses_invitations(row.email):
        return None
    variant = row.game.variant
    message = (
        INVITED_TO_SEAT.format(power=variant.power(row.seat.power).called, variant=variant.title) if row.seat else None
    )
    return single_email(
        SUBJECT,
        message or INVITED_TO_GAME.format(variant=variant.title),
        to=row.email,
        about=f"invitation-{row.pk}",
        address=reverse("games:mailed", args=[row.token]),
        act=_("See the invitation"),
        closing=CLOSING.format(until=day_words(row.expires)),
        never=path_to_refuse(row.email),
    )


def refuses_invitations(address: str) -> bool:
    """Does its owner want no invitations by email, or has it had enough emails for today?"""
    return refuses_emails(address) or not takes_another(address, INVITATIONS_TO_ONE)


def refuses_emails(about: str) -> bool:
    """Has the owner of an address stopped the emails that had the link of `path_to_refuse` for this?"""
    return UnwantedAddress.objects.filter(digest=digest_of_address(about)).exists()


def path_to_refuse(address: str) -> str:
    """The path of the page on which the owner of this address can ask for no more invitations, and for them again; with
    "/" and a slug behind it, for the emails about that tournament."""
    return reverse("games:never-invite", args=[_signer().sign(digest_of_address(address))])


def emails_are_stopped(secret: str, *, stop: bool | None = None) -> bool:
    """Does the address for which this secret was made get no more emails of the kind that had it? First `stop` them, or
    (False) start them again. Nobody is told, and people who invite the address see what they always see. Raises
    WrongMoment if the secret is not one of ours."""
    try:
        digest = _signer().unsign(secret)
    except BadSignature as error:
        raise WrongMoment(_("This link is incomplete. Open it again from the email.")) from error
    if stop:
        UnwantedAddress.objects.get_or_create(digest=digest)
    elif stop is False:
        UnwantedAddress.objects.filter(digest=digest).delete()
    return UnwantedAddress.objects.filter(digest=digest).exists()


def _signer() -> Signer:
    return Signer(salt="games.never-invite", sep=".")
