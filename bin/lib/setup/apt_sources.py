"""Where this machine gets its distribution's packages from, read from apt's own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

APT = Path("/etc/apt")


def mirrors(apt: Path = APT) -> list[str]:
    """The addresses that offer a component `main`, in the order of the files."""
    found = dict.fromkeys(_all(apt))
    return [uri for uri in found if not uri.rstrip("/").endswith("-security")]


def _all(apt: Path) -> Iterator[str]:
    for file in [apt / "sources.list", *sorted(apt.glob("sources.list.d/*.list"))]:
        if file.exists():
            yield from _one_line_form(file.read_text())
    for file in sorted(apt.glob("sources.list.d/*.sources")):
        yield from _stanza_form(file.read_text())


def _one_line_form(text: str) -> Iterator[str]:
    """`deb [options] URI suite component …`"""
    for line in text.splitlines():
        kind, _, rest = line.partition("#")[0].strip().partition(" ")
        if rest.lstrip().startswith("["):
            rest = rest.partition("]")[2]
        words = rest.split()
        if kind == "deb" and "main" in words[2:]:
            yield words[0]


def _stanza_form(text: str) -> Iterator[str]:
    """Fields of the form of RFC 822, one source in each paragraph."""
    for fields in _stanzas(text):
        if (
            "deb" in fields.get("types", "").split()
            and "main" in fields.get("components", "").split()
            and fields.get("enabled", "yes").lower() not in ("no", "false", "0")
        ):
            yield from fields.get("uris", "").split()


def _stanzas(text: str) -> Iterator[dict[str, str]]:
    fields: dict[str, str] = {}
    name = ""
    for line in [*text.splitlines(), ""]:
        if not line.strip():
            yield fields
            fields = {}
        elif line.startswith("#"):
            continue
        elif line[0].isspace():
            fields[name] = f"{fields.get(name, '')} {line.strip()}"
        else:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            fields[name] = value.strip()
