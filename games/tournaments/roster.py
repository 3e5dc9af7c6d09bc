"""The roster that a director pastes: people with their addresses, and perhaps their teams and favourite powers."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.kernel.refusals import Refusal
from games.kernel.wording import one_line
from games.news.emails import checked_address
from games.tournaments.models import LONGEST_NAME, LONGEST_TEAM
from variants.variant import Variant

MOST_PEOPLE, MOST_CHARACTERS, MOST_TOLD = 1_000, 1_100_000, 10
TITLES = {
    "name": ("name", "player", "first-name", "full-name", "player-name", "given-name"),
    "last": ("last-name", "family-name", "surname"),
    "email": ("address", "email", "e-mail", "email-address"),
    "powers": ("preferences", "powers"),
    "team": ("team",),
}
HEADS = {title: meaning for meaning, titles in TITLES.items() for title in titles}
"""Titles of columns, as spreadsheets and other programs for tournaments write them; spaces are hyphens here."""
USUAL = ("name", "email", "powers", "team")
"""The columns of a list without titles."""
ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@.]+\.[^\s@]+")


class BadRoster(Refusal):
    """A line that can't be read."""


@dataclass(frozen=True, slots=True)
class Invitee:
    """`powers`: variant -> powers, the favourite first."""

    name: str
    email: str
    team: str = ""
    powers: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read_roster(text: str, variants: Sequence[Variant]) -> tuple[Invitee, ...]:
    """The people on a list. Each line has a name, an address and, if given, favourite powers and a team. BadRoster
    names each wrong line, of many the first, and says why."""
    if len(text) > MOST_CHARACTERS:
        raise BadRoster(_("The list is too long. It can have at most {most} people.").format(most=MOST_PEOPLE))
    people, mistakes, line_by_address = [], list[str](), dict[str, int]()
    for number, cells, addresses in _lines(text):
        try:
            invitee = _invitee(number, cells, addresses, variants)
        except BadRoster as mistake:
            mistakes.append(mistake.sentence)
            continue
        if (before := line_by_address.setdefault(invitee.email.casefold(), number)) != number:
            message = _("Line {line}: {address} is on line {before} already. Leave one of them out.")
            mistakes.append(message.format(line=number, address=invitee.email, before=before))
        people.append(invitee)
        if len(people) > MOST_PEOPLE:
            raise BadRoster(_("The list is too long. It can have at most {most} people.").format(most=MOST_PEOPLE))
    if mistakes:
        more = _("And {count} more.").format(count=len(mistakes) - MOST_TOLD) if len(mistakes) > MOST_TOLD else ""
        raise BadRoster(" ".join([*mistakes[:MOST_TOLD], more]).strip())
    if not people:
        raise BadRoster(_("The list is empty. Write a line for each person, as in “Ann, ann@example.org”."))
    return tuple(people)


def _lines(text: str) -> Iterator[tuple[int, Mapping[str, str], Sequence[str]]]:
    """The number of each line that isn't blank, its cells by their meaning, and the addresses in it."""
    lines = text.removeprefix("\ufeff").replace("\0", "").splitlines()
    first = next((line for line in lines if line.strip()), "")
    mark = max(",;\t", key=re.sub(r'"[^"]*"', "", first).count)
    rows = csv.reader(lines, delimiter=mark)
    columns: Sequence[str] = ()
    try:
        for cells in rows:
            if not any(map(str.strip, cells)):
                continue
            if not columns:
                heads = [HEADS.get(cell.strip().casefold().replace(" ", "-"), "") for cell in cells]
                columns = heads if "email" in heads else USUAL
                if "email" in heads:
                    continue
            addresses = sorted({cell for cell in map(one_line, cells) if ADDRESS.fullmatch(cell)})
            yield rows.line_num, dict(zip(columns, map(one_line, cells), strict=False)), addresses
    except csv.Error as error:
        raise BadRoster(_("Line {line} can’t be read as a table.").format(line=rows.line_num)) from error


def _invitee(number: int, cells: Mapping[str, str], addresses: Sequence[str], variants: Sequence[Variant]) -> Invitee:
    if len(addresses) > 1:
        message = _("Line {line} has several email addresses: {addresses}. Write a line for each person.")
        raise BadRoster(message.format(line=number, addresses=", ".join(addresses[:3])))
    email = cells.get("email", "")
    if not email:
        message = _("Line {line} has no email address. Separate its name and address as the first line does.")
        raise BadRoster(message.format(line=number))
    try:
        email = checked_address(email)
    except ValidationError as error:
        message = _("Line {line}: “{typed}” is not an email address. Write the name first, then the address.")
        raise BadRoster(message.format(line=number, typed=email[:100])) from error
    name = " ".join(filter(None, (cells.get("name", ""), cells.get("last", ""))))
    team = cells.get("team", "")
    for text, longest in ((name, LONGEST_NAME), (team, LONGEST_TEAM)):
        if len(text) > longest:
            message = _("Line {line}: “{typed}…” has more than {most} characters.")
            raise BadRoster(message.format(line=number, typed=text[:20], most=longest))
    powers_text = cells.get("powers", "")
    if powers_text and not variants:
        message = _("Line {line} names powers, but there is no round yet. Add a round first, or leave them out.")
        raise BadRoster(message.format(line=number))
    powers = {variant.slug: named_powers(powers_text, variant) for variant in variants} if powers_text else {}
    if powers_text and not any(powers.values()):
        message = _("Line {line}: “{typed}” names no powers. Write them as in “France; England”, the favourite first.")
        raise BadRoster(message.format(line=number, typed=powers_text[:100]))
    return Invitee(name, email, team, {slug: named for slug, named in powers.items() if named})


def named_powers(text: str, variant: Variant) -> tuple[str, ...]:
    """The powers of a variant that a text names, in the variant's order: by name, by id or, as in “FGI”, by initials
    that differ between all powers. Empty if it says anything else."""
    names = {name.casefold(): power.id for power in variant.powers for name in (power.id, power.name)}
    initials = {power.name[0]: power.id for power in variant.powers}
    words = [word for word in re.split(r"\s*[;,/>|]\s*", text.strip()) if word]
    power_ids = _known(words, names) or _known(text.split(), names)
    if power_ids is None and len(words) == 1 and len(initials) == len(variant.powers):
        power_ids = _known(words[0], initials)
    return tuple(dict.fromkeys(power_ids or ()))


def _known(words: Iterable[str], names: Mapping[str, str]) -> list[str] | None:
    found = [names.get(word) or names.get(word.casefold()) for word in words]
    return [it for it in found if it] if all(found) else None
