"""How big a message may be."""

from typing import ClassVar

from arvel.kernel import Settings


class SizeSettings(Settings):
    """``max_message_bytes``: texts and files together, before they are encoded for sending.

    Most providers and mail servers take between 10 and 40 MB, base64 included.
    """

    __config_key__: ClassVar[str | None] = "dispatch"
    max_message_bytes: int = 25_000_000


def too_big() -> str:
    limit = SizeSettings().max_message_bytes
    return f"texts and files of a message must have at most {limit:,} bytes. Send a link instead."
