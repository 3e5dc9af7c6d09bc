"""The command lines of what `./run` starts."""

import os
import sys

from diplomacy_site.embedded import ports
from diplomacy_site.embedded.stack import Stack

MANAGE = [sys.executable, "manage.py"]
MIGRATE = [*MANAGE, "migrate", "--verbosity", "0"]
PSEUDO_LANGUAGE = [*MANAGE, "catalogue", "xa"]
SEED = [*MANAGE, "seed_demonstration"]
QUEUES = ("deadlines", "background")
BOTS = "bots"
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "diplomacy_site.celery"]


def environment_of_commands(stack: Stack, host: str, port: int) -> dict[str, str]:
    """The environment of the commands; a site that listens beyond this machine accepts any host name."""
    variables = {**os.environ, **stack.environment(), "PYTHONUNBUFFERED": "1"}
    variables.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_site.settings.local")
    variables.setdefault("MALLOC_ARENA_MAX", "2")  # otherwise each thread keeps memory of its own
    variables.setdefault("SITE_ADDRESS", ports.address_in_browser(host, port).rstrip("/"))
    if not ports.is_loopback(host):
        variables.setdefault("ALLOWED_HOSTS", "*")
    return variables


def commands_of_services(host: str, port: int) -> dict[str, list[str]]:
    """Name -> command: the pages, the worker that meets deadlines, the worker for everything else (which has the beat),
    and the worker in which bots compute."""
    return {
        "web": command_of_pages(host, port),
        **{queue: command_of_worker(queue) for queue in QUEUES},
        BOTS: command_of_worker(BOTS, "solo"),
    }


def command_of_worker(queue: str, pool: str = "threads") -> list[str]:
    """The command of a worker. Threads let one task compute while another waits for the database; bots only compute."""
    return [
        *[*CELERY, "worker", "--pool", pool, "--concurrency", "2", "--loglevel", "INFO"],
        *["--without-gossip", "--without-mingle", "--hostname", f"{queue}@%h", "--queues", queue],
    ]


def command_of_pages(host: str, port: int) -> list[str]:
    return [
        *[sys.executable, "-m", "uvicorn", "diplomacy_site.asgi:application"],
        *["--host", host, "--port", str(port), "--log-level", "warning", "--lifespan", "on"],
        *["--http", "diplomacy_site.connections:Connection", "--timeout-keep-alive", "30"],
        *["--timeout-graceful-shutdown", "2"],
    ]
