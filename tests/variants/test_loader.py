"""Reading a variant's files: what a game pins, and what is refused."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from variants.loader import FILES, HERE, Sources, load
from variants.rulebook import BrokenVariant
from variants.y1926.rules import rules

TEXTS: Mapping[str, str] = {name: (HERE / "y1926" / name).read_text(encoding="utf-8") for name in FILES}


def digest(**changed: tuple[str, str]) -> str:
    """The digest after replacing one text by another in files named without their ending."""
    texts = dict(TEXTS)
    for name in FILES:
        old, new = changed.get(Path(name).stem, ("", ""))
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new, 1) if old else texts[name]
    return Sources("y1926", texts).digest


def test_the_digest_changes_with_the_board_and_with_the_rules() -> None:
    digests = {
        digest(),
        digest(board=('"kind": "land"', '"kind": "coast"')),
        digest(variant=('"F EDI"', '"A EDI"')),
        digest(variant=("most_per_turn = 3", "most_per_turn = 4")),
    }
    assert len(digests) == 4


def test_the_digest_stays_when_the_map_is_drawn_better_or_a_rule_is_said_clearer() -> None:
    assert (
        digest(map=("<path", "<path "), rules=("# 1926", "# The year 1926"), variant=("Seven powers", "7"))
        == digest()
    )


def test_a_board_that_does_not_count_as_declared_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "atlantis"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text.replace("centres = 47", "centres = 46"), encoding="utf-8")
    monkeypatch.setattr("variants.loader.HERE", tmp_path)
    with pytest.raises(BrokenVariant, match="atlantis: 47 centres on the board, 46 declared"):
        load("atlantis", rules)
