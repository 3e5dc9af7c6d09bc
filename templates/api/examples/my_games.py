import json
from urllib.request import Request, urlopen

API = "https://SITE/api/v1"
TOKEN = "dip_…"


def ask(address):
    request = Request(address, headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(request) as answer:
        return json.load(answer)


address = f"{API}/games/?show=mine"
while address:
    page = ask(address)
    for card in page["results"]:
        print(card["name"], card["my_power"], card["wants"], card["deadline"])
    address = page["next"]
