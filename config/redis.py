"""Redis (6.2 or newer) or Valkey (7.2 or newer), as arvel's own facade and health check reach it."""

from arvel import env

config = {"url": env("REDIS_URL", "redis://localhost:6379/0")}
