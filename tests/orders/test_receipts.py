"""Receipts and sealed records: every save has a code, the deadline fixes all codes, and altered orders are detected."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from games.delivery.letters import deliver_letters
from games.kernel.models import Game, OpenedBids, Phase
from games.kernel.queries import phase_head
from games.mastering.judging import what_differs_on_replay as judge_again
from games.mastering.services import desk as game_master
from games.mastering.services import repair
from games.orders.models import Commitment
from games.orders.receipts import code_of_record, receipt_codes
from games.sealed import store
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.commands.replay import replay
from variants.receipts import BEGIN, END

if TYPE_CHECKING:
    from pathlib import Path

    from games.orders.parts import Receipt

pytestmark = pytest.mark.django_db

SCRIPT = "static/check_receipt.py"
GERMAN = ("A Mun-Cze", "2: A Aus S A Mun-Cze")


def german(game: Game) -> str:
    return str(occupancy_of(game, "GERMANY").user.get_username())


def record(game: Game) -> dict[str, Any]:
    answer = visitor(None).get(reverse("games:record", kwargs={"slug": game.slug}))
    assert answer["Content-Disposition"].startswith("attachment")
    return dict(answer.json())


def receipt(game: Game, name: str | None, ordinal: int = 0) -> Any:
    return visitor(name).get(reverse("games:receipt", kwargs={"slug": game.slug, "ordinal": ordinal}))


def checked(folder: Path, kept: str, published: dict[str, Any]) -> tuple[int, str]:
    """What the script that players download says about a receipt, with nothing but plain Python."""
    (folder / "receipt.txt").write_text(kept)
    (folder / "record.json").write_text(json.dumps(published))
    command = [sys.executable, "-I", "-S", SCRIPT, str(folder / "receipt.txt"), str(folder / "record.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def alter(phase: Phase, power: str, lines: str) -> None:
    """What an attacker with the database and the key could do."""
    body = store._bodies_by_power([phase])[phase.pk][power]
    seat = phase.game.seats.get(power=power)
    store._replace_bodies(phase.pk, {seat.pk: store.Body(saved=True, lines=lines, salt=body.salt)})


def forge(phase: Phase, **facts: Any) -> None:
    """What an attacker with the database could do: remove its trigger."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE orders_commitment DISABLE TRIGGER orders_commitment_is_kept")
        Commitment.objects.filter(phase=phase).update(**facts)
        cursor.execute("ALTER TABLE orders_commitment ENABLE TRIGGER orders_commitment_is_kept")


def close(game: Game) -> None:
    game_master.close_game(game_id=game.pk, by=person(CAROL).pk)


def saved(game: Game, *lines: str) -> Receipt:
    return Story(game).order("GERMANY", *lines)


def test_each_save_has_a_code_of_its_own_and_a_receipt_that_its_player_alone_can_fetch() -> None:
    game = running_game()
    first, second = saved(game, *GERMAN), saved(game, *GERMAN)
    assert first.text == second.text
    assert first.code != second.code, "the same orders have a new salt, so the code reveals nothing"
    assert second.at is not None
    name = german(game)
    kept = receipt(game, name)
    assert (kept.status_code, kept["Cache-Control"]) == (200, "private, no-store")
    assert kept.content.decode() == second.file
    assert f"Code: {second.code}" in second.file
    for line in ("A MUN - CZE", "2: A AUS S A MUN - CZE", "saved: yes", "power: GERMANY"):
        assert line in second.file.partition(BEGIN)[2].partition(END)[0].splitlines()
    others = [who for who in (*PLAYERS[:2], CAROL, DAVE) if who != name]
    for who in others:
        assert second.code not in receipt(game, who).content.decode()
    assert [receipt(game, who).status_code for who in (CAROL, DAVE, None)] == [404, 404, 302]
    page = visitor(name).get(reverse("games:orders", kwargs={"slug": game.slug})).content.decode()
    assert second.code in page
    assert first.code not in page


def test_the_deadline_publishes_a_code_for_every_seat_with_or_without_orders_and_it_stays(tmp_path: Path) -> None:
    game = running_game()
    kept = saved(game, *GERMAN)
    assert record(game)["phases"] == []
    assert checked(tmp_path, kept.file, record(game))[0] == 2
    Story(game).deadline()
    Story(game).deadline()
    first, second = record(game)["phases"]
    codes = first["record"]["sheets"]
    assert sorted(codes) == sorted(game.seats.values_list("power", flat=True))
    assert len(set(codes.values())) == len(codes), "blank sheets have salts too"
    assert codes["GERMANY"] == kept.code
    assert (first["record"]["previous"], second["record"]["previous"]) == ("", first["record"]["code"])
    assert first["sheets"] is None
    said = checked(tmp_path, kept.file, record(game))
    assert said[0] == 0, said
    assert first["record"]["code"] in said[1]
    assert checked(tmp_path, kept.file.replace("2: A AUS", "1: A AUS"), record(game))[0] == 1
    for name in (DAVE, german(game)):
        page = visitor(name).get(reverse("games:phase", kwargs={"slug": game.slug, "ordinal": 0})).content
        assert first["record"]["code"] in page.decode()
        assert (kept.code in page.decode()) is (name != DAVE)
    assert receipt(game, german(game), 0).content.decode() == kept.file
    italian = receipt(game, occupancy_of(game, "ITALY").user.get_username(), 0).content.decode()
    assert checked(tmp_path, italian, record(game))[0] == 0
    assert "saved: no" in italian
    for act in (Commitment.objects.all().delete, lambda: Commitment.objects.update(code="0" * 64)):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()
    api = visitor(None).get(reverse("api:record", kwargs={"slug": game.slug})).json()
    assert api == record(game)


def test_the_letter_about_the_next_phase_carries_the_code_out_of_the_house(mailoutbox: Any) -> None:
    game = running_game()
    deliver_letters()
    mailoutbox.clear()
    Story(game).deadline()
    deliver_letters()
    code = record(game)["phases"][0]["record"]["code"]
    assert mailoutbox
    assert all(code in letter.body for letter in mailoutbox)


def test_a_receipt_keeps_its_meaning_when_a_game_master_goes_back_or_puts_an_order_right(tmp_path: Path) -> None:
    game = running_game()
    story = Story(game)
    kept = saved(game, *GERMAN)
    story.deadline()
    by, why = person(CAROL).pk, "A mistake."
    story.correct("GERMANY", "A MUN - CZE", "A MUN H", reason=why)
    before, amended = record(game)["phases"]
    assert before["record"]["sheets"] == amended["record"]["sheets"], "the sheets are the same"
    assert amended["amendments"][0]["instead"] == "A MUN H"
    assert checked(tmp_path, kept.file, record(game))[0] == 0
    mark = phase_head(open_phase(game)).mark
    repair.roll_back(game_id=game.pk, by=by, ordinal=0, seen=mark, reason=why)
    again = receipt(game, german(game)).content.decode()
    assert again.partition("salt:")[0].partition(BEGIN)[2] == kept.file.partition("salt:")[0].partition(BEGIN)[2]
    assert kept.code not in again, "no one learns whether the orders stay the same"
    status, said = checked(tmp_path, kept.file, record(game))
    assert (status, said.count("UNDONE")) == (1, 1)
    story.deadline()
    assert checked(tmp_path, again, record(game))[0] == 0
    published = record(game)
    assert [bool(phase["undone"]) for phase in published["phases"]] == [True, True, False]
    report = replay(published)
    assert report.differences == []
    assert report.counts == {"phases": 3, "from orders": 3, "records": 3}


def test_a_sheet_altered_after_the_deadline_is_found_by_the_host_the_player_and_the_replay(tmp_path: Path) -> None:
    game = running_game(open_bids_at_end=True)
    kept = saved(game, *GERMAN)
    Story(game).deadline()
    phase = game.phases.get(ordinal=0)
    assert judge_again(game_id=game.pk) == ()
    alter(phase, "GERMANY", "A MUN - CZE\n1: A AUS S A MUN - CZE")
    assert "S1926M: other orders than in the sealed record" in judge_again(game_id=game.pk)
    close(game)
    published = record(game)
    assert replay(published).differences == [
        "Spring 1926, movement: the orders of GERMANY are not those that were sealed at the deadline."
    ]
    assert checked(tmp_path, kept.file, published)[0] == 0, "the record still matches what was saved"
    codes = receipt_codes(phase, store.read_closed(phase))
    forge(phase, codes=codes)
    assert replay(record(game)).differences == [
        "Spring 1926, movement: the sealed record does not match the codes of these orders."
    ]
    forge(phase, code=code_of_record(phase, codes, ""))
    assert replay(record(game)).differences == [], "the forgery is perfect …"
    status, said = checked(tmp_path, kept.file, record(game))
    assert (status, said.count("NO: other orders counted")) == (1, 1), "… except for players who kept their receipt"


def test_a_game_that_opens_its_bids_opens_whole_sheets_and_can_be_played_again(tmp_path: Path) -> None:
    game = running_game(open_bids_at_end=True)
    saved(game, *GERMAN)
    Story(game).order("ITALY", "A Mil-Swi", "1: A Aus S A Mil-Swi")
    Story(game).deadline()
    Story(game).deadline()
    assert record(game)["phases"][0]["sheets"] is None
    close(game)
    published = record(game)
    assert published["phases"][0]["sheets"]["GERMANY"]["lines"].splitlines()[1] == "2: A AUS S A MUN - CZE"
    report = replay(published)
    assert report.differences == []
    assert report.counts == {"phases": 2, "from sheets": 2, "records": 2, "sheets": 14}
    sentence = published["verdict"]["sentence"]
    assert report.remarks == [f"Not ended by the rules of the variant: {sentence}"]
    OpenedBids.objects.all().delete()
    assert len(replay(record(game)).differences) == 2, "the orders to be published are missing"


def test_sheets_from_before_there_were_receipts_have_none_and_no_record() -> None:
    game = running_game()
    store._replace_bodies(open_phase(game).pk, {seat.pk: store.Body(saved=True, lines="") for seat in game.seats.all()})
    assert receipt(game, german(game)).status_code == 404
    Story(game).deadline()
    assert not Commitment.objects.exists()
    assert record(game)["phases"][0]["record"] is None
    assert replay(record(game)).differences == []
    assert visitor(DAVE).get(reverse("games:game", kwargs={"slug": game.slug})).status_code == 200
