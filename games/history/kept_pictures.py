"""Painted PNGs as files in one folder, so many bytes together; those painted first go first.

Each can be painted again. So it is no error, only slow, if they can't be written or read.
"""

import logging
from contextlib import suppress
from secrets import token_hex

from django.conf import settings

log = logging.getLogger(__name__)
END_OF_PNG = b"IEND\xaeB`\x82"


def kept_picture(name: str) -> bytes | None:
    """The picture kept under this name; None if there is none, or only what a power cut has left of one."""
    try:
        picture: bytes = (settings.PICTURES_FOLDER / name).read_bytes()
    except OSError:
        return None
    return picture if picture.endswith(END_OF_PNG) else None


def keep_picture(name: str, picture: bytes) -> None:
    """Keep the picture under this name, in place of the oldest ones if there is no room. Several processes that do this
    at once may exceed the bound by a picture each, until the next is kept."""
    folder, room = settings.PICTURES_FOLDER, settings.PICTURES_BYTES - len(picture)
    draft = folder / f"{name}.{token_hex(8)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Delete the oldest files beyond so many bytes; drafts too, because a process that is killed leaves one.
        files, newer = [], 0
        for file in folder.iterdir():
            with suppress(FileNotFoundError):  # another process does this too
                files.append((file.stat().st_mtime_ns, file.stat().st_size, file))
        for _, size, file in sorted(files, reverse=True):
            newer += size
            if newer > room:
                file.unlink(missing_ok=True)
        try:
            if room >= 0:
                draft.write_bytes(picture)
                draft.replace(folder / name)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        log.warning("A picture can't be kept in PICTURES_FOLDER, so it will be painted again: %s.", error.strerror)
