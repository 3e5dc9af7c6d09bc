"""What `./run` does once the environment is built."""

import argparse
import sys
from collections.abc import Callable

from diplomacy_site.embedded import check, reset, testing, up
from diplomacy_site.embedded.errors import EmbeddedError

LARGEST_PORT = 65535


COMMANDS: dict[str, Callable[[list[str]], int]] = {"test": testing.main, "check": check.main, "reset": reset.main}


def port_number(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"{text} is not a port; use a number from 1 to {LARGEST_PORT}")
    return int(text)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="./run",
        usage="./run [--port PORT] [--host HOST] [--no-demo], or ./run test | check | maps | reset",
        description="Start the site on this machine, with its own PostgreSQL and Valkey.",
        allow_abbrev=False,
    )
    made.add_argument("--port", type=port_number, default=8000, help="the port of the pages (8000)")
    made.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    made.add_argument("--no-demo", action="store_true", help="start without demo games and accounts")
    return made


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        return COMMANDS[arguments[0]](arguments[1:])
    options = parser().parse_args(arguments)
    return up.main(host=options.host, port=options.port, demonstration=not options.no_demo)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EmbeddedError as problem:
        sys.exit(f"run: {problem}")
    except KeyboardInterrupt:
        sys.exit("run: stopped")
