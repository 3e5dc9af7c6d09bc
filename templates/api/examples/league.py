"""A league from a spreadsheet: makes the tournament, invites the people of a CSV file, and seats each round once its
check-in is over. Standard library only.

    TOKEN=dip_… python league.py https://example.org people.csv "Club league" 1926

The file has a line for each person: name, address and, if you like, favourite powers. The token needs the scope
“master”. Stop the program whenever you like and start it with the slug of the tournament instead of the file: it goes
on where it was.
"""

import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, PEOPLE, NAME, VARIANT = (*sys.argv[1:5], "", "")[:4]
HEADERS = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
PAUSE_SECONDS = float(os.environ.get("PAUSE", "60"))
ENTRY, CHECK_IN = (timedelta(seconds=float(os.environ.get(name, "604800"))) for name in ("ENTRY", "CHECK_IN"))


def call(method, path, **sent):
    """What the API answers; a refusal is printed, and None."""
    body = json.dumps(sent).encode() if method != "GET" else None
    try:
        with urlopen(Request(f"{SITE}/api/v1/tournaments/{path}", body, HEADERS, method=method)) as answer:
            return json.load(answer)
    except HTTPError as refused:
        print(refused.read().decode(), flush=True)
        return None


def made():
    """The slug of a published tournament of one round, to which everyone in the file is invited."""
    closes = datetime.now(UTC) + ENTRY
    terms = {"scoring": "sum-of-squares", "ties": ["best_game"], "entry": "list", "closes": closes.isoformat()}
    slug = call("POST", "", name=NAME, text="Run by a program.", **terms)["slug"]
    call("POST", f"{slug}/add_round/", name="Round 1", variants=[VARIANT], powers="wishes", movement_seconds=86_400)
    call("POST", f"{slug}/publish/")
    call("POST", f"{slug}/invite/", text=Path(PEOPLE).read_text(encoding="utf-8"))
    print(f"{SITE}/tournaments/{slug}/", flush=True)
    return slug, closes


def wait_until(moment):
    while datetime.now(UTC) < moment:
        time.sleep(PAUSE_SECONDS)


def seat(slug, number=1):
    """Call the check-in, plan the round when it is over, and create its tables."""
    until = datetime.now(UTC) + CHECK_IN
    call("POST", f"{slug}/call_check_in/", number=number, until=until.isoformat())
    wait_until(until)
    call("POST", f"{slug}/plan/", number=number)
    while not (plan := call("GET", f"{slug}/plans/{number}/")) or plan["seed"] is None:
        time.sleep(PAUSE_SECONDS)
    for table in plan["tables"]:
        print(table["number"], *(person["name"] for person in table["people"]), *table["faults"], flush=True)
    call("POST", f"{slug}/seat/", number=number)


if Path(PEOPLE).exists():
    league, closing = made()
    wait_until(closing)
    seat(league)
else:
    league = PEOPLE
while results := call("GET", f"{league}/"):
    for row in results["results"]:
        print(f"{row['ranking']}. {row['player_name']} {row['score']}", flush=True)
    if os.environ.get("ONCE"):
        break
    time.sleep(PAUSE_SECONDS)
