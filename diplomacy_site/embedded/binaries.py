"""The servers' programs, found in the installed packages without importing them."""

from importlib.util import find_spec
from pathlib import Path

from diplomacy_site.embedded.errors import EmbeddedError


def find(package: str, pattern: str) -> Path:
    """The program that matches the pattern below the package; EmbeddedError if this machine has none."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for program in sorted(Path(folder).glob(pattern)):
            return program
    raise EmbeddedError(f"This machine doesn’t have {package}. Set DATABASE_URL and REDIS_URL to servers of your own.")
