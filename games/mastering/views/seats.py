"""The table of seats on the desk: each power with its player, and everything that can be done with its seat."""

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms

from games.kernel.page import Page
from games.mastering.forms import SeatForm
from games.mastering.queries import gm
from games.seating.parts import PowerView
from games.seating.queries import powers

SEAT_FORMS = (
    *("invite_form", "seat_form", "give_back_form", "empty_form"),
    *("bot_form", "bot_out_form", "place_form", "mail_form"),
)


@dataclass(frozen=True, slots=True)
class SeatControls:
    """What the game master `may` do with a seat, by the names in `games.mastering.rules`, with the fields for all of
    it; `is_open` if that is shown at once. `problems` are those of no field. `former`: the name of the player to whom
    the seat can be given back."""

    power: PowerView
    may: tuple[str, ...]
    fields: Mapping[str, forms.BoundField]
    is_open: bool
    problems: tuple[str, ...]
    former: str


def seat_controls(
    view: Page, formers: Mapping[str, str], chosen: str, sent: Mapping[str, str], refused: forms.Form | None
) -> tuple[SeatControls, ...]:
    """The table with the names of `formers` by power, open at the power `chosen`; its form keeps what was `sent`, with
    the mistakes of the form that was `refused`."""
    here = gm(view)
    acts = here.seats if here else {}
    return tuple(
        _controls(
            power,
            tuple(act for act, powers in acts.items() if power.id in powers),
            sent if power.id == chosen else {},
            refused if power.id == chosen else None,
            is_open=power.id == chosen,
            former=formers.get(power.id, ""),
        )
        for power in powers(view)
    )


def seat_fields(auto_id: str, sent: Mapping[str, str], refused: forms.Form | None) -> dict[str, forms.BoundField]:
    """The fields for a seat, with what was `sent`, and those of the form that was `refused` with their mistakes."""
    fields = {field.name: field for field in SeatForm(auto_id=auto_id, initial={**sent})}
    return fields | {field.name: field for field in refused or () if field.name in fields}


def _controls(
    power: PowerView,
    may: tuple[str, ...],
    sent: Mapping[str, str],
    refused: forms.Form | None,
    *,
    is_open: bool,
    former: str,
) -> SeatControls:
    shown = seat_fields(f"seat-{power.id}-%s", sent, refused)
    problems = tuple(str(error) for error in refused.errors.get("power", ())) if refused else ()
    if "empty" in may:
        shown["reason"].label = "Reason"
    return SeatControls(power, may, shown, is_open, problems, former)
