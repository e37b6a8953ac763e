"""Settings of the REST API."""

from app.configuration.kinds import Number, Whole
from app.configuration.kinds_of_controllers import SEND_QUEUE, SENT_ITEMS, Controller
from app.configuration.setting import Section, Setting

API = Section(
    "The REST API",
    "Bounds of single tokens are set where a token is issued (`arvel dispatch:token`).",
    (
        Setting(
            "API_RATE_LIMIT",
            "api.rate_limit",
            Whole(1, 1_000_000),
            "Requests that a token may make in a minute.",
            600,
        ),
        Setting(
            "API_IDEMPOTENCY_KEEP_HOURS",
            "api.idempotency_keep_hours",
            Number("hours", 8760, least=24),
            "How long an `Idempotency-Key` is remembered at least, and what it was answered with.",
            168.0,
        ),
        Setting(
            SEND_QUEUE,
            "api.send_queue_controller",
            Controller(),
            "Who answers for `/api/queue-items`: a class as a dotted path.",
            otherwise="`app.controllers.api.items.controllers.QueueItemController`",
        ),
        Setting(
            SENT_ITEMS,
            "api.sent_item_controller",
            Controller(),
            "Who answers for `/api/sent-items`: a class as a dotted path.",
            otherwise="`app.controllers.api.items.controllers.SentItemController`",
        ),
    ),
)
