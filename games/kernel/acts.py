"""Acts: what a person does in a game or a tournament, each declared once, above its service.

    @gm_act.locked("pause", rules.may_pause, done=later("The game is paused."))
    def pause_game(here: Standpoint, by: int, *, reason: Reason = "") -> None:
        \"\"\"Stop the clock.\"\"\"

The signature says what is sent: each argument that is `Asked` for becomes a field of a form (`Argument.form_field`) and
of the API (`games.api.acts`) with the same limits. One without a default has to be sent. The rule says where the act is
offered, and its service asks it too. Programs read the first paragraph of the docstring.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, partial, wraps
from inspect import Parameter, getdoc, signature
from typing import (
    Annotated,
    Any,
    Concatenate,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

from django import forms
from django.db import transaction
from django.http import Http404

from games.kernel.access import GameAccess
from games.kernel.forms import Day, FreeText, WallMoment
from games.kernel.languages import later
from games.kernel.limits import count_public_change
from games.kernel.locking import lock_game_for
from games.kernel.news import LONGEST_REASON
from games.kernel.refusals import WrongMoment
from games.kernel.standpoint import Standpoint

Rule = Callable[..., object]
Choices = Sequence[tuple[Any, Any]]
Service = TypeVar("Service", bound=Callable[..., Any])
P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
CHANGED = later("Somebody has changed this since you opened the page. Look at what is there now, then try again.")
INSTEAD_OF = "instead_of"
"""The hidden field of what the page showed in place of what the act puts there."""
LARGEST = 2**31 - 1
"""The largest number that a column for numbers holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How an argument is asked for. `says`: what it is, for programs. `least` and `most`: of a number, the characters
    of a text, the digits of a decimal, or the length of a list; `each` and `each_says`: the most of a value in a list,
    and what it is. `choices`: all values; `offers`: those in a form, if programs may send others. `missing` and
    `wrong`: what a form says to nothing, and to what is no choice. `too_long`: what it says to too long a text, which
    browsers don't cut off then. `optional` is the label where nothing needs to be sent. `blank`: it has to be sent, but
    can be empty. `tells_limit`: the service itself says what is too long."""

    says: str
    label: str = ""
    optional: str = ""
    help_text: str = ""
    least: int | None = None
    most: int | None = None
    each: int | None = None
    each_says: str = ""
    choices: Choices = ()
    offers: Choices = ()
    initial: Any = None
    missing: str = ""
    wrong: str = ""
    too_long: str = ""
    blank: bool = False
    trimmed: bool = True
    tells_limit: bool = False
    is_email: bool = False
    widget: forms.Widget | type[forms.Widget] | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a service that is sent: its type without the mark, and its default."""

    name: str
    type: Any
    asked: Asked
    default: Any = Parameter.empty

    @property
    def needed(self) -> bool:
        return self.default is Parameter.empty

    @property
    def is_list(self) -> bool:
        return any(get_origin(it) in (Collection, Sequence) for it in (self.type, *get_args(self.type)))

    @property
    def kind(self) -> Any:
        """The type of one value."""
        kind = self.type
        while parts := get_args(kind):
            kind = parts[0]
        return kind

    def form_field(self) -> forms.Field:
        asked, required = self.asked, self.needed and not self.asked.blank
        messages = {"required": asked.missing, "invalid_choice": asked.wrong, "max_length": asked.too_long}
        facts: dict[str, Any] = {
            "label": (asked.label if required or not asked.optional else asked.optional) or None,
            "help_text": asked.help_text,
            "required": required,
            "initial": asked.initial,
            "error_messages": {name: text for name, text in messages.items() if text},
        }
        if asked.widget is not None:
            facts["widget"] = asked.widget
        if self.is_list:
            return forms.MultipleChoiceField(choices=asked.choices, **facts)
        if choices := asked.offers or asked.choices:
            return forms.TypedChoiceField(choices=choices, coerce=self.kind, **facts)
        if self.kind is str:
            of_text = FreeText if asked.too_long else forms.CharField
            most = None if asked.tells_limit else asked.most
            return of_text(max_length=most, strip=asked.trimmed, **facts)
        if self.kind is int:
            return forms.IntegerField(min_value=asked.least, max_value=asked.most, **facts)
        if self.kind is Decimal:
            return forms.DecimalField(max_digits=asked.most, decimal_places=2, localize=False, **facts)
        if self.kind is bool:
            facts["required"] = False  # a box without a tick is not sent
        kinds: dict[Any, type[forms.Field]] = {bool: forms.BooleanField, datetime: WallMoment, date: Day}
        return kinds[self.kind](**facts)


@dataclass(frozen=True)
class Act:
    """One act. `done`: what is said then, with what was sent in braces, or a function that gives it for the game as it
    is then or, in a tournament, for what the service returned; "" for an act with a page of its own. `button`: the
    words on the button of a form that the desk makes by itself; "" where a template has the form. `to`: the page that
    is shown then; `back`: that of its button, if this one can't be seen any more then. `for_master`: not for
    assistants; `seated`: only for those with a seat. `offered`: the game's page and the API tell those who may do it
    now. `by_programs`: the API has it. `only_tournaments`: series don't have it. `needs`, `without` and what it says
    `instead` make another act of the same service. `replaces`: what it puts something else in place of, which its form
    names as its page shows it: see `refuse_unseen`."""

    name: str
    service: Callable[..., Any]
    rule: Rule | None
    done: str | Callable[[Any], str] = ""
    button: str = ""
    to: str = "games:gm"
    back: str = ""
    for_master: bool = False
    seated: bool = False
    offered: bool = True
    by_programs: bool = True
    only_tournaments: bool = False
    needs: Collection[str] = ()
    without: Collection[str] = ()
    instead: str = ""
    replaces: Rule | None = None

    def who(self, access: GameAccess, zone: str) -> dict[str, Any]:
        """What the service of a player's act takes from their access to the game, and their time zone. Raises Http404
        where only those with a seat may come."""
        if self.seated and access.seat is None:
            raise Http404
        seat, names = access.seat, set(signature(self.service).parameters)
        if "here" in names:
            names |= {"game_id", "user_id", "token"}
        known = {"game_id": access.game_id, "user_id": access.user_id, "token": access.token, "zone": zone}
        return {name: it for name, it in known.items() if name in names} | (
            {"occupancy_id": seat.occupancy_id} if seat and "occupancy_id" in names else {}
        )

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """What is sent, by name."""
        hints, parameters = get_type_hints(self.service, include_extras=True), signature(self.service).parameters
        found = {
            name: Argument(name, hints[name].__origin__, mark, it.default)
            for name, it in parameters.items()
            for mark in getattr(hints.get(name), "__metadata__", ())
            if isinstance(mark, Asked)
        }
        needed = {name: replace(found[name], default=Parameter.empty) for name in self.needs}
        return {name: it for name, it in (found | needed).items() if name not in self.without}

    @property
    def blamed(self) -> str | None:
        """The field beside which a refusal is shown; None where there is none but the reason."""
        names = [name for name in self.arguments if name != "reason"]
        return next((name for name in names if name != "power"), next(iter(names), None))

    @property
    def says(self) -> str:
        return self.instead or " ".join((getdoc(self.service) or "").partition("\n\n")[0].split())

    def form_class(self, *without: str) -> type[forms.Form]:
        """The form for all that is sent but for these arguments, which the page's address names."""
        fields = {name: it.form_field() for name, it in self.arguments.items() if name not in without}
        if self.replaces:
            fields[INSTEAD_OF] = forms.CharField(required=False, widget=forms.HiddenInput)
        return type("ActForm", (forms.Form,), fields)

    def told(self, about: Callable[[], Any], sent: Mapping[str, Any]) -> str:
        return str(self.done(about())) if callable(self.done) else str(self.done).format(**sent)


class FactsOfAct(TypedDict, total=False):
    """What a declaration can say: see `Act`."""

    done: str | Callable[[Any], str]
    button: str
    to: str
    back: str
    for_master: bool
    seated: bool
    offered: bool
    by_programs: bool
    only_tournaments: bool
    needs: Collection[str]
    without: Collection[str]
    instead: str
    replaces: Rule


def subject_of(rule: Rule) -> str:
    """What a rule is about beside the game: "power", "ordinal" or "" for nothing."""
    _here, *more = signature(rule).parameters.values()
    return next((it.name for it in more if it.default is Parameter.empty), "")


class InAGame(Protocol[P, T_co]):
    """A service as others call it: with the game, the user, and what the act asks for."""

    def __call__(self, game_id: int, by: int, *args: P.args, **sent: P.kwargs) -> T_co: ...


class ByAPlayer(Protocol[P, T_co]):
    """The same of a player's service, perhaps with the token of an invitation."""

    def __call__(self, game_id: int, user_id: int, token: str = "", *args: P.args, **sent: P.kwargs) -> T_co: ...


def _lock_and_ask(rule: Rule, sent: Mapping[str, object], game_id: int, user_id: int, token: str = "") -> Standpoint:
    """This user's standpoint in the game, which is locked, if the rule allows the act."""
    here = lock_game_for(game_id, user_id, token=token)
    _asked(rule, here, sent)
    return here


def _asked(rule: Rule, here: object, sent: Mapping[str, object]) -> object:
    return rule(here, **{name: sent[name] for name in signature(rule).parameters if name in sent})


def refuse_unseen(replaces: Rule | None, here: object, sent: dict[str, Any]) -> None:
    """Refuse to put what was `sent` in place of something that the sender's page didn't show. Programs, and pages that
    were open before this version, don't say what they saw."""
    seen = sent.pop(INSTEAD_OF, "")
    if replaces and seen and seen != str(_asked(replaces, here, sent)).strip():
        raise WrongMoment(CHANGED)


@dataclass(frozen=True)
class Acts:
    """The acts of some people, by name, as their subjects declare them."""

    by_name: dict[str, Act] = field(default_factory=dict)

    def __call__(
        self, name: str, rule: Rule | None = None, **facts: Unpack[FactsOfAct]
    ) -> Callable[[Service], Service]:
        """Declare an act whose service locks what it is about and asks the rule by itself."""

        def declare(service: Service) -> Service:
            assert name not in self.by_name, f"{name} is declared twice"
            self.by_name[name] = Act(name, service, rule, **facts)
            return service

        return declare

    def about(self, subject: str) -> list[tuple[str, Rule]]:
        """The names and rules of acts that people are offered for the game or tournament (""), a "power", the phase of
        an "ordinal" or the round with a "number": by name, because modules are read in another order in each
        process."""
        acts = [(it.name, it.rule) for _name, it in sorted(self.by_name.items()) if it.offered]
        return [(name, rule) for name, rule in acts if rule is not None and subject_of(rule) == subject]

    def of(self, service: Callable[..., Any]) -> Act:
        return next(it for it in self.by_name.values() if it.service is service)


class ActsOfMasters(Acts):
    def locked(
        self, name: str, rule: Rule, *, counted: bool = False, **facts: Unpack[FactsOfAct]
    ) -> Callable[[Callable[Concatenate[Standpoint, int, P], T]], InAGame[P, T]]:
        """Declare an act that is done in one transaction with the game locked, after its rule has allowed it and, if it
        is `counted`, the limit of changes that everyone reads."""

        def declare(does: Callable[Concatenate[Standpoint, int, P], T]) -> InAGame[P, T]:
            @wraps(does)
            def service(game_id: int, by: int, *args: P.args, **sent: P.kwargs) -> T:
                with transaction.atomic():
                    here = _lock_and_ask(rule, sent, game_id, by)
                    refuse_unseen(facts.get("replaces"), here, sent)
                    if counted:
                        count_public_change(game_id, by)
                    return does(here, by, *args, **sent)

            return self(name, rule, **facts)(service)

        return declare


class ActsOfPlayers(Acts):
    def locked(
        self, name: str, rule: Rule, **facts: Unpack[FactsOfAct]
    ) -> Callable[[Callable[Concatenate[Standpoint, int, P], T]], ByAPlayer[P, T]]:
        """As for game masters; limits count where the service says so."""

        def declare(does: Callable[Concatenate[Standpoint, int, P], T]) -> ByAPlayer[P, T]:
            @wraps(does)
            def service(game_id: int, user_id: int, token: str = "", *args: P.args, **sent: P.kwargs) -> T:
                with transaction.atomic():
                    return does(_lock_and_ask(rule, sent, game_id, user_id, token), user_id, *args, **sent)

            return self(name, rule, **facts)(service)

        return declare


gm_act, player_act = ActsOfMasters(), ActsOfPlayers()


# What acts ask for.

Power = Annotated[
    str,
    Asked(says="The id of a power, as in GERMANY.", label=later("Seat"), missing=later("Choose a seat from the list.")),
]
asked_for_user = partial(
    Asked,
    says="The name of a user, as the site shows it.",
    label=later("Player name"),
    most=150,
    missing=later("Enter the player’s name as the site shows it."),
)
Username = Annotated[str, asked_for_user()]
asked_for_reason = partial(
    Asked,
    says="The reason; everyone can read it in the log.",
    label=later("Reason"),
    optional=later("Reason (optional)"),
    most=LONGEST_REASON,
    help_text=later("It appears in the public log."),
    missing=later("Give a reason. It appears in the public log."),
    too_long=later("The reason can have at most %(limit_value)s characters; this one has %(show_value)s."),
)
Reason = Annotated[str, asked_for_reason()]
ReasonIfReplaced = Annotated[
    str,
    asked_for_reason(
        says="Needed if a person has the seat now. Everyone can read it in the log.",
        optional=later("Reason, needed if a player loses the seat"),
    ),
]
Ordinal = Annotated[int, Asked(says="The number of a phase that has a result.", least=0, most=LARGEST)]
Number = Annotated[int, Asked(says="As the desk numbers it.", least=0, most=LARGEST)]
Agrees = Annotated[bool, Asked(says="Yes or no.")]
Wishes = Annotated[Sequence[str], Asked(says="Ids of powers, favourite first.", blank=True)]
Accept = Annotated[bool, Asked(says="True for yes, false for no.")]
Seen = Annotated[
    str,
    Asked(
        says="The `mark` of the open phase that you saw; refused if the game has moved on since.",
        most=60,
        widget=forms.HiddenInput,
    ),
]
NewDeadline = Annotated[
    datetime, Asked(says="The new deadline, later than the present one.", label=later("Or move it to"))
]
