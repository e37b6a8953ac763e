"""`deploy/systemd`, as systemd reads it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.started import ROOT, SYSTEMD, unit

UNITS = sorted(SYSTEMD.glob("*.service"))
HOME = "/opt/pillarbox"
MOST_EXPOSED = 2.0
"""Of 10, as `systemd-analyze security` counts: it calls 2 and less safe."""

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units, with this repository in the place of the installed one."""
    for file in UNITS:
        programs = file.read_text().replace(f"{HOME}/.venv", f"{ROOT}/.venv")
        (tmp_path / file.name).write_text(programs)
    return tmp_path


@analyze
@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_systemd_finds_nothing_wrong(file: Path, installed: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"./{file.name}"],
        cwd=installed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@analyze
def test_systemd_notices_what_is_wrong(installed: Path) -> None:
    file = installed / UNITS[0].name
    file.write_text(file.read_text().replace("Type=oneshot", "Typ=oneshot"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"./{file.name}"],
        cwd=installed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Typ" in done.stderr


@analyze
@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_a_process_may_do_little(file: Path, installed: Path) -> None:
    said = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", f"./{file.name}"],
        cwd=installed,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    exposed = re.search(r"exposure level for \S+: ([\d.]+)", said)
    assert exposed, said
    assert float(exposed[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_it_runs_as_nobody_else_and_reads_the_settings(file: Path) -> None:
    options = unit(file)
    assert options["User"] == options["Group"] == ["pillarbox"]
    assert options["EnvironmentFile"] == ["/etc/pillarbox/pillarbox.env"]
    assert options["WorkingDirectory"] == [HOME]


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_it_may_still_see_whether_another_worker_runs(file: Path) -> None:
    """Which boot this is, and whether a process of ours is there, stands in /proc."""
    assert "ProcSubset" not in unit(file)


@pytest.mark.parametrize("name", ["pillarbox-web", "pillarbox-worker@"])
def test_it_starts_after_the_migration_and_again_whenever_it_ends(name: str) -> None:
    options = unit(SYSTEMD / f"{name}.service")
    assert options["Requires"] == ["pillarbox-migrate.service"]
    assert "pillarbox-migrate.service" in options["After"][0]
    assert options["Restart"] == ["always"]
    assert options["StateDirectory"] == ["pillarbox"]


def test_the_page_of_a_unit_is_there() -> None:
    for file in UNITS:
        (page,) = unit(file)["Documentation"]
        assert (ROOT / page.removeprefix(f"file:{HOME}/")).exists()
