"""Settings of how long an attempt may take, and what happens between two."""

from app.configuration.kinds import Choice, Flag, Number, Whole
from app.configuration.setting import Section, Setting

DAY = 86_400.0
YEAR = 8784.0


def _seconds(name: str, key: str, meaning: str, default: float, most: float = DAY) -> Setting:
    return Setting(name, f"dispatch.{key}", Number("seconds", most), meaning, default)


CLOCKS = Section(
    "Clocks",
    "Their order is what keeps a message from being sent twice; another order is refused.",
    (
        _seconds("DISPATCH_CONNECT_TIMEOUT", "connect_timeout", "Reaching a provider.", 5.0),
        _seconds("DISPATCH_SEND_TIMEOUT", "send_timeout", "One whole call of a provider.", 30.0),
        _seconds("DISPATCH_LEASE", "lease", "The right of one worker to send one message.", 40.0),
        _seconds("DISPATCH_JOB_TIMEOUT", "job_timeout", "One job.", 45.0),
        _seconds("DISPATCH_LOCK_EXPIRY", "lock_expiry", "The lock on one message.", 60.0),
        _seconds("DISPATCH_DRAIN", "drain", "What a stopped worker has to finish.", 40.0),
        _seconds(
            "SHUTDOWN_GRACE", "grace", "From SIGTERM until the platform kills the process.", 60.0
        ),
    ),
)

RETRIES = Section(
    "Retries and limits",
    "After a provider asked to get a message later.",
    (
        Setting(
            "DISPATCH_MAX_RETRIES",
            "dispatch.max_retries",
            Whole(0, 1000),
            "Retries by itself; after them the message is `errored` and a dead letter.",
            12,
        ),
        _seconds("DISPATCH_RETRY_BASE", "retry_base", "Before the first; doubled each time.", 16.0),
        _seconds("DISPATCH_RETRY_CAP", "retry_cap", "The longest wait.", 600.0),
        Setting(
            "DISPATCH_RETRY_JITTER",
            "dispatch.retry_jitter",
            Flag(),
            "Spreads retries that would come together.",
            False,
        ),
        Setting(
            "DISPATCH_RETRY_5XX",
            "dispatch.retry_5xx",
            Choice(("always", "when_safe")),
            "What becomes of an email that a provider may have taken although it answered 5xx:"
            " retried `always`, or only `when_safe`, where the provider recognises the repetition;"
            " else it is held for a person.",
            "always",
        ),
        Setting(
            "DISPATCH_MAX_RESCUES",
            "dispatch.max_rescues",
            Whole(0, 100),
            "How often a message whose worker died is sent again by itself, where the provider"
            " recognises the repetition; 0 leaves that to a person.",
            0,
        ),
        Setting(
            "DISPATCH_MAX_MESSAGE_BYTES",
            "dispatch.max_message_bytes",
            Whole(1, 1_000_000_000, "bytes"),
            "Texts and files of one email together.",
            25_000_000,
        ),
    ),
)

WAITING = Section(
    "Waiting for reports",
    "After these times a message without a final report is `unconfirmed`.",
    (
        Setting(
            "SMS_TIMEOUT_HOURS",
            "dispatch.sms_timeout_hours",
            Number("hours", YEAR),
            "For SMS; fractions are allowed.",
            2.0,
        ),
        Setting(
            "SMS_TIMEOUT_FROM",
            "dispatch.sms_timeout_from",
            Choice(("queued", "accepted")),
            "What that is counted from.",
            "queued",
        ),
        Setting(
            "EMAIL_TIMEOUT_HOURS",
            "dispatch.email_timeout_hours",
            Number("hours", YEAR, least=0),
            "For email; 0 waits for ever.",
            96.0,
        ),
        Setting(
            "ORPHAN_KEEP_HOURS",
            "dispatch.orphan_keep_hours",
            Number("hours", YEAR),
            "How long a report that fits no message waits for one.",
            24.0,
        ),
    ),
)

PERIODS = Section(
    "What happens by itself",
    "One worker does it for all.",
    (
        _seconds("DISPATCH_SWEEP_EVERY", "sweep_every", "Finding what was dropped.", 15.0, 3600),
        _seconds(
            "DISPATCH_REDISPATCH_AFTER",
            "redispatch_after",
            "Before a message that no worker took is published again; doubled each time.",
            30.0,
            3600,
        ),
        _seconds("DISPATCH_POLL_EVERY", "poll_every", "Asking Twilio, without webhook.", 30.0),
        _seconds("DISPATCH_TIMEOUT_EVERY", "timeout_every", "Giving up waiting.", 30.0, 3600),
    ),
)
