"""What is wrong with the configuration, ready to be shown to a person."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Problem:
    """One setting, what is wrong with it and what to set.

    ``text`` quotes no value but numbers of clocks and names of classes: settings get mixed up, and
    then the value of a harmless one is a password.
    """

    setting: str
    text: str
    severity: Severity = Severity.WRONG

    def __str__(self) -> str:
        return f"{self.setting}: {self.text}"


def warn(setting: str, text: str) -> Problem:
    return Problem(setting, text, Severity.WARNING)
