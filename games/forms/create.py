"""A new game: groups of options, each a form of its own, sent together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.forms.utils import ErrorList

from games.forms.ending import EndingGroup
from games.forms.first import FirstGroup
from games.forms.joining import JoiningGroup
from games.forms.market import MarketGroup
from games.forms.master import MasterGroup
from games.forms.talk import TalkGroup
from games.forms.when import WhenGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.forms import BoundField

    from games.forms.groups import Group

FIRST: tuple[type[Group], ...] = (FirstGroup, WhenGroup)
MORE: tuple[type[Group], ...] = (JoiningGroup, MarketGroup, TalkGroup, MasterGroup, EndingGroup)
"""In the order of the page, those of MORE folded away; no two groups have a field of the same name."""


class CreateGameForm:
    """All groups as one form: all mistakes are shown at once, and nothing typed is lost."""

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, like: Mapping[str, Any] | None = None
    ) -> None:
        """`like`: filled in as for these arguments of the service that creates games."""
        self.first = tuple(group(data, initial=group.like(like) if like else None) for group in FIRST)
        self.more = tuple(group(data, initial=group.like(like) if like else None) for group in MORE)
        self.groups = self.first + self.more

    def __iter__(self) -> Iterator[BoundField]:
        for group in self.groups:
            yield from group

    def is_valid(self) -> bool:
        return all(group.is_bound for group in self.groups) and not self.errors

    @property
    def errors(self) -> dict[str, ErrorList]:
        return {name: errors for group in self.groups for name, errors in group.errors.items()}

    def non_field_errors(self) -> ErrorList:
        found = ErrorList()
        for group in self.groups:
            found.extend(group.non_field_errors())
        return found

    def add_error(self, name: str, sentence: str) -> None:
        """A mistake that the service found: with its field or, where there is none, with the whole form."""
        owner = next((group for group in self.groups if name in group.fields), None)
        if owner is not None:
            owner.add_error(name, sentence)
        else:
            self.groups[0].add_error(None, sentence)

    def options(self) -> dict[str, Any]:
        """The arguments of the service that creates games, except `by`."""
        return {name: choice for group in self.groups for name, choice in group.options().items()}
