"""The terms of a series or a tournament, and of a round: how games are scored and combined, which of them count, and
how people are seated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar, Self, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel.days import problem_with_day
from games.kernel.game_options import GameOptions
from games.kernel.languages import later
from games.kernel.wording import day_words, moment_words
from games.tournaments.models import Tournament
from games.tournaments.roster import MOST_PEOPLE
from games.tournaments.rules.combining import Counting, CountingRule, Credit, Tie
from games.tournaments.rules.scoring import SYSTEMS, System, own_table
from games.tournaments.texts import ALL as SAID
from games.tournaments.texts import texts
from variants.registry import find, offered
from variants.variant import Variant
from variants.words.messages import worded

SUM, BEST, AVERAGE = "sum", "best", "average"
ROUNDS, POWERS, VARIANTS = "rounds", "powers", "variants"
WAYS_OF_TOURNAMENTS, TIES = texts("ways"), texts("ties")
SENTENCES: Mapping[str, Mapping[str, str]] = SAID["terms"]
"""What everyone reads about each term, by its value."""
WAYS = {way: words for way, words in WAYS_OF_TOURNAMENTS.items() if way != ROUNDS}
"""Those of a series, which has no rounds."""
NUMBERED = (BEST, ROUNDS)
"""The ways that say how many count."""
OWN = "own"
"""The slug of the directors' own points by place."""
WITHOUT_POINTS = {"entry", "places", "rounds", "directors_play", "shows_running", "hides_standings"}
"""The terms on which no points depend."""
MOST_TIES, MOST_OWN, MOST_POINTS, MOST_VARIANTS, MOST_TABLES = 2, 20, 100_000, 10, 40
BOUNDS: Mapping[str, range] = {
    "best": range(1, 51),
    "places": range(2, MOST_PEOPLE + 1),
    "rounds": range(1, 13),
    "team_best": range(8),
    "sitting_out": range(MOST_POINTS + 1),
}
"""Term -> the numbers that it can be."""
Check: TypeAlias = tuple[str, object, str]
"""A term, whether it is wrong, and the sentence that says so."""


def limits(term: str) -> dict[str, Any]:
    """The bounds of this term, for a field."""
    return {"min_value": BOUNDS[term][0], "max_value": BOUNDS[term][-1]}


@dataclass(frozen=True, slots=True)
class Terms:
    """`scoring`: the slug of a system, or OWN with points for a win and then for each place. `combine`: a key of WAYS,
    with the number of the `best` that count where it is in NUMBERED. `ties`: keys of TIES, the first one first. `first`
    and `last`: the first and last day, in UTC, on which a game that counts may begin; None for no limit. `shares`:
    points are parts of 100 for each table. `conceded_as_drawn`: a conceded game scores like a draw of all survivors."""

    scoring: str
    combine: str = SUM
    best: int | None = None
    ties: tuple[Tie, ...] = ()
    first: date | None = None
    last: date | None = None
    own: tuple[int, ...] = ()
    shares: bool = False
    conceded_as_drawn: bool = False
    ways: ClassVar[Mapping[str, str]] = WAYS
    told: ClassVar[Sequence[str]] = ("scoring", "shares", "conceded_as_drawn", "combine", "ties", "first")

    @classmethod
    def stored(cls, row: Mapping[str, Any]) -> Self:
        return cls(**{name: READ_AS[name](value) if name in READ_AS else value for name, value in row.items()})

    def to_json(self) -> dict[str, Any]:
        days = {name: day.isoformat() if day else None for name, day in (("first", self.first), ("last", self.last))}
        return {**asdict(self), **days, "ties": [*self.ties], "own": [*self.own]}

    def system(self, scoring: str = "") -> System:
        """The scoring system with this slug; for "", the one in the terms."""
        slug = scoring or self.scoring
        return own_table(self.own[1:], self.own[0]) if slug == OWN else SYSTEMS[slug]

    def scale(self, scoring: str = "") -> tuple[object, ...]:
        """What makes the points of a game large or small, if `scoring` scores it, as in `system`."""
        slug = scoring or self.scoring
        return slug, self.own if slug == OWN else (), self.shares

    @property
    def of_points(self) -> dict[str, object]:
        """Those on which points and places depend."""
        return {name: it for name, it in asdict(self).items() if name not in WITHOUT_POINTS}

    @property
    def counting(self) -> Counting:
        return Counting.GAMES if self.combine in (SUM, BEST) else Counting(self.combine)

    @property
    def rule(self) -> CountingRule:
        return CountingRule(self.counting, self.best or 0)

    def allow(self, began: datetime) -> bool:
        """May a game that began at this moment count?"""
        day = began.astimezone(UTC).date()
        return (self.first or day) <= day <= (self.last or day)

    def problems(self) -> dict[str, str]:
        """What is wrong with these terms: a sentence by term. All services that store terms ask this."""
        return {term: sentence for term, is_wrong, sentence in self._checks() if is_wrong}

    def _checks(self) -> Iterator[Check]:
        for term, bounds in BOUNDS.items():
            value, told = getattr(self, term, None), _("Choose a whole number from {least} to {most}.")
            yield term, value is not None and value not in bounds, told.format(least=bounds[0], most=bounds[-1])
        yield "scoring", self.scoring not in {*SYSTEMS, OWN}, str(NO_SUCH_SCORING)
        told = _("Write whole numbers from 0 up that never rise, the first above the others, at most {most}.")
        yield "own", (self.own or self.scoring == OWN) and not _are_points(self.own), told.format(most=MOST_OWN)
        yield "combine", self.combine not in self.ways, _("Choose from the list.")
        if self.combine in NUMBERED:
            told = _("Say how many count, from 1 to {most}.").format(most=self._most_best)
            yield "best", self.best not in range(1, self._most_best + 1), told
        else:
            yield "best", self.best is not None, _("Say how many count only if the best count.")
        told = _("Choose at most {most}, each once.").format(most=MOST_TIES)
        yield "ties", len(self.ties) > MOST_TIES or len(set(self.ties)) < len(self.ties), told
        for term, day in (("first", self.first), ("last", self.last)):
            yield term, day and (told := problem_with_day(day)), told
        told = _("The last day is before the first day. Choose the same day or a later one.")
        yield "last", self.first and self.last and self.last < self.first, told

    @property
    def _most_best(self) -> int:
        return BOUNDS["best"][-1]

    def sentences(self) -> tuple[str, ...]:
        """A sentence for each term, always in this order."""
        first, second, *_rest = *(str(TIES[tie]) for tie in self.ties), "", ""
        days = {name: day_words(day) for name, day in (("first", self.first), ("last", self.last)) if day}
        own = {
            "scoring": worded(SENTENCES["scoring"]["yes"], system=_(self.system().title)),
            "ties": worded(SENTENCES["ties"][str(len(self.ties))], first=first, second=second),
            "first": worded(SENTENCES["days"]["-".join(days) or "any"], **days),
        }
        return tuple(own.get(term) or self._in_words(term) for term in self.told)

    def _in_words(self, term: str) -> str:
        """The sentence for the value of this term, and if it has a number that is 1, the one for that."""
        value, told = getattr(self, term), SENTENCES[term]
        count = self.best if term == "combine" else value
        key = value if isinstance(value, str) else "none" if value is None else "yes" if value else "no"
        return worded(told.get(f"{key}-one", told[key]) if count == 1 else told[key], count=count)

    def scoring_in_words(self) -> tuple[str, str]:
        """How the scoring system works, and how it works on boards of other sizes."""
        system = self.system()
        points = {"points": ", ".join(map(str, self.own[1:])), "win": self.own[0] if self.own else ""}
        return _(system.sentence).format(**points), _(system.generalised)


def _are_points(own: tuple[int, ...]) -> bool:
    """Are these the points for a win and for each place?"""
    try:
        own_table(own[1:], own[0])
    except (ValueError, IndexError):
        return False
    return len(own) <= MOST_OWN and own[0] <= MOST_POINTS


NO_SUCH_SCORING = later("There is no such scoring here. Choose one from the list.")


class Entry(StrEnum):
    """How people may enter a tournament."""

    OPEN = "open"
    LINK = "link"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class TournamentTerms(Terms):
    """`places`: how many people can enter, None for any number. `rounds`: how many there are. `team_best`: how many
    members of each team count, 0 for all; None without teams. `sitting_out`: the points for a round without a seat.
    `shows_running`: the page also shows the standings as if all games ended now. `hides_standings`: until it is
    finished, only directors who don't play see points and standings."""

    entry: Entry = Entry.OPEN
    places: int | None = None
    rounds: int = 1
    team_best: int | None = None
    directors_play: bool = False
    credit: Credit = Credit.BY_YEARS
    sitting_out: int = 0
    shows_running: bool = False
    hides_standings: bool = False
    ways: ClassVar[Mapping[str, str]] = WAYS_OF_TOURNAMENTS
    told: ClassVar[Sequence[str]] = (
        *("rounds", "entry", "places", "directors_play", *Terms.told[:-1]),
        *("team_best", "credit", "sitting_out", "shows_running", "hides_standings"),
    )

    def _checks(self) -> Iterator[Check]:
        yield from Terms._checks(self)
        for term, day in (("first", self.first), ("last", self.last)):
            yield term, day, _("Only a series has days on which its games begin.")
        both = self.shows_running and self.hides_standings
        yield "shows_running", both, _("Either hide the standings or show them as if all games ended now.")
        told = _("Where the best game of each kind counts, a round without a seat brings no points.")
        yield "sitting_out", self.sitting_out and self.combine in (POWERS, VARIANTS), told

    @property
    def _most_best(self) -> int:
        """Somebody may sit at two tables in a round."""
        return self.rounds * (1 if self.combine == ROUNDS else 2)

    @property
    def rule(self) -> CountingRule:
        return CountingRule(self.counting, self.best or 0, sitting_out=self.sitting_out or None, credit=self.credit)


READ_AS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("first", "last"), lambda day: date.fromisoformat(day) if day else None),
    "ties": lambda ties: tuple(map(Tie, ties)),
    "own": tuple,
    "entry": Entry,
    "credit": Credit,
}
"""How stored values become those of terms."""


def terms_of(tournament: Tournament) -> Terms:
    """The terms: `TournamentTerms`, or `Terms` for a series."""
    return (Terms if tournament.is_series else TournamentTerms).stored(tournament.terms)


def tournament_terms_of(tournament: Tournament) -> TournamentTerms:
    """Those of a tournament that is no series."""
    return TournamentTerms.stored(tournament.terms)


class Powers(StrEnum):
    """How the powers of a round are dealt."""

    RANDOM = "random"
    WISHES = "wishes"
    REPEATS = "repeats"
    TABLE = "table"


POWER_TEXTS = texts("powers")
MOMENTS = ("starts", "ends")
"""The terms of a round that are moments."""
WARNED = timedelta(minutes=10)
"""So long before the end of a round, its players are told."""
FINAL = 0
TIMES = {
    1: later("The points of this round count once."),
    2: later("The points of this round count twice."),
    3: later("The points of this round count three times."),
    FINAL: later("Only top tables are played: they decide the first places and add no points."),
}


@dataclass(frozen=True, slots=True)
class RoundTerms:
    """`variants`: slugs; `options`: those of every game, as `GameOptions` stores them. `scoring`: "" for the
    tournament's system. `times`: the factor for its points; FINAL if it has only top tables, which decide the first
    places. `top_tables`: how many seat the leaders. `starts`: the round is
    seated then without a press. `ends`: its games that go on then end in a draw."""

    name: str
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    by_invitation: bool = False
    scoring: str = ""
    times: int = 1
    powers: Powers = Powers.RANDOM
    top_tables: int = 0
    starts: datetime | None = None
    ends: datetime | None = None

    @classmethod
    def stored(cls, row: Mapping[str, Any]) -> Self:
        moments = {name: datetime.fromisoformat(row[name]) for name in MOMENTS if row.get(name)}
        return cls(**{**row, "variants": tuple(row["variants"]), "powers": Powers(row["powers"]), **moments})

    def to_json(self) -> dict[str, Any]:
        moments = {name: moment.isoformat() for name in MOMENTS if (moment := getattr(self, name))}
        return {**asdict(self), "variants": [*self.variants], **moments}

    def problems(self, whole: Terms) -> dict[str, str]:
        """What is wrong with these terms in a tournament that has the terms `whole`, as `Terms.problems` says it."""
        systems, slugs = {"", *SYSTEMS, *([OWN] if whole.own else [])}, {it.slug for it in offered()}
        told = _("Choose from 1 to {most} variants of those played here.").format(most=MOST_VARIANTS)
        tops = _("Choose a whole number from {least} to {most}.").format(least=0, most=MOST_TABLES)
        checks = (
            ("top_tables", self.top_tables not in range(MOST_TABLES + 1), tops),
            ("scoring", self.scoring not in systems, str(NO_SUCH_SCORING)),
            ("times", self.times not in TIMES, _("Choose from the list.")),
            ("variants", len(self.variants) not in range(1, MOST_VARIANTS + 1) or {*self.variants} - slugs, told),
        )
        return {term: sentence for term, is_wrong, sentence in checks if is_wrong}

    def next_hour(self, now: datetime) -> datetime | None:
        """When the tables of the round, which is seated, are warned of its end or, if that is over, end."""
        return self.ends and (self.ends - WARNED if self.ends - WARNED > now else self.ends)

    def is_over(self, now: datetime) -> bool:
        return self.ends is not None and self.ends <= now

    def boards(self) -> tuple[Variant, ...]:
        return tuple(map(find, self.variants))

    @property
    def cut(self) -> int:
        """How many tables, the first ones, seat the leaders; if only those are played, at least one."""
        return max(self.top_tables, int(self.times == FINAL))

    @property
    def cut_in_words(self) -> str:
        told = ngettext("Table 1 seats the leaders.", "Tables 1 to {count} seat the leaders by rank.", self.cut)
        return told.format(count=self.cut) if self.cut else ""

    def told(self, system: System) -> dict[str, str]:
        """What everyone may read about the round: sentences by topic. `system` scores its games."""
        first_board, *_others = boards = self.boards()
        return {
            _("Name"): self.name,
            _("Variants"): ", ".join(it.title for it in boards),
            _("Scoring"): _(system.title),
            _("Points"): str(TIMES[self.times]),
            **({_("Top tables"): self.cut_in_words} if self.cut else {}),
            _("Powers"): str(POWER_TEXTS[self.powers]),
            **({_("Begins"): moment_words(self.starts)} if self.starts else {}),
            **({_("Ends"): moment_words(self.ends)} if self.ends else {}),
            **{str(term.title): str(term.sentence) for term in self.options_for(first_board).terms()},
        }

    def options_for(self, variant: Variant) -> GameOptions:
        return GameOptions.from_stored(self.options, variant, by_invitation=self.by_invitation)


def differences(before: Terms, after: Terms) -> str:
    """What changed, in words; "" if nothing did."""
    return " ".join(
        _("“{now}” instead of “{before}”.").format(now=now.rstrip("."), before=was.rstrip("."))
        for was, now in zip(before.sentences(), after.sentences(), strict=True)
        if was != now
    )


def round_differences(tournament: Terms, before: RoundTerms, after: RoundTerms) -> str:
    """What changed in a round of this tournament, in words."""
    before_words, after_words = (it.told(tournament.system(it.scoring)) for it in (before, after))
    titles = [title for title in {**after_words, **before_words} if before_words.get(title) != after_words.get(title)]
    instead, new, gone = _("{title}: “{now}” instead of “{before}”."), _("{title}: “{now}”."), _("{title}: no longer.")
    return " ".join(
        (gone if title not in after_words else instead if title in before_words else new).format(
            title=title, now=after_words.get(title, "").rstrip("."), before=before_words.get(title, "").rstrip(".")
        )
        for title in titles
    )
