"""From rows to receipts: the orders stored for a seat, their code, and the code of a phase's sealed record."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol

from django.conf import settings
from django.urls import reverse

from adjudication.auction import budget
from games.kernel.models import Phase
from games.orders.choices import bid_views, missing_from, warning_views
from games.orders.models import Commitment
from games.orders.parts import Receipt, Replaced
from games.orders.sheets import ReadSheet
from variants.receipts import SealedSheet, receipt_file, record_code
from variants.words.ahead import ahead_words
from variants.words.orders import kind_words, pretty_order, turn_words


class StoredSheet(Protocol):
    """Stored orders, their salt, and when they were saved, in ISO 8601; "" if nothing was saved."""

    @property
    def salt(self) -> str: ...
    @property
    def saved(self) -> bool: ...
    @property
    def lines(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def by_gm(self) -> bool: ...


def receipt_of(sheet: ReadSheet, phase: Phase, body: StoredSheet) -> Receipt:
    """The stored orders of a seat in words; `sheet` is made from their lines."""
    power, position, variant = sheet.power, sheet.position, sheet.variant
    open_points = missing_from(sheet)
    return Receipt(
        ordinal=phase.ordinal,
        turn_title=turn_words(position.turn),
        kind=position.turn.kind.value,
        kind_title=kind_words(position.turn.kind),
        text=body.lines,
        orders=tuple(pretty_order(order, position, variant.ruleset.board) for order in sheet.lawful.orders),
        ahead=tuple(ahead_words(sheet.lawful.ahead, position, variant.ruleset)),
        bids=bid_views(sheet.lawful, position, variant),
        budget=budget(power, position, variant.ruleset),
        spent=sum(bid.points for bid in sheet.lawful.bids),
        saved=body.saved,
        complete=not open_points,
        missing=open_points,
        warnings=warning_views(sheet),
        code=receipt_code(phase, power, body),
        at=saved_at(body),
        file=receipt_text(phase, power, body) if body.salt else "",
        by_gm=body.by_gm,
    )


def replaced_orders(phase: Phase, power: str, body: StoredSheet) -> Replaced | None:
    """The orders that newer ones have replaced; None if nothing was saved."""
    if not body.saved:
        return None
    return Replaced(receipt_code(phase, power, body), saved_at(body), body.lines, body.by_gm)


def sealed_sheet(phase: Phase, power: str, body: StoredSheet) -> SealedSheet:
    """The orders in the form from which their code is made. Only their writer knows the salt."""
    return SealedSheet(phase.game.slug, phase.ordinal, phase.turn, power, body.salt, saved=body.saved, lines=body.lines)


def receipt_code(phase: Phase, power: str, body: StoredSheet) -> str:
    """The code of the orders stored for a seat; "" for orders older than receipts."""
    return sealed_sheet(phase, power, body).code if body.salt else ""


def saved_code(phase: Phase, power: str, body: StoredSheet) -> str:
    """The code that pages and programs send back with newer orders; "" if there are none, or older than receipts."""
    return receipt_code(phase, power, body) if body.saved else ""


def receipt_codes(phase: Phase, bodies: Mapping[str, StoredSheet]) -> dict[str, str]:
    """Power -> code, for every seat; {} for orders older than receipts, which have no salt."""
    if not all(body.salt for body in bodies.values()):
        return {}
    return {power: receipt_code(phase, power, body) for power, body in sorted(bodies.items())}


def saved_at(body: StoredSheet) -> datetime | None:
    return datetime.fromisoformat(body.at) if body.at else None


def receipt_text(phase: Phase, power: str, body: StoredSheet) -> str:
    at = saved_at(body)
    when = f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if at else ""
    page = settings.SITE_ADDRESS + reverse("games:game", kwargs={"slug": phase.game.slug})
    return receipt_file(sealed_sheet(phase, power, body), at=when, game=page, by_gm=body.by_gm)


def code_of_record(phase: Phase, codes: Mapping[str, str], last_code: str) -> str:
    return record_code(phase.game.slug, phase.ordinal, phase.turn, codes, last_code)


def record_commitments(closed: Sequence[tuple[Phase, Mapping[str, StoredSheet]]]) -> None:
    """Commit to these orders for good, each after all earlier records of its game. There is one phase of each game. The
    caller holds the lock on the games.

    Orders older than receipts get no record.
    """
    earlier = Commitment.objects.filter(phase__game__in=[phase.game_id for phase, _ in closed])
    newest = earlier.order_by("phase__game_id", "-pk").distinct("phase__game_id")
    previous: dict[int, str] = dict(newest.values_list("phase__game_id", "code"))
    rows = []
    for phase, bodies in closed:
        if codes := receipt_codes(phase, bodies):
            last_code = previous.get(phase.game_id, "")
            code = code_of_record(phase, codes, last_code)
            rows.append(Commitment(phase=phase, codes=codes, previous=last_code, code=code))
    Commitment.objects.bulk_create(rows)


def differs_from_commitment(phase: Phase, bodies: Mapping[str, StoredSheet]) -> bool:
    """Do these orders, or the record of this phase itself, differ from the commitment?"""
    record = Commitment.objects.filter(phase=phase).first()
    if record is None:
        return False
    return record.codes != receipt_codes(phase, bodies) or record.code != code_of_record(
        phase, record.codes, record.previous
    )
