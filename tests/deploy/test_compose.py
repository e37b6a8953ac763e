"""`deploy/compose.yaml`, as Compose reads it."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.deploy.started import COMPOSE, DEPLOY, compose

SCHEMA = Path(__file__).parent / "schemas" / "compose.json"
PINNED = re.compile(r"[\w./-]+:\d+\.\d+[\w.-]*")


def client() -> Sequence[str] | None:
    """Docker's client with its plugin, or the program of its own that there was before."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is None:
            continue
        if subprocess.run([*command, "version"], capture_output=True, check=False).returncode == 0:
            return command
    return None


def services() -> dict[str, Any]:
    return compose()["services"]


def test_it_fits_the_specification() -> None:
    schema = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))
    wrong = [f"{list(e.instance_path)}: {e.message}" for e in schema.iter_errors(compose())]
    assert wrong == []


def test_the_specification_refuses_what_it_does_not_know() -> None:
    schema = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text()))
    changed = compose()
    changed["services"]["web"]["stop_grace"] = "60s"
    assert not schema.is_valid(changed)


def test_compose_itself_reads_it(tmp_path: Path) -> None:
    command = client()
    if command is None:
        pytest.skip("neither `docker compose` nor docker-compose is installed")
    folder = tmp_path / "deploy"
    shutil.copytree(DEPLOY, folder)
    for example in folder.glob("*.env.example"):
        example.rename(example.with_suffix(""))
    done = subprocess.run(
        [*command, "-f", str(folder / COMPOSE.name), "config"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "DATABASE_URL" in done.stdout


def test_there_is_all_that_pillarbox_needs() -> None:
    assert services().keys() == {"migrate", "web", "worker", "postgres", "valkey"}


def test_images_are_pinned_to_a_version() -> None:
    assert all(PINNED.fullmatch(service["image"]) for service in services().values())


def test_each_file_of_settings_has_an_example() -> None:
    named = {file for service in services().values() for file in service.get("env_file", ())}
    assert named == {"pillarbox.env", "postgres.env"}
    assert all((DEPLOY / f"{file}.example").exists() for file in named)


def test_nothing_is_started_before_what_it_needs() -> None:
    needs = {name: service.get("depends_on", {}) for name, service in services().items()}
    for name in ("web", "worker"):
        assert needs[name]["migrate"]["condition"] == "service_completed_successfully"
        assert needs[name]["valkey"]["condition"] == "service_healthy"
    assert needs["migrate"]["postgres"]["condition"] == "service_healthy"
    assert all("test" in services()[name]["healthcheck"] for name in ("postgres", "valkey"))


def volumes() -> Iterator[str]:
    for service in services().values():
        for volume in service.get("volumes", ()):
            yield volume.partition(":")[0]


def test_what_must_last_is_on_volumes() -> None:
    assert set(volumes()) == compose()["volumes"].keys() == {"postgres", "storage", "valkey"}
    assert "--appendonly yes" in " ".join(services()["valkey"]["command"])
    assert "--maxmemory-policy noeviction" in " ".join(services()["valkey"]["command"])
