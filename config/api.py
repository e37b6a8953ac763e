"""The REST API."""

from arvel import env

config = {
    # Requests that a token may make in a minute.
    "rate_limit": env("API_RATE_LIMIT", 600),
}
