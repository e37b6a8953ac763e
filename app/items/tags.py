"""Tags: the caller's own words for a message, to search and count by."""

from collections.abc import Iterable
from typing import cast

from app.items.refusals import Problems, Refused
from app.items.texts import check_line

MOST = 20
LONGEST = 128


def check_tags(value: object, problems: Problems) -> list[str]:
    """Each tag once, in the order given; what is wrong is noted in ``problems``."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        problems.add("tags", "Must be a list of texts.")
        return []
    given = list(cast("Iterable[object]", value))
    if len(given) > MOST:
        problems.add("tags", f"Must be at most {MOST} tags.")
        return []
    tags = [problems.accept(f"tags.{n}", check_tag, tag, "") for n, tag in enumerate(given)]
    return list(dict.fromkeys(tags))


def check_tag(tag: object) -> str:
    text = check_line(tag, LONGEST)
    if not text.strip():
        raise Refused("Must not be empty.")
    return text
