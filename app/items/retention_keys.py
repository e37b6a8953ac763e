"""Forgetting the keys that requests were sent with, and what tokens used to send."""

from functools import partial

from app.items.retention_pace import PAGE, repeat
from app.models.queries import idempotency, usage
from app.settings import ApiSettings


async def forget_keys() -> int:
    """Forget keys after ``API_IDEMPOTENCY_KEEP_HOURS``; how many there were."""
    hours = ApiSettings().idempotency_keep_hours
    return await repeat(partial(idempotency.prune, hours, PAGE))


async def forget_usage() -> int:
    """Forget what tokens sent in hours that no cap looks at any more."""
    return await repeat(partial(usage.prune, PAGE))
