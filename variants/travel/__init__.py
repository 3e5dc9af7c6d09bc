"""Games that travel: written for other programs and for people, and read from files of other programs.

A form's module reads text into a `ToldGame`, which is only what the file says. `replaying` adjudicates it again and
makes a `PlayedGame` of it, which every form can write.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from variants.travel import dipcc, pypi, record, reports
from variants.travel.games import PlayedGame, ToldGame
from variants.travel.reading import WrongFile, documents
from variants.travel.replaying import Replayed, replayed

__all__ = [
    "FORMS",
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
    """`title` says what it is; `suffix` is that of a file; `read` is None if it is only for people."""

    title: str
    suffix: str
    write: Callable[[PlayedGame], str]
    read: Callable[[dict[str, Any], int], ToldGame] | None = None
    is_one: Callable[[dict[str, Any]], bool] | None = None


FORMS: Mapping[str, Form] = {
    "record": Form("The record of this site", "json", record.write, record.read, record.is_one),
    "pypi": Form("JSON lines of the Python package diplomacy", "jsonl", pypi.write, pypi.read, pypi.is_one),
    "dipcc": Form("JSON 1.0 of dipcc and Cicero", "json", dipcc.write, dipcc.read, dipcc.is_one),
    "text": Form("Plain text", "txt", reports.text),
    "markdown": Form("Markdown", "md", reports.markdown),
    "bbcode": Form("BBCode, for forums", "txt", reports.bbcode),
}
READABLE = tuple(name for name, form in FORMS.items() if form.read)


def read_games(text: str, form: str = "") -> list[ToldGame]:
    """All games in a file of this form, or of whichever it has. WrongFile."""
    return [_read(document, line, form) for line, document in documents(text)]


def _read(document: dict[str, Any], line: int, form: str) -> ToldGame:
    for name in [form] if form else READABLE:
        kind = FORMS[name]
        if kind.read and kind.is_one and kind.is_one(document):
            return kind.read(document, line)
    wanted = f"of the form “{form}”" if form else f"of a known form; known are {', '.join(READABLE)}"
    raise WrongFile(f"Line {line}", f"this is not a game {wanted}.")


def without_messages(text: str) -> str:
    """The same games in a file that has been read, without what their players wrote to each other. WrongFile."""
    games = [document for _, document in documents(text)]
    for game in games:
        for phase in game.get("phases", ()):
            phase.pop("messages", None)
    try:
        return "\n".join(map(json.dumps, games))
    except RecursionError as error:
        raise WrongFile("The file", "it is nested too deeply.") from error


def write_game(form: str, game: PlayedGame) -> str:
    """The game in one of FORMS."""
    return FORMS[form].write(game)
