"""What setting up reads from the machine, and what locking takes out."""

import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "bin" / "lib" / "setup"


@pytest.fixture(autouse=True)
def setup_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of bin/setup import each other by their bare names."""
    monkeypatch.syspath_prepend(str(SETUP))
    for name in ("apt_sources", "index", "places", "lock", "uv_program", "commands", "progress"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_mirrors_are_read_from_one_line_sources(tmp_path: Path) -> None:
    import apt_sources

    (tmp_path / "sources.list").write_text(
        "# deb http://commented.example/debian stable main\n"
        "deb http://mirror.example/debian stable main contrib  # ours\n"
        "deb-src http://source.example/debian stable main\n"
        "deb http://mirror.example/debian-security stable-security main\n"
    )
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d/tool.list").write_text(
        "deb [arch=amd64 signed-by=/k.gpg] https://other.example/apt stable main\n"
        "deb https://tool.example/apt stable tool\n"
    )
    assert apt_sources.mirrors(tmp_path) == [
        "http://mirror.example/debian",
        "https://other.example/apt",
    ]


def test_mirrors_are_read_from_stanzas(tmp_path: Path) -> None:
    import apt_sources

    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d/debian.sources").write_text(
        "Types: deb deb-src\n# a remark\nURIs: mirror+file:/etc/apt/mirrors/debian.list\n"
        " http://second.example/debian\nSuites: stable\nComponents: main\n\n"
        "Types: deb\nURIs: http://off.example/debian\nComponents: main\nEnabled: no\n\n"
        "Types: deb\nURIs: http://mirror.example/debian-security/\nComponents: main\n"
    )
    assert apt_sources.mirrors(tmp_path) == [
        "mirror+file:/etc/apt/mirrors/debian.list",
        "http://second.example/debian",
    ]


def test_the_index_that_pip_is_configured_for_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import index

    file = tmp_path / "pip.conf"
    file.write_text("[global]\nindex-url = https://packages.example/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    assert index.settings()["UV_DEFAULT_INDEX"] == "https://packages.example/simple"

    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mine.example/simple")
    assert "UV_DEFAULT_INDEX" not in index.settings()


def test_a_lock_keeps_no_host(tmp_path: Path) -> None:
    import lock

    text = (
        'source = { registry = "https://real.example/simple" }\n'
        'sdist = { url = "https://files.example:8443/packages/a/b.tar.gz", hash = "sha256:1" }\n'
    )
    assert lock.without_hosts(text) == (
        'source = { registry = "https://index.invalid/simple" }\n'
        'sdist = { url = "https://files.invalid/packages/a/b.tar.gz", hash = "sha256:1" }\n'
    )
