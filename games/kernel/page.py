"""The page of a game for one viewer. Subjects provide its parts; each is made when it is first asked for."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

from django.contrib.auth.models import AnonymousUser

from games.kernel.access import GameAccess, access_game
from games.kernel.cards import card_of_game
from games.kernel.marks import InApi
from games.kernel.parts import GameCard, PhaseHead
from games.kernel.phase_rows import PhaseRows
from games.kernel.queries import mark_of, phase_head

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
PARTS: dict[str, Callable[[Page], Any]] = {}


class Page:
    """One phase of one game for one viewer: facts that everyone may know, and the viewer's own.

    Templates ask for a part by its name, as in `view.order_sheet`; code calls the function that gives it, as in
    `order_sheet(view)`, which has a type. `parts` are those that are there already.
    """

    def __init__(self, rows: PhaseRows, **parts: Any) -> None:
        self.rows = rows
        vars(self).update(parts)

    def part(self, name: str) -> Any:
        """The part with this name, for subjects below the one that provides it."""
        return PARTS[name](self)

    if not TYPE_CHECKING:  # code that asks by name would not be checked

        def __getattr__(self, name: str) -> Any:
            if name not in PARTS:
                raise AttributeError(name)
            try:
                return PARTS[name](self)
            except AttributeError as mistake:  # a template would take it for a part that does not exist
                raise TypeError(f"{name} cannot be worked out: {mistake}") from mistake

    @cached_property
    def game(self) -> Annotated[GameCard, InApi("The game.")]:
        return card_of_game(self.rows, unread=self.part("unread"))

    @property
    def version(self) -> Annotated[str, InApi("Changes whenever something public changes in the game.")]:
        return self.rows.access.version

    @cached_property
    def head(self) -> Annotated[PhaseHead | None, InApi("The phase that is shown; null before the start.")]:
        return phase_head(self.rows.shown) if self.rows.shown else None

    @property
    def mark(self) -> str:
        """The `mark_of` the game in the phase shown; "" before the start."""
        return mark_of(self.rows.game, self.head) if self.head else ""

    @cached_property
    def phases(self) -> Annotated[tuple[PhaseHead, ...], InApi("All phases so far, oldest first.")]:
        return tuple(map(phase_head, self.rows.phases))

    @property
    def final(self) -> Annotated[bool, InApi("This is the final position.")]:
        """Is the position shown the final one?"""
        return self.rows.final

    @property
    def my_power(self) -> Annotated[str | None, InApi("The id of the power you play; null if you play none.")]:
        return self.rows.my_power

    @property
    def my_power_name(self) -> str:
        """The power's name, as in "Soviet Union"; "" for a viewer who may write no orders."""
        return self.rows.variant.power(self.my_power).name if self.my_power else ""

    @property
    def my_colour(self) -> str:
        """The power's colour on the map; "" for a viewer who may write no orders."""
        return str(self.rows.variant.power(self.my_power).colour) if self.my_power else ""

    @property
    def my_power_called(self) -> str:
        """The power's name within a sentence, as in "the Soviet Union"."""
        return self.rows.variant.power(self.my_power).called if self.my_power else ""

    @property
    def may_write(self) -> bool:
        """Is there an open phase for which the viewer may write orders?"""
        return self.my_power is not None and self.head is not None and self.head.is_open

    # What the game's card says, too, which needs more.

    @property
    def name(self) -> str:
        return self.rows.game.name

    @property
    def variant_title(self) -> str:
        return self.rows.game.variant_title

    @property
    def gm_name(self) -> str:
        return self.rows.game.gm.get_username()

    @property
    def verdict(self) -> str:
        return self.rows.game.verdict_sentence

    @property
    def names_are_hidden(self) -> Annotated[bool, InApi("Names of players are hidden from you.")]:
        return self.rows.hidden


def part(name: str) -> Callable[[Callable[[Page], T]], Callable[[Page], T]]:
    """Declare that a function makes the part with this name; each page keeps the result."""

    def decorate(make: Callable[[Page], T]) -> Callable[[Page], T]:
        @wraps(make)
        def remembered(page: Page) -> T:
            values = vars(page)
            if name not in values:
                values[name] = make(page)
            found: T = values[name]
            return found

        PARTS[name] = remembered
        return remembered

    return decorate


def types_of_parts() -> dict[str, Any]:
    """The types of all parts, with their `InApi` marks."""
    own = {name: getattr(it, "func", None) or getattr(it, "fget", None) for name, it in vars(Page).items()}
    makers = {**{name: it for name, it in own.items() if it}, **PARTS}
    return {name: get_type_hints(make, include_extras=True)["return"] for name, make in makers.items()}


def page_of(access: GameAccess, ordinal: int | None = None) -> Page:
    """One phase for this viewer: the open one, or the one with that ordinal (Http404 if there is none).

    Without an ordinal it shows the start position before the start, and the final position after the end.
    """
    return Page(PhaseRows(access, ordinal))


def public_page(access: GameAccess, ordinal: int | None = None) -> Page:
    """`page_of` without anything of this viewer's own: what everyone sees who may see this game at all."""
    return page_of(replace(access, user_id=None, seat=None, lent=None, is_gm=False), ordinal)


def page_for_strangers(slug: str, ordinal: int | None = None) -> Page:
    """`page_of` a public game; raises Http404 if there is none."""
    return page_of(access_game(user=AnonymousUser(), slug=slug), ordinal)
