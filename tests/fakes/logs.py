"""What a module writes to its log, kept instead of written."""

from typing import Any, Self

import pytest


class Log:
    """Stands in for arvel's ``LogManager`` of one module: ``lines`` holds each action with what
    was said of it."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def __call__(self) -> Self:
        return self

    def channel(self, name: str) -> Self:
        return self

    def info(self, action: str, **said: Any) -> None:
        self.lines.append((action, said))

    warning = error = info


def listen_to(monkeypatch: pytest.MonkeyPatch, module: str) -> Log:
    """Keep what this module logs for the rest of the test."""
    log = Log()
    monkeypatch.setattr(f"{module}.LogManager", log)
    return log
