"""What was queued, and where it will really go."""

from collections.abc import Sequence

from arvel.console import Command

from app.commands.answers import show_person
from app.items.channels import SANDBOX
from app.models.queue_item import QueueItem
from app.settings import DispatchSettings

KEPT = (
    "To the sandbox goes what must not reach a real receiver from here: set APP_ENV=production, or"
    " name the receivers in DISPATCH_ALLOW_REAL."
)


def show_queued(command: Command, items: Sequence[QueueItem]) -> None:
    """A line for each item, and a word on those that are kept from real receivers."""
    command.table(
        ["Item", "Channel", "Receiver"],
        [
            [item.id, item.channel, show_person(item.receiver_name, item.receiver_address)]
            for item in items
        ],
    )
    settings = DispatchSettings()
    chosen = {"email": settings.email, "sms": settings.sms}
    if any(item.channel == SANDBOX != chosen[item.method] for item in items):
        command.comment(KEPT)
