"""Another game with the same people."""

from typing import Final

from django.utils.translation import gettext as _

from games.kernel import codec
from games.kernel.acts import player_act
from games.kernel.blocks import is_blocked
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.limits import count_public_change
from games.kernel.locking import lock_account
from games.kernel.models import OVER, Game, Joiner, Occupancy
from games.kernel.news import tell
from games.kernel.options import Bots, Names
from games.kernel.refusals import NotAllowed
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.models import Rematch
from games.seating.options import SeatAssignment, Start
from games.seating.rules.joining import may_rematch
from games.seating.services.joining import call_roll_or_start
from games.seating.services.new_game import LONGEST_NAME, store_game
from variants.registry import playable
from variants.variant import Variant

DEFAULT_ROLL_CALL: Final = 86_400
AGAIN = ", again"
"""A name stays as it was given, in whatever language the site is read."""
"""How many seconds people have to confirm, if the first game had no roll call: they did not ask for this one."""


@player_act.locked("rematch", may_rematch)
def call_rematch(here: Standpoint, user_id: int) -> str:
    """Create another game with the same terms, game master and people, who confirm their places before it starts, and
    return its slug. Each person has the power after their last one or, if players are anonymous, a random one. A second
    call returns the same game.

    Raises WrongMoment and NotAllowed as in `may_rematch`.
    """
    known = Rematch.objects.select_related("second").filter(first=here.game).first()
    if known is not None and (known.second.status not in OVER or known.second.phases.exists()):
        return known.second.slug
    count_public_change(here.game.pk, user_id)
    first, now = here.game, here.now
    lock_account(first.gm_id)
    by_lot = first.options[Names].hidden_names
    variant = playable(first.variant_slug)
    if variant is None:
        raise NotAllowed(_("This variant is no longer played here, so there is no rematch."))
    # Power -> the person who held it last, without people whom the game master has blocked since and deleted accounts.
    rows = Occupancy.objects.filter(game=first, until__isnull=True, user__is_bot=False, user__is_active=True)
    players = dict(rows.values_list("seat__power", "user_id"))
    powers_held = [power.id for power in codec.variant_of(first).powers if power.id in players]
    people = {power: players[power] for power in powers_held if not is_blocked(by=first.gm_id, whom=players[power])}
    options = _options_of_rematch(first, variant, by_lot=by_lot, bots=variant.players - len(people))
    game = store_game(first.gm_id, _name_of_rematch(first.name), variant, options, now)
    Rematch.objects.update_or_create(first=first, defaults={"second": game})
    if by_lot:
        Joiner.objects.bulk_create(Joiner(game=game, user_id=user, joined=now) for user in people.values())
    else:
        seats = {seat.power: seat for seat in game.seats.all()}
        powers = list(people)
        for power, following in zip(powers, powers[1:] + powers[:1], strict=True):
            Occupancy.objects.create(game=game, seat=seats[following], user_id=people[power], since=now)
    members = set(people.values())
    is_full = len(members) == options[Bots].places(variant.players)
    readers = {first.gm_id} - members if is_full else {first.gm_id} | members  # a roll call asks its members itself
    to = sorted(readers - {user_id})
    tell(news.REMATCH, game, at=now, by=user_id, to=to, before=first.name)
    call_roll_or_start(game, now, here=user_id)
    return game.slug


def _name_of_rematch(name: str) -> str:
    """The name, as in "Locarno, again"; after that "Locarno, again (3)"."""
    stem, mark, number = name.partition(AGAIN)
    count = int(digits) if (digits := number.strip(" ()")).isdecimal() else 2
    ending = f"{AGAIN} ({count + 1})" if mark else AGAIN
    return stem[: LONGEST_NAME - len(ending)] + ending


def _options_of_rematch(last_game: Game, variant: Variant, *, by_lot: bool, bots: int) -> GameOptions:
    """The options, with at most this many `bots`, because people may have taken over seats from some."""
    values = dict(last_game.options.values)
    values["bots"] = min(values["bots"], bots)
    values["roll_call_seconds"] = last_game.options[Start].roll_call_seconds or DEFAULT_ROLL_CALL
    values["seats"] = SeatAssignment.RANDOM.value if by_lot else SeatAssignment.CHOICE.value
    try:
        return GameOptions.create(variant, by_invitation=last_game.by_invitation, **values)
    except BadOptions as bad:
        raise NotAllowed(_("The terms of this game can’t be chosen any more. {bad}").format(bad=bad)) from None
