"""A league from a spreadsheet: makes a tournament, invites the people of a CSV file, and seats its round. Standard
library only.

    export TOKEN=dip_…
    python league.py https://example.org make people.csv "Club league" 1926    prints the name in addresses
    python league.py https://example.org call club-league-1a2b3c4d            asks everyone to check in
    python league.py https://example.org seat club-league-1a2b3c4d            once the check-in is over
    python league.py https://example.org standings club-league-1a2b3c4d

The file has a line for each person: name, address and, if you like, favourite powers. Everyone on it gets an email. The
token needs the scope “master”.
"""

import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, ACT, *GIVEN = sys.argv[1:]
HEADERS = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
ENTRY, CHECK_IN, PAUSE_SECONDS = timedelta(days=7), timedelta(days=2), 1


def call(method, path, **sent):
    """What the API answers; a refusal says why, and ends the program."""
    body = json.dumps(sent).encode() if method != "GET" else None
    try:
        with urlopen(Request(f"{SITE}/api/v1/tournaments/{path}", body, HEADERS, method=method)) as answer:
            return json.load(answer)
    except HTTPError as refused:
        sys.exit(refused.read().decode())


def make(file, name, variant):
    """A published tournament of one round, to which everyone in the file is invited."""
    closes = (datetime.now(UTC) + ENTRY).isoformat()
    terms = {"scoring": "sum-of-squares", "ties": ["best_game"], "entry": "list", "closes": closes}
    slug = call("POST", "", name=name, text="Run by a program.", **terms)["slug"]
    call("POST", f"{slug}/add_round/", name="Round 1", variants=[variant], powers="wishes", movement_seconds=86_400)
    call("POST", f"{slug}/publish/")
    call("POST", f"{slug}/invite/", text=Path(file).read_text(encoding="utf-8"))
    print(slug)


def call_check_in(slug):
    call("POST", f"{slug}/call_check_in/", number=1, until=(datetime.now(UTC) + CHECK_IN).isoformat())


def seat(slug):
    """Plan the round, show the plan, and create its tables."""
    call("POST", f"{slug}/look/")  # plans are shown only to those who have looked, and who never play here
    call("POST", f"{slug}/plan/", number=1)
    while (plan := call("GET", f"{slug}/plans/1/"))["seed"] is None:
        time.sleep(PAUSE_SECONDS)
    for table in filter(lambda table: table["number"], plan["tables"]):
        print(table["number"], *(person["name"] for person in table["people"]), *table["faults"])
    call("POST", f"{slug}/seat/", number=1)


def standings(slug):
    for row in call("GET", f"{slug}/")["results"]:
        print(f"{row['ranking']}. {row['player_name']} {row['score']}")


{"make": make, "call": call_check_in, "seat": seat, "standings": standings}[ACT](*GIVEN)
