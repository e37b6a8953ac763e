"""The smallest honest program that sends what a queue holds, on the same parts as Pillarbox.

``python -m bench.floor_process PROVIDER``: reads a stream in batches, claims and records each item
by a prepared statement, posts once in between, acknowledges. No lock, no heartbeat, no job, no
retry, no middleware: what it needs is the price of the parts themselves.
"""

import asyncio
import os
import sys
import uuid

import aiohttp
import asyncpg
from redis.asyncio import BlockingConnectionPool, Redis

STREAM, GROUP, ME = "floor", "floor", "one"
CONCURRENCY, CONNECTIONS, BATCH = 200, 20, 50

TABLES = """
CREATE TABLE IF NOT EXISTS floor_items (id uuid PRIMARY KEY, state text NOT NULL,
    receiver text NOT NULL, subject text NOT NULL, body text NOT NULL, attempt_id uuid,
    message_id text, updated timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS floor_attempts (id uuid PRIMARY KEY, item_id uuid NOT NULL,
    outcome text, started timestamptz NOT NULL DEFAULT clock_timestamp(), ended timestamptz);
CREATE INDEX IF NOT EXISTS floor_waiting ON floor_items (updated) WHERE state <> 'sent'
"""

CLAIM = """
WITH claimed AS (
    UPDATE floor_items SET state = 'sending', attempt_id = $2, updated = clock_timestamp()
    WHERE id = $1 AND state = 'queued' RETURNING *
), att AS (INSERT INTO floor_attempts (id, item_id) SELECT attempt_id, id FROM claimed)
SELECT receiver, subject, body FROM claimed
"""

RECORD = """
WITH own AS (SELECT id, state FROM floor_items WHERE id = $1 AND attempt_id = $2 FOR UPDATE),
told AS (UPDATE floor_attempts SET outcome = 'accepted', ended = clock_timestamp() WHERE id = $2)
UPDATE floor_items i SET state = 'sent', message_id = $3, updated = clock_timestamp()
FROM own WHERE i.id = own.id AND own.state = 'sending'
"""


async def main(provider: str) -> None:
    pool = BlockingConnectionPool.from_url(os.environ["QUEUE_URL"], max_connections=CONNECTIONS)
    url = os.environ["DATABASE_URL"].replace("+asyncpg", "")
    connector = aiohttp.TCPConnector(limit=CONCURRENCY)
    async with (
        Redis(connection_pool=pool) as redis,
        asyncpg.create_pool(url, min_size=CONNECTIONS, max_size=CONNECTIONS) as database,
        aiohttp.ClientSession(connector=connector) as http,
        asyncio.TaskGroup() as group,
    ):
        await redis.xgroup_create(STREAM, GROUP, mkstream=True)
        print("ready", flush=True)
        places = asyncio.Semaphore(CONCURRENCY)

        async def work(entry: bytes, item: str) -> None:
            await send(database, http, provider, uuid.UUID(item))
            await redis.xack(STREAM, GROUP, entry)
            await redis.xdel(STREAM, entry)
            places.release()

        while True:
            for _, entries in await redis.xreadgroup(
                GROUP, ME, {STREAM: ">"}, count=BATCH, block=1000
            ):
                for entry, fields in entries:
                    await places.acquire()
                    group.create_task(work(entry, fields[b"id"].decode()))


async def send(
    database: asyncpg.Pool, http: aiohttp.ClientSession, provider: str, item: uuid.UUID
) -> None:
    attempt = uuid.uuid4()
    row = await database.fetchrow(CLAIM, item, attempt)
    if row is None:
        return
    async with http.post(provider, json=dict(row)) as answer:
        message = (await answer.json())["id"]
    await database.execute(RECORD, item, attempt, message)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
