import json
from urllib.request import urlopen

API = "https://SITE/api/v1"


def ask(address):
    with urlopen(address) as answer:
        return json.load(answer)


games = ask(f"{API}/games/?show=running")["results"]
for card in games:
    print(card["name"], card["variant_title"], card["turn_title"], card["deadline"])

game = ask(f"{API}/games/{games[0]['slug']}/")
for side in game["position_lines"]:
    print(side["name"], "has", ", ".join(side["units"]) or "no units")
for outcome in game["result"]["outcomes"] if game["result"] else []:
    print(outcome["text"], outcome["sentence"] or ", ".join(outcome["results"]))
