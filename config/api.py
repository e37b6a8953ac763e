"""The REST API."""

from arvel import env

config = {
    # Requests that a token may make in a minute.
    "rate_limit": env("API_RATE_LIMIT", 600),
    # How long an Idempotency-Key is remembered.
    "idempotency_keep_hours": env("API_IDEMPOTENCY_KEEP_HOURS", 168.0),
}
