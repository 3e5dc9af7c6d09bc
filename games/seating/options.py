"""Options about joining a game, assigning its powers, its start, and the seats of silent players."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.deadlines.options import LONGEST_SECONDS, PhaseLengths
from games.kernel.days import DAY, HOUR, MINUTE
from games.kernel.fields import OneOf, Pick, Radio
from games.kernel.game_options import Fixed, Heading, Options, Section, ZeroOr, option
from games.kernel.languages import later, later_as
from games.kernel.options import Bots
from games.kernel.parts import Term
from games.kernel.wording import length_in_words
from games.seating.reliability import WHOLE
from variants.bots import Level
from variants.variant import Variant


class SeatAssignment(StrEnum):
    """How powers are assigned to players."""

    CHOICE = "choice"
    RANDOM = "random"
    PREFERENCES = "preferences"


SEAT_TEXTS = {
    SeatAssignment.CHOICE: (
        later("Players choose powers"),
        later("Players pick any free power, first come, first served."),
    ),
    SeatAssignment.RANDOM: (later("Powers at random"), later("Powers are assigned at random before the first turn.")),
    SeatAssignment.PREFERENCES: (
        later("Powers by preference"),
        later(
            "Players rank the powers, in secret. Before the first turn, powers are assigned to match these "
            "preferences as closely as possible. Ties are broken at random."
        ),
    ),
}
"""Title and explanation of each."""

PERCENTAGES = (50, 75, 90, 95)
NEWCOMERS = later("Players who have played only a few phases here can join whatever their reliability.")
MOST_MISSES = 5
MOST_HOURS_VACANT = 14 * 24
SLOW_SECONDS, SLOW_ROLL_CALL_SECONDS, LIVE_ROLL_CALL_SECONDS = 12 * HOUR, 3 * DAY, 5 * MINUTE
SLOW_WAIT_DAYS, LIVE_WAIT_DAYS, MOST_WAIT_DAYS = 30, 2, 365

OPEN = later("The game is listed on the Games page. Anyone can watch it, and join while there is room.")
BY_INVITATION = later("Only people with the invitation link can see the game and join it.")
APPROVAL_NEEDED = later("Players need the game master’s approval to join.")
BY_APPROVAL = later("The game is listed, and anyone can watch it. Players need the game master’s approval to join.")
PLACE_LOST = later("Players who don’t confirm in time lose their place.")
WHO_MAY_TAKE_OVER = later(
    "The seat becomes vacant, and any player who may join the game can take it over, with at least a full phase to "
    "enter orders."
)


class Entrance(Options, section=Section.ENTRANCE, heading=Heading.JOINING, title=later("Who may join?")):
    approval: bool = option(False)

    def sentence(self) -> str:
        if self.whole.by_invitation:
            return f"{BY_INVITATION} {APPROVAL_NEEDED}" if self.approval else BY_INVITATION
        return BY_APPROVAL if self.approval else OPEN


class RequiredReliability(
    Options, section=Section.JOINING, heading=Heading.JOINING, title=later("Reliability"), last_in_section=True
):
    least_reliability: int = option(
        0,
        allowed=range(WHOLE + 1),
        asked=Pick(
            later("Minimum reliability"),
            [(0, later("None")), *((figure, f"{figure}%") for figure in PERCENTAGES)],
            0,
            required=False,
        ),
        fixed=Fixed.NEVER,
    )
    newcomers_welcome: bool = option(True, fixed=Fixed.NEVER)

    def sentence(self) -> str:
        if not self.least_reliability:
            return ""
        new = _("New players are welcome.") if self.newcomers_welcome else _("New players cannot join.")
        return _("Players need to have saved orders in at least {least}% of their phases here. {new}").format(
            least=self.least_reliability, new=new
        )


class Dealing(Options, section=Section.JOINING, heading=Heading.JOINING, facts=("seats_title",)):
    seats: str = option(
        SeatAssignment.CHOICE.value,
        allowed=tuple(SeatAssignment),
        asked=OneOf(
            later("How powers are assigned"), tuple(Radio(key.value, *texts) for key, texts in SEAT_TEXTS.items())
        ),
        fixed=Fixed.JOINED,
    )

    @property
    def seats_title(self) -> str:
        """How powers are assigned to players, in a few words."""
        return SEAT_TEXTS[SeatAssignment(self.seats)][0]

    def terms(self) -> Iterable[Term]:
        yield Term(self.heading, *SEAT_TEXTS[SeatAssignment(self.seats)])


def _default_roll_call(values: Mapping[str, Any], _variant: Variant | None) -> int:
    """A slow game has a roll call by default; a live one starts when it is full."""
    return SLOW_ROLL_CALL_SECONDS if values["movement_seconds"] >= SLOW_SECONDS else 0


class Start(Options, section=Section.JOINING, heading=Heading.JOINING, title=later("The start")):
    roll_call_seconds: int = option(
        0, allowed=ZeroOr(range(5 * MINUTE, LONGEST_SECONDS + 1)), left_empty=_default_roll_call
    )

    @property
    def seconds_to_confirm(self) -> int:
        """How long players have who are asked to confirm, be it everyone or only those who may have gone."""
        is_slow = self.whole[PhaseLengths].movement_seconds >= SLOW_SECONDS
        return self.roll_call_seconds or (SLOW_ROLL_CALL_SECONDS if is_slow else LIVE_ROLL_CALL_SECONDS)

    def sentence(self) -> str:
        """What happens between the last player joining and the first turn."""
        if not self.roll_call_seconds:
            return _(
                "The game starts as soon as it is full, or when the game master starts it. Players who have abandoned "
                "another game since they joined are asked to confirm their place first."
            )
        return _(
            "When the game is full, everyone has {length} to confirm their place. The game starts once they all have."
            " {place_lost} The game master can cancel this roll call, or start the game at once without the players "
            "who haven’t confirmed."
        ).format(length=length_in_words(self.roll_call_seconds), place_lost=PLACE_LOST)


def _default_wait(values: Mapping[str, Any], _variant: Variant | None) -> int:
    return SLOW_WAIT_DAYS if values["movement_seconds"] >= SLOW_SECONDS else LIVE_WAIT_DAYS


class WaitForPlayers(Options, section=Section.JOINING, heading=Heading.JOINING, title=later("Waiting for players")):
    wait_days: int = option(0, allowed=ZeroOr(range(1, MOST_WAIT_DAYS + 1)), left_empty=_default_wait)

    def until(self, created: datetime) -> datetime | None:
        """When a game that was created at this moment stops waiting."""
        return created + timedelta(days=self.wait_days) if self.wait_days else None

    def sentence(self) -> str:
        if not self.wait_days:
            return ""
        return ngettext(
            "If the game is not full 1 day after it was created, and the game master has not started it, it is closed.",
            "If the game is not full {days} days after it was created, and the game master has not started it, it is "
            "closed.",
            self.wait_days,
        ).format(days=self.wait_days)


WAITS_FOR_BOT = {
    1: later("After 1 hour"),
    6: later("After 6 hours"),
    24: later("After 1 day"),
    48: later("After 2 days"),
    168: later("After 7 days"),
}


class Vacancies(Options, section=Section.VACANCIES, heading=Heading.JOINING, title=later("Vacant seats")):
    vacant_after: int = option(0, allowed=range(MOST_MISSES + 1), fixed=Fixed.NEVER)

    bots_after_hours: int = option(
        0,
        allowed=ZeroOr(range(1, MOST_HOURS_VACANT + 1)),
        asked=Pick(
            later("A bot plays a vacant seat"), [(0, later("Never")), *WAITS_FOR_BOT.items()], 0, required=False
        ),
        fixed=Fixed.NEVER,
    )

    def sentence(self) -> str:
        sentences = []
        if self.vacant_after:
            sentences.append(
                ngettext(
                    "A player who has orders to enter but saves none for one phase loses the seat, which counts as "
                    "abandoning the game. {vacated}",
                    "A player who has orders to enter but saves none for {phases} phases in a row loses the seat, "
                    "which counts as abandoning the game. {vacated}",
                    self.vacant_after,
                ).format(phases=self.vacant_after, vacated=WHO_MAY_TAKE_OVER)
            )
        if self.bots_after_hours:
            level = name_of_level(self.whole[Bots].bot_level)
            told = _("If a seat is vacant for {length}, a bot ({level}) plays it until a player takes it over.")
            sentences.append(told.format(length=length_in_words(self.bots_after_hours * HOUR), level=level))
        return " ".join(sentences)


LEVEL_NAMES = {
    Level.EASY: later_as("a level of bots", "easy"),
    Level.MEDIUM: later_as("a level of bots", "medium"),
    Level.STRONG: later_as("a level of bots", "strong"),
}


def name_of_level(level: str) -> str:
    """The bot with its level, as in "a bot (easy)"."""
    return str(LEVEL_NAMES[Level(level)])
