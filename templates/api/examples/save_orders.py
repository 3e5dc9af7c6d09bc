import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SHEET = "https://SITE/api/v1/games/GAME/sheet/"
TOKEN = "dip_…"


def ask(method, address, sent=None):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    body = None if sent is None else json.dumps(sent).encode()
    with urlopen(Request(address, body, headers, method=method)) as answer:
        return json.load(answer)


sheet = ask("GET", SHEET)
orders = [row["choices"][0]["value"] for row in sheet["rows"] if row["choices"]]
bids = [{"points": 1, "order": minor["choices"][0]["value"]} for minor in sheet["minors"]]
sent = {"ordinal": sheet["ordinal"], "mark": sheet["mark"], "orders": orders}
sent["bids"] = bids[: sheet["budget"]]
sent["after"] = sheet["receipt"]["code"] if sheet["receipt"] else ""
try:
    receipt = ask("PUT", SHEET, sent)
    print("Saved:", ", ".join(receipt["orders"]))
    print("Points bid:", receipt["spent"], "of", receipt["budget"])
    print("In place of:", receipt["replaced"]["text"] if receipt["replaced"] else "nothing")
except HTTPError as error:
    problem = json.load(error)
    print(problem["detail"])
    for mistake in problem.get("problems", []):
        print(mistake["line"], mistake["text"], mistake["sentence"])
