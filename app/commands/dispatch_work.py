"""``arvel dispatch:work``"""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast, override

from arvel.kernel import app

from app.commands.answers import BAD_INPUT, OK, Answer, BadInput
from app.configuration import SETTINGS
from app.configuration.kinds import Unfit
from app.configuration.kinds_of_workers import read_queues
from app.worker.lease import WorkerIdTaken
from app.worker.options import Options, configured, limits_of
from app.worker.queue import Queue
from app.worker.refused import WorkerRefused

FLAGS = {
    "concurrency": ("QUEUE_CONCURRENCY", "concurrency"),
    "id": ("WORKER_ID", "worker_id"),
    "metrics_port": ("WORKER_METRICS_PORT", "metrics_port"),
    "max_jobs": ("WORKER_MAX_JOBS", "max_jobs"),
    "max_time": ("WORKER_MAX_TIME", "max_time"),
    "memory": ("WORKER_MEMORY", "memory"),
    "rest": ("WORKER_REST", "rest"),
}
"""Flags with a value: the setting that each stands for, and the option that it fills."""

NONE_AS_ZERO = {"max_jobs", "max_time", "memory"}


class DispatchWork(Answer):
    signature: str = (
        "dispatch:work {--concurrency=} {--queue=*} {---scheduler|with_scheduler}"
        " {---no-scheduler|no_scheduler} {--id=} {---health-check-file|health_check_file=}"
        " {---metrics-port|metrics_port=} {---max-jobs|max_jobs=} {---max-time|max_time=}"
        " {--memory=} {--rest=} {---stop-when-empty|stop_when_empty}"
    )
    description: str = (
        "Run a worker until it is told to stop. --concurrency N messages at once; --queue high"
        " (repeatable, the most urgent first; bulk:5 takes 5 of it at most); --no-scheduler leaves"
        " what happens by itself to others; --id NAME, by default host name and process id;"
        " --health-check-file PATH, whose time moves while messages are taken; --metrics-port;"
        " --max-jobs, --max-time (seconds), --memory (MiB) and --stop-when-empty end it; --rest"
        " seconds after each job. Each has a setting: docs/reference/worker.md. Exit code 2: a flag"
        " can't be used, or another worker has the name."
    )

    @override
    async def answer(self) -> int:
        options = self.options_given()
        try:
            await cast("Queue", app().make("queue")).work_as(options)
        except (WorkerIdTaken, WorkerRefused) as refusal:
            self.error(str(refusal))
            return BAD_INPUT
        return OK

    def options_given(self) -> Options:
        """What the environment says, and what the flags say instead; raises :class:`BadInput`."""
        given: dict[str, Any] = {}
        for flag, (setting, option) in FLAGS.items():
            if (text := self.text_of(flag)) is not None:
                value = read_flag(flag, setting, text)
                given[option] = (value or None) if flag in NONE_AS_ZERO else value
        if named := self.texts_of("queue"):
            given |= read_queue_flags(named)
        if file := self.text_of("health_check_file"):
            given["health_check_file"] = Path(file)
        if self.option("stop_when_empty"):
            given["stop_when_empty"] = True
        return replace(configured(), **given, **self.scheduler_given())

    def scheduler_given(self) -> dict[str, bool]:
        on, off = bool(self.option("with_scheduler")), bool(self.option("no_scheduler"))
        if on and off:
            raise BadInput("--scheduler and --no-scheduler exclude each other.")
        return {"scheduler": on} if on or off else {}


def read_flag(flag: str, setting: str, text: str) -> Any:
    """Raises :class:`BadInput`."""
    kind = SETTINGS[setting].kind
    try:
        value = kind.read(text)
    except Unfit as unfit:
        raise BadInput(f"{name_of(flag)} must be {unfit}.") from None
    if value in ("", None):
        raise BadInput(f"{name_of(flag)} must be {kind.shape}.")
    return value


def read_queue_flags(texts: list[str]) -> dict[str, Any]:
    """Raises :class:`BadInput`."""
    try:
        queues = read_queues(texts)
    except Unfit as unfit:
        raise BadInput(f"--queue must be {unfit}.") from None
    if not queues:
        raise BadInput("--queue must name a queue.")
    return {"labels": tuple(queues), "limits": limits_of(queues)}


def name_of(flag: str) -> str:
    return f"--{flag.replace('_', '-')}"
