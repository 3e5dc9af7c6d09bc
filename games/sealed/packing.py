"""Packing a sheet into few bytes, so that a seat's slot can be small and still hold the largest lawful orders.

The salt and the time are written as they are. The text is deflated after the strings that every order is made of have
been replaced by one character each. This is part of the format of `games.sealed.crypto`: change both together.
"""

import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

SAVED, TYPED, PLAIN, READY, WAITED_FOR, BY_GM = 1, 2, 4, 8, 16, 32
TIME_BYTES = 4
SALT_BYTES = 32
HEAD_BYTES = 1 + TIME_BYTES + SALT_BYTES
RAW_DEFLATE = -15
BETWEEN_LINES_AND_TYPED = "\0\n"
UNITS = ("\nA ", "\nF ", " S A ", " S F ", " C A ", ": A ", ": F ", " S ", "A ")
FRAMES = (*UNITS, " - ", " H", " VIA", "/SC", "/NC", "/EC", " DISLODGED: ", "\nIF ", ", ")
PROVINCES = (
    b"ASHBAJBAKBANBRNBRTBRVBU1BU2BU3CARCLUCOLCORCROCRPDALDEBEBYETRFIUGORGRAHILINDISLKAPKOSKRULEMLINLJULOWMAKMISMUR"
    b"NAGNBUNOVNSUOAKOLOORAOSIOSTPECPESPLZPRAPREPRZSAMSANSATSAXSBUSSUSTYSUBSZOTARTERTISTRUUPPUSTVACVISWBYWSUWTRZAG"
    b"ZENBARBOTCLYHOLKRALVNLVPLYONAFNWGRUHSTPTUSARMKIEMAONAOAPUCONGALPRUSERSEVSMYBOHBUDTYRVENVIEATOBOBCRAEANGEOHAM"
    b"SRDTREWAPACWALEALGARAARCAUSAZEBEIBYECASCZEDOBDODEGYEPRESTGDYGIBGOBGODGOLGPOHUNICEIRAIREISTIZMKAZKONKURKUWLAT"
    b"LCWLENLITLIVNETNRGPALPERPOMRHISIBSICSTASUESWIVOLYUGMILMORSALSARSLOBELBERBREDENEDIENGFINGASHELIRILONMARMUNNTH"
    b"NWYPICPIEPORROMSKASPASWESYRTUNTYSWALYORBALBUREASPARWESADRAEGALBANKBLABULGREIONMOSNAPRUMUKRWARSILTRI"
)
"""Provinces of all boards, those of 1926 last: where a name begins does not matter."""
FIRST_SIGN = 0x0E
SIGNS = tuple((frame, chr(FIRST_SIGN + number)) for number, frame in enumerate(FRAMES))
"""Control characters, which canonical lines never contain. Text that was typed with one of them is packed as it is."""


def pack_body(body: Mapping[str, Any]) -> bytes:
    """The fields of a body as bytes. The text as typed takes space only where it differs from the lines that count."""
    lines, typed_text = body["lines"], body["typed"]
    text = lines if typed_text == lines else f"{lines}{BETWEEN_LINES_AND_TYPED}{typed_text}"
    short = _with_signs(text)
    kind = SAVED * body["saved"] | TYPED * (typed_text != lines) | PLAIN * (_without_signs(short) != text)
    kind |= READY * body["ready"] | WAITED_FOR * body["waited_for"] | BY_GM * body["by_gm"]
    seconds = int(datetime.fromisoformat(body["at"]).timestamp()) if body["at"] else 0
    squeezed = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, RAW_DEFLATE, zdict=PROVINCES)
    return b"".join(
        (
            kind.to_bytes(1, "big"),
            seconds.to_bytes(TIME_BYTES, "big"),
            bytes.fromhex(body["salt"]).ljust(SALT_BYTES, b"\0"),
            squeezed.compress((text if kind & PLAIN else short).encode()),
            squeezed.flush(),
        )
    )


def unpack_body(data: bytes) -> dict[str, Any]:
    """The fields of packed bytes. Anything after them is padding."""
    kind, seconds = data[0], int.from_bytes(data[1 : 1 + TIME_BYTES], "big")
    salt = data[1 + TIME_BYTES : HEAD_BYTES]
    text = zlib.decompressobj(RAW_DEFLATE, PROVINCES).decompress(data[HEAD_BYTES:]).decode()
    lines, _, typed_text = (text if kind & PLAIN else _without_signs(text)).partition(BETWEEN_LINES_AND_TYPED)
    return {
        "saved": bool(kind & SAVED),
        "typed": typed_text if kind & TYPED else lines,
        "lines": lines,
        "at": datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else "",
        "salt": salt.hex() if any(salt) else "",
        "ready": bool(kind & READY),
        "waited_for": bool(kind & WAITED_FOR),
        "by_gm": bool(kind & BY_GM),
    }


def _with_signs(text: str) -> str:
    text = f"\n{text}"
    for frame, sign in SIGNS:
        text = text.replace(frame, sign)
    return text


def _without_signs(short: str) -> str:
    for frame, sign in SIGNS:
        short = short.replace(sign, frame)
    return short.removeprefix("\n")
