"""The command line of ``bin/faults``."""

import argparse
import json
import signal
import sys

from local.faults import timeline
from local.faults.campaign import Campaign, run, say
from local.faults.verdict import Verdict

RATE = 2.0
MOST = 1440.0
MOST_SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/faults", description=__doc__)
    parser.add_argument("--minutes", type=_some, default=1.0, help="for how long things fail (1)")
    parser.add_argument("--seed", type=int, default=1, help="what decides everything (1)")
    parser.add_argument("--rate", type=_some, default=RATE, help=f"items a second ({RATE:g})")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    options = parser.parse_args()
    # As Ctrl-C: everything is stopped before this ends.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        reached = run(Campaign(options.seed, options.minutes * 60, options.rate))
    except KeyboardInterrupt:
        say("\nStopped; nothing is left running.")
        return 130
    show(reached)
    tell(reached, options.seed, as_json=options.json)
    return 1 if reached.findings else 0


def _some(text: str) -> float:
    number = float(text)
    if not 0 < number <= MOST:
        raise argparse.ArgumentTypeError(f"must be more than 0, and {MOST:g} at most")
    return number


def show(reached: Verdict) -> None:
    for finding in reached.findings[:MOST_SHOWN]:
        say(f"\n{finding.kind}: {finding.text}")
        if finding.story is not None:
            lines = timeline.draw(finding.story), reached.said.get(finding.story.item.id, ())
            say("\n".join(f"  {line}" for part in lines for line in part))
    if len(reached.findings) > MOST_SHOWN:
        say(f"\n… and {len(reached.findings) - MOST_SHOWN} more.")


def tell(reached: Verdict, seed: int, *, as_json: bool) -> None:
    counts = {"items": reached.items, **reached.counts(), "unknown": reached.unknown, "seed": seed}
    if as_json:
        print(json.dumps(counts))
    else:
        print(", ".join(f"{count} {name}" for name, count in counts.items()))


if __name__ == "__main__":
    sys.exit(main())
