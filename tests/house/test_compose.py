"""docker-compose.yml: no secret has a default, and every long-running service has a health check."""

import os
import re
import subprocess
import sys
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from diplomacy_site import __version__, connections, patience
from diplomacy_site.celery import app
from diplomacy_site.embedded import commands, places
from diplomacy_site.events import stream
from diplomacy_site.settings import base
from diplomacy_site.settings.servers import REHEARSAL, refuse_live_database
from tests.house.test_production import COMPLETE, check_deploy
from tests.load.compose import Compose

COMPOSE = places.CHECKOUT / "docker-compose.yml"
NODE = places.CHECKOUT / "docker-compose.node.yml"
SMALL = places.CHECKOUT / "docker-compose.small.yml"
IN_FILES = places.CHECKOUT / "docker-compose.secrets.yml"
WORKFLOW = places.CHECKOUT / ".github" / "workflows" / "image.yml"
PROXY = places.CHECKOUT / "Caddyfile"
EXAMPLE = places.CHECKOUT / ".env.example"
FORMS = ((COMPOSE,), (COMPOSE, SMALL))
OURS = {"web", "deadlines", "background", "bots"}
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)(:[-?])?([^}]*)\}")
SECRETS = {"SECRET_KEY", "SEALED_KEYS_FILE", "POSTGRES_PASSWORD", "REDIS_PASSWORD"}
WITHOUT_DEFAULT = SECRETS | {"ADMIN_PATH", "SITE_HOST", "SITE_VERSION", "DEFAULT_FROM_EMAIL", "EMAIL_HOST"}


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


def test_the_services_are_those_of_a_public_site(services: dict[str, dict[str, Any]]) -> None:
    assert set(services) == {*OURS, "migrate", "postgres", "redis", "proxy"}


def test_nothing_starts_without_its_secrets() -> None:
    uses = {(name, mark, rest.strip() != "") for name, mark, rest in VARIABLE.findall(COMPOSE.read_text())}
    refused_when_empty = {name for name, mark, says_why in uses if mark == ":?" and says_why}
    with_default = {name for name, mark, _ in uses if mark != ":?"}
    assert refused_when_empty == WITHOUT_DEFAULT
    assert with_default.isdisjoint(WITHOUT_DEFAULT)


def test_every_variable_is_explained_in_the_example() -> None:
    texts = [file.read_text() for file in (COMPOSE, SMALL, NODE, IN_FILES)]
    asked_for = {name for text in texts for name, _, _ in VARIABLE.findall(text)} - {"COMPOSE_PROJECT_NAME"}
    lines = dict(line.split("=", 1) for line in EXAMPLE.read_text().splitlines() if re.match(r"\w+=", line))
    assert set(lines) == asked_for
    assert {name for name in WITHOUT_DEFAULT if lines[name]} == set()


def test_the_version_that_the_image_was_built_from_is_the_one_that_it_tells(
    services: dict[str, dict[str, Any]],
) -> None:
    """On the status page and in backups. Only the image says it to the site: .env may name another one by then."""
    for name in (*OURS, "migrate"):
        assert services[name]["image"].startswith("${SITE_IMAGE:-diplomacy-site}:${SITE_VERSION:?")
        assert "SITE_VERSION" not in services[name]["environment"]
    (check,) = re.findall(r'^RUN python -c "(.+)"$', (places.CHECKOUT / "Dockerfile").read_text(), re.MULTILINE)
    for version, code in ((__version__, 0), (f"{__version__}-3-gabcdef0", 0), ("0.0.9", 1), ("", 1)):
        command = [sys.executable, "-c", check]
        done = subprocess.run(
            command, check=False, cwd=places.CHECKOUT, env={"SITE_VERSION": version}, capture_output=True, text=True
        )
        assert done.returncode == code, done.stderr


@pytest.mark.parametrize(
    ("schema", "files"),
    [("compose-spec", [COMPOSE, NODE, SMALL, IN_FILES]), ("github-workflows", [WORKFLOW])],
    ids=["compose files", "workflow"],
)
def test_files_for_other_programs_are_of_their_form(schema: str, files: list[Path]) -> None:
    checked = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files)]
    done = subprocess.run(checked, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_tag_publishes_an_image_for_both_kinds_of_machine_by_actions_that_cannot_change() -> None:
    text = WORKFLOW.read_text()
    workflow = yaml.safe_load(text)
    assert workflow[True] == {"push": {"tags": ["v*"]}}, "YAML reads `on` as true"
    steps = workflow["jobs"]["publish"]["steps"]
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step)
    asked = steps[-1]["with"]
    assert asked["platforms"].split(",") == ["linux/amd64", "linux/arm64"]
    assert (asked["sbom"], asked["provenance"]) == (True, "mode=max")


def test_the_keys_of_sheets_come_to_the_site_in_a_file_and_to_nobody_else(services: dict[str, dict[str, Any]]) -> None:
    assert {name for name, service in services.items() if "secrets" in service} == {*OURS, "migrate"}
    for name in (*OURS, "migrate"):
        (secret,) = services[name]["secrets"]
        assert services[name]["environment"]["SEALED_KEYS_FILE"] == f"/run/secrets/{secret}"
        assert "SEALED_KEYS" not in services[name]["environment"]
    (kept,) = yaml.safe_load(COMPOSE.read_text())["secrets"].values()
    assert VARIABLE.match(kept["file"]), "the host says where the file is"


def test_no_container_can_gain_privileges_and_each_keeps_only_those_that_its_image_starts_with(
    services: dict[str, dict[str, Any]],
) -> None:
    another_user = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
    needed = {"postgres": another_user, "redis": another_user | {"SETPCAP"}, "proxy": {"NET_BIND_SERVICE"}}
    for name, service in services.items():
        assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"]), name
        assert set(service.get("cap_add", [])) == needed.get(name, set()), name


def test_with_passwords_in_files_the_site_starts_and_no_environment_has_one(tmp_path: Path) -> None:
    """Of every process but Redis's own, to which compose still gives the name of the file first."""
    both = Compose(COMPOSE, IN_FILES).services
    asked = both["background"]["secrets"]
    assert {*asked} - {"email_host_password"} == {"sealed_keys", "secret_key", "database_url", "redis_url"}
    words = {**COMPLETE, "EMAIL_HOST_PASSWORD": "a word"}
    for name in asked:
        (tmp_path / name).write_text(f"{words[name.upper()]}\n")
    told = {name: str(value) for name, value in both["background"]["environment"].items()}
    assert not {name for each in (*OURS, "migrate", "postgres") for name in SECRETS if f"${{{name}:" in str(both[each])}
    told = {name: value.replace("/run/secrets", str(tmp_path)) for name, value in told.items() if "$" not in value}
    rest = {name: COMPLETE[name] for name in ("ALLOWED_HOSTS", "ADMIN_PATH", "DEFAULT_FROM_EMAIL", "EMAIL_HOST")}
    shown = "s.SECRET_KEY, s._postgres, s._redis, s.EMAIL_HOST_PASSWORD"
    say = f"import diplomacy_site.settings.production as s; print({shown})"
    done = check_deploy({**told, **rest}, "-c", say)
    assert done.stdout.strip() == "{SECRET_KEY} {DATABASE_URL} {REDIS_URL} a word".format(**COMPLETE), done.stderr


def test_redis_gets_its_password_from_the_file_after_all_others(tmp_path: Path) -> None:
    service = Compose(COMPOSE, IN_FILES).services["redis"]
    (tmp_path / "redis_password").write_text("from a file\n")
    (tmp_path / "docker-entrypoint.sh").write_text('#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n')
    (tmp_path / "docker-entrypoint.sh").chmod(0o755)
    words = [word.replace("$$", "$").replace("/run/secrets", str(tmp_path)) for word in service["entrypoint"]]
    done = subprocess.run(
        [*words, *service["command"]],
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    assert done.stdout.splitlines() == [*service["command"], "--requirepass", "from a file"]


def test_pictures_lie_on_a_disk_that_all_who_paint_share_and_may_write_to(services: dict[str, dict[str, Any]]) -> None:
    folder = services["web"]["environment"]["PICTURES_FOLDER"]
    for name in ("web", "background"):
        assert f"pictures:{folder}" in services[name]["volumes"]
        assert folder not in services[name]["tmpfs"], "that would be memory"
    made = (places.CHECKOUT / "Dockerfile").read_text()
    assert f"install --directory --owner=10001 {folder}\n" in made, "a new volume takes over whose folder it was"


def test_every_lasting_service_has_a_health_check(services: dict[str, dict[str, Any]]) -> None:
    lasting = {name for name, service in services.items() if service["restart"] != "no"}
    assert lasting == set(services) - {"migrate"}
    assert {name for name in lasting if not services[name].get("healthcheck", {}).get("test")} == set()


def test_no_container_can_take_all_the_memory(services: dict[str, dict[str, Any]]) -> None:
    usual, small = ({name: s.get("mem_limit") for name, s in Compose(*files).services.items()} for files in FORMS)
    assert None not in usual.values()
    lasting = {name: in_megabytes(str(small[name])) for name in services if name != "migrate"}
    assert sum(lasting.values()) < 1300, "with swap, a machine of 1 GB must bear all of them at once"
    assert lasting["web"] > 2 * patience.MOST_BYTES_TOGETHER // 2**20, (
        "bodies and answers that wait may take so much each"
    )


def in_megabytes(limit: str) -> int:
    return int(limit[:-1]) * {"m": 1, "g": 1024}[limit[-1]]


def test_the_site_waits_for_its_servers_and_its_tables(services: dict[str, dict[str, Any]]) -> None:
    for name in OURS:
        assert services[name]["depends_on"] == {
            "postgres": {"condition": "service_healthy"},
            "redis": {"condition": "service_healthy"},
            "migrate": {"condition": "service_completed_successfully"},
        }


def test_a_site_with_several_names_asks_itself_by_the_first(services: dict[str, dict[str, Any]]) -> None:
    program = services["web"]["healthcheck"]["test"][-1]
    (expression,) = re.findall(r"'Host': (.+?)\}", program)
    names = SimpleNamespace(environ={"ALLOWED_HOSTS": "play.example.org, www.example.org"})
    assert eval(expression, {"os": names}) == "play.example.org"  # noqa: S307 - ours


def test_an_init_collects_dead_processes(services: dict[str, dict[str, Any]]) -> None:
    assert {name for name, service in services.items() if service.get("init")} == {*OURS, "migrate"}


def test_the_deadlines_have_workers_of_their_own_and_no_queue_is_without(services: dict[str, dict[str, Any]]) -> None:
    queues = {
        name: argument.removeprefix("--queues=")
        for name in OURS
        for argument in services[name]["command"]
        if argument.startswith("--queues=")
    }
    assert queues == {"deadlines": base.DEADLINES, "background": base.BACKGROUND, "bots": base.BOTS}
    assert set(queues.values()) == set(base.CELERY_TASK_QUEUES)
    tasks = {entry["task"] for entry in base.CELERY_BEAT_SCHEDULE.values()}
    assert {task for task in tasks if task in base.CELERY_TASK_ROUTES} == {
        "games.tasks.sweep",
        "games.tasks.sweep_roll_calls",
        "games.tasks.play_bots",
    }
    app.loader.import_default_modules()
    assert set(base.CELERY_TASK_ROUTES) <= set(app.tasks), "a route that leads nowhere"


def test_every_task_that_needs_nothing_is_done_again_and_again() -> None:
    app.loader.import_default_modules()
    ours = {name: task for name, task in app.tasks.items() if ".tasks." in name and not name.startswith("celery")}
    needing_nothing = {name for name, task in ours.items() if not signature(task.run).parameters}
    scheduled = {entry["task"] for entry in (base.BACKUP_SCHEDULE | base.CELERY_BEAT_SCHEDULE).values()}
    assert needing_nothing == scheduled, "name it in CELERY_BEAT_SCHEDULE, in diplomacy_site/settings/base.py"


def test_only_the_proxy_can_be_reached_from_outside(services: dict[str, dict[str, Any]]) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}


def test_the_proxy_is_as_patient_as_the_site(services: dict[str, dict[str, Any]]) -> None:
    limits = dict(
        re.findall(
            r"^\s+(max_header_size|read_header|read_body|write|keepalive) (\w+)", PROXY.read_text(), re.MULTILINE
        )
    )
    seconds = {name: int(text[:-1]) * {"s": 1, "m": 60}[text[-1]] for name, text in limits.items() if text[-1] in "sm"}
    (kept,) = (word.split("=")[1] for word in services["web"]["command"] if word.startswith("--timeout-keep-alive="))
    assert (limits["max_header_size"], seconds["read_header"]) == (
        f"{connections.HEAD_BYTES // 1024}KiB",
        connections.HEAD_SECONDS,
    )
    assert seconds["read_body"] > patience.BODY_SECONDS, "the site says itself what was too slow"
    assert seconds["write"] > stream.LONGEST_STREAM_SECONDS
    assert seconds["keepalive"] < int(kept), "the proxy must not send on a connection that is being closed"


def test_every_form_serves_connections_that_are_limited(services: dict[str, dict[str, Any]]) -> None:
    limited = f"{connections.Connection.__module__}:{connections.Connection.__name__}"
    assert f"--http={limited}" in services["web"]["command"]
    assert limited in commands.command_of_pages("127.0.0.1", 8000)


def test_postgres_keeps_its_files_where_version_18_puts_them(services: dict[str, dict[str, Any]]) -> None:
    assert services["postgres"]["volumes"] == ["postgres:/var/lib/postgresql"]
    assert services["postgres"]["image"] == "postgres:18"


def test_production_sorts_as_the_embedded_server_does(services: dict[str, dict[str, Any]]) -> None:
    arguments = services["postgres"]["environment"]["POSTGRES_INITDB_ARGS"]
    assert arguments == "--locale-provider=builtin --locale=C.UTF-8"


def test_the_small_form_changes_only_the_workers_and_the_servers(services: dict[str, dict[str, Any]]) -> None:
    small = Compose(COMPOSE, SMALL)
    changed = {name for name, service in services.items() if {"environment": {}, **service} != small.services[name]}
    assert changed == {"web", "deadlines", "background", "bots", "postgres", "redis", "proxy"}
    for name in ("deadlines", "background"):
        usual = services[name]["command"]
        assert [word for word in small.services[name]["command"] if word != "--pool=threads"] == usual
    assert VARIABLE.findall(SMALL.read_text())[0] in VARIABLE.findall(COMPOSE.read_text())


def test_no_service_of_a_node_looks_for_a_server_that_only_one_machine_has() -> None:
    node = Compose(COMPOSE, NODE).services
    for name in (*OURS, "migrate"):
        told = node[name]["environment"]
        assert "@postgres" not in told["DATABASE_URL"], name
        assert "@redis" not in told["REDIS_URL"], name


def test_on_a_node_tables_are_updated_on_postgres_itself_and_pages_come_through_the_pool() -> None:
    node = Compose(COMPOSE, NODE).services
    told = {name: node[name]["environment"] for name in (*OURS, "migrate")}
    found = {name: (VARIABLE.findall(it["DATABASE_URL"])[0][0], it["PGBOUNCER"]) for name, it in told.items()}
    assert found == {"migrate": ("POSTGRES_URL", ""), **dict.fromkeys(OURS, ("DATABASE_URL", "yes"))}


@pytest.mark.parametrize("files", [(COMPOSE,), (COMPOSE, SMALL), (COMPOSE, NODE)])
def test_every_container_is_told_which_project_it_is_of(files: tuple[Path, ...]) -> None:
    """So that a rehearsal can refuse the database of the live site."""
    for name in (*OURS, "migrate"):
        told = Compose(*files).services[name]["environment"]["COMPOSE_PROJECT_NAME"]
        assert told == "${COMPOSE_PROJECT_NAME:-}", name


def test_the_handbook_rehearses_with_a_database_of_its_own_in_the_first_file() -> None:
    told = (places.CHECKOUT / "HOSTING.md").read_text()
    assert f"docker compose -f {COMPOSE.name} -p {REHEARSAL} " in told
    assert re.findall(rf"docker compose -p {REHEARSAL}", told) == []
    for name in (*OURS, "migrate"):
        address = str(Compose(COMPOSE).services[name]["environment"]["DATABASE_URL"])
        refuse_live_database(VARIABLE.sub("word", address), REHEARSAL)


def test_the_handbook_says_of_every_process_when_it_is_alive_and_how_long_it_may_take_to_stop(
    services: dict[str, dict[str, Any]],
) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| .*?`(.+?)`.* \| (\w+)", (places.CHECKOUT / "HOSTING.md").read_text(), re.MULTILINE
    )
    told = {name: (sign, patience) for name, sign, patience in rows if name in services}
    assert set(told) == set(services) - {"migrate"}
    for name, (sign, grace) in told.items():
        assert sign in " ".join(services[name]["healthcheck"]["test"]), name
        assert grace == services[name].get("stop_grace_period", "10")


def test_the_bench_starts_what_the_file_names() -> None:
    site = Compose(COMPOSE, SMALL).site(port=1234)
    assert set(site) == OURS
    assert site["deadlines"].command[1:4] == ["-m", "celery", "--quiet"]
    assert "--port=1234" in site["web"].command
    assert site["web"].environment["MALLOC_ARENA_MAX"] == "2"
    assert Compose(COMPOSE).postgres_options() == {}
    assert Compose(COMPOSE, SMALL).postgres_options()["shared_buffers"] == "32MB"
    limits = ["--maxmemory", "32mb", "--maxmemory-policy", "volatile-lru", "--maxmemory-clients", "25%"]
    assert Compose(COMPOSE, SMALL).redis_options() == ["--save", "", *limits]
