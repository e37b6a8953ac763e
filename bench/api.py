"""How long pages of the API take, through the real web process and a token."""

import argparse
import asyncio
import json
import os
import time

from bench import ask, report
from bench.questions import QUESTIONS
from bench.rows import fill
from bench.web import issue_token
from local.demo.play import application, everything, say


def main(options: argparse.Namespace) -> int:
    # Nothing may send what lies in the queue, and no limit of a token may be what is measured.
    with everything(EMBEDDED_WORKER="false", API_RATE_LIMIT="1000000") as running:
        started = time.monotonic()
        say(f"Filling {options.rows:,} items …")
        token = asyncio.run(_prepare(options.rows))
        filled = time.monotonic() - started
        say(f"Filled in {filled:.0f} s. Asking each of {len(QUESTIONS)} questions …")
        answers = asyncio.run(
            ask.ask_all(running.address, token, QUESTIONS, options.rows, options.requests)
        )
    found = {
        "rows": options.rows,
        "cores": len(os.sched_getaffinity(0)),
        "seconds_to_fill": round(filled, 1),
        "endpoints": [answer.as_json() for answer in answers],
    }
    print(json.dumps(found) if options.json else report.table(found))
    return 0


async def _prepare(rows: int) -> str:
    async with application():
        token = await issue_token()
        await fill(os.environ["DATABASE_URL"].replace("+asyncpg", ""), rows, say)
    return token
