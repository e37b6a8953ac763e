"""Whether uv.lock was written for the dependencies that pyproject.toml names now."""

import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[3]
type Wanted = tuple[str, frozenset[str], str, str]


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    locked = tomllib.loads((ROOT / "uv.lock").read_text())
    name = project["project"]["name"]
    package = next(package for package in locked["package"] if package["name"] == name)
    if _asked(project) == _answered(package["metadata"]):
        return 0
    print("uv.lock was written for other dependencies than pyproject.toml names: run bin/lock.")
    return 1


def _asked(project: dict[str, Any]) -> dict[str, set[Wanted]]:
    groups = project.get("dependency-groups", {})
    asked = {name: _flat(groups, name) for name in groups}
    asked[""] = [*project["project"]["dependencies"], *_of_extras(project["project"])]
    return {group: {_parsed(text) for text in texts} for group, texts in asked.items()}


def _flat(groups: dict[str, list[Any]], name: str) -> list[str]:
    """A group with the groups that it includes."""
    texts: list[str] = []
    for entry in groups[name]:
        texts += [entry] if isinstance(entry, str) else _flat(groups, entry["include-group"])
    return texts


def _of_extras(project: dict[str, Any]) -> list[str]:
    extras = project.get("optional-dependencies", {})
    return [f"{text}; extra == '{name}'" for name, texts in extras.items() for text in texts]


def _parsed(text: str) -> Wanted:
    wanted = Requirement(text)
    name = wanted.name.lower().replace("_", "-")
    return name, frozenset(wanted.extras), str(wanted.specifier), str(wanted.marker or "")


def _answered(metadata: dict[str, Any]) -> dict[str, set[Wanted]]:
    groups = {"": metadata["requires-dist"], **metadata.get("requires-dev", {})}
    return {group: {_read(entry) for entry in entries} for group, entries in groups.items()}


def _read(entry: dict[str, Any]) -> Wanted:
    extras = frozenset(entry.get("extras", ()))
    marker = str(Marker(entry["marker"])) if "marker" in entry else ""
    return entry["name"], extras, entry.get("specifier", ""), marker


if __name__ == "__main__":
    sys.exit(main())
