import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

GAME = "https://SITE/api/v1/games/GAME"
TOKEN = "dip_…"


def ask(method, address, sent=None):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    body = None if sent is None else json.dumps(sent).encode()
    try:
        with urlopen(Request(address, body, headers, method=method)) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise SystemExit(json.load(error)["detail"]) from error


game = ask("GET", f"{GAME}/")
if game["can_say_ready"]:
    ask("PUT", f"{GAME}/ready/", {"ordinal": game["head"]["ordinal"], "ready": True})
    print("I am ready.")

for proposal in ask("GET", f"{GAME}/proposals/")["proposals"]:
    if proposal["my_vote"] is None:
        ask("PUT", f"{GAME}/proposals/{proposal['number']}/vote/", {"agrees": True})
        print("I agree:", proposal["title"])

conversation = ask("POST", f"{GAME}/talk/everybody/", {"text": "Good luck to you all."})
print("Written:", conversation["results"][-1]["text"])
