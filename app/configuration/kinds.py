"""What a setting may hold."""

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
    """A number of ``unit``, at most ``most``; more than 0, or ``least`` and more."""

    unit: str
    most: float
    least: float | None = None

    @property
    def shape(self) -> str:
        least = "more than 0" if self.least is None else f"{self.least:g} or more"
        return f"a number of {self.unit}, {least} and at most {self.most:.12g}"

    def read(self, value: object) -> float:
        number = _convert(value, float, self.shape)
        enough = number > 0 if self.least is None else number >= self.least
        # Not a number is neither enough nor too much.
        if not (enough and number <= self.most):
            raise Unfit(self.shape)
        return number


@dataclass(frozen=True, slots=True)
class OrUnset:
    """A setting without which something does not happen at all."""

    kind: Kind

    @property
    def shape(self) -> str:
        return self.kind.shape

    def read(self, value: object) -> Any:
        return None if value is None else self.kind.read(value)


def _convert[T](value: object, kind: type[T], shape: str) -> T:
    # As arvel's Settings convert, so that what is accepted here is accepted there.
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise Unfit(shape) from None
