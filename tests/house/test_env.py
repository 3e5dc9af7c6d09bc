"""Settings are read from the environment, typed, and every error names the variable."""

import base64
import secrets
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from diplomacy_site import env

KEY = base64.b64encode(secrets.token_bytes(32)).decode()
OTHER_KEY = base64.b64encode(secrets.token_bytes(32)).decode()


@pytest.fixture
def variable(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("NAME", raising=False)
    return monkeypatch


def test_a_variable_that_is_not_set_is_named(variable: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^NAME is not set\. .*\.env\.example"):
        env.text("NAME")


def test_an_empty_variable_counts_as_not_set(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("NAME", "  ")
    with pytest.raises(ImproperlyConfigured, match="NAME is not set"):
        env.text("NAME")
    assert env.text("NAME", "else") == "else"


def test_a_random_secret_is_taken_as_it_is(variable: pytest.MonkeyPatch) -> None:
    fresh = secrets.token_urlsafe(48)
    variable.setenv("NAME", fresh)
    assert env.secret("NAME") == fresh


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("", "NAME is not set"),
        ("k7Hq2", "NAME is too short. Use at least 32 random characters."),
        ("change-me-change-me-change-me-change-me", "NAME looks like an example"),
        ("django-insecure-0a9s8d7f6g5h4j3k2l1q0w9e8r7", "NAME looks like an example"),
        ("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "NAME looks like an example"),
    ],
)
def test_a_weak_secret_is_refused(variable: pytest.MonkeyPatch, value: str, sentence: str) -> None:
    variable.setenv("NAME", value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.secret("NAME")
    assert str(refusal.value).startswith(sentence)


def test_a_refused_secret_is_not_repeated(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("NAME", "password-that-somebody-really-uses-elsewhere")
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.secret("NAME")
    assert "somebody" not in str(refusal.value)


def test_whole_numbers(variable: pytest.MonkeyPatch) -> None:
    assert env.integer("NAME", 587) == 587
    variable.setenv("NAME", "25")
    assert env.integer("NAME", 587) == 25
    variable.setenv("NAME", "smtp")
    with pytest.raises(ImproperlyConfigured, match="NAME is 'smtp', but must be a whole number"):
        env.integer("NAME", 587)


@pytest.mark.parametrize(("word", "meaning"), [("yes", True), ("ON", True), ("0", False), ("False", False)])
def test_yes_and_no(variable: pytest.MonkeyPatch, word: str, meaning: bool) -> None:
    variable.setenv("NAME", word)
    assert env.boolean("NAME", default=not meaning) is meaning


def test_neither_yes_nor_no_is_refused(variable: pytest.MonkeyPatch) -> None:
    assert env.boolean("NAME", default=True) is True
    variable.setenv("NAME", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="NAME is 'perhaps', but must be one of 1, true, yes, on, 0"):
        env.boolean("NAME", default=True)


def test_lists_stand_between_commas(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("NAME", "a.example, b.example,")
    assert env.list_of_texts("NAME") == ["a.example", "b.example"]


def test_what_is_no_email_address_is_refused(variable: pytest.MonkeyPatch) -> None:
    assert env.email_addresses("NAME") == []
    variable.setenv("NAME", "anna@example.org, ben@example.org")
    assert env.email_addresses("NAME") == ["anna@example.org", "ben@example.org"]
    variable.setenv("NAME", "anna@example.org; ben@example.org")
    with pytest.raises(ImproperlyConfigured, match="NAME must be email addresses, separated by commas"):
        env.email_addresses("NAME")


def test_an_address_has_one_of_the_schemes(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("NAME", "redis://localhost")
    assert env.url("NAME", schemes=("redis", "unix")) == "redis://localhost"
    variable.setenv("NAME", "http://localhost")
    with pytest.raises(ImproperlyConfigured, match="NAME must be an address that starts with one of redis://, unix://"):
        env.url("NAME", schemes=("redis", "unix"))


def test_sealed_keys_are_bytes_in_the_order_given(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("NAME", f"{KEY}, {OTHER_KEY}")
    assert env.keys_for_sealing("NAME") == (base64.b64decode(KEY), base64.b64decode(OTHER_KEY))


def test_every_value_may_stand_in_a_file_but_not_in_two_places(variable: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("a word\n")
    variable.setenv("NAME_FILE", str(kept))
    assert env.text("NAME") == env.text("NAME", "else") == "a word"
    kept.write_text("")
    assert env.text("NAME", "else") == "else"
    kept.write_bytes(b"\xff")
    with pytest.raises(ImproperlyConfigured, match=r"NAME_FILE names .*kept, which can’t be read: 'utf-8' codec"):
        env.text("NAME", "else")
    variable.setenv("NAME", "another word")
    with pytest.raises(ImproperlyConfigured, match="NAME and NAME_FILE are both set") as refusal:
        env.text("NAME", "else")
    assert "another word" not in str(refusal.value)


def test_sealed_keys_may_stand_in_a_file(variable: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(f"{KEY}\n{OTHER_KEY}\n")
    variable.setenv("NAME_FILE", str(tmp_path / "keys"))
    assert env.keys_for_sealing("NAME") == (base64.b64decode(KEY), base64.b64decode(OTHER_KEY))
    variable.setenv("NAME", KEY)
    with pytest.raises(ImproperlyConfigured, match="NAME and NAME_FILE are both set"):
        env.keys_for_sealing("NAME")
    variable.delenv("NAME")
    variable.setenv("NAME_FILE", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match="none, which can’t be read: No such file or directory"):
        env.keys_for_sealing("NAME")


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("", "NAME is not set"),
        (",", "NAME has no key"),
        ("not base64!", "NAME has a key that is not base64"),
        (base64.b64encode(b"short").decode(), "NAME has a key of 5 bytes; it must have 32"),
        (base64.b64encode(bytes(32)).decode(), "NAME has a key that looks like an example"),
    ],
)
def test_a_bad_sealed_key_is_refused(variable: pytest.MonkeyPatch, value: str, sentence: str) -> None:
    variable.setenv("NAME", value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.keys_for_sealing("NAME")
    assert str(refusal.value).startswith(sentence)


def test_the_key_for_devices_may_be_missing_but_not_wrong(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("NAME", "")
    assert env.push_key("NAME", "") is None
    variable.setenv("NAME", KEY)
    assert env.push_key("NAME", "") == base64.b64decode(KEY)
    variable.setenv("NAME", "short")
    with pytest.raises(ImproperlyConfigured, match="NAME has a key"):
        env.push_key("NAME", "")
