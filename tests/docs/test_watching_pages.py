"""What watches Pillarbox, and what is written about it, names what there is."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.events.measures import REGISTRY
from app.worker.gauges import GAUGES
from app.workflow import ErrorKind, State
from tests.docs.actions import actions

ROOT = Path(__file__).resolve().parents[2]
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yaml"
DASHBOARD = ROOT / "deploy" / "grafana" / "dashboard.json"
RUNBOOK = ROOT / "docs" / "runbook.md"
LOGS = ROOT / "docs" / "reference" / "logs.md"
METRICS = ROOT / "docs" / "reference" / "metrics.md"

NAME = re.compile(r"\b(?:pillarbox|process)_[a-z_]+")


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def shown() -> set[str]:
    """The names of all samples that a page of metrics may have."""
    counted = {
        f"{family.name}{suffix}"
        for family in REGISTRY.collect()
        for suffix in SUFFIXES.get(family.type, ("",))
    }
    return counted | {gauge.name for gauge in GAUGES.values()}


SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}


def headings(page: Path) -> set[str]:
    return {h.strip("`") for h in re.findall(r"^### (\S+)$", page.read_text(), re.MULTILINE)}


def expressions(panel: dict[str, Any]) -> list[str]:
    return [target["expr"] for target in panel.get("targets", [])]


def test_every_alert_asks_for_metrics_that_there_are() -> None:
    for rule in rules():
        asked = set(NAME.findall(rule["expr"]))
        assert asked, rule["alert"]
        assert asked <= shown(), rule["alert"]


def test_every_alert_says_what_happened_and_where_to_read_on() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning"}
        notes = rule["annotations"]
        assert notes["summary"].endswith(".")
        assert notes["runbook"] == f"docs/runbook.md#{rule['alert'].lower()}"


def test_the_dashboard_asks_for_metrics_that_there_are() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    asked = {name for p in panels for e in expressions(p) for name in NAME.findall(e)}
    assert asked <= shown()
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_each_of_our_metrics_is_on_the_dashboard() -> None:
    text = DASHBOARD.read_text()
    ours = {name for name in shown() if name.startswith("pillarbox_")}
    missing = {n for n in ours if n.removesuffix("_bucket") not in text and n[-4:] != "_sum"}
    assert {name for name in missing if not name.endswith("_count")} == set()


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param({rule["alert"] for rule in rules()}, id="alerts"),
        pytest.param({state.value for state in State}, id="states"),
        pytest.param({kind.value for kind in ErrorKind}, id="error kinds"),
    ],
)
def test_the_runbook_has_a_section_for_each(wanted: set[str]) -> None:
    assert wanted - headings(RUNBOOK) == set()


def test_the_runbook_has_no_section_about_what_is_not_there() -> None:
    known = {rule["alert"] for rule in rules()} | {*State, *ErrorKind}
    assert headings(RUNBOOK) - known == set()


def test_the_page_of_metrics_has_each_of_them_and_no_other() -> None:
    written = set(re.findall(r"^\| `(pillarbox_\w+)`", METRICS.read_text(), re.MULTILINE))
    ours = {
        f"{family.name}_total" if family.type == "counter" else family.name
        for family in REGISTRY.collect()
        if family.name.startswith("pillarbox_")
    }
    assert written == ours | {gauge.name for gauge in GAUGES.values()}


def test_the_page_of_the_log_has_each_action_and_no_other() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", LOGS.read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == actions()
