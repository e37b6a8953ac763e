"""``arvel dispatch:work``: its flags, what the environment says instead, and what it refuses."""

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from arvel.kernel import Application

from app.commands.answers import BadInput
from app.commands.dispatch_work import FLAGS, DispatchWork
from app.configuration import SETTINGS
from app.worker.options import Options, configured
from tests.fakes.command_line import type_in

DOCUMENTED = "docs/reference/worker.md"


def given(**flags: Any) -> Options:
    command = DispatchWork()
    command.bind_parsed(flags)
    return command.options_given()


@pytest.fixture(autouse=True)
def usual(booted: Application) -> None:
    """The configuration of a started application."""


def test_without_flags_a_worker_reads_all_queues_and_never_ends_by_itself() -> None:
    options = given()
    assert options == configured()
    assert options.labels == ("high", "default", "bulk")
    assert (options.max_jobs, options.max_time, options.memory) == (None, None, None)
    assert options.scheduler
    assert options.concurrency == 100


def test_flags_say_what_they_say() -> None:
    options = given(
        concurrency="7",
        queue=["bulk:5", "high"],
        no_scheduler=True,
        id="pod-1",
        health_check_file="/tmp/health",
        metrics_port="9100",
        max_jobs="3",
        max_time="1.5",
        memory="512",
        rest="0.1",
        stop_when_empty=True,
    )
    assert options == Options(
        labels=("bulk", "high"),
        limits={"bulk": 5},
        concurrency=7,
        scheduler=False,
        worker_id="pod-1",
        health_check_file=Path("/tmp/health"),
        metrics_port=9100,
        max_jobs=3,
        max_time=1.5,
        memory=512.0,
        rest=0.1,
        stop_when_empty=True,
    )


def test_one_queue_means_that_one_alone() -> None:
    assert given(queue=["default"]).labels == ("default",)
    assert given(queue=["high,bulk:3"]).labels == ("high", "bulk")


REFUSED = [
    ("concurrency", "0", "--concurrency must be a whole number from 1 to 10000."),
    ("concurrency", "many", "--concurrency must be a whole number from 1 to 10000."),
    ("metrics_port", "70000", "--metrics-port must be a whole number from 1 to 65535."),
    ("max_jobs", "-1", "--max-jobs must be a whole number from 0 to 1000000000."),
    ("max_time", "soon", "--max-time must be a number of seconds, 0 or more"),
    ("memory", "nan", "--memory must be a number of MiB, 0 or more"),
    ("rest", "-0.1", "--rest must be a number of seconds, 0 or more"),
    ("id", "two words", "--id must be 1 to 200 letters, digits"),
    ("id", "", "--id must be 1 to 200 letters, digits"),
    ("queue", ["urgent"], "--queue must be high, default or bulk"),
    ("queue", ["bulk:0"], "--queue must be high, default or bulk"),
    ("queue", ["bulk:"], "--queue must be high, default or bulk"),
    ("queue", [""], "--queue must name a queue"),
]


@pytest.mark.parametrize(("flag", "value", "says"), REFUSED)
def test_a_flag_that_can_not_be_used_says_what_it_must_be(flag: str, value: Any, says: str) -> None:
    with pytest.raises(BadInput) as refused:
        given(**{flag: value})
    assert says in str(refused.value)


def test_the_scheduler_is_on_or_off() -> None:
    assert given(with_scheduler=True).scheduler
    with pytest.raises(BadInput, match="exclude each other"):
        given(with_scheduler=True, no_scheduler=True)


def test_each_flag_and_its_setting_stand_on_the_page() -> None:
    page = Path(DOCUMENTED).read_text()
    for flag, (setting, _) in FLAGS.items():
        assert setting in SETTINGS
        assert f"`--{flag.replace('_', '-')} " in page
        assert f"`{setting}`" in page


def environment(**more: str) -> dict[str, str]:
    """What a worker needs, without what pytest adds."""
    kept = {name: os.environ[name] for name in ("APP_ENV", "APP_KEY", "DATABASE_URL", "REDIS_URL")}
    return kept | {"STORAGE_PATH": os.environ["STORAGE_PATH"]} | more


async def test_the_environment_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    said = await type_in(
        "dispatch:work",
        environment=environment(
            WORKER_QUEUES="high,bulk:5",
            WORKER_STOP_WHEN_EMPTY="true",
            WORKER_ID="from-the-environment",
            LOG_LEVEL="info",
        ),
    )
    assert said.code == 0, said.err
    assert "consumer=from-the-environment:" in plain(said.err)
    assert "queues=['high', 'bulk']" in plain(said.err)


async def test_the_command_says_on_one_line_what_is_wrong_and_exits_with_2() -> None:
    said = await type_in("dispatch:work", "--queue=urgent", environment=environment())
    assert said.code == 2
    assert [line for line in plain(said.err).splitlines() if "--queue must be" in line]
    assert "Traceback" not in said.all


async def test_a_health_check_file_that_can_not_be_written_is_refused(tmp_path: Path) -> None:
    said = await type_in(
        "dispatch:work",
        f"--health-check-file={tmp_path / 'no-such-folder' / 'health'}",
        environment=environment(),
    )
    assert said.code == 2
    assert "can't be written (No such file or directory)" in plain(said.err).replace("\n", " ")


async def test_a_worker_loads_neither_pages_nor_their_framework() -> None:
    looks = (
        "import sys; sys.argv = ['arvel', 'dispatch:work']\n"
        "from arvel.kernel.bootstrap import bootstrap_app\n"
        "from bootstrap.app import create_app\n"
        "app = create_app(); bootstrap_app(app)\n"
        "pages = ('litestar', 'jinja2', 'app.controllers.api.items', 'app.controllers.webhooks')\n"
        "print(app.routing, [name for name in sys.modules if name.startswith(pages)])"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", looks), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert out.decode().strip() == "{} []"


def plain(text: str) -> str:
    """Without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
