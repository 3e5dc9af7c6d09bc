"""The pages for people who write programs: a guide with worked examples, and the reference."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.api.problems import KINDS, VERSION_1, Kind, problem
from games.api.reference import operations, shapes
from games.kernel.shared_pages import of_release, shared_by_strangers
from games.people.models import Scope

EXAMPLES = settings.BASE_DIR / "templates" / "api" / "examples"
TITLES = {
    "read_a_game": ("Read a game as a stranger", "Everything public needs no token."),
    "my_games": (
        "List your games, and what is due",
        "With a token you see what you see on the pages. `wants` says what a game waits for.",
    ),
    "save_orders": (
        "Read lawful orders, and save a sheet with bids",
        "The sheet lists every lawful order of every unit, and every order of minor powers’ units that you can bid "
        "for. What you save replaces what was saved before, and the answer says what that was. With `after`, the code "
        "of the receipt that you read (empty for none), nothing is saved if someone has saved since: you at another "
        "device, or your sitter. If any line has a mistake, nothing is saved either. The token needs the scope "
        "`orders`.",
    ),
    "take_part": (
        "Say that you are ready, vote, and write a message",
        "Once all players are ready the phase ends early, if the game allows it: `options.all_ready`. The token needs "
        "the scopes `orders` and `press`. This one agrees to whatever is proposed; yours should think first.",
    ),
    "watch": (
        "Watch for changes",
        "One call tells what has changed in all your games since a mark. The stream of events tells when to ask.",
    ),
}
PROGRAMS = {
    "bot": (
        "A bot in 60 lines",
        "It joins a game, picks lawful orders and bids at random, says that it is ready, and plays to the end.",
    ),
    "discord_relay": (
        "A relay to Discord",
        "It checks the signatures of a webhook’s posts, and passes the news on in words of its own.",
    ),
}
CHANGES = {
    "0.3.0": (
        "`PowerState.colour` is text, as every other colour is; it was a number by mistake.",
        "The schema says that `Drawing.homes` and `ThreadPage.voices` consist of pairs.",
        "`POST /games/{slug}/gm/give_back/` gives a seat back to the player who lost it, and `POST "
        "/games/{slug}/gm/give_place/` gives a place without a power; the log tells of it as "
        "`Event.kind=seat given back` and `Event.kind=place given`.",
        "`MailInput.power` may be left out for a place without a power.",
        "`SeatInput.reason` is needed if a person has the seat.",
        "`GameCard.taken` counts the places that are kept for guests.",
    )
}
"""What is not as it was in the schema, by version, the newest first. `tests/api/contract.py` names what differs."""

SITE, PLACE = "https://SITE", "GAME"


@dataclass(frozen=True, slots=True)
class Worked:
    """A worked example: the same in Python and with curl."""

    slug: str
    title: str
    says: str
    python: str
    curl: str


@cache
def worked() -> tuple[Worked, ...]:
    """The examples, with this site's own address in them."""
    return tuple(
        Worked(slug, title, says, _text(f"{slug}.py"), _text(f"{slug}.sh")) for slug, (title, says) in TITLES.items()
    )


def _text(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8").replace(SITE, settings.SITE_ADDRESS)


def _shown(code: str, kind: Kind) -> str:
    return json.dumps(problem(code, kind.example, **kind.more), ensure_ascii=False, indent=2)


@require_safe
@shared_by_strangers(of_release)
def guide(request: HttpRequest) -> HttpResponse:
    """How to write a program for this site."""
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    context = {
        "examples": worked(),
        "programs": [(slug, *told, _text(f"{slug}.py")) for slug, told in PROGRAMS.items()],
        "scopes": Scope.choices,
        "errors": [(code, kind, _shown(code, kind)) for code, kind in KINDS.items()],
        "limits": {who: (rate or "").partition("/")[0] for who, rate in rates.items()},
        "changes": CHANGES.items(),
        "base": settings.SITE_ADDRESS + VERSION_1,
    }
    return render(request, "api/guide.html", context)


@require_safe
@shared_by_strangers(of_release)
def reference(request: HttpRequest) -> HttpResponse:
    """Every address, and every field that is sent or answered."""
    return render(request, "api/reference.html", {"groups": operations(), "shapes": shapes()})
