"""What the demonstration sends, and what it expects of each receiver."""

from itertools import cycle, islice
from uuid import UUID

from app.items import add_email, add_sms
from app.transports.sandbox.scripts import DOMAIN, SCRIPTS

SENDER = {"name": "Demo", "email": "demo@sandbox.example", "cell": "+15550100000"}

type Expected = dict[UUID, str]
"""The state in which each item must come to rest."""


async def send_all(emails: int, sms: int, first: int = 0) -> Expected:
    """Send so many messages, going round the sandbox's receivers from the ``first`` on."""
    expected: Expected = {}
    scripts = islice(cycle(SCRIPTS.items()), first, first + emails)
    for number, (name, script) in enumerate(scripts, first):
        items = await add_email(
            sender=SENDER,
            to=[{"name": name.title(), "email": f"{name}+{number}@{DOMAIN}"}],
            subject=f"Message {number + 1} of the demonstration",
            text=f"The sandbox plays: {name}.",
        )
        expected[items[0].id] = script.rests_in
    receivers = cycle(list(enumerate(SCRIPTS.items())))
    for number, (name, script) in islice(receivers, first, first + sms):
        item = await add_sms(
            sender=SENDER,
            receiver={"name": name.title(), "cell": f"+1555010000{number}"},
            body=f"The sandbox plays: {name}.",
        )
        expected[item.id] = script.rests_in
    return expected
