"""The broker: streams on Redis or Valkey (``redis``), queues on RabbitMQ (``amqp``), or nothing but
this process (``memory``)."""

from arvel import env

config = {
    "default": env("QUEUE_CONNECTION", "redis"),
    "url": env("QUEUE_URL", env("REDIS_URL", "redis://localhost:6379/0")),
    "prefix": env("QUEUE_PREFIX", "pillarbox:"),
    # How many messages one worker holds at once.
    "concurrency": env("QUEUE_CONCURRENCY", 100),
    # Arvel's own visibility timeout of a released job, in seconds.
    "retry_after": env("QUEUE_RETRY_AFTER", 90),
    # What the flags of `arvel dispatch:work` are called here.
    "worker": {
        "queues": env("WORKER_QUEUES", ""),
        "scheduler": env("WORKER_SCHEDULER", True),
        "id": env("WORKER_ID", ""),
        "health_check_file": env("WORKER_HEALTH_CHECK_FILE", ""),
        "metrics_port": env("WORKER_METRICS_PORT"),
        "metrics_host": env("WORKER_METRICS_HOST", "127.0.0.1"),
        "max_jobs": env("WORKER_MAX_JOBS", 0),
        "max_time": env("WORKER_MAX_TIME", 0.0),
        "memory": env("WORKER_MEMORY", 0.0),
        "rest": env("WORKER_REST", 0.0),
        "stop_when_empty": env("WORKER_STOP_WHEN_EMPTY", False),
        # After SIGTERM, for the requests beside a worker in the web process; unset: no limit.
        "cancel_grace": env("SHUTDOWN_CANCEL_GRACE"),
    },
}
