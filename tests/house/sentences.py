"""Every sentence of the project: `python -m tests.house.sentences [FOLDER] [--against FOLDER] [--pages] [--odd]`.

Prints each with its file and line, and counts them. `--against` leaves out those that the other folder has too,
`--pages` leaves out docstrings, comments and tests, and `--odd` prints only sentences with a turn of phrase from `ODD`.
"""

import ast
import io
import re
import sys
import tokenize
from argparse import ArgumentParser
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDERS = ("adjudication", "diplomacy_site", "games", "static/js", "templates", "tests", "variants")
LEFT_OUT = ("migrations", "__pycache__", "/base/", "static/js/vendor", "tests/house/test_sentences.py")
ENDS = re.compile(r"(?<=[.!?])[”\"')*]*\s+(?=[A-Z“\"'`*(…])")
LOGIC = re.compile(r"{#.*?#}|{%\s*comment.*?endcomment\s*%}|{%.*?%}", re.DOTALL)
SHOWN = re.compile(r"{{.*?}}", re.DOTALL)
JS_WORDS = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'|`([^`]+)`|//\s*(.+)|/\*\*?(.+?)\*/", re.DOTALL)
INLINE = {"a", "b", "i", "em", "strong", "code", "span", "abbr", "time", "kbd", "small", "input"}
READ_ALOUD = {"title", "aria-label", "placeholder", "alt", "data-tap", "data-confirm"}
WORD = re.compile(r"[A-Za-z][a-z]+")
WHO = r"(?:who|whom|whoever|whomever)"
LINKS = r"(?:[;:.]|\b(?:and|but|or|that|when|for|to|by|from|what|if))"
DOES = r"(?:has|had|is|was|does|did|must|may|can|saves|sits|wants)"
PAPERS = r"(?:log|page|list|letter|email|table|file|text|README)"
ODD = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^[^\w{{,]*{WHO}\b(?![^?]*\?)",
        rf"{LINKS} {WHO} {DOES}\b(?![^?]*\?)",
        r"\bwho(?:m)?ever\b",
        rf"\bstands? (?:in|on|here|there|below|above|beside)\b(?=.*\b{PAPERS}\b)",
        r"\bno more letters\b",
        r"\bnot so any more\b",
        r"\bhas had no leave\b",
        r"\b(?:he|his|him|himself)\b",
        r"\balso (?:not|when|where|if)\b",
        r"\b(?:that|this|these|those) were many\b",
        r"\b1 times\b",
        r"\be-mails?\b",
    )
]


class Sentence(NamedTuple):
    """`shown`: on a page, in an email or at a terminal; otherwise in a docstring, a comment or a test."""

    file: str
    line: int
    text: str
    shown: bool


def sentences(root: Path = ROOT) -> list[Sentence]:
    files = [*root.glob("*.md"), *(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file())]
    return [
        Sentence(name, line, text, shown and not name.startswith("tests/"))
        for path in sorted(files)
        for name in [path.relative_to(root).as_posix()]
        if path.suffix in READERS and not any(part in name for part in LEFT_OUT)
        for line, passage, shown in READERS[path.suffix](path.read_text(encoding="utf-8"))
        for text in ENDS.split(" ".join(passage.split()))
        if len(WORD.findall(text)) > 1
    ]


def is_odd(text: str) -> bool:
    return bool(oddities(text))


def oddities(text: str) -> list[str]:
    """The words of each odd turn of phrase."""
    return [found.group().strip() for pattern in ODD if (found := pattern.search(text))]


Passages = Iterator[tuple[int, str, bool]]


def in_python(source: str) -> Passages:
    """Strings with at least two words; an f-string has … in place of its values."""
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values), True
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            for offset, passage in paragraphs(node.value):
                yield node.lineno + offset, passage, id(node) not in docstrings
    yield from comments(source)


def comments(source: str) -> Passages:
    """Comments on neighbouring lines count as one."""
    first, last, said = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield first, said, False
                first, said = token.start[0], ""
            last, said = token.start[0], f"{said} {token.string.lstrip('# ')}"
    yield first, said, False


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Split at empty lines, list items and table rows, each with the number of lines before it."""
    line = 0
    for passage in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.)\s)|\|)", text):
        yield line, passage
        line += passage.count("\n")


def in_words(source: str) -> Passages:
    without_code = re.sub(r"```.*?```", lambda found: "\n" * found[0].count("\n"), source, flags=re.DOTALL)
    for line, passage in paragraphs(without_code):
        yield line + 1, passage, True


def in_toml(source: str) -> Passages:
    for number, line in enumerate(source.splitlines(), 1):
        for words in re.findall(r"\"([^\"]+)\"", line):
            yield number, words, True


def in_script(source: str) -> Passages:
    for found in JS_WORDS.finditer(source):
        *said, remark, doc = found.groups()
        words = next((word for word in said if word), "")
        yield source.count("\n", 0, found.start()) + 1, words or remark or (doc or "").replace("*", ""), bool(words)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.passages = [(1, "", True)]
        self.silent = 0

    def part(self) -> None:
        self.passages.append((self.getpos()[0], "", True))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in {"script", "style"}
        read = [(self.getpos()[0], value, True) for name, value in attrs if name in READ_ALOUD and value]
        self.passages[-1:-1] = read
        if tag not in INLINE:
            self.part()

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in {"script", "style"}
        if tag not in INLINE:
            self.part()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            line, passage, shown = self.passages[-1]
            self.passages[-1] = (line, passage + data, shown)


def in_template(source: str) -> Passages:
    page = Page()
    lines = LOGIC.sub(lambda found: "\n" * found[0].count("\n"), source)
    page.feed(SHOWN.sub("…", lines))
    page.close()
    yield from page.passages


READERS = {
    ".py": in_python,
    ".html": in_template,
    ".txt": in_template,
    ".md": in_words,
    ".toml": in_toml,
    ".js": in_script,
}


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--odd", action="store_true")
    chosen = parser.parse_args()
    before = {each.text for each in sentences(chosen.against)} if chosen.against else set()
    all_of_them = [each for each in sentences(chosen.folder) if each.shown or not chosen.pages]
    told = [each for each in all_of_them if each.text not in before and (not chosen.odd or is_odd(each.text))]
    for each in told:
        sys.stdout.write(f"{each.file}:{each.line}: {each.text}\n")
    sys.stdout.write(f"\n{len(told)} of {len(all_of_them)} sentences\n")


if __name__ == "__main__":
    main()
