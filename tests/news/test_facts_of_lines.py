"""The public log keeps facts and no words of ours; what it says of them is what it said when it kept sentences."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from games.consent.models import Asking
from games.consent.news import HOLIDAY, REFUSED, WITHDRAWN
from games.consent.services import answer_request, ask_for_earlier_deadline, change_terms, withdraw_request
from games.deadlines.news import END_WITHDRAWN, FINISHED, RESTORED
from games.deadlines.outage import make_up_for_outage
from games.deadlines.timetable import Week
from games.endings.news import PROPOSAL_AGREED, PROPOSAL_FELL, PROPOSAL_REFUSED
from games.endings.services import propose_end
from games.endings.services import withdraw_proposal as take_back
from games.kernel import clock
from games.kernel.models import Event
from games.kernel.news import NEWS_BY_LINE, News, tell
from games.kernel.queries import phase_head
from games.mastering.services.assistants import answer_assistance, name_assistant
from games.mastering.services.correcting import correct_sheet
from games.mastering.services.desk import close_game, set_deadline
from games.mastering.services.repair import change_position
from games.seating.news import SEAT_LAPSED
from games.seating.services.bots import seat_bot
from games.seating.services.joining import join_game
from games.seating.services.vacancies import resign
from games.tournaments.news import ENDS_SOON
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.moment import Moment
from tests.news.test_kinds import sayings
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db
WRITTEN = {"reason", "player", "assistant", "before", "series", "tournament", "leaders"}
"""Facts that people wrote, names among them."""
ARGUMENTS = {"at", "by", "to", "about", "except_for", "ordinal", "participants"}
OF_PROPOSALS = {PROPOSAL_AGREED.log, PROPOSAL_FELL.log, PROPOSAL_REFUSED.log}
BEFORE = Path(__file__).with_name("lines_of_0_2_0.txt")
"""What version 0.2.0 said of these games in lines that it stored with words of its own."""
NEWER = re.compile(r" (On the board: .*|The position stays the same\.)(?= Reason:)")
"""What later versions say besides: what a correction changed on the board."""
ALICE, BOB, FRITZ = PLAYERS[:3]


def lines_of(game: Game, kinds: set[str]) -> list[str]:
    """Those of these kinds as a stranger reads them, the oldest first."""
    return [event.sentence for event in reversed(Story(game).seen_by(DAVE).events) if event.kind in kinds]


def says_something(fact: Any) -> bool:
    """Three words or more: what the rules write has no small letters."""
    if isinstance(fact, dict | list):
        return any(map(says_something, fact.values() if isinstance(fact, dict) else fact))
    return isinstance(fact, str) and len(re.findall(r"\S*[a-z]\S*", fact)) > 2


def corrected(game: Game, power: str, *lines: str, **more: Any) -> None:
    facts = {"by": person(CAROL).pk, "seen": phase_head(open_phase(game)).mark, "reason": "I misread it.", **more}
    correct_sheet(game_id=game.pk, ordinal=0, power=power, text="\n".join(lines), **facts)


def a_game_that_is_corrected() -> Game:
    game = running_game(gm_corrects_bids=True, week=Week(zone="Europe/Berlin", days_off=(6,)))
    carol, story = person(CAROL).pk, Story(game)
    story.order("GERMANY", "A Mun-Cze", "A Ber-Sil", "2: A Aus S A Mun-Cze")
    story.deadline()
    corrected(game, "GERMANY", "A Mun-Bur", "A Ber-Sil")
    corrected(game, "GERMANY", "A Mun-Bur", "A Ber-Mun", "1: A Aus H", bids=True)
    corrected(game, "NEUTRAL", "A Aus S A Mun")
    changes = ("MUN unit FRANCE A MUN", "BER unit -", "MUN centre -")
    seen = phase_head(open_phase(game)).mark
    change_position(game_id=game.pk, by=carol, changes=changes, seen=seen, reason="A slip of mine.")
    set_deadline(game_id=game.pk, by=carol, until=clock.now() + timedelta(hours=54), reason="A holiday.")
    name_assistant(game_id=game.pk, by=carol, username=person(DAVE).username, rights=["clock", "seats"])
    answer_assistance(game_id=game.pk, user_id=person(DAVE).pk, accept=True)
    make_up_for_outage(since=clock.now() - timedelta(hours=5))
    close_game(game_id=game.pk, by=carol)
    return game


def a_game_with_other_terms(moment: Moment) -> Game:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], draws="any", vacant_after=1)
    carol = person(CAROL).pk

    def says(name: str, *, agrees: bool = True) -> None:
        answer_request(game_id=game.pk, user_id=person(name).pk, number=Asking.objects.latest("pk").pk, agrees=agrees)

    change_terms(game_id=game.pk, by=carol, choices={"draws": "none", "movement_seconds": 7200})
    for name in (ALICE, BOB, FRITZ):
        says(name)
    change_terms(game_id=game.pk, by=carol, choices={"draws": "any"})
    withdraw_request(game_id=game.pk, by=carol, number=Asking.objects.latest("pk").pk)
    ask_for_earlier_deadline(
        game_id=game.pk, by=carol, until=clock.now() + timedelta(hours=2), reason="We are all here."
    )
    says(ALICE, agrees=False)
    ask_for_earlier_deadline(game_id=game.pk, by=carol, until=clock.now() + timedelta(hours=3))
    for name in (ALICE, BOB, FRITZ):
        says(name)
    game.refresh_from_db()
    proposer = occupancy_of(game, "AUSTRIA")
    propose_end(occupancy_id=proposer.pk, kind="concession", powers=["TURKEY"])
    take_back(occupancy_id=proposer.pk, number=game.proposals.get().number)
    resign(game_id=game.pk, user_id=person(BOB).pk)
    power = game.seats.exclude(occupancies__until__isnull=True).get().power
    seat_bot(game_id=game.pk, by=carol, power=power, level=Level.MEDIUM)
    moment.wait(hours=3)
    Story(game).deadline()
    return game


def a_game_that_is_not_full() -> Game:
    game = waiting_game(variant="three-way-balkan-battle", seats="random", roll_call_seconds=86_400, gm_plays=True)
    change_terms(game_id=game.pk, by=person(CAROL).pk, choices={"vacant_after": 3})
    for name in (ALICE, BOB, FRITZ):
        join_game(game_id=game.pk, user_id=person(name).pk)
    make_up_for_outage(since=clock.now())
    return game


def is_wordy(news: News) -> bool:
    """Is its line made of facts that are no words?"""
    return bool(news.words) or news in (REFUSED, WITHDRAWN, SEAT_LAPSED)


def test_every_line_says_what_it_said_when_its_words_were_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = Moment(monkeypatch)
    games = [a_game_that_is_corrected(), a_game_with_other_terms(moment), a_game_that_is_not_full()]
    wordy = {kind for kind, news in NEWS_BY_LINE.items() if is_wordy(news)}
    said = [NEWER.sub("", line) for game in games for line in lines_of(game, wordy)]
    assert said == BEFORE.read_text().splitlines()
    told = Event.objects.filter(kind__in=wordy)
    assert wordy - {*told.values_list("kind", flat=True)} == {
        *OF_PROPOSALS,
        *(kind.log for kind in (FINISHED, END_WITHDRAWN, HOLIDAY, ENDS_SOON)),
    }, "these say it elsewhere"
    facts = [fact for event in told for name, fact in event.facts.items() if name not in WRITTEN]
    assert [fact for fact in facts if says_something(fact)] == []


def test_a_roll_call_that_was_put_off_is_told_of_older_lines_too() -> None:
    game = a_game_that_is_not_full()
    facts = game.events.get(kind=RESTORED.log).facts
    tell(RESTORED, game, at=clock.now(), **{**facts, "what": "roll call"})
    newer, older = lines_of(game, {RESTORED.log})
    assert "The time to confirm was extended" in newer
    assert older == newer


def test_lines_that_are_made_of_no_facts_hold_codes_numbers_and_what_people_wrote() -> None:
    lines = [saying for saying in sayings() if saying.verb != "write_letters"]
    given = {name for saying in lines if not all(map(is_wordy, saying.news)) for name in saying.gives}
    assert given - ARGUMENTS == {"power", "turn", "seconds", "incident", "number", "now", "table", *WRITTEN}
