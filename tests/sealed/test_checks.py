"""System checks, by their ids."""

import pytest
from django.core.checks import run_checks
from pytest_django.fixtures import Settings


@pytest.mark.parametrize("keys", [(), (b"short",), ("not bytes" * 8,), (bytes(32), b"short")])
def test_e001_without_a_whole_key_no_sheet_can_be_sealed(keys: tuple[object, ...], settings: Settings) -> None:
    settings.SEALED_KEYS = keys
    assert "games.E001" in [message.id for message in run_checks()]


def test_the_site_as_tested_has_no_complaints() -> None:
    assert run_checks() == []
