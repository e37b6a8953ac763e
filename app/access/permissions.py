"""The one list of what somebody may be allowed to do, and the roles that bundle it."""

from collections.abc import Iterable
from types import MappingProxyType

PERMISSIONS = MappingProxyType(
    {
        "send": "Queue emails and SMS; see what a message would look like.",
        "list_queueitem": "List queue items and sent items, and count them.",
        "read_queueitem": "Read one item with its attempts, events and history.",
        "read_content": "See addresses, subjects, bodies, attachments and what providers said.",
        "read_workflow": "Read states and transitions.",
        "can_retry": "Retry items.",
        "can_cancel": "Cancel items.",
        "can_resend": "Send a copy of a sent item.",
        "manage_failed_jobs": "List, retry and discard dead letters.",
        "manage_channels": "Pause and resume channels; replay events.",
        "manage_tokens": "Issue and revoke API tokens.",
    }
)

OPERATING = ("list_queueitem", "read_queueitem", "read_workflow")
"""What retry and cancel need besides their own permission."""

ROLES = MappingProxyType(
    {
        "administrator": frozenset(PERMISSIONS),
        "operator": frozenset(PERMISSIONS) - {"send", "manage_tokens"},
        "support": frozenset({"list_queueitem", "read_queueitem", "read_content", "read_workflow"}),
        "viewer": frozenset({"list_queueitem", "read_queueitem", "read_workflow"}),
        "sender": frozenset({"send"}),
    }
)


def granted_by(roles: Iterable[str], permissions: Iterable[str]) -> frozenset[str]:
    """What roles and single permissions amount to; unknown names grant nothing."""
    held = frozenset[str]().union(*(ROLES.get(role, frozenset()) for role in roles))
    return (held | frozenset(permissions)) & frozenset(PERMISSIONS)
