"""Listens in on signals whose handling is somebody else's."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

type Handler = Callable[[int, FrameType | None], Any]


def chain(signals: Iterable[signal.Signals], tell: Callable[[], object]) -> Callable[[], None]:
    """Have ``tell`` called before whatever handles these signals now; returns what undoes that.

    ``tell`` must be quick and may be called at any point of the program. A signal that nobody
    handles stays alone: it ends the process anyway. Outside the main thread this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    chained = [
        (number, previous, _put_before(number, previous, tell))
        for number in signals
        if callable(previous := signal.getsignal(number))
    ]

    def undo() -> None:
        for number, previous, ours in chained:
            if signal.getsignal(number) is ours:
                _install(number, previous)

    return undo


def _put_before(number: signal.Signals, previous: Handler, tell: Callable[[], object]) -> Handler:
    def handler(signum: int, frame: FrameType | None) -> None:
        # The loop that would hear of it may be closed by now.
        with contextlib.suppress(RuntimeError):
            tell()
        previous(signum, frame)

    _install(number, handler)
    return handler


def _install(number: signal.Signals, handler: Handler) -> None:
    # An event loop hears of signals by its wakeup descriptor, which stays as it is.
    signal.signal(number, handler)
    signal.siginterrupt(number, False)
