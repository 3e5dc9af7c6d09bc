"""What a compose file starts, as processes of this machine: its commands are read from it and nowhere else."""

from __future__ import annotations

import base64
import re
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import yaml

from tests.load.processes import Started

if TYPE_CHECKING:
    from pathlib import Path

OURS = "diplomacy-site"
ONCE = "no"
VARIABLE = re.compile(r"\$\{")
MADE_UP = {
    "DJANGO_SETTINGS_MODULE": "tests.load.production",
    "SECRET_KEY": "known to everyone who reads the tests",
    "SEALED_KEYS": base64.b64encode(bytes(range(32))).decode(),
    "ALLOWED_HOSTS": "127.0.0.1",
    "SECURE_SSL_REDIRECT": "false",
    "ADMIN_PATH": "made-up/",
    "DEFAULT_FROM_EMAIL": "diplomacy@example.org",
    "EMAIL_HOST": "127.0.0.1",
    "EMAIL_PORT": "9",
}
POSTGRES_OF_ITSELF = {"listen_addresses": "", "unix_socket_permissions": "0700", "timezone": "UTC"}
"""What the embedded server is told besides, where it is to have its own defaults in all that takes memory."""
ELSEWHERE = {"ALIVE_FILE", "PICTURES_FOLDER", "SEALED_KEYS_FILE"}
"""Variables whose value leads to a place that only the container has."""


class Compose:
    """What docker compose makes of these files, of which later ones change the first."""

    def __init__(self, *files: Path) -> None:
        self.services: dict[str, dict[str, Any]] = {}
        for file in files:
            for name, service in yaml.safe_load(file.read_text())["services"].items():
                before = self.services.get(name, {})
                both = {**before.get("environment", {}), **service.get("environment", {})}
                self.services[name] = {**before, **service, "environment": both}

    def site(self, port: int) -> dict[str, Started]:
        """Our services that run for as long as the site does."""
        return {
            name: Started(_on_this_machine(name, service["command"], port), _environment(service))
            for name, service in self.services.items()
            if OURS in service["image"] and service["restart"] != ONCE
        }

    def postgres_options(self) -> dict[str, str]:
        """What the server is told with `-c name=value`."""
        words = self.services["postgres"].get("command", [])
        return dict(word.split("=", 1) for before, word in pairwise(words) if before == "-c")

    def redis_options(self) -> list[str]:
        """What the server is told, without its password."""
        words: list[str] = self.services["redis"]["command"][1:]
        secret = words.index("--requirepass")
        return words[:secret] + words[secret + 2 :]


def _environment(service: dict[str, Any]) -> dict[str, str]:
    told = {name: str(value) for name, value in service["environment"].items() if name not in ELSEWHERE}
    return {**{name: value for name, value in told.items() if not VARIABLE.search(value)}, **MADE_UP}


def _on_this_machine(name: str, command: list[str], port: int) -> list[str]:
    """With this Python, on a free port of this machine, and with a name of its own where the container had one."""
    program, *words = command
    here = {"--host=0.0.0.0": "--host=127.0.0.1", "--port=8000": f"--port={port}"}
    named = [f"--hostname={name}@%h"] if program == "celery" else []
    return [sys.executable, "-m", program, *(here.get(word, word) for word in words), *named]
