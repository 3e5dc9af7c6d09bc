"""Pages compressed for browsers that accept gzip. The map's background, most of a page, is compressed only once."""

import secrets
import zlib
from functools import lru_cache, wraps
from struct import pack

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from games.kernel.limits import View

GROUND, ABOVE_IT = b'<g class="ground" ', b'<g class="orders">'

SHORTEST = 200
"""Compressing fewer bytes makes them more."""
LONGEST_NAME = 50
"""In bytes, of which each is written as two letters."""
HEAD, NAMED = b"\x1f\x8b\x08", b"\x08"
FASTEST_TO_READ = b"\0\0\0\0\2\xff"
END = b"\3\0"
RAW = -zlib.MAX_WBITS


def gzip_page(view: View) -> View:
    """Compress a page made for one reader. A file name of random length hides how well it could be compressed: that
    would tell those who can write a part of it what else is there (BREACH)."""

    @wraps(view)
    def respond_zipped(request: HttpRequest, **kwargs: object) -> HttpResponse:
        answer = view(request, **kwargs)
        if answer.streaming or answer.has_header("Content-Encoding") or len(answer.content) < SHORTEST:
            return answer
        patch_vary_headers(answer, ["Accept-Encoding"])
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            answer.content = gzip_response(answer.content, secrets.token_hex(secrets.randbelow(LONGEST_NAME)))
            answer["Content-Encoding"] = "gzip"
            answer["Content-Length"] = str(len(answer.content))
        return answer

    return respond_zipped


def gzip_response(content: bytes, name: str = "") -> bytes:
    """As `gzip.compress`, but in pieces that are compressed separately."""
    start = content.find(GROUND)
    end = content.find(ABOVE_IT, start)
    if start < 0 or end < 0:
        body = _deflated(content)
    else:
        body = _deflated(content[:start]) + _kept_ground(content[start:end]) + _deflated(content[end:])
    title = NAMED + FASTEST_TO_READ + name.encode() + b"\0"
    return HEAD + title + body + END + pack("<LL", zlib.crc32(content), len(content))


def _deflated(content: bytes, level: int = 6) -> bytes:
    packer = zlib.compressobj(level, wbits=RAW)
    return packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)


@lru_cache(maxsize=32)
def _kept_ground(content: bytes) -> bytes:
    """The map's background, compressed: land, sea and their owners, which everyone who may see the game sees."""
    return _deflated(content, 9)
