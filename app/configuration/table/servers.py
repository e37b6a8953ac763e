"""Settings of PostgreSQL and of Redis or Valkey."""

from app.configuration.kinds import Choice, Text, Whole
from app.configuration.kinds_of_text import BROKER, POSTGRES, REDIS
from app.configuration.setting import Section, Setting

LOCAL_REDIS = "redis://localhost:6379/0"

SERVERS = Section(
    "Servers",
    "PostgreSQL 15 or newer holds the truth; Redis 6.2 or Valkey 7.2, or newer, brings messages to"
    " workers and holds locks.",
    (
        Setting(
            "DATABASE_URL",
            "database.connections.postgres.url",
            POSTGRES,
            "The database.",
            "postgresql+asyncpg://localhost/pillarbox",
            secret=True,
        ),
        Setting(
            "DATABASE_POOL_SIZE",
            "database.connections.postgres.pool_size",
            Whole(1, 1000),
            "Connections of one process for the statements of the queue; models open up to twice"
            " as many more.",
            10,
        ),
        Setting(
            "REDIS_URL",
            "redis.url",
            REDIS,
            "The server for everything that is not named apart.",
            LOCAL_REDIS,
            secret=True,
        ),
        Setting(
            "QUEUE_CONNECTION",
            "queue.default",
            Choice(("redis", "amqp", "memory")),
            "The broker: streams on `redis`, [RabbitMQ](../how-to/rabbitmq.md) (`amqp`), or nothing"
            " but this process (`memory`).",
            "redis",
        ),
        Setting(
            "QUEUE_URL",
            "queue.url",
            BROKER,
            "The server of the streams; with `amqp` that of RabbitMQ, and to be set.",
            otherwise="`REDIS_URL`",
            secret=True,
        ),
        Setting(
            "QUEUE_PREFIX",
            "queue.prefix",
            Text("one word or more", bool),
            "What the names of our keys begin with.",
            "pillarbox:",
        ),
        Setting(
            "QUEUE_CONCURRENCY",
            "queue.concurrency",
            Whole(1, 10_000),
            "Messages that one worker holds at once.",
            100,
        ),
        Setting(
            "QUEUE_RETRY_AFTER",
            "queue.retry_after",
            Whole(1, 86_400, "seconds"),
            "How long a released job is kept for the worker that took it.",
            90,
        ),
        Setting(
            "CACHE_STORE",
            "cache.default",
            Choice(("redis", "array")),
            "Where locks and limits are kept: `redis`, or in the memory of one process (`array`).",
            "redis",
        ),
        Setting(
            "CACHE_URL",
            "cache.url",
            REDIS,
            "The server of locks and limits.",
            otherwise="`REDIS_URL`",
            secret=True,
        ),
    ),
)
