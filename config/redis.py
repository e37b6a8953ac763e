"""Redis (6.2 or newer) or Valkey (7.2 or newer), for arvel's own facade and health check."""

from arvel import env

config = {"url": env("REDIS_URL", "redis://localhost:6379/0")}
