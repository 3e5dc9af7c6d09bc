"""The frozen views that every subject shares: phases, variants, options and game cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from django.db.models import TextChoices

from adjudication.serialisation import facts_to_json
from games.kernel.languages import later, later_as
from games.kernel.marks import InApi


@dataclass(frozen=True, slots=True)
class Term:
    """One of the terms that everyone reads before they join."""

    group: Annotated[str, InApi("The heading it stands under.")]
    title: Annotated[str, InApi("What it is about.")]
    sentence: Annotated[str, InApi("What applies.")]


@dataclass(frozen=True, slots=True)
class TermGroup:
    title: str
    terms: tuple[Term, ...]


def phase_mark(ordinal: int, opened: datetime) -> str:
    """A mark that tells a phase from one that was opened again in its place."""
    return f"{ordinal} {opened.isoformat()}"


@dataclass(frozen=True, slots=True)
class PhaseHead:
    """A phase without its contents."""

    ordinal: Annotated[int, InApi("Its place among the phases of the game, from 0.")]
    code: Annotated[str, InApi("The turn in short, as in “S1926M”.")]
    title: Annotated[str, InApi("The turn, as in “Spring 1927”.")]
    year: Annotated[int, InApi("The year of the turn.")]
    short: Annotated[str, InApi("Tells the phase from the others of its year.")]
    kind: Annotated[
        str, InApi("M for movement, R for retreats, A for adjustments, P for deployment, D for declarations.")
    ]
    kind_title: Annotated[str, InApi("The same in words.")]
    is_open: Annotated[bool, InApi("Orders can still be given.")]
    opened: Annotated[datetime, InApi("When it began.")]
    closed: Annotated[datetime | None, InApi("When it ended; null while it is open.")]
    deadline: Annotated[datetime | None, InApi("When it ends or was to end; null while its clock stands still.")]
    remaining_seconds: Annotated[
        int | None, InApi("The seconds that are left while its clock stands still; else null.")
    ]

    @property
    def mark(self) -> str:
        """The `phase_mark` of this phase."""
        return phase_mark(self.ordinal, self.opened)


@dataclass(frozen=True, slots=True)
class PowerCard:
    """A power, as in any list of powers."""

    id: Annotated[str, InApi("Its id, as in “FRANCE”.")]
    name: Annotated[str, InApi("Its name for display.")]
    colour: Annotated[str, InApi("Its colour on the map, from “1” to “18”.")]
    letter: Annotated[str, InApi("The letter on its units.")]


@dataclass(frozen=True, slots=True)
class VariantCard:
    """A variant in a list."""

    slug: Annotated[str, InApi("Names the variant in addresses.")]
    title: Annotated[str, InApi("Its name for display.")]
    players: Annotated[int, InApi("How many people play it.")]
    summary: Annotated[str, InApi("What it is, in a sentence or two.")]
    rules_text: Annotated[str, InApi("The rules, in Markdown.")]
    credits: Annotated[str, InApi("The people who made it, and its sources.")]
    powers: Annotated[tuple[PowerCard, ...], InApi("Its powers.")]
    bids: Annotated[bool, InApi("Players bid points for the orders of minor powers.")]
    press_title: Annotated[str, InApi("Which messages players can send, if a game’s creator says nothing else.")]
    how_even: str
    """Its `evenness_words`."""


@dataclass(frozen=True, slots=True)
class EventView:
    """A line of the public log."""

    at: Annotated[datetime, InApi("When it happened.")]
    kind: Annotated[str, InApi("The kind of news.")]
    sentence: Annotated[str, InApi("What happened. Players of games with hidden names are not named.")]


@dataclass(frozen=True, slots=True)
class LogView:
    """A part of the public log, newest first, from the place `first`, that of its oldest line, to `last`, of `total`.
    The very first line has place 1."""

    events: tuple[EventView, ...]
    first: int
    last: int
    total: int


@dataclass(frozen=True)
class GameOptionsView:
    """All options of a game, and what follows from them, by the names that their subjects declare; lengths in seconds.
    `terms` tell everyone, before they join, what was chosen."""

    terms: Annotated[tuple[Term, ...], InApi("The same in words.")]
    facts: InitVar[Mapping[str, Any]]

    def __post_init__(self, facts: Mapping[str, Any]) -> None:
        vars(self).update(facts)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class Wanted(TextChoices):
    """What a game wants of a player or of its game master, for them alone."""

    PLACE = "place to confirm", later("place to confirm")
    REQUESTS = "requests to answer", later("requests to answer")
    ORDERS = "orders missing", later("orders missing")
    MESSAGES = "new messages", later("new messages")
    SAVED = "saved", later_as("orders", "saved")
    READY = "ready", later_as("a player", "ready")
    NOTHING = "nothing to do", later("no orders due")


class WithFacts:
    """Something that the rules `told`."""

    __slots__ = ()

    @property
    def facts(
        self,
    ) -> Annotated[
        Mapping[str, Any],
        InApi(
            "What the sentence is made of, by name: ids of provinces and powers, numbers, units as in “GERMANY A MUN” "
            "and orders as in “GERMANY A MUN - CZE”. A “case” tells apart sentences for one thing."
        ),
    ]:
        return facts_to_json(self.told.facts)  # type: ignore[attr-defined]


class Explained(WithFacts):
    """Something that the rules `told` with a reason."""

    __slots__ = ()

    @property
    def reason(
        self,
    ) -> Annotated[str | None, InApi("The reason as a code, as in “bounced”; null if there is nothing to say.")]:
        reason = self.told.reason  # type: ignore[attr-defined]
        return str(reason) if reason else None


@dataclass(frozen=True, slots=True)
class EndView:
    """How a game ended."""

    kind: Annotated[str, InApi("As a code, as in “most centres”, “draw agreed”.")]
    facts: Annotated[Mapping[str, Any], InApi("What the sentence is made of, by name.")]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list.

    `board`: what finds the variant in the game's version: see `variants.by_slug.load`.
    `kept`: the places among those `taken` that wait for guests who are invited by email.
    `has_asked`, `is_accepted`: in lists, the user waits for an answer to their request to join, or has it and may join.
    `i_only_follow`: on the home page, the user has no other part in it.
    `similar_took`: in a list of open games, the seconds from the creation to the start of games like this one, None
    where too few are known.
    """

    slug: Annotated[str, InApi("Names the game in addresses.")]
    name: Annotated[str, InApi("Its name for display.")]
    variant: Annotated[str, InApi("The slug of its variant.")]
    variant_version: Annotated[str, InApi("The version of the variant; before the start, it may still change.")]
    variant_title: Annotated[str, InApi("The variant’s name for display.")]
    board: str
    status: Annotated[
        str, InApi("open (waiting for players), running, paused, held (by the site), finished or closed.")
    ]
    status_sentence: Annotated[str, InApi("The same in a sentence.")]
    verdict: Annotated[str, InApi("How it ended, in a sentence; empty before.")]
    winners: Annotated[tuple[str, ...], InApi("The ids of the winners; empty before the end.")]
    end: Annotated[EndView | None, InApi("How it ended, for programs; null before.")]
    gm_name: Annotated[str, InApi("The name of the game master.")]
    players: Annotated[int, InApi("How many seats there are for people.")]
    taken: Annotated[
        int, InApi("How many players have joined, with the seats kept for guests who are invited by email.")
    ]
    kept: int
    bots: Annotated[int, InApi("How many seats bots play or, before the start, are kept for them.")]
    ordinal: Annotated[int | None, InApi("The place of the open phase among all phases, from 0; null without one.")]
    turn_title: Annotated[str, InApi("The turn, as in “Spring 1927”; empty without an open phase.")]
    kind_title: Annotated[str, InApi("What is done in the open phase, as in “Movement”; empty without one.")]
    deadline: Annotated[
        datetime | None, InApi("When the open phase ends; null if there is none, or its clock stands still.")
    ]
    remaining_seconds: Annotated[
        int | None, InApi("The seconds that are left while the clock stands still; else null.")
    ]
    everybody_is_ready: Annotated[bool, InApi("All are ready: the phase ends early unless a player takes that back.")]
    by_invitation: Annotated[bool, InApi("The game can only be seen by those who take part or have its link.")]
    practice: bool
    elsewhere: Annotated[bool, InApi("It was played elsewhere and added to the archive.")]
    my_power: Annotated[str | None, InApi("The id of the power you play; null if you play none.")]
    i_joined: Annotated[bool, InApi("You have joined, and powers have yet to be given out.")]
    i_sit: Annotated[bool, InApi("You sit for a player; told in lists only.")]
    i_am_gm: Annotated[bool, InApi("You are its game master, or an assistant.")]
    roll_call_until: Annotated[
        datetime | None, InApi("When the roll call before the start ends; null if there is none.")
    ]
    options: Annotated[GameOptionsView, InApi("What was chosen when it was created.")]
    created: Annotated[datetime, InApi("When it was created.")]
    repairs: Annotated[int, InApi("How often the game master has corrected something.")]
    unread: Annotated[int, InApi("How many messages you have not read.")]
    wants: Annotated[
        Wanted | None,
        InApi(
            "What it wants of you: “place to confirm”, “requests to answer”, “orders missing”, “new "
            "messages”, “saved”, “ready” or “nothing to do”; null if you have no part in it. Told in lists "
            "only."
        ),
    ] = None
    similar_took: int | None = None
    has_asked: bool = False
    is_accepted: bool = False
    i_only_follow: bool = False

    @property
    def ends_now(self) -> bool:
        """Does the phase end now, because all are ready and have no time to take that back?"""
        return self.everybody_is_ready and not self.options.panic_seconds

    @property
    def is_next(self) -> tuple[bool, float]:
        """The key for sorting games: the nearest deadline first, games without a running clock last."""
        return self.deadline is None, self.deadline.timestamp() if self.deadline else 0.0


@dataclass(frozen=True, slots=True)
class AssistantView:
    """An assistant of the game master."""

    name: Annotated[str, InApi("The name of the user.")]
    rights: Annotated[str, InApi("What they may do, in words.")]
    accepted: Annotated[bool, InApi("False until they answer.")]


@dataclass(frozen=True, slots=True)
class GamePage:
    """One page of a list of games. `last`: the slug of its last game if more follow, else ""."""

    games: tuple[GameCard, ...]
    last: str
