"""Which channels there are, and whether messages can go through the chosen ones."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial

from app.configuration import email, smtp, twilio
from app.configuration.given import Readings
from app.configuration.problem import Problem, warn
from app.configuration.setting import Section
from app.configuration.table.email import EMAIL_PROVIDERS
from app.configuration.table.smtp import SMTP
from app.configuration.table.twilio import TWILIO

SANDBOX = "sandbox"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel that can be configured: it exists once the setting ``begins`` is set.

    ``find_problems`` is asked once it exists.
    """

    method: str
    name: str
    begins: str
    section: Section
    find_problems: Callable[[Readings], Iterable[Problem]]


CHANNELS = (
    Channel("email", "smtp", "SMTP_HOST", SMTP, smtp.find_problems),
    *(
        Channel(
            "email", one.name, one.begins, one.section, partial(email.find_problems, one.config)
        )
        for one in EMAIL_PROVIDERS
    ),
    Channel("sms", "twilio", "TWILIO_ACCOUNT_SID", TWILIO, twilio.find_problems),
)
CHOSEN_BY = {"email": "EMAIL_CHANNEL", "sms": "SMS_CHANNEL"}


def configured(readings: Readings, method: str) -> list[str]:
    """The names of the channels that there are, but for the sandbox.

    One whose first setting can't be read counts: what is wrong with it is said already.
    """
    return [
        channel.name
        for channel in CHANNELS
        if channel.method == method
        and (readings.text(channel.begins) or not readings.have(channel.begins))
    ]


def find_problems(readings: Readings) -> Iterator[Problem]:
    for channel in CHANNELS:
        if readings.text(channel.begins):
            yield from channel.find_problems(readings)
        elif readings.have(channel.begins):
            yield from _find_idle_secrets(channel, readings)
    for method in CHOSEN_BY:
        yield from _look_at_choice(method, readings)


def _find_idle_secrets(channel: Channel, readings: Readings) -> Iterator[Problem]:
    for name in channel.section.secrets:
        if readings.text(name):
            yield warn(name, f"is for nothing while {channel.begins} is not set.")


def _look_at_choice(method: str, readings: Readings) -> Iterator[Problem]:
    setting = CHOSEN_BY[method]
    chosen = readings.text(setting)
    begins = {c.name: c.begins for c in CHANNELS if c.method == method}
    if chosen in ("", SANDBOX, *configured(readings, method)):
        return
    if chosen in begins:
        yield Problem(
            setting, f"names {chosen}, which is not configured: set {begins[chosen]} as well."
        )
    else:
        yield Problem(setting, _list([*begins, SANDBOX], chosen))


def _list(names: list[str], chosen: str) -> str:
    near = get_close_matches(chosen, names, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"names no channel that there is. There are: {', '.join(names)}.{hint}"


def needed(method: str) -> str:
    """The settings of which one must be set for messages to reach anybody, as words."""
    return " or ".join(c.begins for c in CHANNELS if c.method == method)
