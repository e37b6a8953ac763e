"""Sending: emails, SMS, many of both at once, and what a message would look like."""

from app.controllers.api.operation import Operation
from app.controllers.api.sending import batch, emails, people, preview, sms

OPERATIONS: tuple[Operation, ...] = (
    *emails.OPERATIONS,
    *sms.OPERATIONS,
    *batch.OPERATIONS,
    *preview.OPERATIONS,
    *people.OPERATIONS,
)
