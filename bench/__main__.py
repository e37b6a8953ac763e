"""The command line of ``bin/bench``: each subcommand measures one thing."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

from bench import api, enqueue, idle, lifecycle, scale, send

OTHERS_SERVERS = ("DATABASE_URL", "REDIS_URL")


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be measured. ``sizes``: its flags for how much, with meaning and default."""

    meaning: str
    run: Callable[[argparse.Namespace], int]
    sizes: dict[str, tuple[str, int]]


SUBJECTS = {
    "send": Subject(
        "sending by a worker, beside the floor",
        send.main,
        {"items": ("messages of a round", 2_000), "rounds": ("of both", 5)},
    ),
    "enqueue": Subject(
        "queueing by the API, one by one and in batches",
        enqueue.main,
        {"items": ("messages", 5_000)},
    ),
    "lifecycle": Subject(
        "sending and three reports on each, then reports alone",
        lifecycle.main,
        {"items": ("messages", 2_000), "seconds": ("of reports alone", 10)},
    ),
    "scale": Subject(
        "sending by several workers, and in fuller tables",
        scale.main,
        {
            "items": ("messages of a round", 2_000),
            "rows": ("items beside them, at most", 1_000_000),
        },
    ),
    "idle": Subject("a worker without work", idle.main, {"seconds": ("that it rests", 60)}),
    "api": Subject(
        "reading lists and items by the API, among a million of them",
        api.main,
        {"rows": ("items", 1_000_000), "requests": ("of each kind", 40)},
    ),
}


def main() -> int:
    options = _parser().parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # What is measured is thrown away afterwards: never on a server that somebody else fills.
    for name in OTHERS_SERVERS:
        os.environ.pop(name, None)
    return SUBJECTS[options.subject].run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__)
    subjects = parser.add_subparsers(dest="subject", required=True)
    for name, subject in SUBJECTS.items():
        command = subjects.add_parser(name, help=subject.meaning)
        for size, (meaning, default) in subject.sizes.items():
            text = f"{meaning} ({default:,})"
            command.add_argument(f"--{size}", type=_count, default=default, help=text)
        command.add_argument("--json", action="store_true", help="print JSON, not a table")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 100_000_000:
        raise argparse.ArgumentTypeError("must be between 1 and 100000000")
    return number


if __name__ == "__main__":
    sys.exit(main())
