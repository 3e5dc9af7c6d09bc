"""Where material beside the project lies that some checks can use: JUDGE_MATERIAL names the folder, else a
sibling of the project called `shared` is looked at. Nothing else needs it."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
MATERIAL = Path(os.environ.get("JUDGE_MATERIAL") or ROOT.parent / "shared")
GAMES = MATERIAL / "facts" / "games" / "standard_300.jsonl.gz"
OTHER_JUDGE = MATERIAL / "engine" / "prototype.py"
FUZZ = MATERIAL / "engine" / "make_fuzz.py"
