"""Every kind of news is declared once, made by a service, and has words wherever it is told."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

import games
from games.deadlines.timing import tell_of_clock
from games.delivery.inbox import notice_page
from games.delivery.letters import deliver_letters
from games.kernel import clock, codec
from games.kernel import news as declared
from games.kernel.models import Event, Letter
from games.kernel.news import NEWS_BY_LETTER, NEWS_BY_LINE, News, Topic, tell, write_letters
from games.news.log import newest_lines_of, public_news_of
from games.news.outboxes import OUTBOXES
from games.seating.news import SEAT_TO_FILL
from tests.cast import PLAYERS, person
from tests.factories import open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

VERBS = {verb.__name__ for verb in (tell, tell_of_clock, write_letters)}

FILLED_IN = {"who": "by", "length": "seconds"}
"""Facts that log lines get under other names; {who} is the site if no one did it."""


@dataclass(frozen=True)
class Saying:
    """A call in a service that says what has happened: the kinds it may be, and what else it passes."""

    place: str
    verb: str
    news: list[News]
    gives: set[str | None]

    @property
    def writes_letters(self) -> bool:
        return self.verb != "tell" or "to" in self.gives


def modules() -> Iterator[tuple[str, str]]:
    """The name and the source of every module of games."""
    for path in Path(games.__file__).parent.rglob("*.py"):
        place = path.relative_to(Path(games.__file__).parents[1]).with_suffix("")
        yield ".".join(place.parts), path.read_text()


def sayings() -> Iterator[Saying]:
    for place, source in modules():
        if any(f"{verb}(" in source for verb in VERBS):
            for function in ast.walk(ast.parse(source)):
                if isinstance(function, ast.FunctionDef):
                    yield from _said_in(function, place)


def _said_in(function: ast.FunctionDef, place: str) -> Iterator[Saying]:
    nodes, known = list(ast.walk(function)), vars(import_module(place))
    given = {ast.unparse(it.targets[0]): it.value for it in nodes if isinstance(it, ast.Assign)}
    for call in nodes:
        verb = ast.unparse(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
        if isinstance(call, ast.Call) and verb in VERBS:
            what = given.get(ast.unparse(call.args[0]), call.args[0])
            either = [what.body, what.orelse] if isinstance(what, ast.IfExp) else [what]
            news = [found for one in either if (found := _found(one, known)) is not None]
            yield Saying(place, verb, news, {word.arg for word in call.keywords})


def _found(one: ast.expr, known: dict[str, Any]) -> News | None:
    """The kind of this name; None if the service was given it by another."""
    module, _, name = ast.unparse(one).rpartition(".")
    found = getattr(known[module], name) if module else known.get(name)
    return found if isinstance(found, News) else None


def unmade() -> list[str]:
    """The kinds that no service creates."""
    said = list(sayings())
    lines = {news.log for one in said if one.verb != "write_letters" for news in one.news}
    letters = {news.letter for one in said if one.writes_letters for news in one.news}
    return [*(declared.NEWS_BY_LINE.keys() - lines), *(declared.NEWS_BY_LETTER.keys() - letters)]


def test_a_service_makes_every_kind_that_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unmade() == []
    for registry in ("NEWS_BY_LINE", "NEWS_BY_LETTER"):
        monkeypatch.setattr(declared, registry, dict(getattr(declared, registry)))
    News(log="never made", letter="never written")
    assert unmade() == ["never made", "never written"]


def test_every_service_gives_what_the_line_of_the_log_names() -> None:
    """Also what is made of other facts, if only as "": a process of version 0.2.0 fills in the line."""
    for saying in sayings():
        for news in saying.news if saying.verb != "write_letters" else ():
            named = {FILLED_IN.get(name, name) for _, name, _, _ in Formatter().parse(str(news.line)) if name}
            assert named - {"by"} <= saying.gives, f"{saying.place}: {news.log}"


def test_what_moves_the_clock_is_what_the_letter_about_the_clock_repeats() -> None:
    moved = {news.log for saying in sayings() if saying.verb == "tell_of_clock" for news in saying.news}
    assert moved == {kind for kind, news in NEWS_BY_LINE.items() if news.topic == Topic.TIMETABLE}


def test_every_kind_with_words_is_declared_beside_them() -> None:
    for words in Path(games.__file__).parent.glob("*/news.toml"):
        declared_there = vars(import_module(f"games.{words.parent.name}.news"))
        assert {name for name, it in declared_there.items() if isinstance(it, News)} >= tomllib.loads(
            words.read_text()
        ).keys()


def test_two_kinds_cannot_be_kept_as_the_same() -> None:
    with pytest.raises(ValueError, match="'started'"):
        News(log="started")
    with pytest.raises(ValueError, match="'new phase'"):
        News(letter="new phase")


def test_nothing_else_writes_lines_and_letters() -> None:
    """This ensures that everything stored has been declared."""
    creation = re.compile(r"(?<!class )\b(Event|Letter)(?:\.objects\.\w*create)?\(")
    found = {
        place
        for place, source in modules()
        for name in creation.findall(source)
        if vars(import_module(place)).get(name) in {Event, Letter}
    }
    assert found == {tell.__module__}


def test_every_topic_that_people_choose_about_has_news() -> None:
    topics = {news.topic for news in NEWS_BY_LETTER.values()} | {getattr(box, "topic", None) for box in OUTBOXES}
    assert topics - {None} == set(Topic)


@pytest.mark.django_db
def test_every_kind_of_letter_can_be_written_sent_and_shown() -> None:
    game, now = running_game(), clock.now()
    alice = person(PLAYERS[0])
    Story(game).deadline()
    deliver_letters()
    game.letters.all().delete()
    mail.outbox.clear()
    for news in NEWS_BY_LETTER.values():
        write_letters(news, game, [alice.pk], about="this", at=now)
    deliver_letters()
    overtaken = {news.letter for news in NEWS_BY_LETTER.values() if news.before_start} | {SEAT_TO_FILL.letter}
    assert sorted(letter.kind for letter in game.letters.exclude(sent=None)) == sorted(
        NEWS_BY_LETTER.keys() - overtaken
    )
    silent = [letter.subject for letter in mail.outbox if not letter.body.startswith("Locarno: ")]
    assert silent == ["Locarno: the game is over"], "it has no verdict yet"
    for letter in mail.outbox:
        assert letter.subject.removeprefix("Locarno: ") not in {"", letter.subject}
        assert "{" not in f"{letter.subject} {letter.body}"
    assert {line.sentence for line in notice_page(alice).lines} == {
        news.notice for key, news in NEWS_BY_LETTER.items() if key not in overtaken
    }


@pytest.mark.django_db
def test_every_kind_of_line_can_be_read_in_the_log_and_the_feed() -> None:
    game, now = running_game(), clock.now()
    facts: dict[str, Any] = {"turn": open_phase(game).turn, "seconds": 60, "power": "ITALY", "powers": "ITALY"}
    facts |= {"level": "easy", "kind": "draw", "phases": 2}
    already, told = game.events.count(), len(public_news_of(game))
    for news in NEWS_BY_LINE.values():
        named = {name: "these words" for _, name, _, _ in Formatter().parse(str(news.line)) if name}
        tell(news, game, at=now, by=game.gm_id, **{**named, **facts})
    events = newest_lines_of(game, codec.variant_of(game))
    assert len(events) == already + len(NEWS_BY_LINE)
    assert not [event for event in events if "{" in event.sentence or not event.sentence]
    assert len(public_news_of(game)) == told + sum(news.to_the_world for news in NEWS_BY_LINE.values())


def test_the_api_says_which_kinds_of_lines_there_are() -> None:
    schema = Client().get(reverse("api:schema"), {"format": "json"}).json()
    assert schema["components"]["schemas"]["Event"]["properties"]["kind"]["enum"] == sorted(NEWS_BY_LINE)
