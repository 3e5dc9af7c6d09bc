"""What the site depends on: listed, under allowed licences, checked against what is known, pinned only if fetched."""

from __future__ import annotations

import json
from email.message import Message
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError

import pytest

from tests.supply import advisories, images, licences
from tests.supply.images import NotFetched, digest_from_registry, pin
from tests.supply.licences import LIST, is_allowed, problems
from tests.supply.locks import ALL, IMAGE, pins
from tests.supply.sbom import sbom

if TYPE_CHECKING:
    from pathlib import Path

    from tests.supply.locks import Pin

DIGEST = "sha256:" + "a1" * 32


def test_every_dependency_is_under_an_allowed_licence() -> None:
    assert list(problems()) == []
    assert len(pins(*ALL)) > 100, "the locks are read"
    assert all(pin.hashes for pin in pins(*ALL))


def test_an_unknown_or_forbidden_licence_and_a_needless_entry_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = {"django": "", "redis": "Other/Proprietary License"}
    usual = licences.stated_by
    monkeypatch.setattr(licences, "stated_by", lambda name: stated.get(name, usual(name)))
    monkeypatch.setitem(LIST, "elsewhere", {**LIST["elsewhere"], "gone": "MIT"})
    monkeypatch.setitem(LIST, "allowed_for_tools", [])
    assert [one.split(" ")[0] for one in problems()] == ["django", "djlint", "redis", "gone"]


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-or-later", False),
        ("GPL-3.0-or-later OR MIT", True),
        ("MIT AND GPL-3.0-or-later", False),
    ],
)
def test_of_alternatives_one_must_be_allowed_and_of_licences_that_apply_together_each(
    licence: str, allowed: bool
) -> None:
    assert is_allowed(licence, {"MIT"}) == allowed


def test_the_list_of_components_has_every_pin_of_the_site_with_its_licence_and_hashes() -> None:
    told: dict[str, Any] = json.loads(sbom())
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    listed = {(it["name"], it["version"]): it for it in told["components"]}
    assert listed.keys() == {(pin.name, pin.version) for pin in pins(*IMAGE)}
    django = next(it for (name, _), it in listed.items() if name == "django")
    assert django["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]
    assert django["purl"] == f"pkg:pypi/django@{django['version']}"
    assert all(len(one["content"]) == 64 for it in listed.values() for one in it["hashes"])


def test_published_advisories_are_told_and_so_is_what_could_not_be_checked() -> None:
    known: dict[str, dict[str, Any]] = {
        "django": {"vulnerabilities": [{"id": "X-1", "fixed_in": ["9.9"]}, {"id": "X-2", "withdrawn": "2026-01-01"}]},
        "redis": {"vulnerabilities": []},
    }

    def ask(pin: Pin) -> dict[str, Any]:
        if pin.name == "celery":
            raise URLError("no route")
        return known.get(pin.name, {})

    wanted = advisories.pinned(["django", "redis", "celery", "kombu"])
    found = advisories.check(wanted, ask)
    (django,) = advisories.pinned(["django"])
    assert found.advisories == [f"{django}: X-1, fixed in 9.9"]
    assert [one.split(" ")[0] for one in found.unchecked] == ["celery", "kombu"], "nothing is believed to be well"
    assert found.checked == 2


def test_the_index_asked_is_the_one_that_pip_uses_and_only_over_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple/")
    assert advisories.index() == "http://127.0.0.1:9"
    found = advisories.check(advisories.pinned(["django"]))
    assert (found.checked, [one.split(": ")[1] for one in found.unchecked]) == (
        0,
        ["the index is not asked over https"],
    )


def test_where_the_index_speaks_only_of_projects_that_counts_for_their_newest_versions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pins = advisories.pinned(["django", "redis"])
    newest = {"django": "99.0", "redis": next(pin.version for pin in pins if pin.name == "redis")}

    def asked(what: str) -> dict[str, Any]:
        if what not in newest:
            raise HTTPError(what, 404, "Not Found", Message(), None)
        return {"info": {"version": newest[what]}, "vulnerabilities": [{"id": "X-3", "fixed_in": []}]}

    monkeypatch.setattr(advisories, "_asked", asked)
    found = advisories.check(pins)
    assert [one.split(": ")[1] for one in found.advisories] == ["X-3, fixed in no version yet"]
    assert [one.split(": ")[1] for one in found.unchecked] == ["the index only speaks of 99.0"]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    compose, docker = tmp_path / "docker-compose.yml", tmp_path / "Dockerfile"
    compose.write_text(
        f"  image: postgres:18\n  image: redis:8@sha256:{'0' * 64}  # kept\n  image: ${{IMAGE}}:${{VERSION}}\n"
    )
    docker.write_text("FROM python:3.11-slim\nRUN true\n")
    return [compose, docker]


def test_images_are_pinned_by_the_digests_of_their_registry(files: list[Path]) -> None:
    pinned, missing = pin(files, lambda _image: DIGEST)
    assert (len(pinned), missing) == (3, [])
    assert files[0].read_text() == (
        f"  image: postgres:18@{DIGEST}\n  image: redis:8@{DIGEST}  # kept\n  image: ${{IMAGE}}:${{VERSION}}\n"
    )
    assert files[1].read_text() == f"FROM python:3.11-slim@{DIGEST}\nRUN true\n"


def test_nothing_is_written_if_one_digest_cannot_be_fetched(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    before = [file.read_text() for file in files]

    def ask(image: str) -> str:
        if image.startswith("redis"):
            raise NotFetched("no route to the registry")
        return DIGEST

    assert pin(files, ask) == ([], ["redis:8: no route to the registry"])
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotFetched, match="there is no docker command"):
        digest_from_registry("redis:8")
    assert [file.read_text() for file in files] == before


def test_every_image_of_the_project_is_found() -> None:
    named = {it["image"] for file in images.FILES for it in images.NAMED.finditer(file.read_text())}
    assert named == {"caddy:2", "postgres:18", "python:3.11-slim", "redis:8", "valkey/valkey:9"}
