"""Problem details (RFC 9457): the one shape of every error, and all kinds of errors there are.

`type` is the place on the guide's page that explains the error, `detail` the sentence that the pages show.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple

from django.conf import settings
from django.http import JsonResponse

VERSION_1 = "/api/v1/"
MEDIA_TYPE = "application/problem+json"


class Kind(NamedTuple):
    """One kind of error: its status, a title that is always the same, what it means and what to do, a detail as it may
    come, and `more` members of such an error."""

    status: HTTPStatus
    title: str
    meaning: str
    example: str
    more: Mapping[str, Any] = MappingProxyType({})


_400, _403, _409 = HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT

KINDS: dict[str, Kind] = {
    "BadInput": Kind(
        _400,
        "There are mistakes in the input",
        "A field or a parameter is missing or isn’t what it should be; `problems` names each field. Nothing was done.",
        "There are mistakes in the input.",
        {"problems": [{"field": "bids.0.order", "sentence": "This field is required."}]},
    ),
    "BadJSON": Kind(
        _400,
        "The body is not JSON",
        "The body can’t be read as JSON. Nothing was done.",
        "JSON parse error - Expecting value: line 1 column 1 (char 0)",
    ),
    "BadSheet": Kind(
        _400,
        "The orders have mistakes",
        "`problems` names each line with its mistake. Nothing was saved, and what you had saved before still counts.",
        "Nothing was saved: 1 line has a mistake.",
        {"problems": [{"line": 2, "text": "4: A Aus H", "sentence": "You have 3 points and bid 4."}]},
    ),
    "BadGame": Kind(
        _400,
        "A game can’t be like that",
        "No game can be created with these options; `problems` names the fields.",
        "Retreat phases must last between 30 seconds and 14 days.",
        {
            "problems": [
                {"field": "retreat_seconds", "sentence": "Retreat phases must last between 30 seconds and 14 days."}
            ]
        },
    ),
    "BadMessage": Kind(
        _400,
        "The message can’t be sent",
        "The message is empty, too long, or not for this conversation. Nothing was sent.",
        "The message is too long: 4001 characters, but the limit is 4000.",
    ),
    "BadProposal": Kind(
        _400,
        "The proposal can’t be made",
        "This game doesn’t allow such an end, or it has been proposed already.",
        "That has already been proposed.",
    ),
    "BadReason": Kind(
        _400,
        "The reason is missing or too long",
        "Everyone can read the reason for this act in the log, so it needs one of a fair length.",
        "Give a reason: everyone can read it in the log.",
    ),
    "BadRepair": Kind(
        _400,
        "The correction is not possible",
        "An order or a position can’t be corrected in this way. Nothing was changed.",
        "There is no unit in Munich.",
    ),
    "BadWebhook": Kind(
        _400,
        "Nothing can be posted to that address",
        "A webhook needs a public address that begins with https://.",
        "The address must begin with https://.",
    ),
    "UnknownPlayer": Kind(
        _400, "There is no such user", "There is no account with that name.", "There is no user called “alcie”."
    ),
    "NotAuthenticated": Kind(
        HTTPStatus.UNAUTHORIZED,
        "Sign in or send a token",
        "Only callers who are signed in may do that. Send a token: `Authorization: Bearer dip_…`.",
        "Send a token, as in “Authorization: Bearer dip_…”.",
    ),
    "AuthenticationFailed": Kind(
        HTTPStatus.UNAUTHORIZED,
        "The token is not valid",
        "The token is unknown, revoked or expired. Create a new one.",
        "This token is unknown, revoked or expired. Create a new one.",
    ),
    "NotAllowed": Kind(
        _403,
        "You are not allowed to do that",
        "You can see it, but someone else has the right to do it. Sending it again won’t help.",
        "Only the game master can do that.",
    ),
    "OutsideScope": Kind(
        _403,
        "Your token doesn’t allow that",
        "You may do it, but your token may not. Create one with the scope that the detail names.",
        "Your token doesn’t allow that: write messages. Create one that does.",
    ),
    "NotFound": Kind(
        HTTPStatus.NOT_FOUND,
        "There is nothing here",
        "The address is wrong, or what is there is not for you to see: both get the same answer.",
        "There is nothing here.",
    ),
    "MethodNotAllowed": Kind(
        HTTPStatus.METHOD_NOT_ALLOWED,
        "This address doesn’t take that method",
        "The header `Allow` names the methods that it takes.",
        "POST isn’t possible here. What is: GET, HEAD, OPTIONS.",
    ),
    "TooSlow": Kind(
        HTTPStatus.REQUEST_TIMEOUT,
        "That took too long to arrive",
        "The request didn’t arrive in time, so nothing was done. Send it again.",
        "What you sent didn’t arrive within 20 seconds, so nothing was done.",
    ),
    "WrongMoment": Kind(
        _409,
        "Not at this moment",
        "The state of the game or of the phase doesn’t allow that. Read the game again before you go on.",
        "Only a running game can be paused.",
    ),
    "OpenedAgain": Kind(
        _409,
        "The phase was opened again",
        "The game master has undone this phase and opened it again. Read the sheet again, and send its `mark`.",
        "The game master has opened this phase again. Nothing was saved.",
    ),
    "NewerOrders": Kind(
        _409,
        "Other orders have been saved since",
        "You sent `after`, and since those orders others have been saved for the seat. `receipt` says what counts; "
        "send its `code` as `after` if yours should replace it.",
        "Nothing was saved: other orders have been saved for this seat since you looked at them.",
        {"receipt": None},
    ),
    "SeatTaken": Kind(
        _409,
        "The seat is taken",
        "Someone else has the seat, or you already have another one in this game.",
        "That seat is taken.",
    ),
    "TooLate": Kind(
        _409,
        "The deadline has passed",
        "These orders don’t count. `receipt` says what counted instead; it is null if nothing was saved.",
        "Too late: the deadline has passed, so these orders don’t count.",
        {"receipt": None},
    ),
    "TooLarge": Kind(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body is too long",
        "A body may have up to 64 kB. Nothing was done.",
        "What you sent is longer than the site accepts, so nothing was done.",
    ),
    "UnsupportedMediaType": Kind(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "Send JSON",
        "A body is JSON, with the header `Content-Type: application/json`.",
        "Send JSON, with the header “Content-Type: application/json”.",
    ),
    "TooOften": Kind(
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests",
        "Wait as many seconds as the header `Retry-After` says, then send it again.",
        "Too many requests. Try again in 12 seconds.",
    ),
    "TooManyAtOnce": Kind(
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests at the same time",
        "Too many requests from your network are open. Wait for their answers, then send it again.",
        "Too many requests from your network are open at the same time, so nothing was done.",
    ),
    "ServerError": Kind(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "Something went wrong on the site",
        "The mistake is ours, and the host has been told. The detail has a number to quote.",
        "Something went wrong. The host has been told; the request’s number is 6f1c2a.",
    ),
    "Unavailable": Kind(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "A part of the site is restarting",
        "Wait as many seconds as `Retry-After` says, then read again. What you sent may not have been saved.",
        "A part of the site is restarting. Try again in a few seconds; anything you sent may not have been saved.",
    ),
}
"""By their codes, in the order of their statuses."""


def problem(code: str, detail: str, **more: Any) -> dict[str, Any]:
    """An error of one of the `KINDS`; `more`: its `problems` or its `receipt`."""
    kind = KINDS[code]
    return {
        "type": f"{settings.SITE_ADDRESS}/api/#{code}",
        "title": kind.title,
        "status": int(kind.status),
        "detail": detail,
        "code": code,
        **more,
    }


def problem_answer(code: str, detail: str) -> JsonResponse:
    """The same as an answer, for what happens outside the API's views."""
    return JsonResponse(problem(code, detail), status=KINDS[code].status, content_type=MEDIA_TYPE)
