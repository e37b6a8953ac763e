"""Named places in the life of a send at which a test makes something fail; nothing otherwise."""

from collections.abc import Awaitable, Callable

POINTS = (
    "before_claim",
    "after_claim",
    "before_go",
    "after_call",
    "after_record",
    "before_release",
    "before_ack",
)
"""In the order in which a send passes them; ``in_call``, amid the call, is the provider's."""

type Hook = Callable[[str], Awaitable[None]]

_hooks: list[Hook] = []


def use(hook: Hook) -> None:
    """Call ``hook`` with the name of each place from now on."""
    _hooks[:] = [hook]


async def reach(point: str) -> None:
    """Say that this place is reached."""
    for hook in _hooks:
        await hook(point)
