"""Renders what each provider can and can't do, from the tables about it."""

from collections.abc import Iterable, Iterator, Mapping

from app.configuration.channels import CHANNELS, Channel
from app.transports.catalogue import Offer, offers
from app.transports.contract import Facts
from app.transports.features import FEATURES, MANY_REPLIES, MANY_TAGS, Features
from app.transports.sms.twilio_codes import ERROR_CODES, link

BEGIN = "<!-- Generated: `arvel transport:list --page NAME` prints this part. -->"
END = "<!-- End of what is generated. -->"

HEAD = """# Providers

This page is generated from the tables of the transports by `arvel transport:list --page providers`;
change the tables there. Each provider has a page with set-up, permissions, limits and quirks.

None of this was tried at a live account: it rests on the providers' pages, on requests that others
captured, and on servers of the tests that answer as those pages say. `arvel transport:check NAME`
tries an account without sending, `arvel transport:send NAME --to …` with a test message.

"""

LEGEND = """
**reports**: what becomes of a message is reported; *signed* where nobody who merely knows the
address and its password can write a report. **deduplicates**: how long a repeated message is
recognised, so that one whose outcome is unknown may be sent again by itself. **asked by**: by what
the provider can be asked for a message whose outcome is unknown. **tags**, **Reply-To**: how many
go along; further tags stay in Pillarbox, further addresses are refused. **keys**: reports bring
back our keys, so that they find their message even before its id is known. **Message-ID**: it is
ours, and the same for each attempt. **shows all**: To and Cc show everybody; elsewhere each
receiver sees only themselves. **check**: `transport:check` can tell whether the credentials are
right.
"""

COLUMNS = (
    *("provider", "method", "reports", "deduplicates", "asked by", "tags", "Reply-To"),
    *("inline images", "keys", "Message-ID", "shows all", "largest message", "region", "test mode"),
    "check",
)

TEST_MODES = ("_SANDBOX", "_INBOX_ID")


def page() -> str:
    """The table of all providers as Markdown."""
    rows = [COLUMNS, tuple("---" for _ in COLUMNS), *map(_row, CHANNELS)]
    return HEAD + _table(rows) + LEGEND


def part(name: str) -> str:
    """The generated part of a provider's page; raises ``KeyError`` for a name that isn't one."""
    channel = next(c for c in CHANNELS if c.name == name)
    rows = [("", ""), ("---", "---"), *_facts(channel, offers()[name])]
    return "\n".join([BEGIN, "", _table(rows) + _codes(offers()[name].facts), END]) + "\n"


def _table(rows: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(channel: Channel) -> tuple[str, ...]:
    offer = offers()[channel.name]
    facts, features = offer.facts, FEATURES[channel.name]
    return (
        f"[{offer.title}](../providers/{channel.name}.md)",
        channel.method,
        describe_reports(facts),
        describe_window(facts.idempotency_window),
        features.asked.value or "no",
        *_email_only(channel, features),
        _yes(facts.shows_everybody) if channel.method == "email" else "",
        describe_size(facts.max_message_bytes),
        describe_settings(channel, ("_REGION",)),
        describe_settings(channel, TEST_MODES),
        _yes(features.checks),
    )


def _email_only(channel: Channel, features: Features) -> tuple[str, ...]:
    if channel.method != "email":
        return ("", "", "", "in the address of the callback", "")
    return (
        describe_count(features.tags, MANY_TAGS),
        describe_count(features.reply_to, MANY_REPLIES),
        _yes(features.inline),
        _yes(features.metadata),
        _yes(features.message_id),
    )


def _facts(channel: Channel, offer: Offer) -> Iterator[tuple[str, str]]:
    facts, features = offer.facts, FEATURES[channel.name]
    yield "channel", f"`{channel.name}`"
    yield "settings", ", ".join(f"`{s.name}`" for s in channel.section.settings)
    if facts.reports:
        yield "webhook", f"`https://…/webhooks/{channel.method}/{channel.name}`"
        yield "a report is answered by", describe_answers(facts)
        yield "largest report", describe_size(facts.max_webhook_bytes)
    yield "largest message", describe_size(facts.max_message_bytes)
    yield "deduplicates", describe_window(facts.idempotency_window)
    yield "can be asked by", features.asked.value or "nothing"
    yield "codes that pause the channel", _list(sorted(facts.pause_codes))


def _codes(facts: Facts) -> str:
    """Error codes by what they mean for a message."""
    if not facts.error_codes:
        return ""
    kinds: dict[str, list[str]] = {}
    for code, kind in facts.error_codes.items():
        kinds.setdefault(kind, []).append(code)
    rows = [("kind", "codes"), ("---", "---")]
    rows += [(kind.replace("_", " "), _list(codes)) for kind, codes in kinds.items()]
    meanings = _meanings() if facts.name == "twilio" else ""
    return f"\n{_table(rows)}{meanings}"


def _meanings() -> str:
    rows = [("code", "kind", "meaning", "reason in a report"), ("---", "---", "---", "---")]
    rows += [
        (f"[{code}]({link(code)})", one.kind.replace("_", " "), one.meaning, one.reason)
        for code, one in ERROR_CODES.items()
    ]
    return f"\n{_table(rows)}"


def describe_reports(facts: Facts) -> str:
    if not facts.reports:
        return "no"
    return "signed" if facts.signs_webhooks else "with a password"


def describe_window(seconds: float) -> str:
    if not seconds:
        return "no"
    return f"{seconds / 3600:g} h" if seconds >= 3600 else f"{seconds / 60:g} min"


def describe_size(octets: int | None) -> str:
    if octets is None:
        return "not known"
    return f"{octets / 1_000_000:g} MB" if octets >= 1_000_000 else f"{octets / 1000:g} kB"


def describe_count(count: int, many: int) -> str:
    return f"{many}+" if count >= many else str(count) if count else "no"


def describe_settings(channel: Channel, endings: tuple[str, ...]) -> str:
    return _list(s.name for s in channel.section.settings if s.name.endswith(endings))


def describe_answers(facts: Facts) -> str:
    answers: Mapping[str, int] = {
        "stored": facts.stored_status,
        "not believed": facts.refused_status,
        "not readable": facts.unreadable_status,
        "not stored now": facts.not_stored_status,
    }
    return ", ".join(f"{status} ({what})" for what, status in answers.items())


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
