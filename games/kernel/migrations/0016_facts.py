"""Results, notices and verdicts keep kinds and facts instead of sentences.

What an older version stored is converted phase by phase, in batches that are each a transaction of their own: processes
of both versions can read both forms, and a migration that is interrupted begins where it stopped. What can't be told by
facts stays as it was written.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.db import migrations, transaction

from adjudication import serialisation
from adjudication.reasons import AS_WRITTEN, Facts
from adjudication.resolution import Verdict, VerdictKind
from games.kernel import codec
from games.kernel.migrations._facts import notice_recoded, recoded, verdict_recoded
from variants.kinds import Ending
from variants.registry import UnknownVariant, find
from variants.variant import Variant
from variants.words import as_said, say, told_notice

CANNOT_BE_READ = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
BATCH = 100
KINDS = (*VerdictKind, *Ending)
Convert = Callable[[Any, Variant], bool]
"""Changes a row; False if nothing changes."""


def forwards(apps: Any, _editor: Any) -> None:
    _convert(apps, _result_in_facts, _notices_in_facts, _verdict_in_facts)


def backwards(apps: Any, _editor: Any) -> None:
    _convert(apps, _result_in_sentences, _notices_in_sentences, _verdict_in_sentences)


def _convert(apps: Any, result: Convert, notices: Convert, verdict: Convert) -> None:
    def model(name: str) -> Any:
        return apps.get_model("kernel", name)

    _each(model("Result").objects.select_related("phase__game"), "phase__game", result, "public")
    _each(model("Phase").objects.exclude(notices=[]).select_related("game"), "game", notices, "notices")
    _each(model("Brought").objects.exclude(notices=[]).select_related("game"), "game", notices, "notices")
    _each(model("Game").objects.filter(verdict__isnull=False), "", verdict, "verdict")


def _each(rows: Any, game: str, convert: Convert, field: str) -> None:
    for batch in _batches(rows):
        with transaction.atomic():
            locked = rows.select_for_update(of=("self",)).filter(pk__in=batch).order_by("pk")
            changed = [
                row for row in locked if (variant := _variant_of(row, game)) and _is_changed(row, variant, convert)
            ]
            rows.model.objects.bulk_update(changed, [field])


def _is_changed(row: Any, variant: Variant, convert: Convert) -> bool:
    """Not if it doesn’t fit the variant as it is now: then it stays as it is."""
    try:
        return convert(row, variant)
    except CANNOT_BE_READ:
        return False


def _batches(rows: Any) -> Iterator[list[int]]:
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        yield batch
        last = batch[-1]


def _variant_of(row: Any, game: str) -> Variant | None:
    for name in filter(None, game.split("__")):
        row = getattr(row, name)
    try:
        return find(row.variant_slug)
    except UnknownVariant:
        return None


# To facts.


def _result_in_facts(row: Any, variant: Variant) -> bool:
    public = serialisation.public_from_json(row.public)
    told = recoded(public, serialisation.position_from_json(row.phase.position), variant.ruleset)
    row.public = codec.public_to_row(told)
    return told is not public


def _notices_in_facts(row: Any, variant: Variant) -> bool:
    turn = serialisation.position_from_json(row.position).turn.code
    told = [notice_recoded(each, turn, variant.ruleset) for each in map(serialisation.notice_from_json, row.notices)]
    before, row.notices = row.notices, codec.notices_to_row(told)
    return bool(row.notices != before)


def _verdict_in_facts(row: Any, variant: Variant) -> bool:
    told = serialisation.verdict_from_json(row.verdict)
    if AS_WRITTEN not in told.facts:
        return False
    last = row.phases.order_by("-pk").first()
    by_rules = _verdict_of(last) if last else None
    if by_rules and say(by_rules, variant.ruleset) == told.facts[AS_WRITTEN]:
        told = by_rules
    told = verdict_recoded(told, KINDS, list(_more(row, last, variant)), variant.ruleset)
    row.verdict = codec.verdict_to_row(told, void="void" in row.verdict)
    return True


def _verdict_of(phase: Any) -> Verdict | None:
    result = getattr(phase, "result", None)
    return serialisation.public_from_json(result.public).verdict if result else None


def _more(game: Any, last: Any, variant: Variant) -> Iterator[Facts]:
    """What a verdict may name besides the winners."""
    options = game.stored_options
    yield {"year": options.get("last_year") or 0, "count": options.get("wait_days") or 0}
    if last is not None:
        yield {"turn": last.turn}
    yield from ({"power": power} for power in variant.ruleset.powers)


# Back to sentences.


def _result_in_sentences(row: Any, variant: Variant) -> bool:
    public = serialisation.public_from_json(row.public)
    told = as_said(public, variant.ruleset)
    outcomes = [{**codec.UNEXPLAINED, **each} for each in told["outcomes"]]
    row.public = {**told, "outcomes": outcomes}
    return True


def _notices_in_sentences(row: Any, variant: Variant) -> bool:
    told = [told_notice(each, variant.ruleset) for each in map(serialisation.notice_from_json, row.notices)]
    row.notices = [{name: each[name] for name in ("kind", "power", "province", "sentence")} for each in told]
    return True


def _verdict_in_sentences(row: Any, variant: Variant) -> bool:
    verdict = serialisation.verdict_from_json(row.verdict)
    void = {"void": True} if row.verdict.get("void") else {}
    row.verdict = {"winners": list(verdict.winners), "sentence": say(verdict, variant.ruleset), **void}
    return True


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("kernel", "0015_seats_given_back")]

    operations = [migrations.RunPython(forwards, backwards)]
