"""The command line of ``bin/demo``."""

import argparse
import signal
import sys

from local.demo.play import play


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="stop when all items rest")
    parser.add_argument("--emails", type=_count, default=8, help="how many to send (8)")
    parser.add_argument("--sms", type=_count, default=8, help="how many to send (8)")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    options = parser.parse_args()
    # As Ctrl-C: the web process drains before its servers go.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return play(options.emails, options.sms, once=options.once, as_json=options.json)
    except KeyboardInterrupt:
        print("\nStopped; nothing is left running.", file=sys.stderr)
        return 0 if not options.once else 130


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 10_000:
        raise argparse.ArgumentTypeError("must be between 0 and 10000")
    return number


if __name__ == "__main__":
    sys.exit(main())
