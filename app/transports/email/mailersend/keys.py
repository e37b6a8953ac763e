"""Our keys as tags: MailerSend has no metadata, and returns a message's tags with its reports."""

from collections.abc import Iterable, Mapping

from app.transports.contract import MetadataRefused

OURS = "vdq_"
LONGEST = 190
"""Characters of a tag."""


def to_tags(metadata: Mapping[str, str]) -> list[str]:
    """``vdq_attempt:…``. Raises :class:`MetadataRefused` for metadata that are not ours alone, or
    could not be told from tags."""
    tags = [f"{name}:{value}" for name, value in metadata.items()]
    if not all(tag.startswith(OURS) and len(tag) <= LONGEST for tag in tags):
        raise MetadataRefused("MailerSend takes no metadata but our keys, as tags")
    return tags


def from_tags(tags: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The keys among tags, and the other ones."""
    given = tuple(tags)
    keys = dict(tag.split(":", 1) for tag in given if is_key(tag))
    return keys, tuple(tag for tag in given if not is_key(tag))


def is_key(tag: str) -> bool:
    return tag.startswith(OURS) and ":" in tag
