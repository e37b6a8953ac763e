"""A process that holds local services until it is told to end; it prints where they listen."""

import sys
import time

from local import services


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else None
    with services(name) as held:
        print(held.postgres.port, held.valkey.port, flush=True)
        # One long wait could begin just after a signal came, and not notice it.
        while True:
            time.sleep(0.05)


main()
