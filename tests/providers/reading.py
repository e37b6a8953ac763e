"""Reading what providers were handed."""

from email.utils import getaddresses


def addresses_in(*fields: str) -> tuple[str, ...]:
    """The bare addresses of header texts."""
    given = [field for field in fields if field]
    return tuple(address for _, address in getaddresses(given)) if given else ()
