"""What a visitor's browser has to fetch for all pages together."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import Context, Template

if TYPE_CHECKING:
    from collections.abc import Iterable

STATIC = Path(settings.BASE_DIR) / "static"
MOST_SCRIPT, MOST_STYLE = 60_000, 25_000


def packed(files: Iterable[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def test_scripts_stay_light() -> None:
    tag = Template("{% load django_htmx %}{% htmx_script %}").render(Context())
    name = tag.partition('src="/static/')[2].partition('"')[0]
    found = finders.find(name)
    assert isinstance(found, str), tag
    own = list((STATIC / "js").glob("*.js"))
    assert own
    assert packed([*own, Path(found)]) <= MOST_SCRIPT


def test_styles_stay_light() -> None:
    assert 0 < packed((STATIC / "css").rglob("*.css")) <= MOST_STYLE
