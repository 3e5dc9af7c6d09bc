"""The options of a game: how a subject declares its own, and what was chosen for one game.

A subject's `options.py` has classes of `Options`, and the `options.toml` beside it has their texts. The "New game"
page, the terms, the API and the checks know an option only by its declaration.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from enum import Enum, auto
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast, dataclass_transform, get_type_hints

from django import forms
from django.apps import apps
from django.db.models import TextChoices
from django.utils.text import format_lazy
from django.utils.translation import gettext_noop

from games.kernel.fields import OneOf, Radio, Tick
from games.kernel.languages import later
from games.kernel.parts import Term
from variants.variant import Variant

T = TypeVar("T")
Kind = TypeVar("Kind", bound="Options")


class BadOptions(ValueError):
    """Options that no game can have; `problems` maps the option to a sentence."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(map(str, problems.values())))
        self.problems = problems


class Section(Enum):
    """A section of the "New game" page: its title, and its template if that is not just its fields."""

    TIME = gettext_noop("Time"), "deadlines/partials/create.html"
    DAYS_OFF = gettext_noop("Days off and holidays"), "deadlines/partials/days_off.html"
    EXTRA_TIME = (gettext_noop("Extensions and days away"),)
    EARLY_END = gettext_noop("Ending a phase early"), "deadlines/partials/early_end.html"
    ENTRANCE = gettext_noop("Who may join?"), "pages/create/entrance.html"
    JOINING = (gettext_noop("Powers, bots and the start"),)
    VACANCIES = (gettext_noop("Vacant seats"),)
    TALK = gettext_noop("Messages, names and readiness"), "press/partials/create.html"
    MASTER = (gettext_noop("The game master’s part"),)
    ENDING = (gettext_noop("How it ends"),)

    def __init__(self, title: str, template: str = "pages/create/fields.html") -> None:
        self.title, self.template = later(title), template


class Heading(TextChoices):
    """The groups of the terms, in order."""

    VARIANT = "Variant", later("Variant")
    WHEN = "Timing", later("Timing")
    JOINING = "Joining", later("Joining")
    MASTER = "The game master", later("The game master")
    TALK = "Messages and names", later("Messages and names")
    BIDS = "Bids", later("Bids")
    ENDING = "How it ends", later("How it ends")
    RIGHTS = "What the game master can and can’t do", later("What the game master can and can’t do")
    PUBLIC = "What is public, and when", later("What is public, and when")


class Fixed(Enum):
    """The moment from which an option can no longer change, not even if all players agree."""

    JOINED = auto()
    """Once a player has joined."""
    STARTED = auto()
    """Once the game has started."""
    NEVER = auto()


@dataclass(frozen=True, slots=True)
class ZeroOr:
    """0, which means none, or a number in this range."""

    within: range

    def __contains__(self, value: object) -> bool:
        return value == 0 or value in self.within


def _unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionDeclaration:
    """What a subject declares about one option.

    `default` applies if nothing was chosen, even in games older than the option; new games take `in_new_games` instead,
    if that is given. If the default is None, or None is chosen, `left_empty` derives the value from the other choices
    and the variant. `wrong` is the sentence for a value, or for a member of one, that is not `allowed`. `parse` reads
    what `write` stores. Pages and the API show the property `shown_values` instead, if there is one.

    `asked` is its field in the form of a new game. `section`, `asked_as` and `asked_help` override the section of its
    class, the option's name and its help. With `by_hand` the template of the section draws the field. `unasked` says
    why there is no field.

    Before it is `fixed`, it can change if all players agree. It `reveals` more of what players save if it is chosen,
    and then only of phases for which it was chosen as long as they were open (`Phase.shows`).
    """

    default: Any
    help_text: str
    allowed: Container[Any] | None = None
    wrong: str = ""
    left_empty: Callable[[Mapping[str, Any], Variant | None], Any] | None = None
    asked: forms.Field | None = None
    asked_as: str = ""
    asked_help: str | None = None
    by_hand: bool = False
    section: Section | None = None
    unasked: str = ""
    fixed: Fixed = Fixed.STARTED
    reveals: bool = False
    in_new_games: Any = None
    shown: str = ""
    parse: Callable[[Any], Any] = _unchanged
    write: Callable[[Any], Any] = _unchanged

    @property
    def usual(self) -> Any:
        """What a new game takes if nothing is chosen."""
        return self.default if self.in_new_games is None else self.in_new_games

    def allows(self, value: Any) -> bool:
        allowed = self.allowed
        return allowed is None or all(it in allowed for it in (value if isinstance(value, tuple) else (value,)))


def option(default: T | None = None, **facts: Any) -> T:
    """Declare an option of a game, as a field of a class of `Options`; `OptionDeclaration` lists the arguments."""
    declared: T = field(default=default, metadata=facts)  # type: ignore[assignment]
    return declared


SAID = {"help_text", "asked_help", "wrong", "title", "tick", "help"}
"""What in an `options.toml` people read."""


def _read_declared(spec: Field[Any], texts: Mapping[str, Any], constants: Mapping[str, object]) -> OptionDeclaration:
    """The declaration of an option with its texts in `options.toml`. There {NAME} is a constant of the subject's
    `options.py`, and {allowed} lists the allowed values; the `title` of a `tick` or of `choices` is drawn above them; a
    choice `means` a value, or "usual"."""
    allowed = spec.metadata.get("allowed")
    listed = allowed.values() if isinstance(allowed, dict) else allowed if isinstance(allowed, tuple) else ()
    facts = _filled_in(texts, {**constants, "allowed": format_lazy(", ".join(["{}"] * len(listed)), *listed)})
    title, tick, choices = (facts.pop(name, "") for name in ("title", "tick", "choices"))
    if tick:
        facts["asked"] = Tick(tick, title)
    elif choices:
        facts["asked"] = OneOf(title, [Radio(**each) for each in choices])
    return OptionDeclaration(default=spec.default, **spec.metadata, **facts)


def _filled_in(value: Any, constants: Mapping[str, Any], name: str = "") -> Any:
    if isinstance(value, dict):
        filled = {key: _filled_in(it, constants, key) for key, it in value.items()}
        return {**filled, "means": None} if filled.get("means") == "usual" else filled
    if isinstance(value, list):
        return [_filled_in(it, constants) for it in value]
    return format_lazy(later(value), **constants) if name in SAID and value else value


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class Options:
    """Some options that one sentence describes, as a frozen dataclass; `whole` is all options of the same game.

    `title` and `heading` are those of the sentence; `section` is where its fields are on the "New game" page; `facts`
    are properties that pages and the API show in addition to the options.
    """

    section: ClassVar[Section]
    heading: ClassVar[Heading]
    title: ClassVar[str]
    facts: ClassVar[tuple[str, ...]]
    last_in_section: ClassVar[bool]
    last_under_heading: ClassVar[bool]
    if TYPE_CHECKING:
        whole: GameOptions

    def __init_subclass__(
        cls,
        *,
        section: Section,
        heading: Heading | None = None,
        title: str = "",
        facts: tuple[str, ...] = (),
        last_in_section: bool = False,
        last_under_heading: bool = False,
    ) -> None:
        cls.section, cls.title, cls.facts = section, title, facts
        cls.last_in_section, cls.last_under_heading = last_in_section, last_under_heading
        if heading:
            cls.heading = heading
        constants = vars(sys.modules[cls.__module__])
        declarations = tomllib.loads(Path(constants["__file__"]).with_suffix(".toml").read_text(encoding="utf-8"))
        for name, it in vars(cls).items():
            if isinstance(it, Field):
                it.metadata = MappingProxyType({"declared": _read_declared(it, declarations.get(name, {}), constants)})
        dataclass(frozen=True, kw_only=True)(cls)
        _LOADED.append(cls)

    def problems(self) -> Iterable[tuple[str, str]]:
        """The options whose values can't be combined with others, each with a sentence."""
        return ()

    def sentence(self) -> str:
        """What applies in the game, as everyone reads it before they join; "" if there is nothing to say."""
        return ""

    def terms(self) -> Iterable[Term]:
        sentence = self.sentence()
        return (Term(self.heading, str(self.title), str(sentence)),) if sentence else ()


def problem_if(is_wrong: bool, name: str, sentence: str) -> list[tuple[str, str]]:
    """A list with this problem or without any, for `problems`."""
    return [(name, sentence)] if is_wrong else []


_LOADED: list[type[Options]] = []


@cache
def option_classes() -> tuple[type[Options], ...]:
    """All classes of options: by subject, the lowest first, then in the order of their files."""
    assert apps.ready, "the options are only known once all subjects are loaded"
    subjects = [config.name for config in apps.get_app_configs()]
    return tuple(sorted(_LOADED, key=lambda kind: subjects.index(kind.__module__.removesuffix(".options"))))


@cache
def declared_options() -> dict[str, tuple[type[Options], OptionDeclaration]]:
    return {it.name: (kind, it.metadata["declared"]) for kind in option_classes() for it in fields(kind)}  # type: ignore[arg-type]


class ShownValue(NamedTuple):
    """A value that pages and the API show: an attribute of a class of options, its type, and its description."""

    kind: type[Options]
    attribute: str
    hint: Any
    help_text: str


@cache
def shown_values() -> dict[str, ShownValue]:
    values = dict[str, ShownValue]()
    for name, (kind, declared) in declared_options().items():
        values[name] = ShownValue(kind, declared.shown or name, get_type_hints(kind)[name], declared.help_text)
    for kind in option_classes():
        for name in kind.facts:
            getter = getattr(kind, name).fget
            values[name] = ShownValue(kind, name, get_type_hints(getter)["return"], getter.__doc__)
    return values


def values_if_empty(values: Mapping[str, Any], variant: Variant | None) -> dict[str, Any]:
    """The values that options take when left empty, given the other values."""
    defaults = [(name, it.left_empty) for name, (_, it) in declared_options().items()]
    return {name: left_empty(values, variant) for name, left_empty in defaults if left_empty}


class GameOptions:
    """All options of a game. A subject reads its own as in `options[Absences]`."""

    def __init__(
        self, chosen: Mapping[str, Any], variant: Variant | None = None, *, by_invitation: bool = False
    ) -> None:
        """`variant` is None if it is no longer played here. Options that weren't chosen take their defaults."""
        self.variant, self.by_invitation = variant, by_invitation
        values = {name: chosen.get(name, it.default) for name, (_, it) in declared_options().items()}
        usual = values_if_empty(values, variant) if None in values.values() else {}
        self.values: dict[str, Any] = {name: usual.get(name) if it is None else it for name, it in values.items()}
        self._read: dict[type[Options], Options] = {}

    @classmethod
    def create(cls, variant: Variant | None = None, *, by_invitation: bool = False, **choices: Any) -> GameOptions:
        """The options of a new game; raises BadOptions if no game can have them."""
        if unknown := choices.keys() - declared_options().keys():
            raise TypeError(f"No options of a game: {', '.join(sorted(unknown))}")
        usual = {name: it.usual for name, (_, it) in declared_options().items()}
        options = cls({**usual, **choices}, variant, by_invitation=by_invitation)
        # Of several problems about one option, the last one counts.
        problems = {name: sentence for kind in option_classes() for name, sentence in options[kind].problems()}
        wrong = {name: it.wrong for name, (_, it) in declared_options().items() if not it.allows(options.values[name])}
        if problems | wrong:
            raise BadOptions(problems | wrong)
        return options

    @classmethod
    def from_stored(cls, row: Mapping[str, Any], variant: Variant | None, *, by_invitation: bool) -> GameOptions:
        values = {name: it.parse(row[name]) for name, (_, it) in declared_options().items() if name in row}
        return cls(values, variant, by_invitation=by_invitation)

    def to_json(self) -> dict[str, Any]:
        return {"format": 1, **{name: it.write(self.values[name]) for name, (_, it) in declared_options().items()}}

    def __getitem__(self, kind: type[Kind]) -> Kind:
        if kind not in self._read:
            part = kind(**{it.name: self.values[it.name] for it in fields(kind)})  # type: ignore[arg-type]
            object.__setattr__(part, "whole", self)
            self._read[kind] = part
        return cast("Kind", self._read[kind])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameOptions) and self.values == other.values

    __hash__ = None  # type: ignore[assignment]

    @property
    def revealing(self) -> frozenset[str]:
        """The chosen options that reveal what players save."""
        return frozenset(name for name, (_, it) in declared_options().items() if it.reveals and self.values[name])

    def terms(self) -> tuple[Term, ...]:
        """The terms that everyone reads before they join."""
        kinds = sorted(option_classes(), key=lambda kind: kind.last_under_heading)
        all_terms = (term for kind in kinds for term in self[kind].terms())
        return tuple(sorted(all_terms, key=lambda term: list(Heading).index(Heading(term.group))))

    def held(self, section: Section) -> str:
        """The terms about one section as one text; "" if there are none."""
        all_terms = (term for kind in option_classes() if kind.section is section for term in self[kind].terms())
        return " ".join(str(term.sentence) for term in all_terms)

    def shown(self) -> dict[str, Any]:
        """The values that pages and the API show, by name."""
        return {name: getattr(self[kind], attribute) for name, (kind, attribute, *_) in shown_values().items()}
