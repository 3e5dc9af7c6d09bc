"""Games that travel: written for other programs and for people, and read from files of other programs.

A form's module reads text into a `ToldGame`, which contains only what the file says. `replaying` adjudicates it again
and makes a `PlayedGame` of it, which every form can write.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from variants.travel import dipcc, pypi, record, reports, webdip
from variants.travel.games import PlayedGame, ToldGame
from variants.travel.reading import WrongFile, json_objects
from variants.travel.replaying import Replayed, replayed

__all__ = [
    "FORMS",
    "READERS",
    "Form",
    "PlayedGame",
    "Replayed",
    "ToldGame",
    "WrongFile",
    "read_games",
    "replayed",
    "without_messages",
    "write_game",
]


class Form(NamedTuple):
    """`title` is its name for people; `suffix` is that of a file."""

    title: str
    suffix: str
    write: Callable[[PlayedGame], str]


class FormReader(Protocol):
    """`is_game_of_form`: is this a game of the form? `read` raises WrongFile."""

    def is_game_of_form(self, document: dict[str, Any]) -> bool: ...
    def read(self, document: dict[str, Any], line: int) -> ToldGame: ...


FORMS: Mapping[str, Form] = {
    "record": Form("The record of this site", "json", record.write),
    "pypi": Form("JSON lines of the Python package diplomacy", "jsonl", pypi.write),
    "dipcc": Form("JSON 1.0 of dipcc and Cicero", "json", dipcc.write),
    "text": Form("Plain text", "txt", reports.text),
    "markdown": Form("Markdown", "md", reports.markdown),
    "bbcode": Form("BBCode, for forums", "txt", reports.bbcode),
}
READERS: Mapping[str, FormReader] = {"record": record, "pypi": pypi, "dipcc": dipcc, "webdip": webdip}


def read_games(text: str, form: str = "") -> list[ToldGame]:
    """All games in a file of this form, or of any form by default. Raises WrongFile."""
    return [_game_in(document, line, form) for line, document in json_objects(text)]


def _game_in(document: dict[str, Any], line: int, form: str) -> ToldGame:
    for name in [form] if form else READERS:
        if READERS[name].is_game_of_form(document):
            return READERS[name].read(document, line)
    description = f"of the form “{form}”" if form else f"of a known form; known are {', '.join(READERS)}"
    raise WrongFile(f"Line {line}", f"this is not a game {description}.")


def without_messages(text: str) -> str:
    """The file's text without the messages between its players. Raises WrongFile."""
    games = [document for _, document in json_objects(text)]
    for game in games:
        for phase in game.get("phases", ()):
            phase.pop("messages", None)
    try:
        return "\n".join(map(json.dumps, games))
    except RecursionError as error:
        raise WrongFile("The file", "it is nested too deeply.") from error


def write_game(form: str, game: PlayedGame) -> str:
    """The game as text in one of FORMS; raises ValueError for any other form."""
    if form not in FORMS:
        raise ValueError(f"No game is written as {form!r}; the forms are {', '.join(FORMS)}.")
    return FORMS[form].write(game)
