"""The command line of ``bin/bench``: each subcommand measures one thing."""

import argparse
import os
import signal
import sys
from collections.abc import Callable

from bench import api

SUBJECTS: dict[str, tuple[str, Callable[[argparse.Namespace], int]]] = {
    "api": ("reading lists and items by the API, among a million of them", api.main),
}
OTHERS_SERVERS = ("DATABASE_URL", "REDIS_URL")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench", description=__doc__)
    subjects = parser.add_subparsers(dest="subject", required=True)
    for name, (meaning, _) in SUBJECTS.items():
        subject = subjects.add_parser(name, help=meaning)
        subject.add_argument("--rows", type=_count, default=1_000_000, help="items (1,000,000)")
        subject.add_argument("--requests", type=_count, default=40, help="of each kind (40)")
        subject.add_argument("--json", action="store_true", help="print JSON, not a table")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # What is measured is thrown away afterwards: never on a server that somebody else fills.
    for name in OTHERS_SERVERS:
        os.environ.pop(name, None)
    return SUBJECTS[options.subject][1](options)


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 100_000_000:
        raise argparse.ArgumentTypeError("must be between 1 and 100000000")
    return number


if __name__ == "__main__":
    sys.exit(main())
