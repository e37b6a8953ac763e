"""Moments as people read them: how long ago, and exactly when on a closer look."""

from datetime import UTC, datetime

from markupsafe import Markup

MINUTE, HOUR, DAY = 60, 3600, 86_400
SCALES = ((DAY, "day", "days"), (HOUR, "h", "h"), (MINUTE, "min", "min"), (1, "s", "s"))

RELATIVE = Markup('<time datetime="{}" title="{}" data-ago>{}</time>')
ABSOLUTE = Markup('<time datetime="{}" title="{}" data-exact>{}</time>')


def span(seconds: float) -> str:
    """A duration in its largest fitting unit, as ``38 s`` or ``4 days``."""
    whole = max(0, round(seconds))
    for size, one, many in SCALES:
        if whole >= size:
            count = whole // size
            return f"{count} {one if count == 1 else many}"
    return "0 s"


def distance(moment: datetime, now: datetime) -> str:
    """As ``3 min ago`` or ``in 38 s``. The script of the pages counts on in the same words."""
    seconds = (moment - now).total_seconds()
    if abs(seconds) < 1:
        return "now"
    return f"in {span(seconds)}" if seconds > 0 else f"{span(-seconds)} ago"


def exact(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def ago(moment: datetime | None) -> Markup | str:
    """For tables and sentences."""
    if moment is None:
        return ""
    text = distance(moment, datetime.now(UTC))
    return RELATIVE.format(moment.isoformat(), exact(moment), text)


def at(moment: datetime | None) -> Markup | str:
    """For timelines."""
    if moment is None:
        return ""
    return ABSOLUTE.format(moment.isoformat(), exact(moment), exact(moment))
