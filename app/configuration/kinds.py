"""What a setting may hold."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec


class Unfit(ValueError):
    """A value that its setting can't have. The text completes "must be …" and quotes no value."""


class Kind(Protocol):
    @property
    def shape(self) -> str:
        """What it must be, to complete "must be …"."""
        ...

    def read(self, value: object) -> Any:
        """The value as the application uses it; raises :class:`Unfit`."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """Any text. ``check`` may refuse some of it, and then says what it must be."""

    shape: str = "text"
    check: Callable[[str], bool] | None = None

    def read(self, value: object) -> str:
        if not isinstance(value, str):
            # env() of arvel reads true, false, null and empty as values of Python.
            raise Unfit('text: put a word such as true or null in quotes, as in "true"')
        if self.check is not None and not self.check(value):
            raise Unfit(self.shape)
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    choices: tuple[str, ...]

    @property
    def shape(self) -> str:
        return " or ".join(self.choices)

    def read(self, value: object) -> str:
        if isinstance(value, str) and value in self.choices:
            return value
        raise Unfit(self.shape)


@dataclass(frozen=True, slots=True)
class Flag:
    shape: str = "true or false"

    def read(self, value: object) -> bool:
        return _convert(value, bool, self.shape)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number, both bounds included."""

    least: int
    most: int
    unit: str = ""

    @property
    def shape(self) -> str:
        return f"a whole number{self.unit and f' of {self.unit}'} from {self.least} to {self.most}"

    def read(self, value: object) -> int:
        number = _convert(value, int, self.shape)
        if not self.least <= number <= self.most:
            raise Unfit(self.shape)
        return number


@dataclass(frozen=True, slots=True)
class Number:
    """A number of ``unit``, more than 0 unless ``zero`` is allowed, at most ``most``."""

    unit: str
    most: float
    zero: bool = False

    @property
    def shape(self) -> str:
        least = "0 or more" if self.zero else "more than 0"
        return f"a number of {self.unit}, {least} and at most {self.most:g}"

    def read(self, value: object) -> float:
        number = _convert(value, float, self.shape)
        positive = number >= 0 if self.zero else number > 0
        if math.isnan(number) or not positive or number > self.most:
            raise Unfit(self.shape)
        return number


def _convert[T](value: object, kind: type[T], shape: str) -> T:
    # As arvel's Settings convert, so that what is accepted here is accepted there.
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise Unfit(shape) from None
