"""Creating games, taking and leaving seats."""

import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.endings.services import end_if_all_agree
from games.kernel import clock, hooks
from games.kernel.acts import player_act
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.languages import later
from games.kernel.limits import count_public_change
from games.kernel.locking import lock_account, lock_game_for_holder
from games.kernel.models import Game, Occupancy, Seat, new_invitation
from games.kernel.news import tell
from games.kernel.refusals import BadGame
from games.kernel.standpoint import Standpoint
from games.kernel.wording import has_web_address, one_line
from games.seating import news
from games.seating.rules.joining import may_leave, may_take_over_from_bot, may_take_seat
from games.seating.services.joining import call_roll_or_start, refuse_if_blocked, remove_joiner
from variants.bots import Level
from variants.registry import playable
from variants.variant import Variant

SHORTEST_NAME = 3
LONGEST_NAME = 80
NO_WEB_ADDRESS = later("The name can’t contain a web address. Leave it out, or put a space after each dot.")


def objection_to_name(name: str) -> str:
    """Why nothing public can have this name; "" if it can."""
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        return _("The name must have {least} to {most} characters.").format(least=SHORTEST_NAME, most=LONGEST_NAME)
    return str(NO_WEB_ADDRESS) if has_web_address(name) else ""


def create_game(*, by: int, name: str, variant: str, by_invitation: bool = False, **choices: Any) -> str:
    """Create a game open to players and return its slug. `by` becomes game master. BadGame names each wrong field.

    `choices` are options by name.
    """
    problems: dict[str, str] = {}
    name = one_line(name)
    if objection := objection_to_name(name):
        problems["name"] = objection
    known_variant = playable(variant)
    if known_variant is None:
        problems["variant"] = _("There is no such variant. Choose one from the list.")
    try:
        options = GameOptions.create(known_variant, by_invitation=by_invitation, **choices)
    except BadOptions as bad:
        raise BadGame({**problems, **bad.problems}) from None
    if problems or known_variant is None:
        raise BadGame(problems)
    with transaction.atomic():
        now = clock.now()
        lock_account(by)
        game = store_game(by, name, known_variant, options, now)
        tell(news.GAME_CREATED, game, at=now, by=by)
    return game.slug


def store_game(
    by: int, name: str, variant: Variant, options: GameOptions, now: datetime, *, practice: bool = False
) -> Game:
    """Store an open game with vacant seats and an empty log. The caller holds the lock on the account `by`."""
    game = Game.objects.create(
        slug=f"{slugify(name)[:40] or 'game'}-{secrets.token_hex(4)}",
        name=name,
        variant_slug=variant.slug,
        variant_version=variant.version,
        variant_digest=variant.digest,
        stored_options=options.to_json(),
        gm_id=by,
        by_invitation=options.by_invitation,
        practice=practice,
        invitation=new_invitation(),
        created=now,
    )
    Seat.objects.bulk_create(Seat(game=game, power=power.id) for power in variant.powers)
    return game


@player_act.locked("choose_seat", may_take_seat)
def take_seat(here: Standpoint, user_id: int, *, power: str | None = None) -> str:
    """Take the seat of a power, or a random free one, and return the power's id. The last player fills the game.

    Raises SeatTaken; WrongMoment once the game has started, or if powers are assigned; NotAllowed as in `join_game`.
    """
    refuse_if_blocked(here)
    count_public_change(here.game.pk, user_id)
    game, now = here.game, here.now
    free = [seat for seat in here.seats.values() if not seat.held and not seat.disordered]
    seat = here.seats[power] if power else secrets.choice(free)
    lock_account(user_id)
    Occupancy.objects.create(game=game, seat=seat, user_id=user_id, since=now)
    tell(news.SEAT_TAKEN, game, at=now, by=user_id, power=seat.power)
    call_roll_or_start(game, now, here=user_id)
    return seat.power


@player_act.locked("leave", may_leave, done=later("You have left the game."), to="games:lobby", back="games:game")
def leave_before_start(here: Standpoint, user_id: int) -> None:
    """Leave a game that has not started. After the start, you would resign."""
    game, now = here.game, here.now
    if not remove_joiner(game, user_id, now):
        here.occupancy.until = now
        here.occupancy.save(update_fields=["until"])
        tell(news.SEAT_LEFT, game, at=now, by=user_id, power=here.occupancy.seat.power)
    hooks.players_changed(game, now)
    call_roll_or_start(game, now)


@transaction.atomic
def let_bot_play(*, occupancy_id: int, level: Level = Level.EASY) -> None:
    """Let a bot play for this person from now on. It uses the same services as people."""
    here = lock_game_for_holder(occupancy_id)
    here.game.occupancies.filter(pk=occupancy_id, until__isnull=True).update(bot=level.value)
    end_if_all_agree(here.game, now=here.now)


@player_act(
    "stop_bot",
    may_take_over_from_bot,
    done=later("The bot has stopped. You’re now playing yourself."),
    to="games:orders",
    seated=True,
)
@transaction.atomic
def take_over_from_bot(*, occupancy_id: int) -> None:
    """Stop the site's bot that plays your seat. What it has saved stays until you save something else."""
    here = lock_game_for_holder(occupancy_id)
    may_take_over_from_bot(here)
    game, occupancy = here.game, here.occupancy
    occupancy.bot = ""
    occupancy.save(update_fields=["bot"])
    tell(news.BOT_STOPPED, game, at=here.now, by=occupancy.user_id, power=occupancy.seat.power)
