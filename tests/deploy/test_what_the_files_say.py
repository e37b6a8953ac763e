"""Every name, port, path and time in the files of `deploy/` is one that there is."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from app.configuration import SETTINGS
from tests.deploy.started import DEPLOY, Started, all_started, dockerfile, of_kind

ALL = all_started()
OTHERS = {"PATH": "the shell's", "PYTHONDONTWRITEBYTECODE": "Python's"}
"""Names that are neither ours nor granian's."""
POSTGRES = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "POSTGRES_INITDB_ARGS"}
"""Those of the official image of PostgreSQL."""
EXAMPLE = re.compile(r"^([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def of_granian() -> set[str]:
    said = subprocess.run(
        [sys.executable, "-m", "granian", "--help"], capture_output=True, text=True, check=True
    )
    return set(re.findall(r"\bGRANIAN_[A-Z_]+|--[a-z0-9-]+", said.stdout))


def example(name: str) -> dict[str, str]:
    return dict(EXAMPLE.findall((DEPLOY / f"{name}.env.example").read_text()))


def setting(started: Started, name: str) -> float:
    return float(started.environment.get(name) or SETTINGS[name].default or 0)


def word_after(started: Started, flag: str) -> str | None:
    words = started.words
    return words[words.index(flag) + 1] if flag in words else None


@pytest.mark.parametrize("started", ALL, ids=str)
def test_every_variable_is_a_setting_or_granians(started: Started, of_granian: set[str]) -> None:
    assert started.environment.keys() <= SETTINGS.keys() | of_granian | OTHERS.keys()


def test_the_examples_of_environments_name_settings() -> None:
    assert example("pillarbox").keys() <= SETTINGS.keys()
    assert example("postgres").keys() == POSTGRES


def of_one_kind(name: str) -> list[Started]:
    return [started for started in ALL if started.name == name]


@pytest.mark.parametrize("name", ["web", "worker", "migrate"])
def test_each_way_starts_each_process(name: str) -> None:
    others = {"dockerfile"} if name == "web" else set()
    assert {s.place for s in of_one_kind(name)} == {"compose", "kubernetes", "systemd"} | others


@pytest.mark.parametrize("name", ["web", "worker", "migrate"])
def test_each_way_starts_it_by_the_same_words(name: str) -> None:
    """But for the numbered places of systemd's workers."""
    places = re.compile(r"/run/pillarbox-worker-1/health|/tmp/health|91\d\d")
    assert len({places.sub("…", " ".join(s.words)) for s in of_one_kind(name)}) == 1


def test_every_flag_of_granian_is_one(of_granian: set[str]) -> None:
    flags = {word for s in of_one_kind("web") for word in s.words if word.startswith("--")}
    assert flags <= of_granian


SERVING = [*of_one_kind("web"), *of_one_kind("worker")]


@pytest.mark.parametrize("started", SERVING, ids=str)
def test_the_platform_waits_for_the_grace_that_the_process_is_told(started: Started) -> None:
    grace = setting(started, "SHUTDOWN_GRACE")
    assert started.grace == (0 if started.place == "dockerfile" else grace)
    assert setting(started, "DISPATCH_DRAIN") < grace


@pytest.mark.parametrize("started", of_one_kind("web"), ids=str)
def test_granian_gives_up_after_the_drain_and_before_the_platform_does(started: Started) -> None:
    limit = float(word_after(started, "--workers-kill-timeout") or 0)
    assert setting(started, "DISPATCH_DRAIN") < limit < setting(started, "SHUTDOWN_GRACE")


def ports_listened_at(started: Started) -> set[int]:
    found = (word_after(started, flag) for flag in ("--port", "--metrics-port"))
    return {int(port) for port in found if port}


def ports_named(started: Started) -> Iterator[int]:
    yield from started.ports
    for probe in started.probes:
        if probe.path:
            yield probe.port
        yield from (int(port) for port in re.findall(r":(\d+)/", " ".join(probe.command)))


@pytest.mark.parametrize("started", ALL, ids=str)
def test_every_port_that_is_named_is_one_that_it_listens_at(started: Started) -> None:
    assert set(ports_named(started)) <= ports_listened_at(started)


@pytest.mark.parametrize("started", SERVING, ids=str)
def test_every_file_that_a_probe_looks_at_is_the_one_that_is_touched(started: Started) -> None:
    looked_at = set(
        re.findall(
            r"\S*health\b",
            " ".join(probe.command[-1] for probe in started.probes if started.name == "worker"),
        )
    )
    assert looked_at <= {word_after(started, "--health-check-file")}


def test_containers_keep_files_where_the_volume_is() -> None:
    ours = dockerfile().environment["STORAGE_PATH"]
    assert of_kind("ConfigMap")["pillarbox"]["data"]["STORAGE_PATH"] == ours


SECRET = {name for name, row in SETTINGS.items() if row.secret}
ASSIGNED = re.compile(r"\b([A-Z][A-Z0-9_]+)[=:] ?(\S+)")


def files() -> list[Path]:
    return [path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".json"]


@pytest.mark.parametrize("file", files(), ids=lambda path: path.name)
def test_no_file_holds_a_secret(file: Path) -> None:
    given: Mapping[str, str] = dict(ASSIGNED.findall(file.read_text()))
    shown = {name: value for name, value in given.items() if name in SECRET | {"POSTGRES_PASSWORD"}}
    addresses = {"DATABASE_URL": "PASSWORD", "REDIS_URL": "redis://valkey:6379/0"}
    assert all(addresses.get(name, "no value at all") in value for name, value in shown.items())
