"""Measurements as a table of text."""

from typing import Any


def table(found: dict[str, Any]) -> str:
    head = f"{found['rows']:,} items, {found['cores']} cores, milliseconds"
    lines = [head, "", f"{'endpoint':<36}{'items':>7}{'p50':>9}{'p95':>9}"]
    for row in found["endpoints"]:
        items = f"{row['items']:g}{'+' if row['more'] else ''}"
        lines.append(f"{row['endpoint']:<36}{items:>7}{row['p50']:>9.1f}{row['p95']:>9.1f}")
    return "\n".join(lines)


def lines(found: dict[str, Any]) -> str:
    """A figure a line."""
    return "\n".join(f"{name:<28}{value:>12}" for name, value in found.items())
