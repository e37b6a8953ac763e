"""Every look ends in time, whatever the other side does."""

import asyncio
from collections.abc import Awaitable

from app.doctor.finding import Finding, wrong

LIMIT = 2.0
"""Seconds for one look."""


class NoAnswer(Exception):
    """A look took longer than the limit; no further one at the same server would do better."""


async def look(check: str, findings: Awaitable[list[Finding]]) -> list[Finding]:
    """What was found, or that this could not be looked at; raises :class:`NoAnswer`."""
    try:
        async with asyncio.timeout(LIMIT):
            return await findings
    except TimeoutError:
        raise NoAnswer(check) from None
    except Exception as error:
        # The text of an exception may quote what must not be shown.
        return [wrong(check, f"could not be looked at ({type(error).__name__}).", "")]


def unanswered(check: str, server: str) -> Finding:
    return wrong(
        check, f"{server} did not answer within {LIMIT:g} s.", "See its load, locks and network."
    )
