"""Tables that were played elsewhere, typed in by a director: a line for each power, with its player and its centres.

A player without an account is known by their name, until they claim their results and a director agrees.
"""

import re
from collections import Counter
from typing import Annotated, Any

from django import forms
from django.db.models import Max
from django.utils.translation import gettext as _

from adjudication.resolution import Verdict
from adjudication.serialisation import verdict_to_json
from games.endings.options import Outcome
from games.kernel import clock
from games.kernel.acts import Accept, Asked, Username
from games.kernel.blocks import is_blocked
from games.kernel.languages import later
from games.kernel.locking import lock_account
from games.kernel.queries import NOBODY
from games.kernel.refusals import BadInput, NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.wording import one_line
from games.tournaments import rights
from games.tournaments.desk import NO_SUCH_TABLE, TableNumber, label_of
from games.tournaments.entry import enter_by_word
from games.tournaments.models import LONGEST_NAME, Claim, Round, Table, Tournament
from games.tournaments.results import target_of
from games.tournaments.rights import Here, director_act, entrant_act
from games.tournaments.roster import named_powers
from games.tournaments.rules.combining import Tie
from games.tournaments.seating import close_entry_if_all_seated
from games.tournaments.services import RoundNumber, log_change
from games.tournaments.terms import RoundTerms, terms_of
from games.tournaments.texts import texts
from variants.kinds import Ending
from variants.registry import find
from variants.variant import Variant

LONGEST_TABLE, MOST_YEARS, DIGITS = 2_000, 60, 3
TableText = Annotated[
    str,
    Asked(
        says="A line for each power: its name, its player, its centres at the end of each year, or only in the end. "
        "A star after a line: it won or shared the draw.",
        **texts("fields", "typed"),
        most=LONGEST_TABLE,
        trimmed=False,
        missing=later("Write a line for each power."),
        widget=forms.Textarea(attrs={"rows": 9, "spellcheck": "false"}),
    ),
]
VariantPlayed = Annotated[
    str, Asked(says="The slug of the variant; left out for the first of the round.", label=later("Variant"), most=40)
]
NameOfTable = Annotated[
    str, Asked(says="What the table is called.", **texts("fields", "typed_name"), most=LONGEST_NAME)
]
Corrected = Annotated[
    int | None, Asked(says="The number of the typed table that this one replaces, which their desk shows.", least=1)
]
PersonsName = Annotated[
    str, Asked(says="The name as it was typed in.", most=LONGEST_NAME, missing=later("Choose the name from the list."))
]


class TypedTable:
    """What a director has typed. `problems`: what is wrong, a sentence for each line that can't be taken."""

    def __init__(self, text: str, variant: Variant, accounts: dict[str, int], *, needs_years: bool) -> None:
        self.variant, self.accounts, self.problems = variant, accounts, list[str]()
        self.holders, self.counts, self.starred = dict[str, int | str](), dict[str, list[int]](), list[str]()
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                self._read(number, line)
        missing = [it.name for it in variant.powers if it.id not in self.counts]
        if missing and not self.problems:
            self.problems.append(_("These powers have no line: {powers}.").format(powers=", ".join(missing)))
        if not self.problems:
            self._check(needs_years=needs_years)

    def _read(self, number: int, line: str) -> None:
        power_text, _mark, rest = re.sub(r"[:;\t]", ",", line).partition(",")
        person, _mark, counts = rest.rpartition(",")
        numbers, power = counts.replace("*", " ").split(), named_powers(power_text, self.variant)
        name = one_line(person.replace(",", " "))
        # the account of an entrant; or the name, which has a space, because that of an account has none
        holder = None if name in {"", "-"} else self.accounts.get(name.casefold()) or (name if " " in name else "")
        told = _("“{typed}” is no power of {variant}.")
        nobody = _("“{typed}” has not entered. Give them a place first; without an account, write first and last name.")
        checks = (
            (len(power) != 1, told.format(typed=one_line(power_text)[:40], variant=self.variant.title)),
            (power and power[0] in self.counts, _("This power has a line already.")),
            (
                not numbers or not all(it.isdecimal() and len(it) <= DIGITS for it in numbers),
                _("Write the player, a comma, and then whole numbers of centres, as in “Ann Lee, 5 6 8”."),
            ),
            (len(name) > LONGEST_NAME, _("A name can have at most {most} characters.").format(most=LONGEST_NAME)),
            (holder is not None and holder in self.holders.values(), _("This player has a line already.")),
            (holder == "", nobody.format(typed=name)),
        )
        if objection := next((told for is_wrong, told in checks if is_wrong), ""):
            self.problems.append(_("Line {line}: {objection}").format(line=number, objection=objection))
            return
        self.counts[power[0]] = list(map(int, numbers))
        if holder is not None:
            self.holders[power[0]] = holder
        if "*" in counts:
            self.starred.append(power[0])

    def _check(self, *, needs_years: bool) -> None:
        lengths, total = Counter(map(len, self.counts.values())), len(self.variant.ruleset.board.centres)
        if len(lengths) > 1 or max(lengths) > MOST_YEARS:
            told = _("All powers need centres of the same years, at most {most}. After a power has fallen, write 0.")
            self.problems.append(told.format(most=MOST_YEARS))
            return
        if needs_years and max(lengths) == 1:
            told = _("The scoring depends on years, so write the centres at the end of each year.")
            self.problems.append(told)
        for year, held in enumerate(zip(*self.counts.values(), strict=True), self.first):
            if sum(held) > total:
                told = _("In {year} there are {count} centres, but the board has {total}.")
                self.problems.append(told.format(year=year, count=sum(held), total=total))
        if any(not self.counts[power][-1] for power in self.starred):
            self.problems.append(_("A power without a centre in the end neither wins nor shares a draw."))

    @property
    def first(self) -> int:
        return self.variant.start.turn.year

    def outcome(self) -> dict[str, Any]:
        """As `outcome_of` gives it."""
        powers = list[list[Any]]()
        for it in self.variant.powers:
            counts = self.counts[it.id]
            years = max((at + 1 for at, held in enumerate(counts) if held), default=0)
            powers.append([it.id, counts[-1], None if counts[-1] else self.first + years, counts])
        last = self.first + max(map(len, self.counts.values())) - 1
        return {"powers": powers, "first": self.first, "last": last}

    def verdict(self) -> Verdict:
        """As starred; without a star, a win for a lone leader with enough centres, else a draw of all survivors."""
        ends, target = {power: counts[-1] for power, counts in self.counts.items()}, target_of(self.variant)
        most = max(ends.values())
        leaders = [power for power, held in ends.items() if held == most >= target]
        named = self.starred or (leaders if len(leaders) == 1 else [power for power, held in ends.items() if held])
        sharing = tuple(it.id for it in self.variant.powers if it.id in named)
        won = Outcome.SOLO if ends[sharing[0]] >= target else Outcome.CONCESSION
        case = Outcome.DRAW if len(sharing) > 1 else won
        return Verdict(sharing, Ending.CLOSED, {"case": case.value, "powers": sharing})


def may_type_table(here: Here, number: int) -> Round:
    """Allow typing a table into a round."""
    rights.may_direct(here)
    unless(here.row.published, WrongMoment(rights.PUBLISH_FIRST))
    row = next((it for it in here.round_rows if it.number == number), None)
    if row is None or here.row.is_series:
        raise NotAllowed(_("The tournament has no such round."))
    return row


@director_act.locked("type_table", may_type_table)
def type_table(
    here: Here,
    by: int,
    *,
    number: RoundNumber,
    text: TableText,
    variant: VariantPlayed = "",
    name: NameOfTable = "",
    table: Corrected = None,
) -> str:
    """Type in a table of a round that was played elsewhere, or correct one. Players without an account are given by
    first and last name.

    A round that was not seated is then played elsewhere altogether. Raises BadInput.
    """
    tournament, row = here.row, may_type_table(here, number)
    terms, whole = RoundTerms.stored(row.terms), terms_of(tournament)
    unless(not variant or variant in terms.variants, BadInput({"variant": _("The round doesn’t play this variant.")}))
    entrants = tournament.entrants.select_related("user")
    accounts = {it.user.get_username().casefold(): it.user_id for it in entrants}
    # A name that somebody has claimed stays theirs, however often it is typed.
    accounts |= {it.facts["name"].casefold(): it.user_id for it in tournament.changes.filter(kind="claimed")}
    needs_years = whole.system(terms.scoring).by_years or Tie.YEARS in whole.ties
    typed = TypedTable(text, find(variant or terms.variants[0]), accounts, needs_years=needs_years)
    unless(not typed.problems, BadInput({"text": " ".join(typed.problems)}))
    before = row.tables.filter(pk=table, game=None).first() if table else None
    unless(before or not table, NotAllowed(NO_SUCH_TABLE))
    last = row.tables.aggregate(last=Max("number"))["last"] or 0
    to = before or Table(round=row, number=last + 1, added=clock.now(), added_by_id=by)
    facts = {"verdict": verdict_to_json(typed.verdict()), "variant": typed.variant.slug, "text": text}
    facts["digest"] = typed.variant.digest
    title = one_line(name) or _("Table {table}").format(table=label_of(to))
    to.outcome = {**typed.outcome(), **facts, "name": title, "holders": typed.holders}
    to.save()
    log_change(tournament, "retyped" if before else "typed", by, table=label_of(to))
    if row.seated is None:
        row.seated, row.plan, row.plan_wanted, row.due, row.hindrance = clock.now(), None, None, None, ""
        row.save(update_fields=["seated", "plan", "plan_wanted", "due", "hindrance"])
        close_entry_if_all_seated(here)
    return label_of(to)


@director_act.locked(
    "remove_table",
    rights.may_direct,
    done=later("The table is removed, and its points."),
    to="games:tournament-desk",
    only_tournaments=True,
)
def remove_table(here: Here, by: int, *, table: TableNumber) -> None:
    """Remove a table that was typed in, with the rulings about it."""
    tournament = here.row
    row = Table.objects.filter(pk=table, game=None, round__tournament=tournament).select_related("round").first()
    if row is None:
        raise NotAllowed(NO_SUCH_TABLE)
    row.delete()
    log_change(tournament, "no-table", by, table=label_of(row))


def typed_in(tournament: Tournament) -> list[Table]:
    return list(Table.objects.filter(round__tournament=tournament, game=None).order_by("pk"))


def may_claim(here: Here) -> None:
    rights.refuse_if_shut(here.row)
    rights.may_play(here.row, here.user_id or NOBODY)


@entrant_act.locked("claim", may_claim, done=later("We’ve asked the directors. They decide."), to="games:tournament")
def claim(here: Here, by: int, *, name: PersonsName) -> None:
    """Say that you are the player of this name, who played without an account. A director has to agree."""
    tournament = here.row
    blocked = any(is_blocked(by=it.user_id, whom=by) for it in here.director_rows)
    unless(not blocked, NotAllowed(_("You can’t enter this tournament.")))
    told = _("Nobody of this name played here without an account.")
    unless(any(name in (it.outcome or {})["holders"].values() for it in typed_in(tournament)), WrongMoment(told))
    lock_account(by)
    Claim.objects.update_or_create(tournament=tournament, user_id=by, defaults={"name": name})


@director_act.locked(
    "answer_claim",
    rights.may_direct,
    done=later("Saved."),
    to="games:manage-tournament",
    only_tournaments=True,
    replaces=lambda here, username: (
        here.row.claims.filter(user__username=username).values_list("name", flat=True).first()
    ),
)
def answer_claim(here: Here, by: int, *, username: Username, agrees: Accept = False) -> None:
    """Agree that a user is the player of the name that they claim, who then has its results; or refuse.

    Raises WrongMoment if nobody claims it any more, and if the user has a seat at one of its tables.
    """
    tournament = here.row
    asked = Claim.objects.filter(tournament=tournament, user__username=username).select_related("user").first()
    if asked is None:
        raise WrongMoment(_("They don’t claim any results now."))
    asked.delete()
    if not agrees:
        return
    rights.may_play(tournament, asked.user_id)
    for table in typed_in(tournament):
        outcome = table.outcome or {}
        holders = outcome["holders"]
        if asked.name in holders.values():
            told = _("{user} has a seat of their own at a table of {name}.")
            clash = asked.user_id in holders.values()
            unless(not clash, WrongMoment(told.format(user=asked.user.get_username(), name=asked.name)))
            outcome["holders"] = {it: asked.user_id if who == asked.name else who for it, who in holders.items()}
            table.save(update_fields=["outcome"])
    Claim.objects.filter(tournament=tournament, name=asked.name).delete()
    enter_by_word(tournament, asked.user_id, by=by)
    log_change(tournament, "claimed", by, user=asked.user, name=asked.name)
