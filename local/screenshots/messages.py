"""What the pictures show: a small shop's messages, delivered and not."""

from datetime import UTC, datetime, timedelta
from itertools import cycle, islice

from app.items import add_email, add_sms
from app.transports.sandbox.scripts import DOMAIN, SCRIPTS

SHOP = {"name": "Lindgren Books", "email": "orders@lindgren.example", "cell": "+15550100000"}
PEOPLE = (
    *("Ada Lovelace", "Edith Clarke", "Grace Hopper", "Hedy Lamarr", "Ida Rhodes", "Jean Bartik"),
    *("Karen Jones", "Mary Jackson", "Radia Perlman", "Sofja Kowalewskaja", "Émilie du Châtelet"),
)
SUBJECTS = (
    *("Your order 1042 is on its way", "Your receipt", "Confirm your address"),
    *("A book you asked for is back", "Your password was changed", "Invitation: readings in May"),
)
TEXTS = (
    *("Your parcel is with the neighbours.", "Your code is 314 159.", "Pick it up until 18:00."),
    "Danke! Wir haben’s verschickt – bis morgen.",
)
HTML = """<h1 style="font-family:Georgia;color:#7a2e1d">Lindgren Books</h1>
<p style="font-family:Georgia">Dear {name},</p><p style="font-family:Georgia">{subject}. You can
follow it <a href="https://lindgren.example/orders/1042">on its page</a>.</p>"""


async def send_all(count: int) -> None:
    """As many messages, going round people and the sandbox's outcomes."""
    names = list(SCRIPTS)
    turns = zip(cycle(PEOPLE), cycle(SUBJECTS), cycle(TEXTS), strict=False)
    for number, (name, subject, text) in enumerate(islice(turns, count)):
        script = names[number % len(names)] if number % 3 == 0 else "delivered"
        await _email(number, name, subject, text, script)
        if number % 3 == 1:
            digit = names.index(script)
            receiver = {"name": name, "cell": f"+1555010000{digit}"}
            await add_sms(sender=SHOP, receiver=receiver, body=text)


async def _email(number: int, name: str, subject: str, text: str, script: str) -> None:
    later = datetime.now(UTC) + timedelta(hours=5) if number % 17 == 5 else None
    local = name.split()[0].lower().replace("é", "e")
    await add_email(
        sender=SHOP,
        to=[{"name": name, "email": f"{script}+{local}{number}@{DOMAIN}"}],
        subject=subject,
        text=f"Dear {name},\n\n{text}\n\nLindgren Books",
        html=HTML.format(name=name, subject=subject),
        tags=["orders"] if number % 2 else ["account"],
        send_at=later,
    )
