"""What `./run` does once the environment is built."""

import argparse
import os
import shutil
import sys

from diplomacy_site.embedded import EmbeddedError, places, up
from diplomacy_site.embedded.stack import sole_use

LARGEST_PORT = 65535
LANGUAGES = ("en-gb", "xa")


def delete_local_data(arguments: list[str]) -> int:
    """Delete the local data; the next `./run` starts afresh."""
    if arguments:
        raise EmbeddedError("reset takes no arguments; it deletes the local data.")
    with sole_use(places.DATA) as is_alone:
        if not is_alone:
            raise EmbeddedError("the site is running. Stop it with Ctrl-C, then type ./run reset again.")
        for folder in (places.folder_of_sockets(places.DATA), places.folder_within_reach(places.DATA), places.DATA):
            shutil.rmtree(folder, ignore_errors=True)
    print("The local data has been deleted; ./run starts afresh.")
    return 0


def port_number(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"{text} is not a port; use a number from 1 to {LARGEST_PORT}")
    return int(text)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["reset"]:
        return delete_local_data(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="./run",
        usage="./run [--port PORT] [--host HOST] [--no-demo] [--language xa], or ./run test | check | maps | reset",
        description="Start the site on this machine, with its own PostgreSQL and Valkey.",
        allow_abbrev=False,
    )
    parser.add_argument("--port", type=port_number, default=8000, help="the port of the pages (8000)")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--no-demo", action="store_true", help="start without demo games and accounts")
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help="xa: accented English, for testing")
    options = parser.parse_args(arguments)
    os.environ["SITE_LANGUAGE"] = options.language
    return up.main(host=options.host, port=options.port, demonstration=not options.no_demo)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EmbeddedError as problem:
        sys.exit(f"run: {problem}")
    except KeyboardInterrupt:
        sys.exit("run: stopped")
