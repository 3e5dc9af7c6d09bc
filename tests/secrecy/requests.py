"""What is asked of the site in the table: every address by every method that it takes, empty and filled.

A method that an address does not take is refused before anything is looked up there; buttons lead to their pages alike
when they are opened, and what only some may do is refused by one gate. One test each asks so, of one role.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import apps
from django.urls import reverse

from games.deadlines.calendars import calendar_secret_of
from games.deadlines.models import Absence
from games.delivery.choosing import unsubscribe_secret
from games.kernel.models import Sitting
from games.kernel.news import Topic
from games.kernel.signing_in import form_page_of
from games.tournaments.acts import ACTS, WITH_BUTTON
from tests.browsers import EVE
from tests.cast import PLAYERS, person
from tests.secrecy.addresses import METHODS, addresses, everywhere, onto_grounds
from tests.secrecy.groups import ADMIN, WRONG_METHOD
from tests.secrecy.observation import OWN_PARTS, Request
from tests.secrecy.roles import HIDDEN
from tests.secrecy.rows import ACTS_OF_SERIES, REFUSED, ROWS, row_of
from tests.secrecy.scene import GINA, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tests.secrecy.addresses import Address, Facts
    from tests.secrecy.groups import Statuses
    from tests.secrecy.roles import Role
    from tests.secrecy.scene import Scene

WRONG_PAGE = ("POST", "games:home")
"""Where all see the page about a wrong method."""

FORMS: dict[str, dict[str, object]] = {
    "POST games:orders": {"ordinal": 1, "after": "", "use": "text", "text": "F NTH-Nwy"},
    "POST games:read": {"ordinal": 1, "use": "text", "text": "F NTH H\n1: A Nwy H"},
    "POST games:ready": {"ordinal": 1, "ready": "yes"},
    "POST games:thread": {"text": "Good evening"},
    "POST games:proposals": {"kind": "draw", "power": ["BRITAIN", "GERMANY"]},
    "POST games:vote": {"answer": "yes"},
    "POST games:notebook": {"text": "Remember"},
    "POST games:whatif": {"order": "A Mun H"},
    "POST games:block": {"block": "yes"},
    "POST games:gm-extend": {"seconds": 86_400},
    "POST games:gm-empty": {"power": "GERMANY", "reason": "Gone"},
    "POST games:gm-seat": {"power": "GERMANY", "username": "oscar"},
    "POST games:gm-give_back": {"power": "GERMANY"},
    "POST api:gm-give_back": {"power": "GERMANY"},
    "POST games:gm-seat_bot": {"power": "GERMANY", "level": "strong"},
    "POST games:gm-take_bot_out": {"power": "GERMANY"},
    "POST games:gm-name_assistant": {"username": "oscar", "rights": ["talk"]},
    "POST games:answer": {"username": "hugo", "answer": "yes"},
    "POST api:gm-name_assistant": {"username": "oscar", "rights": ["talk"]},
    "POST games:enter-orders": {"ordinal": 1, "after": "", "use": "text", "text": "A Ber H"},
    "POST games:read-entered": {"ordinal": 1, "use": "text", "text": "A Ber H"},
    "PUT api:gm-enters": {"agree": False},
    "POST api:gm-look_at_sheet": {"ordinal": 0, "power": "GERMANY"},
    "POST games:correct": {"text": "A Mun H\nA Ber-Sil", "reason": "Misread", "seen": "0"},
    "POST api:gm-preview_correction": {"ordinal": 0, "power": "GERMANY", "text": "A Mun H\nA Ber-Sil"},
    "POST api:gm-extend": {"seconds": 86_400},
    "POST api:gm-empty": {"power": "GERMANY", "reason": "Gone"},
    "POST api:gm-seat": {"power": "GERMANY", "username": "oscar"},
    "POST api:gm-seat_bot": {"power": "GERMANY", "level": "strong"},
    "POST api:gm-look_at_bids": {"ordinal": 0},
    "PUT api:ready": {"ordinal": 1, "ready": True},
    "POST api:thread": {"text": "Good evening"},
    "POST api:proposals": {"kind": "draw", "powers": ["BRITAIN", "GERMANY"]},
    "PUT api:sheet": {"ordinal": 1, "after": "", "text": "F NTH-Nwy"},
    "PUT api:vote": {"agrees": True},
}
"""What is sent where an empty form would be refused at once: valid input for the roles that may send it."""

SERIES = (
    *("games:tournament", "games:standings", "games:standings-json", "games:results"),
    *("games:edit-tournament", "games:tournament-games"),
    *(f"games:do-{verb}" for verb in ACTS_OF_SERIES),
    "games:former-add_director",
    *("games:report-tournament", "games:moderate-tournament"),
)
"""The addresses of a series."""
CUP = (
    *("games:new-round", "games:edit-round", "games:tournament-desk", "games:plan", "games:type-table"),
    *("games:own-entry", "games:manage-tournament", "games:tournament-link", "games:hall"),
    *(f"games:do-{verb}" for verb in WITH_BUTTON if verb not in ACTS_OF_SERIES),
    *(f"games:former-{verb}" for verb in ("check_in", "set_place", "call_check_in", "delete_round")),
    "games:tournament-feed",
    *("api:tournament", "api:plan", *(f"api:do-{verb}" for verb, act in ACTS.items() if act.by_programs)),
)
"""Those of a tournament."""


def known(scene: Scene, role: Role) -> dict[str, str]:
    """Every named address, filled so that there is something to find: about the game that this role looks at."""
    token = scene.games["Paris"].invitation
    others = {**_others(scene), **(_own(role) if role.name != EVE else {})}
    return addresses(scene.games[role.game], token=token, username=GINA, others=others)


def _own(role: Role) -> dict[str, Facts]:
    """This user's secret addresses."""
    number = person(role.name).pk
    return {
        "games:feed": {"secret": calendar_secret_of(number)},
        "games:unsubscribe": {"secret": unsubscribe_secret(number, Topic.PHASE)},
    }


def _others(scene: Scene) -> dict[str, Facts]:
    """The values in single addresses."""
    rows: dict[str, Facts] = {
        f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}": {"object_id": str(first.pk)}
        for model in apps.get_models()
        for first in model._default_manager.order_by("pk")[:1]
        for page in ("change", "delete", "history")
    }
    sitting: Facts = {"number": Sitting.objects.latest("pk").pk}
    over: Facts = {"slug": scene.games["Vienna"].slug}
    series: Facts = {"slug": scene.series}
    return {
        **rows,
        **dict.fromkeys(SERIES, series),
        **{name: {"slug": scene.cup, "number": 2} for name in CUP},
        "admin:auth_user_password_change": {"id": person(PLAYERS[0]).pk},
        "games:gallery": over,
        "games:statement": over,
        "games:remark": over,
        "games:vacant": {"power": "TURKEY"},
        "games:cancel-absence": {"number": Absence.objects.latest("pk").pk},
        "games:answer-sitting": sitting,
        "api:sitting": sitting,
    }


def further(scene: Scene, role: Role) -> dict[str, str]:
    """Addresses requested more than once: other conversations, other games, other queries."""
    game, hidden = scene.games[role.game].slug, scene.games[HIDDEN].slug
    places = {
        **onto_grounds(scene.games[role.game]),
        "games:search for words": reverse("games:search", args=[game]) + "?words=Zygmunt&q=Zygmunt",
        "games:lobby for a player": reverse("games:lobby") + "?show=finished&player=alice",
        "games:phase that is open": reverse("games:phase", args=[game, 1]),
        "api:phase that is open": reverse("api:phase", args=[game, 1]),
        "games:picture that is open": reverse("games:picture", args=[game, 1]),
        "games:newest-map with arrows": reverse("games:newest-map", args=[game]) + "?arrows=yes",
        "games:oembed of a game": reverse("games:oembed") + f"?url=http://testserver/games/{game}/",
        "games:terms with wishes": reverse("games:terms", args=[scene.games["Genoa"].slug]),
        "games:create like it": reverse("games:create") + f"?like={game}",
        "games:tournament with rounds": reverse("games:tournament", args=[scene.cup]),
        "games:tournament with results": reverse("games:tournament", args=[scene.cup]) + "?results",
        "games:standings with rounds": reverse("games:standings", args=[scene.cup]),
        "games:tournaments that are over": reverse("games:tournaments") + "?over",
        "games:game with requests": reverse("games:game", args=[scene.games["Thoiry"].slug]),
    }
    for address in ("everybody", UNSEEN, "gm+BRITAIN"):
        for name in ("games:thread", "games:messages", "api:thread"):
            places[f"{name} {address}"] = reverse(name, args=[game, address])
    if role.game != HIDDEN:
        for name in ("games:game", "api:game", "games:history", "games:proposals", "games:seats"):
            where = [] if name == "games:seats" else [hidden]
            places[f"{name} without names"] = reverse(name, args=where)
        places["games:phase without names"] = reverse("games:phase", args=[hidden, 0])
    return places


def asked(scene: Scene, role: Role, *, fully: bool = False, only: str = "") -> list[Request]:
    """All that this role asks: by every method that an address takes, of the libraries' pages by GET, and one of the
    requests that are answered alike; in full all by every method.

    `only`: the beginning of the names that are asked for.
    """
    paths = known(scene, role)
    left_out = set() if fully else (refused_by_method(role) - {WRONG_PAGE}) | answered_alike(role, paths).keys()
    requests = [
        *(each for each in _by_name(paths, fully=fully) if (each.method, each.name) not in left_out),
        *(Request("GET", name, path) for name, path in further(scene, role).items()),
    ]
    return [request for request in requests if request.name.startswith(only)]


def answered_alike(role: Role, paths: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """The requests that get the answer of an earlier one, each with the name of that: the buttons of one page when they
    are opened, and what is refused by the same lines."""
    first: dict[object, str] = {}
    alike: dict[tuple[str, str], str] = {}
    for address in everywhere():
        for method, row in (row_of(address) or {}).items():
            kind = _kind_of_answer(method, address, paths[address.name], row[role.title])
            earlier = first.setdefault((method, kind), address.name) if kind else address.name
            if earlier != address.name:
                alike[method, address.name] = earlier
    return alike


def _kind_of_answer(method: str, address: Address, path: str, status: Statuses) -> tuple[object, ...]:
    """The same for requests that are answered by the same lines; empty where there are no others."""
    gates = {
        "desk": address.name.startswith("api:gm-") and status == (403,),
        "moderators": path.startswith("/moderation/") and status == (404,),
        "staff": address.name.startswith("admin:")
        and status in {ADMIN.others, REFUSED}
        and address.name != "admin:logout",
    }
    shut = tuple(gate for gate, is_shut in gates.items() if is_shut)
    page = form_page_of(path)
    is_button = method == "GET" and page != path and "slug" in address.arguments
    return (page, status) if is_button and not shut else shut


def refused_by_method(role: Role) -> set[tuple[str, str]]:
    """The methods that addresses do not take, each with its address: by the classes of the API, else by the rows."""
    return {
        (method, address.name)
        for address in everywhere()
        if address.name.startswith(OWN_PARTS)
        for method in METHODS
        if (method not in address.methods if address.methods else _row_refuses(role, method, address.name))
    }


def _row_refuses(role: Role, method: str, name: str) -> bool:
    return ROWS.get(name, {}).get(method, {}).get(role.title) == WRONG_METHOD


def _by_name(paths: Mapping[str, str], *, fully: bool) -> Iterator[Request]:
    for name, path in paths.items():
        for method in _methods(name, fully=fully):
            yield Request(method, name, path)
            filled = FORMS.get(f"{method} {name}")
            if filled is not None:
                yield Request(method, f"{name} filled", path, _frozen(filled))


def _methods(name: str, *, fully: bool) -> Iterable[str]:
    yield "GET"
    if name.startswith(OWN_PARTS) or fully:
        yield "POST"
    if fully:
        yield "HEAD"
    if name.startswith("api:"):
        yield from ("PUT", "PATCH", "DELETE")


def _frozen(filled: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    return tuple(filled.items())
