"""A file between its check and its addition: packed into the page, so that nothing is stored until it is added."""

import base64
import lzma

from django.utils.translation import gettext as _

from games.kernel.refusals import Refusal
from variants.travel.reading import MOST_CHARACTERS

MOST_PACKED = 220_000
"""What a form may send besides files, less the rest of the form."""
LEVEL = 1


class BadFile(Refusal):
    """A file that is not a game we can add; nothing was stored."""


def pack(text: str) -> str:
    """The text, packed. Raises BadFile if it is too long even when packed."""
    code = base64.b64encode(lzma.compress(text.encode(), preset=LEVEL)).decode()
    if len(code) > MOST_PACKED:
        raise BadFile(_("The file is too large. Send one game at a time."))
    return code


def unpack(code: str) -> str:
    """The text that `pack` packed. Raises BadFile for anything else."""
    try:
        unpacking = lzma.LZMADecompressor(memlimit=32 * 1024 * 1024)
        return unpacking.decompress(base64.b64decode(code), max_length=MOST_CHARACTERS).decode()
    except (ValueError, lzma.LZMAError, EOFError) as wrong:
        raise BadFile(_("The file did not arrive whole. Choose it again.")) from wrong
