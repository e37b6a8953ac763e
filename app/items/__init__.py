"""The life of an item, in verbs; what other code may call stands here."""

from app.items.attachments import Inline
from app.items.compose import add_abstract_email, add_email, add_sms
from app.items.refusals import InvalidMessage
from app.items.schedule import schedule_queue_item

__all__ = [
    "Inline",
    "InvalidMessage",
    "add_abstract_email",
    "add_email",
    "add_sms",
    "schedule_queue_item",
]
