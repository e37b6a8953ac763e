"""The life of an item, in verbs; what other code may call stands here."""

from app.items.attachments import Inline
from app.items.bulk import cancel_all, resend_all, retry_all
from app.items.compose import add_abstract_email, add_email, add_sms
from app.items.operate import NotApplied, UnknownItem, cancel, retry
from app.items.refusals import InvalidMessage
from app.items.resend_items import resend
from app.items.schedule import schedule_queue_item

__all__ = [
    "Inline",
    "InvalidMessage",
    "NotApplied",
    "UnknownItem",
    "add_abstract_email",
    "add_email",
    "add_sms",
    "cancel",
    "cancel_all",
    "resend",
    "resend_all",
    "retry",
    "retry_all",
    "schedule_queue_item",
]
