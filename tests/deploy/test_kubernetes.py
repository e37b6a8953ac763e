"""`deploy/kubernetes`, as Kubernetes reads it."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import pytest
import yaml

from app.configuration import SETTINGS
from app.worker.gauges import GAUGES
from app.worker.names import LABELS
from tests.deploy.started import KUBERNETES, dockerfile, last_stage, manifests, of_kind, pods
from tests.deploy.test_what_the_files_say import example

SCHEMAS = Path(__file__).parent / "schemas" / "kubernetes.json"
OURS = [(f"{file}-{m['kind']}-{m['metadata']['name']}", m) for file, m in manifests()]


@cache
def schemas() -> dict[str, Any]:
    return json.loads(SCHEMAS.read_text())


def wrong(manifest: dict[str, Any]) -> list[str]:
    kind = schemas()["kinds"][f"{manifest['apiVersion']} {manifest['kind']}"]
    validator = jsonschema_rs.validator_for({"$ref": kind, "$defs": schemas()["$defs"]})
    return [f"{list(e.instance_path)}: {e.message}" for e in validator.iter_errors(manifest)]


@pytest.mark.parametrize("manifest", [m for _, m in OURS], ids=[name for name, _ in OURS])
def test_each_object_fits_its_schema(manifest: dict[str, Any]) -> None:
    assert wrong(manifest) == []


def test_the_schema_refuses_what_it_does_not_know() -> None:
    manifest = of_kind("Deployment")["pillarbox-web"]
    manifest["spec"]["template"]["spec"]["containers"][0]["livenessProbe"]["periodSecond"] = 5
    assert "periodSecond" in wrong(manifest)[0]


def test_kustomize_gets_all_but_the_migration_which_comes_first() -> None:
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]
    there = {file.name for file in KUBERNETES.glob("*.yaml")}
    assert set(listed) == there - {"kustomization.yaml", "migrate.yaml"}


def test_kubectl_itself_reads_it() -> None:
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed")
    done = subprocess.run(
        ["kubectl", "kustomize", str(KUBERNETES)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "pillarbox-worker" in done.stdout


@pytest.mark.parametrize("name", ["web", "worker", "migrate"])
def test_a_pod_may_do_nothing_that_it_does_not_need(name: str) -> None:
    spec = pods()[name]["spec"]
    (user,) = [text for instruction, text in last_stage() if instruction == "USER"]
    (container,) = spec["containers"]
    assert f"{spec['securityContext']['runAsUser']}:{spec['securityContext']['runAsGroup']}" == user
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False, "a Service called smtp would set SMTP_PORT"


@pytest.mark.parametrize("name", ["web", "worker", "migrate"])
def test_a_container_says_what_it_needs_and_may_have(name: str) -> None:
    (container,) = pods()[name]["spec"]["containers"]
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("name", ["web", "worker", "migrate"])
def test_secrets_come_by_reference(name: str) -> None:
    (container,) = pods()[name]["spec"]["containers"]
    assert container["envFrom"] == [
        {"configMapRef": {"name": "pillarbox"}},
        {"secretRef": {"name": "pillarbox"}},
    ]
    assert of_kind("Secret") == {}


@pytest.mark.parametrize("name", ["web", "worker"])
def test_all_three_probes_are_there(name: str) -> None:
    (container,) = pods()[name]["spec"]["containers"]
    assert {"startupProbe", "livenessProbe", "readinessProbe"} <= container.keys()


def test_a_worker_that_waits_for_its_name_is_not_killed_for_it() -> None:
    """A killed one's name is free 30 s later."""
    (container,) = pods()["worker"]["spec"]["containers"]
    probe = container["startupProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] >= 2 * 30


def test_a_worker_is_called_like_its_pod() -> None:
    (container,) = pods()["worker"]["spec"]["containers"]
    (entry,) = [entry for entry in container["env"] if entry["name"] == "WORKER_ID"]
    assert entry["valueFrom"] == {"fieldRef": {"fieldPath": "metadata.name"}}


@pytest.mark.parametrize("name", ["web", "worker"])
def test_files_are_on_the_claim_that_all_share(name: str) -> None:
    spec = pods()[name]["spec"]
    claims = {v["name"]: v.get("persistentVolumeClaim") for v in spec["volumes"]}
    (container,) = spec["containers"]
    paths = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    kept = claims[paths[dockerfile().environment["STORAGE_PATH"]]]
    assert kept["claimName"] in of_kind("PersistentVolumeClaim")
    assert of_kind("PersistentVolumeClaim")["pillarbox"]["spec"]["accessModes"] == ["ReadWriteMany"]
    assert "/tmp" in paths


@pytest.mark.parametrize("kind", ["Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"])
def test_every_selector_finds_a_pod(kind: str) -> None:
    labels = [pod["metadata"]["labels"] for pod in pods().values()]
    for manifest in of_kind(kind).values():
        spec = manifest["spec"]
        selector = spec.get("podSelector") or spec["selector"]
        wanted = selector.get("matchLabels", selector)
        assert any(wanted.items() <= found.items() for found in labels)


@pytest.mark.parametrize("name", ["pillarbox-web", "pillarbox-worker"])
def test_ports_are_named_alike_everywhere(name: str) -> None:
    (container,) = of_kind("Deployment")[name]["spec"]["template"]["spec"]["containers"]
    there = {port["name"] for port in container["ports"]}
    service = {port["targetPort"] for port in of_kind("Service")[name]["spec"]["ports"]}
    (rule,) = of_kind("NetworkPolicy")[name]["spec"]["ingress"]
    assert there == service == {port["port"] for port in rule["ports"]}


def test_workers_are_scaled_by_metrics_that_there_are() -> None:
    spec = of_kind("HorizontalPodAutoscaler")["pillarbox-worker"]["spec"]
    assert spec["scaleTargetRef"]["name"] in of_kind("Deployment")
    assert "replicas" not in of_kind("Deployment")["pillarbox-worker"]["spec"], "both would set it"
    gauges = {gauge.name: gauge.labels for gauge in GAUGES.values()}
    by_priority = {}
    for metric in spec["metrics"]:
        asked = metric["external"]["metric"]
        labels = asked["selector"]["matchLabels"]
        assert tuple(labels) == tuple(gauges[asked["name"]])
        by_priority[labels["priority"]] = int(metric["external"]["target"]["value"])
    assert tuple(by_priority) == LABELS
    assert sorted(by_priority.values()) == list(by_priority.values()), "the most urgent is first"


def test_neither_part_is_ever_gone_as_a_whole() -> None:
    for name in ("pillarbox-web", "pillarbox-worker"):
        assert of_kind("PodDisruptionBudget")[name]["spec"]["maxUnavailable"] == 1
    least = of_kind("HorizontalPodAutoscaler")["pillarbox-worker"]["spec"]["minReplicas"]
    assert min(least, of_kind("Deployment")["pillarbox-web"]["spec"]["replicas"]) >= 2


def test_pods_may_reach_what_they_are_configured_for() -> None:
    egress = of_kind("NetworkPolicy")["pillarbox"]["spec"]["egress"]
    ports = {port["port"] for rule in egress for port in rule["ports"]}
    servers = example("pillarbox")
    wanted = {urlsplit(servers[name]).port for name in ("DATABASE_URL", "REDIS_URL")}
    assert wanted | {53, 443, int(SETTINGS["SMTP_PORT"].default)} <= ports
