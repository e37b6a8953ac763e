"""What can't be sent, said field by field."""

from collections.abc import Callable

from arvel.validation import ValidationException


class InvalidMessage(ValidationException):
    """The message can't be sent as it is, and nothing of it was stored.

    ``errors`` maps each field to sentences that say how to mend it; they never repeat the value,
    so they may be logged. HTTP answers with 422.
    """


class Refused(ValueError):
    """Why one value can't be used, as a sentence that doesn't repeat the value."""


class Problems:
    """Collects all that is wrong with a message before anything of it is written."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {}

    def add(self, field: str, text: str) -> None:
        self._found.setdefault(field, []).append(text)

    def accept[T](self, field: str, check: Callable[[object], T], value: object, otherwise: T) -> T:
        """What ``check`` makes of the value; ``otherwise`` when it was refused, which is noted."""
        try:
            return check(value)
        except Refused as refusal:
            self.add(field, str(refusal))
            return otherwise

    def require(self, met: object, field: str, text: str) -> None:
        """Note ``text`` unless ``met``, or unless something else is already wrong there."""
        if not met and field not in self._found:
            self.add(field, text)

    def raise_if_any(self) -> None:
        """Raises :class:`InvalidMessage` when a problem was noted."""
        if self._found:
            raise InvalidMessage(self._found)
