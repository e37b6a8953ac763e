"""Whether Redis or Valkey keeps what it is given."""

from collections.abc import Mapping
from typing import Any, cast

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from app.doctor import skew
from app.doctor.finding import Finding, Verdict, ok, warning, wrong
from app.doctor.subject import Subject

FULL = 0.9
OLDEST = {"valkey_version": ("Valkey", (7, 2)), "redis_version": ("Redis", (6, 2))}
"""Valkey says which Redis it is like as well, so it is looked for first."""

type Info = Mapping[str, Any]


def version(check: str, info: Info) -> Finding:
    key = next(key for key in OLDEST if key in info)
    name, least = OLDEST[key]
    text = str(info[key])
    if info.get("role") == "slave":
        return wrong(check, f"This {name} is a replica: it takes no changes.", "Name the primary.")
    if tuple(int(part) for part in text.split(".")[:2]) < least:
        wanted = ".".join(map(str, least))
        return wrong(check, f"{name} {text} is too old.", f"Use {wanted} or newer.")
    return ok(check, f"{name} {text} answers.")


def memory(check: str, info: Info) -> list[Finding]:
    policy, most = str(info.get("maxmemory_policy", "")), int(info.get("maxmemory", 0))
    findings = [_judge_policy(f"{check} maxmemory-policy", policy, limited=most > 0)]
    if most and int(info.get("used_memory", 0)) > FULL * most:
        text = "Its memory is nearly full: then it takes no messages."
        findings.append(warning(f"{check} memory", text, "Raise maxmemory."))
    return findings


def _judge_policy(check: str, policy: str, *, limited: bool) -> Finding:
    if policy == "noeviction":
        return ok(check, "Nothing is thrown away when memory is full.")
    verdict = Verdict.WRONG if limited else Verdict.WARNING
    text = f"The policy is {policy}: when memory is full, messages and locks are thrown away."
    return Finding(check, verdict, text, "Set maxmemory-policy noeviction.")


def persistence(check: str, info: Info, saves: str | None) -> Finding:
    """``saves``: its setting ``save``, unless it doesn't tell."""
    check = f"{check} persistence"
    if info.get("aof_last_write_status") == "err" or info.get("rdb_last_bgsave_status") == "err":
        return warning(check, "It can't write its data to disk.", "See its log and its disk.")
    if int(info.get("aof_enabled", 0)):
        return ok(check, "It writes every change to its log: a restart keeps what waits.")
    if saves is None:
        return ok(check, "It keeps no log of changes. PostgreSQL replaces what a restart loses.")
    kept = "only what its last snapshot has" if saves else "nothing"
    return ok(check, f"A restart keeps {kept}; PostgreSQL replaces the rest within a minute.")


async def server(client: Redis, check: str, _subject: Subject) -> list[Finding]:
    info = cast("Info", await cast("Any", client).info())
    return [
        version(check, info),
        *memory(check, info),
        persistence(check, info, await _saves(client)),
    ]


async def _saves(client: Redis) -> str | None:
    try:
        answer = await cast("Any", client).config_get("save")
    except ResponseError:  # managed servers allow no CONFIG
        return None
    return str(answer.get("save", ""))


async def clock(client: Redis, check: str, _subject: Subject) -> list[Finding]:
    async def ask() -> float:
        seconds, microseconds = await cast("Any", client).time()
        return seconds + microseconds / 1e6

    return await skew.compare(f"{check} clock", "The server", ask)
