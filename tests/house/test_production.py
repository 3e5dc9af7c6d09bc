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


CHECK = ("-m", "django", "check", "--deploy", "--fail-level", "WARNING")
START = ("-c", "import diplomacy_site.settings.production")


def check_deploy(variables: dict[str, str], *what: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check --deploy`, or what else Python is to do, in a process with only these variables."""
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "diplomacy_site.settings.production"}
    return subprocess.run(
        [sys.executable, *(what or CHECK)],
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


@pytest.mark.parametrize("host", ["10.0.0.1:6432", "10.0.0.1:5432", "db.example.org", "postgres.example.org"])
def test_a_rehearsal_refuses_a_database_that_is_not_its_own(host: str) -> None:
    elsewhere = {**COMPLETE, "DATABASE_URL": f"postgresql://diplomacy:word@{host}/diplomacy"}
    done = check_deploy({**elsewhere, "COMPOSE_PROJECT_NAME": "trial"})
    assert done.returncode != 0
    assert "This is a rehearsal (-p trial), but DATABASE_URL names a database that is not its own" in done.stderr
    assert "docker compose -f docker-compose.yml -p trial" in done.stderr
    assert "word" not in done.stderr.rpartition("ImproperlyConfigured")[2]


def test_a_rehearsal_starts_with_its_own_database_and_a_live_site_with_any() -> None:
    elsewhere = {**COMPLETE, "DATABASE_URL": "postgresql://diplomacy:word@10.0.0.1:6432/diplomacy"}
    for variables in (
        {**COMPLETE, "COMPOSE_PROJECT_NAME": "trial"},
        {**elsewhere, "COMPOSE_PROJECT_NAME": "diplomacy"},
        elsewhere,
    ):
        assert check_deploy(variables, *START).returncode == 0


@pytest.mark.parametrize(
    "name", ["play.example.org.", "https://play.example.org", "spiel-köln.example", "a.example:443"]
)
def test_a_name_that_no_browser_sends_is_refused_with_what_is_allowed(name: str) -> None:
    done = check_deploy({**COMPLETE, "ALLOWED_HOSTS": f"www.example.org, {name}"}, *START)
    assert done.returncode != 0
    assert f"ALLOWED_HOSTS has {name!r}, but must be names such as diplomacy.example.org" in done.stderr


def test_several_names_lead_to_the_site_and_the_first_stands_in_emails() -> None:
    """The proxy wants a space after the comma."""
    names = "play.example.org, www.example.org"
    say = "from diplomacy_site.settings.production import *; print(SITE_ADDRESS, ALLOWED_HOSTS, SECURE_HSTS_SECONDS)"
    done = check_deploy({**COMPLETE, "ALLOWED_HOSTS": names, "HSTS_SECONDS": "60"}, "-c", say)
    assert done.stdout.strip() == "https://play.example.org ['play.example.org', 'www.example.org'] 60"
