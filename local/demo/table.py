"""The live table."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from local.demo.watch import Seen, states

MARKS = {
    "queued": ("○", "bright_black"),
    "sending": ("◉", "blue"),
    "awaiting": ("→", "cyan"),
    "delayed": ("◔", "yellow"),
    "errored": ("✗", "red"),
    "succeeded": ("✓", "green"),
    "unconfirmed": ("?", "magenta"),
    "cancelled": ("–", "bright_black"),
}
MOST_ROWS = 32


def draw(seen: Sequence[Seen], where: str) -> Group:
    """All items with the way they took, and how many are in each state."""
    table = Table(title="Queue items", title_justify="left", box=None, pad_edge=False)
    for head in ("", "method", "receiver", "way"):
        table.add_column(head, no_wrap=True)
    for item in seen[-MOST_ROWS:]:
        mark, colour = MARKS[item.state]
        table.add_row(Text(mark, colour), item.method, item.receiver, Text(item.path, colour))
    more = f"… and {len(seen) - MOST_ROWS} more. " if len(seen) > MOST_ROWS else ""
    counts = ", ".join(f"{count} {state}" for state, count in states(seen).items())
    return Group(
        table, Text(f"\n{more}{counts}"), Text(f"Console: {where}   Ctrl-C stops everything.")
    )
