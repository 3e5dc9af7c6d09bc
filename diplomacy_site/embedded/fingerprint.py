"""What identifies the tables of the tests."""

import hashlib
from pathlib import Path

from diplomacy_site.embedded import places


def fingerprint(checkout: Path = places.CHECKOUT) -> str:
    """Of everything that defines tables: the migrations, and the libraries that bring some."""
    found = [path for app in ("diplomacy_site", "games") for path in (checkout / app).rglob("migrations/*.py")]
    digest = hashlib.sha256()
    for path in (checkout / "requirements-dev.lock", *sorted(found)):
        digest.update(f"{path.relative_to(checkout)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
