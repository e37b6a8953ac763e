"""What the pages on deployment name is there, and what they link to."""

import re
from pathlib import Path

import pytest

from app.commands.dispatch_work import DispatchWork
from app.configuration import SETTINGS
from app.events.measures import REGISTRY
from tests.deploy.started import ROOT, all_started
from tests.docs.test_watching_pages import shown

PAGES = [ROOT / "docs" / "how-to" / f"{name}.md" for name in ("deploy", "scale", "upgrade")]
RUNBOOK = ROOT / "docs" / "runbook.md"
WORKER = ROOT / "docs" / "reference" / "worker.md"
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")
NAME = re.compile(r"\b(?:pillarbox)_[a-z_]+\b")
SETTING = re.compile(r"`([A-Z][A-Z0-9]+_[A-Z0-9_]+)`")
ELSEWHERE = {"UV_DEFAULT_INDEX", "PIP_INDEX_URL"}
"""Settings of uv and pip."""


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*PAGES, RUNBOOK, WORKER], ids=lambda page: page.stem)
def test_every_link_leads_somewhere(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text()):
        if path.startswith("http"):
            continue
        target = (page.parent / path) if path else page
        assert target.exists(), path
        if anchor:
            assert anchor in anchors(target.resolve()), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_metric_and_setting_is_one(page: Path) -> None:
    text = page.read_text()
    assert set(NAME.findall(text)) <= shown() | {family.name for family in REGISTRY.collect()}
    assert set(SETTING.findall(text)) - ELSEWHERE <= SETTINGS.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_of_the_repository_is_there(page: Path) -> None:
    named = re.findall(r"\bdeploy/[\w./@-]*\w", page.read_text())
    made = {"deploy/pillarbox.env", "deploy/postgres.env", "deploy/pillarbox-web"}
    assert all((ROOT / name).exists() for name in set(named) - made)


def test_the_page_of_the_worker_has_the_graces_of_the_files() -> None:
    text = WORKER.read_text()
    (grace,) = {started.grace for started in all_started() if started.name == "worker"}
    for option in ("terminationGracePeriodSeconds: ", "stop_grace_period: ", "TimeoutStopSec="):
        assert f"{option}{grace:g}" in text


def rows_of_vtasks() -> list[tuple[str, str]]:
    table = WORKER.read_text().partition("## Coming from django-vtasks")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE)
    return [row for row in rows if not set(row[0]) <= {"-"}][1:]


def test_every_name_of_django_vtasks_is_there_with_ours() -> None:
    """The names that its page on deployment has."""
    theirs = {name for row in rows_of_vtasks() for name in re.findall(r"`([^`]+)`", row[0])}
    assert {
        *("--concurrency", "--queue", "--scheduler", "--id", "--health-check-file"),
        *("--metrics-port", "VTASKS_CONCURRENCY", "VTASKS_WORKER_ID", "VTASKS_MAX_RESCUES"),
        *("VTASKS_SHUTDOWN_CANCEL_GRACE", "VTASKS_IS_WORKER", "GRANIAN_WORKERS_KILL_TIMEOUT"),
        *("manage.py runworker", "get_worker_application", "prune_installed_apps"),
    } <= theirs


def test_each_name_of_ours_in_place_of_theirs_is_one() -> None:
    ours = {name for row in rows_of_vtasks() for name in re.findall(r"`([^`]+)`", row[1])}
    flags = {name for name in ours if name.startswith("--")} - {"--no-scheduler"}
    accepted = " ".join(str(DispatchWork.signature).replace("|", " ").split())
    assert all(flag in accepted for flag in flags)
    settings = {name.partition("=")[0] for name in ours if re.fullmatch(r"[A-Z_]+(=\w+)?", name)}
    assert settings <= SETTINGS.keys()
