import json
from urllib.request import Request, urlopen

API = "https://SITE/api/v1"
TOKEN = "dip_…"


def ask(address):
    return urlopen(Request(address, headers={"Authorization": f"Bearer {TOKEN}"}))


def changes(mark):
    with ask(f"{API}/changes/?since={mark}") as answer:
        news = json.load(answer)
    for game in news["changed"]:
        print(game["name"], game["status_sentence"], game["wants"], game["deadline"])
    return news["mark"]


mark = changes("")
with ask("https://SITE/events/") as stream:
    for line in stream:  # it ends after ten minutes: open it again then
        if line.startswith(b"data:"):
            mark = changes(mark)
