"""Cache and locks: shared by every process, so Redis or Valkey."""

from arvel import env

config = {
    "default": env("CACHE_STORE", "redis"),
    "url": env("CACHE_URL", env("REDIS_URL", "redis://localhost:6379/0")),
}
