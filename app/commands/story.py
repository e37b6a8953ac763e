"""An item's story for people."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from app.commands.answers import plain, show_person, show_time
from app.items.next_step import describe_next_step
from app.models.queries.browse import Story
from app.models.statements import Row

SECOND_COPY = "{} attempts are known as accepted: the receiver may have a second copy."


def describe_story(story: Story) -> Iterator[str]:
    """Lines: the item as it is, then what happened, oldest first."""
    yield f"{story.item['state'].upper()}  {story.item['id']}"
    for name, value in facts_of(story):
        if value:
            yield f"  {name:<10}{plain(value)}"
    yield from section("Timeline (UTC)", timeline_of(story))
    yield from section("Attempts", map(describe_attempt, story.attempts))
    yield from section("Attachments", map(describe_attachment, story.attachments))
    yield from section("Downloads (UTC)", map(describe_download, story.downloads))
    yield from section("Dead letters", map(describe_letter, story.letters))


def section(title: str, lines: Iterator[str]) -> Iterator[str]:
    found = [f"  {plain(line)}" for line in lines]
    if found:
        yield from ("", title, *found)


def facts_of(story: Story) -> Iterator[tuple[str, object]]:
    item = story.item
    role = "" if item["role"] == "to" else f" ({item['role']})"
    yield "To", show_person(item["receiver_name"], item["receiver_address"]) + role
    yield "From", show_person(item["sender_name"], item["sender_address"])
    yield "Subject", item["subject"]
    yield "Media", item["media_url"]
    yield "Sent by", f"{item['method']} through {item['channel']}, priority {item['priority']}"
    yield "Origin", " ".join(filter(None, (item["origin_type"], item["origin_id"])))
    yield "Copy of", item["cloned_from"]
    yield "Tags", ", ".join(item["tags"])
    yield "Provider", item["message_id"]
    yield "Expires", show_time(item["expires_at"])
    yield "Cause", item["error_kind"]
    yield "Result", item["result"]
    yield "Cancelled", "It was delivered after it was cancelled." * item["delivered_after_cancel"]
    yield "Copies", SECOND_COPY.format(story.copies) if story.copies > 1 else ""
    yield "Next", describe_next_step(item)


def timeline_of(story: Story) -> Iterator[str]:
    """Composition, changes of state and reports, in the order in which we learned of them."""
    moments = [
        (story.item["queued"], "queued"),
        *each(story.history, "at", describe_change),
        *each(story.events, "received_at", describe_event),
    ]
    for at, line in sorted(moments, key=lambda moment: moment[0]):
        yield f"{show_time(at)}  {line}"


def each(
    rows: Sequence[Row], time: str, describe: Callable[[Row], str]
) -> list[tuple[datetime, str]]:
    return [(row[time], describe(row)) for row in rows]


def describe_change(row: Row) -> str:
    source = row["from_state"] or "new"
    moved = f"{row['transition']}: {source} → {row['to_state']} by {row['actor']}"
    return f"{moved}. {row['text']}" if row["text"] else moved


def describe_event(row: Row) -> str:
    said = " ".join(filter(None, (row["status"], row["code"])))
    verdict = row["verdict"] or "not applied yet"
    text = f" {row['text']}" if row["text"] else ""
    return f"{row['provider']} reports {row['type']} ({said}): {verdict}.{text}"


def describe_attempt(row: Row) -> str:
    outcome = row["outcome"] or "no outcome recorded"
    facts = (
        f"no. {row['number']}",
        show_time(row["started_at"]),
        row["provider"],
        row["message_id"] or "no provider id",
        " ".join(filter(None, (outcome, row["code"]))),
        f"reported {row['report']}" if row["report"] else "",
        "may have been sent" if row["may_have_been_sent"] else "",
        "found by a report, not by our record" if row["recovered"] else "",
        row["text"] or "",
    )
    return ", ".join(filter(None, facts))


def describe_attachment(row: Row) -> str:
    inline = f", inline as {row['content_id']}" if row["content_id"] else ""
    gone = ", file cleaned away" if row["removed_at"] else ""
    return f"{row['name']}, {row['content_type']}, {row['size']:,} bytes{inline}{gone}"


def describe_download(row: Row) -> str:
    return f"{show_time(row['at'])}  {row['name']} by {row['actor']}"


def describe_letter(row: Row) -> str:
    return f"{show_time(row['failed_at'])}  {row['exception']}"
