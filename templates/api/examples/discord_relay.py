"""Passes the news of a game on to a Discord channel, in words of your own. Standard library only.

    SECRET=whsec_… DISCORD=https://discord.com/api/webhooks/… python discord_relay.py 8080

Add a webhook with the form “JSON for a program” to the game, with the public https address of this program, as your web
server passes it on. (If you don't want other words, have the news posted to Discord itself: that takes no program.)
"""

import base64
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import URLError
from urllib.request import Request, urlopen

KEY = base64.b64decode(os.environ["SECRET"][len("whsec_") :])
DISCORD = os.environ["DISCORD"]
OLDEST_SECONDS = 300
known = set()


def is_genuine(headers, body):
    """Whether the site has signed this post with our secret, and lately."""
    number, sent = headers.get("Webhook-Id", ""), headers.get("Webhook-Timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) > OLDEST_SECONDS:
        return False
    signature = base64.b64encode(hmac.new(KEY, f"{number}.{sent}.".encode() + body, "sha256").digest())
    return hmac.compare_digest(headers.get("Webhook-Signature", "").encode(), b"v1," + signature)


def pass_on(news):
    sentences = " ".join(line["sentence"] for line in news["lines"]) or "This is a test."
    words = {
        "content": f"📜 {news['game']['name']}: {sentences}\n{news['game']['address']}",
        "allowed_mentions": {"parse": []},
    }
    headers = {"Content-Type": "application/json", "User-Agent": "relay"}
    urlopen(Request(DISCORD, json.dumps(words).encode(), headers), timeout=10).close()


class Relay(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        news = json.loads(body)
        if news["id"] in known:  # repeated, because our answer did not arrive
            return self.answer(204)
        try:
            pass_on(news)
        except URLError:
            return self.answer(502)  # the site will try again
        known.add(news["id"])
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Relay)
print(f"Listening on port {server.server_port}.", flush=True)
server.serve_forever()
