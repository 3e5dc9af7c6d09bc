"""The production settings start only with real secrets."""

import base64
import os
import secrets
import subprocess
import sys

import pytest

from diplomacy_site.embedded import places

COMPLETE = {
    "SECRET_KEY": secrets.token_urlsafe(48),
    "SEALED_KEYS": base64.b64encode(secrets.token_bytes(32)).decode(),
    "ALLOWED_HOSTS": "diplomacy.example.org",
    "ADMIN_PATH": "back-room-7h2k/",
    "DATABASE_URL": "postgresql://diplomacy:word@postgres/diplomacy",
    "REDIS_URL": "redis://:word@redis:6379/0",
    "DEFAULT_FROM_EMAIL": "diplomacy@example.org",
    "EMAIL_HOST": "mail.example.org",
}


def check_deploy(variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """`manage.py check --deploy` in a process with only these variables."""
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "diplomacy_site.settings.production"}
    return subprocess.run(
        [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "WARNING"],
        check=False,
        cwd=places.CHECKOUT,
        env={**environment, **variables},
        capture_output=True,
        text=True,
    )


def test_django_finds_nothing_to_complain_about() -> None:
    done = check_deploy(COMPLETE)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize("name", sorted(COMPLETE))
def test_it_refuses_to_start_without(name: str) -> None:
    done = check_deploy({**COMPLETE, name: ""})
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith(f"{name} is not set. Set it in the environment; .env.example explains it.")


def test_it_refuses_to_start_with_a_secret_from_an_example() -> None:
    done = check_deploy({**COMPLETE, "SECRET_KEY": "change-me-please-change-me-please-change-me"})
    assert done.returncode != 0
    assert "SECRET_KEY looks like an example, not like a secret" in done.stderr


def test_the_admin_pages_are_not_where_everybody_looks_first() -> None:
    done = check_deploy({**COMPLETE, "ADMIN_PATH": "/Admin/"})
    assert done.returncode != 0
    assert "ADMIN_PATH must be a path of your own, not admin/" in done.stderr
