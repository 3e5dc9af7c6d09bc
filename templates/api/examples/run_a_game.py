import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

API = "https://SITE/api/v1"
TOKEN = "dip_…"


def act(address, sent):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    headers["Idempotency-Key"] = str(uuid4())  # keep it to send the same again if no answer comes
    try:
        with urlopen(Request(address, json.dumps(sent).encode(), headers)) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise SystemExit(json.load(error)["detail"]) from error


options = {"gm_plays": True, "own_bots": True, "all_ready": True, "bots": 6}
made = act(f"{API}/games/", {"name": "Rapallo", "variant": "1926", **options})
game = f"{API}/games/{made['slug']}"
print("I play", act(f"{game}/join/", {"power": "FRANCE"})["power"])

before = act(f"{game}/gm/pause/", {"reason": "A look at the board first."})
print("Deadline while the clock stands:", before["deadline"])
after = act(f"{game}/gm/resume/", {})
print("Deadline:", after["deadline"])
act(f"{game}/gm/write/", {"text": "Good luck to you all."})
