"""The transport that a command line names."""

from difflib import get_close_matches

from app.commands.answers import BadInput, plain
from app.transports.catalogue import Offer, offers


def read_offer(name: str) -> Offer:
    """Raises :class:`BadInput` for a name that there isn't."""
    if name in offers():
        return offers()[name]
    near = get_close_matches(name, offers(), n=1)
    hint = f" Did you mean {near[0]}?" if near else f" There are: {', '.join(offers())}."
    raise BadInput(f"There is no transport {plain(name)}.{hint}")
