"""Settings of a worker: the flags of `arvel dispatch:work` for those who start it otherwise."""

from app.configuration.kinds import Flag, Number, OrUnset, Text, Whole
from app.configuration.kinds_of_text import HOST_NAME
from app.configuration.kinds_of_workers import QUEUE_NAMES, WORKER_NAME
from app.configuration.setting import Section, Setting

DAY = 86_400.0
YEAR = 366 * DAY

WORKER = Section(
    "Workers",
    "Each is a flag of `arvel dispatch:work`, which wins over it; see"
    " [the worker](worker.md). `QUEUE_CONCURRENCY` above is `--concurrency`.",
    (
        Setting(
            "WORKER_QUEUES",
            "queue.worker.queues",
            QUEUE_NAMES,
            "The queues that are read, the most urgent first; `--queue`.",
            otherwise="all of them",
        ),
        Setting(
            "WORKER_SCHEDULER",
            "queue.worker.scheduler",
            Flag(),
            "Whether a worker also does what happens by itself; at least one has to."
            " `--scheduler`, `--no-scheduler`.",
            True,
        ),
        Setting(
            "WORKER_ID",
            "queue.worker.id",
            WORKER_NAME,
            "The name of a worker, which no two of them may have at a time; `--id`.",
            otherwise="host name and process id",
        ),
        Setting(
            "WORKER_HEALTH_CHECK_FILE",
            "queue.worker.health_check_file",
            Text(),
            "A file whose time moves at least every 5 seconds while messages are taken;"
            " `--health-check-file`.",
        ),
        Setting(
            "WORKER_METRICS_PORT",
            "queue.worker.metrics_port",
            OrUnset(Whole(1, 65_535)),
            "Where metrics are served, at `/` and `/metrics`; `--metrics-port`.",
            None,
        ),
        Setting(
            "WORKER_METRICS_HOST",
            "queue.worker.metrics_host",
            HOST_NAME,
            "The address that they are served on; `0.0.0.0` needs `METRICS_TOKEN`.",
            "127.0.0.1",
        ),
        Setting(
            "WORKER_MAX_JOBS",
            "queue.worker.max_jobs",
            Whole(0, 1_000_000_000),
            "A worker ends after so many jobs; 0: never. `--max-jobs`.",
            0,
        ),
        Setting(
            "WORKER_MAX_TIME",
            "queue.worker.max_time",
            Number("seconds", YEAR, least=0),
            "A worker ends after so long; 0: never. `--max-time`.",
            0.0,
        ),
        Setting(
            "WORKER_MEMORY",
            "queue.worker.memory",
            Number("MiB", 1_000_000, least=0),
            "A worker ends when it has more memory than that; 0: never. `--memory`.",
            0.0,
        ),
        Setting(
            "WORKER_REST",
            "queue.worker.rest",
            Number("seconds", DAY, least=0),
            "A rest after each job; `--rest`.",
            0.0,
        ),
        Setting(
            "WORKER_STOP_WHEN_EMPTY",
            "queue.worker.stop_when_empty",
            Flag(),
            "A worker ends when its queues are empty; `--stop-when-empty`.",
            False,
        ),
        Setting(
            "SHUTDOWN_CANCEL_GRACE",
            "queue.worker.cancel_grace",
            OrUnset(Number("seconds", DAY, least=0)),
            "After SIGTERM and the drain of the worker in a web process: how long HTTP requests may"
            " still take before they are cancelled. Unset, they are never.",
            None,
        ),
    ),
)
