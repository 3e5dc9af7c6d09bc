"""A bot to begin with: it joins a game and plays it to the end, with random orders and bids. Standard library only.

    TOKEN=dip_… python bot.py https://example.org locarno-1a2b3c4d

The token needs the scopes “orders” and “seat”. Try it in a game that ends phases when all players are ready.
"""

import json
import os
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, GAME = sys.argv[1:3]
HEADERS = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
PAUSE_SECONDS = float(os.environ.get("PAUSE", "5"))


def call(method, path, **sent):
    """What the API answers. If it refuses, that is an HTTPError, whose body says why."""
    body = json.dumps(sent).encode() if method != "GET" else None
    with urlopen(Request(f"{SITE}/api/v1/{path}", body, HEADERS, method=method)) as answer:
        return json.load(answer)


def decide():
    """Save one lawful order for each unit and a point on some orders of minor powers, then say that we are ready."""
    sheet = call("GET", f"games/{GAME}/sheet/")
    phase = {"ordinal": sheet["ordinal"], "mark": sheet["mark"]}
    rows = sheet["rows"][: abs(sheet["adjustment"])] if sheet["kind"] == "A" else sheet["rows"]
    orders = [random.choice(row["choices"])["value"] for row in rows]
    minors = random.sample(sheet["minors"], min(sheet["budget"], len(sheet["minors"])))
    bids = [{"points": 1, "order": random.choice(minor["choices"])["value"]} for minor in minors]
    try:
        call("PUT", f"games/{GAME}/sheet/", **phase, orders=list(dict.fromkeys(orders)), bids=bids)
        call("PUT", f"games/{GAME}/ready/", **phase, ready=True)
    except HTTPError as refused:  # 409: the phase is over, or nobody waits for us. The next change tells.
        print(refused.read().decode())


def play():
    try:
        call("POST", f"games/{GAME}/join/")
    except HTTPError as refused:  # 409: we are in already, or the game has started without us
        print(refused.read().decode())
    mark, status = "", "open"
    while status not in ("finished", "closed"):
        news = call("GET", f"changes/?game={GAME}&since={mark}")
        mark = news["mark"]
        for game in news["changed"]:
            status = game["status"]
            print(game["status_sentence"], flush=True)
            if game["must_decide"]:
                decide()
        time.sleep(PAUSE_SECONDS)


play()
