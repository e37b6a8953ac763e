"""The broker: streams on Redis or Valkey (``redis``), or nothing but this process (``memory``)."""

from arvel import env

config = {
    "default": env("QUEUE_CONNECTION", "redis"),
    "url": env("QUEUE_URL", env("REDIS_URL", "redis://localhost:6379/0")),
    "prefix": env("QUEUE_PREFIX", "pillarbox:"),
    # How many messages one worker holds at once.
    "concurrency": env("QUEUE_CONCURRENCY", 100),
    # Arvel's own visibility timeout of a released job, in seconds.
    "retry_after": env("QUEUE_RETRY_AFTER", 90),
}
