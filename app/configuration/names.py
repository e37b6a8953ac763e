"""Names in the environment that nothing reads although somebody meant them for us."""

import functools
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from app.configuration.problem import Problem, warn
from app.configuration.table import SETTINGS
from app.configuration.table.email import EMAIL_PROVIDERS

OURS = (
    *("DISPATCH_", "TWILIO_", "SMTP_", "QUEUE_", "SANDBOX_"),
    *(f"{provider.config.prefix}_" for provider in EMAIL_PROVIDERS),
)
"""Nothing else in a process of ours begins like this."""

VDQ = "VDQ_"
RENAMED = {
    "VDQ_TWILIO_SMS_TIMEOUT_HOURS": "SMS_TIMEOUT_HOURS",
    "VDQ_EMAIL_TRACKING_STRATEGY": "EMAIL_TRACKING_STRATEGY",
    "VDQ_MAX_FILES_AGE_IN_SECONDS": "MAX_FILES_AGE_IN_SECONDS",
}
MEANT = {
    "TWILIO_API_KEY": "TWILIO_API_KEY_SID",
    "TWILIO_API_SECRET": "TWILIO_API_KEY_SECRET",
    "TWILIO_PHONE_NUMBER": "TWILIO_FROM_NUMBER",
}
"""What Twilio's own tools call it."""

KUBERNETES = re.compile(
    r"[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)"
)
"""What Kubernetes sets for a service that happens to be called ``smtp`` or ``queue``."""

PAGE = "docs/reference/configuration.md"


def find_strange_names(environment: Mapping[str, str]) -> Iterator[Problem]:
    for name in sorted(environment.keys() - SETTINGS.keys()):
        if name.startswith(VDQ):
            yield Problem(name, _rename(name))
        elif name.startswith(OURS):
            if not KUBERNETES.fullmatch(name):
                yield Problem(name, f"is no setting of Pillarbox. {_suggest(name)}")
        elif nearest := _nearest(name, 0.9):
            yield warn(name, f"is not read by Pillarbox. Did you mean {nearest}?")


def _rename(name: str) -> str:
    bare = name.removeprefix(VDQ)
    candidates = (bare, bare.removeprefix("TWILIO_"))
    new = RENAMED.get(name) or next((c for c in candidates if c in SETTINGS), None)
    if new:
        return f"is called {new} here. Rename it."
    nearest = _nearest(bare, 0.6)
    hint = f" Did you mean {nearest}?" if nearest else f" {PAGE} names those that there are."
    return f"VDQ's settings have other names here, and this one has none. Remove it.{hint}"


def _suggest(name: str) -> str:
    nearest = MEANT.get(name) or _nearest(name, 0.7)
    if nearest:
        return f"Did you mean {nearest}?"
    return f"Remove it; {PAGE} names those that there are."


@functools.cache
def _nearest(name: str, cutoff: float) -> str | None:
    return next(iter(get_close_matches(name.upper(), SETTINGS, n=1, cutoff=cutoff)), None)
