"""The sentences of `texts.toml`, translated wherever they are shown."""

import tomllib
from pathlib import Path

from games.kernel.languages import later

ALL = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def texts(*path: str) -> dict[str, str]:
    """Those of the table at this path, by key."""
    table = ALL
    for name in path:
        table = table[name]
    return {key: later(text) for key, text in table.items()}
