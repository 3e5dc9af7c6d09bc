"""The three engines that people's browsers are made of, driven with the standard library alone.

WebKit and Chromium take WebDriver's commands over HTTP, Firefox the same commands over a socket called Marionette.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

PATIENCE_SECONDS = 30
LOST_SECONDS = 5
"""A script that has not answered by then is of a page that has gone."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""chromedriver drives no headless one."""
ENGINES = ("chromium", "firefox", "webkit")
NEEDED = {
    "chromium": (("chromedriver",), "chromium chromium-driver"),
    "firefox": (("firefox-esr",), "firefox-esr"),
    "webkit": (("WebKitWebDriver", "Xvfb"), "webkit2gtk-driver xvfb"),
}
"""Programs, and the Debian packages that bring them."""

MINI_BROWSER = "webkit2gtk-4.*/MiniBrowser"
FIREFOX_SETTINGS = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.disable_beforeunload": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "services.settings.server": "data:,#",
    "toolkit.telemetry.enabled": False,
}
"""Port 0: it chooses one. The rest keeps it from asking the network and people."""

PUT_NARROW = """
const browser = gBrowser.selectedBrowser;
browser.style.minWidth = "0";
browser.style.maxWidth = `${arguments[0]}px`;
"""


class Refused(Exception):
    """What a browser would not do, in its words."""


class Command(NamedTuple):
    """One command as both protocols call it."""

    name: str
    path: str
    method: str = "POST"


BEGIN = Command("NewSession", "")
GO = Command("Navigate", "url")
RELOAD = Command("Refresh", "refresh")
RUN = Command("ExecuteScript", "execute/sync")
RUN_LONG = Command("ExecuteAsyncScript", "execute/async")
ACT = Command("PerformActions", "actions")
ADD_COOKIE = Command("AddCookie", "cookie")
FORGET_COOKIES = Command("DeleteAllCookies", "cookie", "DELETE")
RESIZE = Command("SetWindowRect", "window/rect")
LIMIT = Command("SetTimeouts", "timeouts")
TAKE_PICTURE = Command("TakeScreenshot", "screenshot", "GET")


class Wire(Protocol):
    """How commands get to a browser."""

    def send(self, command: Command, **arguments: Any) -> Any:
        """The browser's answer; Refused if it declines."""


class WebDriver:
    """As WebKitWebDriver and chromedriver serve it."""

    def __init__(self, port: int) -> None:
        self.session = f"http://127.0.0.1:{port}/session"

    def send(self, command: Command, **arguments: Any) -> Any:
        body = json.dumps(arguments).encode() if command.method == "POST" else None
        address = f"{self.session}/{command.path}".rstrip("/")
        headers = {"Content-Type": "application/json"}
        request = Request(address, data=body, method=command.method, headers=headers)  # noqa: S310 - our own
        try:
            with urlopen(request, timeout=2 * PATIENCE_SECONDS) as answer:  # noqa: S310
                value = json.load(answer)["value"]
        except HTTPError as refused:
            raise Refused(refused.read().decode()[:600]) from None
        if command is BEGIN:
            self.session += f"/{value['sessionId']}"
        return value


class Marionette:
    """Firefox's own: a message is its length, a colon, and JSON."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE_SECONDS)
        self.heard = self.line.makefile("rb")
        self.count = 0
        self.read()

    def send(self, command: Command, **arguments: Any) -> Any:
        return self.ask(f"WebDriver:{command.name}", arguments)

    def ask(self, name: str, arguments: dict[str, Any]) -> Any:
        self.count += 1
        message = json.dumps([0, self.count, name, arguments]).encode()
        self.line.sendall(b"%d:%b" % (len(message), message))
        _, _, refused, answer = self.read()
        if refused:
            raise Refused(f"{refused['error']}: {refused['message']}"[:600])
        return answer.get("value", answer) if isinstance(answer, dict) else answer

    def read(self) -> Any:
        length = b""
        while (byte := self.heard.read(1)) != b":":
            if not byte:
                raise Refused("Firefox has hung up.")
            length += byte
        return json.loads(self.heard.read(int(length)))

    def close(self) -> None:
        self.heard.close()
        self.line.close()

    def narrow(self, width: int) -> None:
        """Its windows are at least 500 pixels wide, but what is in them need not be."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        self.send(RUN, script=PUT_NARROW, args=[width])
        self.ask("Marionette:SetContext", {"value": "content"})


class Engine:
    """One browser with one page."""

    def __init__(self, name: str, wire: Wire, screen: str | None = None) -> None:
        self.name = name
        self.wire = wire
        self.screen = screen

    def go(self, address: str) -> None:
        self.wire.send(GO, url=address)

    def reload(self) -> None:
        self.wire.send(RELOAD)

    def run(self, body: str, *arguments: Any) -> Any:
        """What this function's body returns; what a promise in it comes to."""
        script = (
            "const [told, ...given] = [arguments[arguments.length - 1], ...arguments];"
            f"(async function () {{ {body} }})(...given).then(told, (trouble) => told(`Trouble: ${{trouble.stack}}`));"
        )
        answer = self.wire.send(RUN_LONG, script=script, args=list(arguments))
        assert not str(answer).startswith("Trouble: "), answer
        return answer

    def until(self, body: str, *arguments: Any) -> Any:
        """What this function's body returns as soon as that is true."""
        end = time.monotonic() + PATIENCE_SECONDS
        self.wire.send(LIMIT, script=1_000 * LOST_SECONDS)
        while not (value := self.asked(body, *arguments)):
            assert time.monotonic() < end, f"{self.name} never sees {body}"
            threading.Event().wait(0.03)
        self.wire.send(LIMIT, script=1_000 * PATIENCE_SECONDS)
        return value

    def asked(self, body: str, *arguments: Any) -> Any:
        """As `run`; None if the page went while it was asked."""
        try:
            return self.run(body, *arguments)
        except Refused as told:
            if "timeout" in str(told) or "navigat" in str(told):
                return None
            raise

    def resize(self, width: int, height: int) -> None:
        """Give the page this size, whatever the browser's frame takes."""
        if isinstance(self.wire, Marionette):
            self.wire.narrow(width)
        frame_width, frame_height = 0, 0
        inner_width, inner_height = 0, 0
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            self.wire.send(RESIZE, width=width + frame_width, height=height + frame_height)
            self.run("await new Promise(done => setTimeout(done, 100))")
            sizes = self.run("return [innerWidth, innerHeight, outerWidth - innerWidth, outerHeight - innerHeight]")
            inner_width, inner_height, frame_width, frame_height = sizes
            if (inner_width, inner_height) == (width, height):
                return
        raise Refused(f"{self.name} makes the page {inner_width} × {inner_height}.")

    def sign_in(self, client: Client) -> None:
        """As this client of Django's, and nobody else; on a page of the site."""
        self.wire.send(FORGET_COOKIES)
        self.run("localStorage.clear()")
        for name, morsel in client.cookies.items():
            self.wire.send(ADD_COOKIE, cookie={"name": name, "value": morsel.value, "path": "/"})

    def act(self, *steps: dict[str, Any]) -> None:
        """What a pointer does, step by step."""
        mouse = {"type": "pointer", "id": "hand", "parameters": {"pointerType": "mouse"}, "actions": list(steps)}
        self.wire.send(ACT, actions=[mouse])

    def tap(self, x: float, y: float) -> None:
        self.act(move_to(x, y), PRESS, RELEASE)

    def press(self, selector: str) -> None:
        """Tap the middle of this part of the page, which is in sight."""
        self.tap(*self.run(MIDDLE_OF, selector))

    def picture(self) -> str:
        """The page as PNG, in base 64. WebKit without layers never answers."""
        return str(self.wire.send(TAKE_PICTURE))

    def drag(self, *points: tuple[float, float]) -> None:
        first, *others = points
        self.act(move_to(*first), PRESS, *(move_to(*point, milliseconds=60) for point in others), RELEASE)


PRESS = {"type": "pointerDown", "button": 0}
RELEASE = {"type": "pointerUp", "button": 0}
MIDDLE_OF = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""


def move_to(x: float, y: float, *, milliseconds: int = 0) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": milliseconds}


@contextmanager
def opened(name: str, *, composited: bool = False) -> Iterator[Engine]:
    """A fresh browser; `composited`: WebKit draws as it does with a graphics card, in layers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        if name == "webkit":
            screen = stack.enter_context(virtual_screen())
            wire = webkit(stack, folder, screen, composited=composited)
            yield Engine(name, wire, screen)
        else:
            yield Engine(name, {"firefox": firefox, "chromium": chromium}[name](stack, folder))


def webkit(stack: ExitStack, folder: Path, screen: str, *, composited: bool) -> Wire:
    port = free_port()
    drawing = {} if composited else {"WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
    unguarded = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    start(stack, folder, "WebKitWebDriver", f"--port={port}", DISPLAY=screen, **unguarded, **drawing)
    wire = WebDriver(awaited(port))
    browser = next(str(path) for path in sorted(Path("/usr").glob(f"lib*/*/{MINI_BROWSER}"), reverse=True))
    # Only on the whole screen may its window be as narrow as a phone.
    options = {"binary": browser, "args": ["--automation", "--full-screen"]}
    wire.send(BEGIN, **wanted({"webkitgtk:browserOptions": options}))
    return wire


def chromium(stack: ExitStack, folder: Path) -> Wire:
    port = free_port()
    start(stack, folder, "chromedriver", f"--port={port}")
    wire = WebDriver(awaited(port))
    switches = ["--headless", "--no-sandbox", "--disable-background-networking", "--disable-gpu"]
    options = {"binary": CHROMIUM, "args": [*switches, f"--user-data-dir={folder / 'profile'}"]}
    wire.send(BEGIN, **wanted({"goog:chromeOptions": options}))
    return wire


def firefox(stack: ExitStack, folder: Path) -> Wire:
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in FIREFOX_SETTINGS.items()]
    (folder / "user.js").write_text("".join(lines))
    switches = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
    start(stack, folder, "firefox-esr", *switches, "--profile", str(folder))
    told = folder / "MarionetteActivePort"
    end = time.monotonic() + PATIENCE_SECONDS
    while not (told.exists() and told.read_text()):
        assert time.monotonic() < end, "Firefox does not start"
        threading.Event().wait(0.05)
    port = int(told.read_text())
    wire = Marionette(awaited(port))
    stack.callback(wire.close)
    wire.send(BEGIN, **wanted({}))
    return wire


def wanted(options: dict[str, Any]) -> dict[str, Any]:
    return {"capabilities": {"alwaysMatch": {"unhandledPromptBehavior": "accept", **options}}}


@contextmanager
def virtual_screen() -> Iterator[str]:
    """A display that nobody sees."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        screen.terminate()
        screen.wait()


def start(stack: ExitStack, folder: Path, *command: str, **more: str) -> None:
    """Run this until the stack is closed, with all that it starts itself."""
    program = subprocess.Popen(
        command,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder), **more},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    def end() -> None:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()

    stack.callback(end)


def awaited(port: int) -> int:
    """This port, as soon as somebody listens there."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < end, f"nobody listens at {port}"
            threading.Event().wait(0.03)
        else:
            return port


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def lacking(engine: str) -> str:
    """What to install to drive this engine, or nothing."""
    programs, packages = NEEDED[engine]
    has_all = all(map(shutil.which, programs)) and (engine != "chromium" or CHROMIUM)
    return "" if has_all else packages
