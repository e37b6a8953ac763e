"""What the files in ``deploy/`` start: commands with their environment, probes and end."""

import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
DOCKERFILE = DEPLOY / "Dockerfile"
KUBERNETES = DEPLOY / "kubernetes"
SYSTEMD = DEPLOY / "systemd"

MINUTES = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class Probe:
    """A command that ends with 0, or a path of a port that answers with 2xx."""

    kind: str
    command: tuple[str, ...] = ()
    path: str = ""
    port: int = 0


@dataclass(frozen=True)
class Started:
    """``grace``: seconds from SIGTERM to the kill."""

    place: str
    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    grace: float = 0.0
    probes: tuple[Probe, ...] = ()
    ports: tuple[int, ...] = field(default=())

    def __str__(self) -> str:
        return f"{self.place}-{self.name}"

    @property
    def words(self) -> tuple[str, ...]:
        """The command without the folder of its program."""
        return (Path(self.command[0]).name, *self.command[1:])


def all_started() -> list[Started]:
    """Of our image and code alone: PostgreSQL and Valkey are others' programs."""
    return [dockerfile(), *of_compose(), *of_kubernetes(), *of_systemd()]


def seconds(text: str) -> float:
    """``60s``, ``1h`` or ``60``."""
    number, unit = re.fullmatch(r"(\d+)([smh]?)", text).groups()  # type: ignore[union-attr]
    return int(number) * MINUTES[unit or "s"]


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, each with all that follows its name."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [
        (line.split()[0], line.partition(" ")[2].strip()) for line in joined.splitlines() if line
    ]


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    begins = max(n for n, (name, _) in enumerate(found) if name == "FROM")
    return found[begins:]


def dockerfile() -> Started:
    stage = {name: text for name, text in last_stage() if name in {"ENV", "CMD", "HEALTHCHECK"}}
    healthy = stage["HEALTHCHECK"].partition("CMD")[2]
    return Started(
        "dockerfile",
        "web",
        tuple(yaml.safe_load(stage["CMD"])),
        dict(re.findall(r"(\w+)=(\S+)", stage["ENV"])),
        probes=(Probe("healthcheck", tuple(yaml.safe_load(healthy))),),
        ports=tuple(int(text) for name, text in last_stage() if name == "EXPOSE"),
    )


def compose() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text())


def of_compose() -> Iterator[Started]:
    image = dockerfile().environment
    for name, service in compose()["services"].items():
        if not service["image"].startswith("pillarbox:"):
            continue
        test = service["healthcheck"].get("test")
        yield Started(
            "compose",
            name,
            tuple(service["command"]),
            {**image, **service.get("environment", {})},
            seconds(service["stop_grace_period"]),
            # The first word says CMD; compose reads "$$" as "$".
            (Probe("healthcheck", tuple(word.replace("$$", "$") for word in test[1:])),)
            if test
            else (),
            tuple(int(port.rpartition(":")[2]) for port in service.get("ports", ())),
        )


def manifests() -> list[tuple[str, dict[str, Any]]]:
    """Every object of every file, with the file's name."""
    return [
        (file.name, manifest)
        for file in sorted(KUBERNETES.glob("*.yaml"))
        for manifest in yaml.safe_load_all(file.read_text())
        if file.name != "kustomization.yaml"
    ]


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    return {m["metadata"]["name"]: m for _, m in manifests() if m["kind"] == kind}


def pods() -> dict[str, dict[str, Any]]:
    """The pods that deployments and jobs make, by the container's name."""
    made = [*of_kind("Deployment").values(), *of_kind("Job").values()]
    templates = [manifest["spec"]["template"] for manifest in made]
    return {template["spec"]["containers"][0]["name"]: template for template in templates}


def of_kubernetes() -> Iterator[Started]:
    image, config = dockerfile().environment, of_kind("ConfigMap")["pillarbox"]["data"]
    for name, pod in pods().items():
        (container,) = pod["spec"]["containers"]
        own = {
            entry["name"]: entry.get("value", "from-a-field") for entry in container.get("env", ())
        }
        ports = {port["name"]: port["containerPort"] for port in container.get("ports", ())}
        before = (
            container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        )
        yield Started(
            "kubernetes",
            name,
            tuple(container["command"]),
            {**image, **config, **own},
            pod["spec"].get("terminationGracePeriodSeconds", before) - before,
            tuple(_probes(container, ports)),
            tuple(ports.values()),
        )


def _probes(container: Mapping[str, Any], ports: Mapping[str, int]) -> Iterator[Probe]:
    for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
        match container.get(kind):
            case {"httpGet": {"path": path, "port": port}}:
                yield Probe(kind, path=path, port=ports[port])
            case {"exec": {"command": command}}:
                yield Probe(kind, tuple(command))
            case _:
                continue


def unit(file: Path) -> dict[str, list[str]]:
    """Every option of a unit with all values that it is given."""
    found: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def of_systemd() -> Iterator[Started]:
    for file in sorted(SYSTEMD.glob("*.service")):
        options = unit(file)
        told = " ".join(options["Environment"])
        words = told.replace("%i", "1").replace("%H", socket.gethostname()).split()
        yield Started(
            "systemd",
            file.stem.removeprefix("pillarbox-").removesuffix("@"),
            tuple(options["ExecStart"][0].replace("%i", "1").split()),
            dict(word.split("=", 1) for word in words),
            seconds(options.get("TimeoutStopSec", ["0"])[0]),
        )
