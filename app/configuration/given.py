"""The configuration as it was given, and what can be read of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from app.configuration.kinds import Unfit
from app.configuration.problem import Problem
from app.configuration.setting import Setting
from app.configuration.table import SETTINGS


@dataclass(frozen=True, slots=True)
class Given:
    """``config`` looks up a dotted key in what ``config/`` made of the environment."""

    environment: Mapping[str, str] = field(repr=False)
    config: Callable[[str], object] = field(repr=False)

    def value(self, setting: Setting) -> object:
        if setting.key:
            return self.config(setting.key)
        return self.environment.get(setting.name, setting.default)


class Readings:
    """The values that could be read, by name; the others are ``problems``."""

    def __init__(self, given: Given) -> None:
        self.problems: list[Problem] = []
        self._values: dict[str, Any] = {}
        for setting in SETTINGS.values():
            self._read(setting, given)

    def _read(self, setting: Setting, given: Given) -> None:
        try:
            self._values[setting.name] = setting.kind.read(given.value(setting))
        except Unfit as unfit:
            # What was taken over from another setting is reported there.
            if setting.name in given.environment or not setting.otherwise:
                self.problems.append(Problem(setting.name, _say(setting, str(unfit))))

    def have(self, *names: str) -> bool:
        """Whether all of these could be read."""
        return all(name in self._values for name in names)

    def value(self, name: str) -> object:
        """What was read; ``None`` when it could not be."""
        return self._values.get(name)

    def text(self, name: str) -> str:
        """The text, and an empty one when it could not be read."""
        return str(self._values.get(name, ""))

    def number(self, name: str) -> float:
        """Raises ``KeyError`` when it could not be read."""
        return float(self._values[name])

    def flag(self, name: str) -> bool:
        return bool(self._values.get(name))

    def numbers(self) -> dict[str, float]:
        """All numbers that could be read."""
        return {
            name: cast("float", value)
            for name, value in self._values.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }

    @property
    def production(self) -> bool:
        return self._values.get("APP_ENV") == "production"


def _say(setting: Setting, shape: str) -> str:
    """What it must be, and what it is when it isn't set at all, which is often what is wanted."""
    text = f"must be {shape}" if shape.endswith((".", "?")) else f"must be {shape}."
    if setting.otherwise or setting.secret or setting.default in ("", [], False):
        return text
    return f"{text} Without it: {setting.default}."
