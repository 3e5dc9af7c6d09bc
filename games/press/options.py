"""The press settings: what players may write to each other, and when."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import reduce
from typing import Any

from django.utils.functional import lazy
from django.utils.translation import gettext as _

from games.kernel.fields import OneOf, Radio, Ticks
from games.kernel.game_options import Fixed, Heading, Options, Section, option
from games.kernel.languages import later
from games.kernel.options import ANONYMOUS, Master, Names
from variants.registry import offered
from variants.variant import Variant
from variants.words.english import listed


class Press(StrEnum):
    FULL = "full"
    PUBLIC = "public"
    NONE = "none"


PRESS_TEXTS = {
    Press.FULL: (
        later("Full press"),
        later("Players can send private messages to one or more powers, and public messages."),
    ),
    Press.PUBLIC: (
        later("Public press (Wilson)"),
        later("Players can send only public messages, which everyone can read."),
    ),
    Press.NONE: (later("No press"), later("Players can’t send any messages until the game is over.")),
}
"""Title and explanation of each."""

GUNBOAT = (
    later("Gunboat: no press, anonymous players"),
    later("Until the game is over, players can’t send any messages, and no one is told who plays which power."),
)

CLOSABLE = {"D": later("declarations"), "R": later("retreats"), "A": later("builds and removals")}
"""The kinds of phases in which a game may allow no messages, in words."""


def _presses_of_variants() -> str:
    """A sentence such as "Full press in 1926 and Locarno. Public press (Wilson) in Balkan."."""
    by_press: dict[str, list[str]] = {}
    for variant in offered():
        by_press.setdefault(str(PRESS_TEXTS[Press(variant.press_default)][0]), []).append(variant.title)
    if len(by_press) == 1:
        return _("{press} in every variant.").format(press=next(iter(by_press)))
    message = _("{press} in {variants}.")
    return " ".join(message.format(press=press, variants=listed(by_press[press])) for press in sorted(by_press))


def _press_of_variant(_values: Mapping[str, Any], variant: Variant | None) -> str:
    return variant.press_default if variant else Press.FULL


class Talk(Options, section=Section.TALK, heading=Heading.TALK, title=later("Press"), facts=("press_title",)):
    press: str = option(
        allowed=tuple(Press),
        left_empty=_press_of_variant,
        asked=OneOf(
            later("Press"),
            (
                Radio("variant", later("As in the variant’s rules"), lazy(_presses_of_variants, str)(), None),
                Radio(Press.FULL.value, *PRESS_TEXTS[Press.FULL]),
                Radio(Press.PUBLIC.value, *PRESS_TEXTS[Press.PUBLIC]),
                Radio("gunboat", *GUNBOAT, {"press": Press.NONE.value, "hidden_names": True}),
            ),
        ),
    )
    press_closed: tuple[str, ...] = option(
        (), allowed=CLOSABLE, parse=tuple, asked=Ticks(later("No messages during"), CLOSABLE.items()), fixed=Fixed.NEVER
    )

    def problems(self) -> Iterable[tuple[str, str]]:
        if self.press_closed and self.press == Press.NONE:
            yield "press_closed", _("This game has no press, so there are no phases to close it in.")

    @property
    def texts(self) -> tuple[str, str]:
        """Title and explanation of the press setting."""
        gunboat = self.press == Press.NONE and self.whole[Names].hidden_names
        return GUNBOAT if gunboat else PRESS_TEXTS[Press(self.press)]

    @property
    def press_title(self) -> str:
        """Which messages players can send to each other, in a few words."""
        return self.texts[0]

    @property
    def why_no_room(self) -> str:
        """Why players can't talk to each other before the start; "" if they can."""
        if self.press == Press.NONE:
            return _("This game has no press, so players can’t talk to each other before the start either.")
        if self.whole[Names].hidden_names and self.whole.values["seats"] == "choice":
            return _(
                "Players are anonymous and choose their powers. When someone writes could show who plays which power, "
                "so they can’t talk to each other before the start."
            )
        return ""

    @property
    def closed_press_sentence(self) -> str:
        """A sentence such as "Players can't send messages during retreats, and builds and removals."."""
        kinds = [words for kind, words in CLOSABLE.items() if kind in self.press_closed]
        listed_kinds = reduce(lambda some, kind: _("{some}, and {kind}").format(some=some, kind=kind), kinds or [""])
        return _("Players can’t send messages during {kinds}.").format(kinds=listed_kinds)

    def sentence(self) -> str:
        sentences = [". ".join(map(str, self.texts))]
        if self.press_closed:
            sentences.append(self.closed_press_sentence)
        if self.whole[Names].hidden_names:
            if self.texts != GUNBOAT:
                sentences.append(ANONYMOUS)
            sentences.append(
                _("The game master can see the names.")
                if self.whole[Names].seen_by_gm
                else _("The game master cannot see the names.")
            )
        return " ".join(map(str, sentences))


IN_PRIVATE = later(
    "The game master and each player can write to each other privately, whatever the press, before the start and after "
    "the end as well. No one else is told. Assistants who may write messages read and answer them too."
)
NOT_IN_PRIVATE = later("The game master and the players can’t write to each other privately.")


class GmWords(Options, section=Section.MASTER, heading=Heading.TALK, title=later("The game master’s private messages")):
    gm_in_private: bool = option(False, in_new_games=True, fixed=Fixed.NEVER, shown="allowed")

    @property
    def allowed(self) -> bool:
        """Can the game master and each player write to each other privately?"""
        return self.gm_in_private and not self.whole[Master].gm_plays

    def sentence(self) -> str:
        return IN_PRIVATE if self.allowed else NOT_IN_PRIVATE
