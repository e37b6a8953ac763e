"""What may do elsewhere, and loses, doubles or shows messages in production."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from app.configuration.channels import CHOSEN_BY, SANDBOX, configured, needed
from app.configuration.given import Readings
from app.configuration.problem import Problem, warn

PRODUCTION = "production"
SHORT_FOR_IT = ("prod", "prd", "live")
SHARED = {
    "QUEUE_CONNECTION": "keeps messages in the memory of this process: no worker gets them, and a"
    " restart forgets them. Set redis or amqp.",
    "CACHE_STORE": "keeps locks in the memory of one process: others don't see them. Set redis.",
    "SESSION_DRIVER": "keeps sessions in the memory of one process: with two, people are signed"
    " out. Set redis.",
}
SPOKEN = {"email": "email", "sms": "SMS"}


def find_problems(readings: Readings, environment: Mapping[str, str]) -> Iterator[Problem]:
    """What only production refuses, or warns of."""
    yield from _find_unshared(readings)
    yield from _look_at_key(readings)
    yield from _look_at_channels(readings, environment)
    if readings.flag("APP_DEBUG"):
        yield warn("APP_DEBUG", "true shows strangers the cause of errors. Set false.")
    if any(u.strip().startswith("http:") for u in readings.text("PUBLIC_URL").split(",")):
        yield warn("PUBLIC_URL", "is http: reports and sessions travel in clear. Use https.")


def _find_unshared(readings: Readings) -> Iterator[Problem]:
    for name, text in SHARED.items():
        if readings.have(name) and readings.text(name) not in ("redis", "amqp"):
            yield Problem(name, text)


def _look_at_key(readings: Readings) -> Iterator[Problem]:
    if readings.have("APP_KEY") and not readings.text("APP_KEY"):
        yield Problem("APP_KEY", "is missing. Run `arvel key:generate`, or set one.")


def _look_at_channels(readings: Readings, environment: Mapping[str, str]) -> Iterator[Problem]:
    reached = [method for method in CHOSEN_BY if configured(readings, method)]
    for method, setting in CHOSEN_BY.items():
        if readings.text(setting) != SANDBOX:
            continue
        if environment.get(setting):
            yield Problem(setting, f"sandbox sends nothing to anybody. Set {needed(method)}.")
            continue
        text = f"no {SPOKEN[method]} can be sent: set {needed(method)}."
        yield warn(setting, text) if reached else Problem(setting, text)


def find_near_production(readings: Readings) -> Iterator[Problem]:
    """An ``APP_ENV`` that nearly says production reaches nobody, and nobody notices."""
    name = readings.text("APP_ENV")
    bare = name.strip().casefold()
    meant = bare in SHORT_FOR_IT or bool(get_close_matches(bare, [PRODUCTION], cutoff=0.9))
    if meant and name != PRODUCTION:
        yield Problem("APP_ENV", "is nearly production, which must be written so: production.")


def find_missing_key(readings: Readings) -> Iterator[Problem]:
    """Outside production a missing key stops nothing but sending."""
    if readings.have("APP_KEY") and not readings.text("APP_KEY"):
        yield warn("APP_KEY", "is missing: no job can be sent. Run `arvel key:generate`.")
