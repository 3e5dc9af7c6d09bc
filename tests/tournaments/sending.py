"""Forms of a page, filled in and sent as a browser does."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from http import HTTPStatus
from typing import Any

from tests.browsers import visitor


@dataclass
class Form:
    """`fields`: what is sent unless the reader changes it. `buttons`: the words of each, and what it adds."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: dict[str, dict[str, str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """The forms of a page, in turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._select = self._area = self._button = ""
        self._pressed: dict[str, str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given.get("action", "")))
        elif tag == "button":
            self._button, self._pressed = "", {given["name"]: given.get("value", "")} if "name" in given else {}
        elif tag == "select":
            self._select = given["name"]
        elif self.found:
            self._field(tag, given, self.found[-1].fields)

    def _field(self, tag: str, given: dict[str, str], fields: dict[str, list[str]]) -> None:
        name, kind = given.get("name", ""), given.get("type")
        if tag == "option" and self._select and ("selected" in given or self._select not in fields):
            fields[self._select] = [given["value"]]
        elif tag == "textarea":
            self._area, fields[name] = name, [""]
        elif tag == "input" and kind in ("checkbox", "radio"):
            if "checked" in given:
                fields.setdefault(name, []).append(given.get("value", "on"))
        elif tag == "input" and name and kind != "file":
            fields[name] = [given.get("value", "")]

    def handle_data(self, data: str) -> None:
        if self._pressed is not None:
            self._button += data
        if self._area:
            self.found[-1].fields[self._area][0] += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "button" and self._pressed is not None:
            self.found[-1].buttons[" ".join(self._button.split())] = self._pressed
            self._pressed = None
        elif tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""


class Reader:
    """A person at their browser."""

    def __init__(self, name: str) -> None:
        self.name, self.client = name, visitor(name)

    def sees(self, path: str) -> str:
        answer = self.client.get(path)
        assert answer.status_code == HTTPStatus.OK, (self.name, path, answer.status_code)
        return answer.content.decode()

    def sends(self, path: str, button: str, *, into: str = "", **changed: Any) -> str:
        """Press this button of the page, with these fields changed, and return the page that follows. `button`: the
        beginning of its words; `into`: where its form goes, where several have such a button."""
        forms = Forms(self.sees(path)).found
        wanted = [
            (form, pressed)
            for form in forms
            for words, pressed in form.buttons.items()
            if words.startswith(button) and into in ("", form.action)
        ]
        assert wanted, (self.name, path, button, [list(form.buttons) for form in forms])
        form, pressed = wanted[0]
        answer = self.client.post(form.action or path, {**form.fields, **pressed, **changed}, follow=True)
        shown: str = answer.content.decode()
        assert answer.redirect_chain, (self.name, path, button, mistakes(shown))
        assert "banner--error" not in shown, (self.name, path, button, mistakes(shown))
        return shown


def mistakes(page: str) -> list[str]:
    """The lines of a page about what was wrong with a form."""
    return [line.strip() for line in page.splitlines() if "wrong" in line or "mistake" in line or "error" in line]
