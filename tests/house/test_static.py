"""Static files as a public site serves them: compressed when they are collected, and kept for good by browsers."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db  # the end of a request looks after the connection

WORTH_IT = 1_000
"""Bytes; smaller files may not become smaller."""
WRITTEN = (".css", ".js", ".svg")


@pytest.fixture
def collected(settings: Settings, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    # Django's own files, for its admin pages and the browser of the API, are many and no different.
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["admin", "rest_framework"])
    return tmp_path


def test_every_file_is_compressed_twice_and_served_with_its_digest_in_the_address(collected: Path) -> None:
    files = [file for file in collected.rglob("*") if file.suffix in WRITTEN and file.stat().st_size > WORTH_IT]
    assert len(files) > 20
    for file in files:
        brotli, gzip = (file.with_name(file.name + ending).stat().st_size for ending in (".br", ".gz"))
        assert brotli < gzip < file.stat().st_size, file
    address = staticfiles_storage.url("css/board.css")
    assert address != "/static/css/board.css"
    for accepted, encoding in (("gzip, deflate, br", "br"), ("gzip", "gzip"), ("", None)):
        answer = Client().get(address, headers={"Accept-Encoding": accepted})
        assert answer.getvalue()
        answer.close()
        assert (answer.status_code, answer.get("Content-Encoding")) == (200, encoding)
        assert "immutable" in answer["Cache-Control"]
