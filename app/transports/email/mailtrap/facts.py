"""What the rest of Pillarbox may know about Mailtrap without asking."""

from app.transports.contract import Facts

REFUSED = "refused"
"""The code of a success whose body says that nothing was sent."""

PAUSE_CODES = frozenset({"http_401"})
"""The token is wrong: no message of the account would be taken."""

FACTS = Facts(
    name="mailtrap",
    method="email",
    shows_everybody=False,
    pause_codes=PAUSE_CODES,
)
"""Mailtrap has no error codes and does not deduplicate. How big a message may be, and how often a
report comes again that is not answered by 2xx, was found on no page.
"""
