"""No sentence of the project has a turn of phrase that reviewers have found odd."""

from pathlib import Path

import pytest

from tests.house.sentences import is_odd, oddities, sentences


def test_no_sentence_has_an_odd_turn_of_phrase() -> None:
    found = sentences()
    assert len(found) > 10_000
    odd = [(each, oddities(each.text)) for each in found]
    assert [f"{it.file}:{it.line}: “{', '.join(words)}” in: {it.text}" for it, words in odd if words] == []


@pytest.mark.parametrize(
    "text",
    [
        "Who has saved nothing gets 24 hours more.",
        "Nothing is lost: who has joined keeps the seat.",
        "Whoever sits there leaves.",
        "It stands in the log.",
        "No more letters come about this talk.",
        "What he has saved is deleted.",
        "Nobody sees bids, also not the game master.",
        "That were many tries.",
        "Send an e-mail.",
        "1 times",
    ],
)
def test_an_odd_turn_of_phrase_is_found(text: str) -> None:
    assert is_odd(text)


@pytest.mark.parametrize("text", ["Who may join?", "{who} joined the game.", "Players who have joined stay."])
def test_a_question_a_name_and_a_clause_with_a_noun_are_not_odd(text: str) -> None:
    assert not is_odd(text)


def test_sentences_are_found_wherever_people_read_them(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "games" / "words.py").write_text('"""A module of words."""\nSAID = "Orders saved."  # a comment here\n')
    (tmp_path / "templates" / "page.html").write_text('<p title="A short title">{{ n }} seats taken.\nYou joined.</p>')
    (tmp_path / "README.md").write_text("# A long title\n\nOne thing. Another thing.\n")
    found = {(each.file, each.line, each.text, each.shown) for each in sentences(tmp_path)}
    assert found == {
        ("README.md", 1, "# A long title", True),
        ("README.md", 3, "One thing.", True),
        ("README.md", 3, "Another thing.", True),
        ("games/words.py", 1, "A module of words.", False),
        ("games/words.py", 2, "Orders saved.", True),
        ("games/words.py", 2, "a comment here", False),
        ("templates/page.html", 1, "A short title", True),
        ("templates/page.html", 1, "… seats taken.", True),
        ("templates/page.html", 1, "You joined.", True),
    }
