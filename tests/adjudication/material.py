"""Where to find material outside the project that some checks can use: the folder named by JUDGE_MATERIAL, or
else `shared` next to the project. Nothing else needs it."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
MATERIAL = Path(os.environ.get("JUDGE_MATERIAL") or ROOT.parent / "shared")
GAMES = MATERIAL / "facts" / "games" / "standard_300.jsonl.gz"
OTHER_JUDGE = MATERIAL / "engine" / "prototype.py"
FUZZ = MATERIAL / "engine" / "make_fuzz.py"
