"""The REST API."""

from arvel import env

config = {
    # Requests that a token may make in a minute.
    "rate_limit": env("API_RATE_LIMIT", 600),
    # How long an Idempotency-Key is remembered.
    "idempotency_keep_hours": env("API_IDEMPOTENCY_KEEP_HOURS", 168.0),
    # Who answers for /api/queue-items and /api/sent-items: a class, or its dotted path.
    "send_queue_controller": env("SEND_QUEUE_CONTROLLER", ""),
    "sent_item_controller": env("SENT_ITEM_CONTROLLER", ""),
}
