"""What is in a backup, member by member, and a backup made of such members."""

import gzip
import tarfile
from io import BytesIO


def members_of(backup: bytes) -> dict[str, bytes]:
    """Content by name; the pieces of a table together."""
    found: dict[str, bytes] = {}
    with gzip.open(BytesIO(backup)) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
        for member in archive:
            stream = archive.extractfile(member)
            assert stream
            found[member.name] = found.get(member.name, b"") + stream.read()
    return found


def backup_of(members: dict[str, bytes]) -> bytes:
    file = BytesIO()
    with gzip.open(file, "wb") as packed, tarfile.open(fileobj=packed, mode="w|") as archive:
        for name, content in members.items():
            facts = tarfile.TarInfo(name)
            facts.size = len(content)
            archive.addfile(facts, BytesIO(content))
    return file.getvalue()
