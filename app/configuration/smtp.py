"""Whether the channel ``smtp`` can send."""

from collections.abc import Iterator

from app.configuration.given import Readings
from app.configuration.problem import Problem, warn
from app.transports.email.smtp_config import NONE, SmtpConfig


def find_problems(readings: Readings) -> Iterator[Problem]:
    """What is wrong with settings that can be read, given that ``SMTP_HOST`` is set."""
    if not readings.text("MESSAGE_ID_DOMAIN"):
        yield Problem(
            "MESSAGE_ID_DOMAIN", "is missing: set a domain of yours, such as mail.example.com."
        )
    username, password = readings.text("SMTP_USERNAME"), readings.text("SMTP_PASSWORD")
    if bool(username) != bool(password):
        missing = "SMTP_PASSWORD" if username else "SMTP_USERNAME"
        yield Problem(missing, "is missing: set both of SMTP_USERNAME and SMTP_PASSWORD, or none.")
    if readings.text("SMTP_TLS") == NONE:
        yield from _find_open_secrets(readings, bool(username))
    yield from _ask_transport(readings)


def _find_open_secrets(readings: Readings, username: bool) -> Iterator[Problem]:
    if username:
        yield Problem("SMTP_TLS", "none would send the password in clear. Use starttls.")
    elif readings.production:
        yield warn("SMTP_TLS", "none sends every message in clear. Use starttls.")


def _ask_transport(readings: Readings) -> Iterator[Problem]:
    """What the transport itself refuses beyond this."""
    names = ("SMTP_HELO", "SMTP_CA_FILE", "SMTP_PORT", "MESSAGE_ID_DOMAIN")
    if not readings.have(*names) or not readings.text("MESSAGE_ID_DOMAIN"):
        return
    try:
        SmtpConfig(
            host=readings.text("SMTP_HOST"),
            message_id_domain=readings.text("MESSAGE_ID_DOMAIN"),
            port=int(readings.number("SMTP_PORT")),
            helo=readings.text("SMTP_HELO"),
            ca_file=readings.text("SMTP_CA_FILE"),
        )
    except ValueError as refusal:
        yield Problem("SMTP_HOST", f"makes a channel that can't send. {refusal}")
