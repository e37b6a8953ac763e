"""The names of what the code logs, found in the code itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "app"
LEVELS = {"debug", "info", "warning", "error", "critical"}
THROUGH = {"_log", "_warn", "_refuse", "log_refusal"}
"""Functions that hand an action on to the log."""


def actions() -> set[str]:
    """Every action that something under ``app/`` may log."""
    return {
        action
        for file in APP.rglob("*.py")
        if "/commands/" not in str(file)
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call)
        for action in _of(call)
    }


def _of(call: ast.Call) -> Iterator[str]:
    called = call.func
    logs = (
        isinstance(called, ast.Attribute)
        and called.attr in LEVELS
        and "log" in ast.unparse(called.value).lower()
    )
    hands_on = isinstance(called, ast.Name) and called.id in THROUGH
    words = call.args[:1] if logs else call.args if hands_on else []
    for word in words:
        if isinstance(word, ast.Constant) and isinstance(word.value, str) and word.value.islower():
            yield word.value
