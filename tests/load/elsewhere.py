"""`python -m tests.load.elsewhere FOLDER ARGUMENT…`: `./run` with these arguments and its data in that folder."""

from __future__ import annotations

import sys
from pathlib import Path

from diplomacy_site.embedded import __main__, places

if __name__ == "__main__":
    places.DATA = Path(sys.argv[1])
    sys.exit(__main__.main(sys.argv[2:]))
