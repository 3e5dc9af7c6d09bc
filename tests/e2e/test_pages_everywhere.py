"""Every page for everyone, narrow and wide, light and dark: intact, accessible, and without dead links."""

from __future__ import annotations

import re
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urldefrag, urljoin, urlsplit

import axe_playwright_python
import pytest
from django.conf import settings as site
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from diplomacy_site.styleguide import COLOURS
from games.learning.lessons import BOARD, LESSONS, ORDER_FORMS
from games.mastering.services.desk import close_game
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.e2e.map import SETTLED
from tests.factories import running_game, waiting_game
from tests.secrecy.addresses import addresses
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import ConsoleMessage, Page, Request, Response, ViewportSize
    from pytest_django.fixtures import Settings

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


NARROW: ViewportSize = {"width": 390, "height": 844}
IN_BETWEEN: ViewportSize = {"width": 820, "height": 1180}
WIDE: ViewportSize = {"width": 1440, "height": 900}
"""Of all scripts and all styles there are, compressed: no page loads more."""
AXE = (resources.files(axe_playwright_python) / "axe.min.js").read_text(encoding="utf-8")
HOW = {
    "resultTypes": ["violations"],
    "preload": False,
    "rules": {"meta-refresh": {"enabled": False}},
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
}
"""A board in a frame of another site loads itself again, without scripts, as long as its game goes on."""
JUDGED = """async ([unread, how]) => {
    axe.configure({rules: [{id: "color-contrast", selector: `*:not(${unread})`}]});
    const stuck = [...document.querySelectorAll("body *:not(svg *)")].filter(
        (it) => getComputedStyle(it).position === "sticky");
    stuck.forEach((it) => { it.style.position = "static"; });
    const found = await axe.run(document, how);
    stuck.forEach((it) => { it.style.position = ""; });
    return found;
}"""
"""A bar that sticks to an edge covers what scrolls beneath it: that is no smaller for it, so bars don't stick here."""
DRAWN = "svg *"
"""The contrast of text in a drawing takes longest to judge and finds nothing."""
FRAME = ".site-head *, .site-foot *"
"""Judged on the first page of a tour: it has the same colours on all of them."""
OF_A_GAME = ("game", "orders", "history", "talk")
THEMED = re.compile(r"(?:\[data-theme=\"dark\"\]|:not\(\[data-theme=\"light\"\]\)) \{([^{}]*)\}")
ONE_WORD = "W" * 80
"""A game name of the greatest length, without a place to break it."""
FRAGMENTS = ("games:bell", "games:pulse", "games:outlook", "games:unread")


class Visit:
    """One user's tour of the pages, and everything that went wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wrong: list[str] = []
        self.links: set[str] = set()
        self.found: set[str] = set()
        self.frames: set[tuple[int, str | None]] = set()
        page.on("console", self._complained)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("response", self._answered)
        page.on("request", self._asked)

    def _complained(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status} {response.url}")

    def _asked(self, request: Request) -> None:
        here, there = urlsplit(self.page.url), urlsplit(request.url)
        if here.netloc and there.scheme in ("http", "https") and there.netloc != here.netloc:
            self.wrong.append(f"{request.url} is asked for, on another host")

    def to(self, path: str) -> list[str]:
        """Everything wrong with the page at this path, which is opened on a phone, in the dark, and then made wider.

        A theme changes colours only, and only by their names: the light ones are judged on the widest page."""
        self.wrong.clear()
        self.page.set_viewport_size(NARROW)
        self.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        answer = self.page.goto(path)
        if answer is not None and answer.ok:
            self.found.add(answer.url)
        wrong = [*self._dead_anchors(), *self._at_this_size()]
        for size in (IN_BETWEEN, WIDE):
            self.page.set_viewport_size(size)
            self.page.evaluate(SETTLED)
            wrong += self._overflow()
        wrong += self.shut_out("light")
        self.links |= set(self._hrefs())
        return [f"{path}: {sentence}" for sentence in (*self.wrong, *wrong)]

    def wrong_here(self) -> list[str]:
        return [*self.wrong, *self._dead_anchors(), *self._at_this_size()]

    def _at_this_size(self) -> list[str]:
        self.page.evaluate(AXE)
        return [*self._overflow(), *self.shut_out()]

    def _overflow(self) -> list[str]:
        width, window = self.page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        return [f"{width} pixels wide in a window of {window}"] if width > window else []

    def shut_out(self, scheme: Literal["light", "dark"] | None = None) -> list[str]:
        """What keeps some readers out, such as text that is hard to read; in this theme if one is named."""
        if scheme:
            self.page.emulate_media(color_scheme=scheme)
        frame = (width, _) = (self.page.evaluate("innerWidth"), scheme)
        unread = f"{DRAWN}, {FRAME}" if frame in self.frames else DRAWN
        self.frames.add(frame)
        found = self.page.evaluate(JUDGED, [unread, HOW])
        return [f"{width} wide, {scheme or 'as it is'}: {wrong}" for wrong in violations(found)]

    def _hrefs(self) -> list[str]:
        found = self.page.eval_on_selector_all("a[href]", "links => links.map(link => link.getAttribute('href'))")
        absolute = [urldefrag(urljoin(self.page.url, href)).url for href in found]
        return [href for href in absolute if href.startswith(urljoin(self.page.url, "/"))]

    def _dead_anchors(self) -> list[str]:
        dead = """links => links.map(link => link.getAttribute('href'))
            .filter(href => !document.getElementById(href.slice(1)))"""
        return [f"{href} leads nowhere" for href in self.page.eval_on_selector_all("a[href^='#']", dead)]

    def dead_links(self) -> list[str]:
        client = Client()
        client.cookies.load({cookie["name"]: cookie["value"] for cookie in self.page.context.cookies()})
        answers = {link: client.get(link, follow=True) for link in sorted(self.links - self.found)}
        for answer in answers.values():
            answer.close()  # a file stays open until then
        return [f"{answer.status_code} {link}" for link, answer in answers.items() if answer.status_code >= 400]


def violations(results: dict[str, Any]) -> list[str]:
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]


def played() -> Game:
    """A game with a closed phase full of orders and an open one."""
    game = running_game(name="Being played", gm_sees_bids=True, all_ready=True, gm_processes_early=True)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "A Ber S A Mun-Cze", "F Ham-Den", "2: A Aus S A Mun-Cze")
    story.order("ITALY", "A Mil-Swi", "1: A Aus S A Mil-Swi")
    story.deadline()
    story.order("BRITAIN", "F Lon-NTH", "1: A Bel H")
    return game


def game_over() -> Game:
    game = running_game(name="Over", open_bids_at_end=True)
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    Story(game).deadline()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    return game


def pages_of(name: str, game: Game) -> dict[str, str]:
    """Name -> path of every address with a page for this user ("" a stranger)."""
    client = Client()
    if name:
        client.force_login(person(name))
    found = {}
    for address, path in addresses(game).items():
        if address.startswith(("games:", "account_")) and address not in FRAGMENTS:
            answer = client.get(path)
            if answer.status_code == HTTPStatus.OK and answer["Content-Type"].startswith("text/html"):
                found[address] = path
    return found


def everything_wrong(visit: Visit, paths: Iterable[str]) -> str:
    return "\n".join([wrong for path in paths for wrong in visit.to(path)] + visit.dead_links())


def test_every_page_of_a_stranger_is_whole(browsers: Browsers) -> None:
    pages = pages_of("", played())
    assert {"games:home", "games:game", "games:phase", "account_login"} <= pages.keys()
    waiting, over = addresses(waiting_game(name=ONE_WORD)), addresses(game_over())
    paths = [*pages.values(), waiting["games:game"], over["games:game"], over["games:phase"]]
    assert everything_wrong(Visit(browsers.of()), paths) == ""


def test_every_page_of_a_player_is_whole(browsers: Browsers) -> None:
    game = played()
    pages = pages_of(PLAYERS[0], game)
    assert {"games:orders", "games:create", "games:profile"} <= pages.keys()
    waiting = addresses(waiting_game(name=ONE_WORD))
    paths = {*pages.values()} - {*pages_of("", game).values()}
    paths |= {pages["games:game"], pages["games:phase"], waiting["games:terms"]}
    assert everything_wrong(Visit(browsers.of(PLAYERS[0])), sorted(paths)) == ""


def test_the_pages_of_phases_that_only_some_variants_have_are_whole(browsers: Browsers) -> None:
    declared = running_game(name="Declared", variant="formal-diplomacy")
    Story(declared).order("FRANCE", "DECLARE WAR GERMANY", "DECLARE ALLIANCE ITALY")
    Story(declared).deadline()
    open_ones = [
        running_game(name="Formal", variant="formal-diplomacy"),
        running_game(name="Empire", variant="collapse-of-the-dual-empire", players=PLAYERS[:6]),
        running_game(name="Balkan", variant="three-way-balkan-battle", players=PLAYERS[:3]),
    ]
    paths = [addresses(game)["games:orders"] for game in open_ones]
    paths += [addresses(declared)[name] for name in ("games:game", "games:phase", "games:orders")]
    visit = Visit(browsers.of(PLAYERS[0]))
    assert "\n".join(wrong for path in paths for wrong in visit.to(path)) == ""


def test_every_page_of_a_game_master_is_whole(browsers: Browsers) -> None:
    game = played()
    pages = pages_of(CAROL, game)
    assert {"games:gm", "games:close", "games:disorder"} <= pages.keys()
    waiting = addresses(waiting_game(name=ONE_WORD, by_invitation=True))
    paths = {*pages.values()} - {*pages_of(DAVE, game).values()}
    paths |= {pages["games:game"], waiting["games:game"], waiting["games:gm"]}
    visit = Visit(browsers.of(CAROL))
    assert everything_wrong(visit, sorted(paths)) == ""
    visit.page.goto(pages["games:gm"])
    with visit.page.expect_navigation():
        visit.page.get_by_role("button", name="Spring 1926").click()
    expect(visit.page.get_by_text("This has been recorded in the public log.")).to_be_visible()
    assert visit.wrong_here() == []


def test_every_page_of_the_tutorial_is_whole(browsers: Browsers) -> None:
    steps = [f"/learn/{lesson.slug}/" for lesson in LESSONS]
    start = ["/learn/", "/glossary/", f"/variants/{BOARD}/"]
    answers = ["?use=text&text=A+Oak-Hil%0AF+Wes-WBY", "?use=text&text=A+Oak-Hil", "?use=text&text=A+Oak-Paris"]
    forms = [f"/learn/orders/{form.slug}/" for form in ORDER_FORMS]
    paths = [*start, *steps, *(f"/learn/move/{answer}" for answer in answers), *forms]
    assert everything_wrong(Visit(browsers.of()), paths) == ""


def test_the_first_page_is_whole_without_games_and_so_are_the_pages_of_errors(browsers: Browsers) -> None:
    visit = Visit(browsers.of())
    assert visit.to("/") == []
    for path in ("/nothing/", "/games/?show=finished"):
        visit.page.goto(path)
        assert [wrong for wrong in visit.wrong_here() if "404" not in wrong] == []


def test_the_style_guide_is_whole_and_shows_every_colour(browsers: Browsers, settings: Settings) -> None:
    settings.DEBUG = True
    visit = Visit(browsers.of())
    assert visit.to("/styleguide/") == []
    for size in (NARROW, WIDE):
        visit.page.set_viewport_size(size)
        assert [*visit.shut_out("light"), *visit.shut_out("dark")] == []
    tokens = Path(str(finders.find("css/00-tokens.css"))).read_text(encoding="utf-8")
    named = set(re.findall(r"--([\w-]+): #[0-9a-f]{6};", tokens))
    assert {name for names in COLOURS.values() for name in names} == named - {"sea-wash"}


def test_where_colours_are_forced_what_is_chosen_is_seen(browsers: Browsers) -> None:
    page = browsers.of(PLAYERS[0], forced_colors="active")
    page.goto("/new-game/")
    ground = "(place) => getComputedStyle(place).backgroundColor"
    chosen, other = [page.locator(f".pick input{which} + span").first for which in (":checked", ":not(:checked)")]
    assert chosen.evaluate(ground) != other.evaluate(ground)
    line = "(link) => getComputedStyle(link).borderBottomColor"
    here, elsewhere = [page.locator(f".nav a{which}").first for which in ("[aria-current]", ":not([aria-current])")]
    assert here.evaluate(line) != elsewhere.evaluate(line)


def test_on_a_phone_the_longest_name_stays_on_the_page(browsers: Browsers) -> None:
    page = browsers.of("w" * 40, viewport=NARROW)
    page.goto("/seats/")
    brand = page.locator(".brand").bounding_box()
    account = page.get_by_role("navigation", name="Account").bounding_box()
    assert brand
    assert account
    assert account["y"] <= brand["y"] + brand["height"]
    assert account["x"] + account["width"] <= NARROW["width"]


def test_paper_shows_neither_the_head_and_foot_of_a_page_nor_what_is_folded(browsers: Browsers) -> None:
    page = browsers.of()
    page.emulate_media(media="print")
    for path in ("/check-us/", "/learn/move/"):
        page.goto(path)
        expect(page.locator("main h1")).to_be_visible()
        for part in page.locator(".site-head, .site-foot, details:not([open])").all():
            expect(part).to_be_hidden()


def test_a_theme_changes_colours_only() -> None:
    sheets = [path.read_text(encoding="utf-8") for path in (site.BASE_DIR / "static" / "css").rglob("*.css")]
    themed = [block for sheet in sheets for block in THEMED.findall(sheet)]
    asked = sum(sheet.count("prefers-color-scheme") + sheet.count('[data-theme="dark"]') for sheet in sheets)
    assert len(themed) == asked > 0
    set_there = {line.split(":")[0].strip() for block in themed for line in block.split(";") if line.strip()}
    assert [name for name in set_there if not name.startswith("--") and name != "color-scheme"] == []


def test_no_page_of_a_player_is_wider_than_a_phone_where_text_is_twice_as_large(browsers: Browsers) -> None:
    game = played()
    Story(game).order("GERMANY", "2: A Bel H")
    for who, names in ((PLAYERS[2], (*OF_A_GAME, "home", "lobby", "play", "create")), (PLAYERS[0], OF_A_GAME)):
        page = browsers.of(who, viewport=NARROW)
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        for name in names:
            page.goto(reverse(f"games:{name}", kwargs={"slug": game.slug} if name in OF_A_GAME else {}))
            page.evaluate(SETTLED)
            assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
            assert page.evaluate("document.scrollingElement.scrollWidth") == NARROW["width"], (who, name)
