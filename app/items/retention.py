"""How long files, history and reports are kept after a message is done.

Everything here is safe to run twice, at the same time as itself and as anything else: what somebody
else has locked is left for the next run.
"""

import time

from app.items import retention_files, retention_history, retention_leftovers
from app.models.queries import ticks
from app.settings import RetentionSettings

WALK_EVERY = 900.0
LOOK_FOR_LEFTOVERS_EVERY = 21_600.0
LOOK_FOR_LOOSE_ENDS_EVERY = 86_400.0


async def clean_files(who: str) -> int:
    """Remove the files that ``MAX_FILES_AGE_IN_SECONDS`` lets go; how many there were.

    What became old enough just now is found at once. All files are gone through every quarter of
    an hour, which finds what was missed: while no worker ran, or before the setting was changed.
    """
    settings = RetentionSettings()
    age = settings.max_files_age_in_seconds
    if age is None:
        return 0
    began = time.monotonic()
    removed = await _remove_leftovers(who)
    if await _is_time("clean_all_files", WALK_EVERY, who):
        removed += await retention_files.clean_all(age)
    window = settings.clean_window + time.monotonic() - began
    return removed + await retention_files.clean_finished(age, window)


async def prune_history(who: str) -> dict[str, int]:
    """Forget what ``HISTORY_KEEP_DAYS`` and ``RAW_EVENT_KEEP_DAYS`` let go; how much of it."""
    settings = RetentionSettings()
    days = settings.history_keep_days
    found = {"bodies": await retention_history.forget_bodies(settings.raw_event_keep_days)}
    if days is None:
        return found
    found["items"] = await retention_history.prune_items(days)
    found["events"] = await retention_history.prune_events(days)
    found["operations"] = await retention_history.prune_operations_over(days)
    if await _is_time("prune_loose_ends", LOOK_FOR_LOOSE_ENDS_EVERY, who):
        found["files"] = await retention_history.prune_loose_ends()
    found["leftovers"] = await _remove_leftovers(who)
    return found


async def _remove_leftovers(who: str) -> int:
    if not await _is_time("remove_leftover_files", LOOK_FOR_LEFTOVERS_EVERY, who):
        return 0
    return await retention_leftovers.remove_leftovers()


async def _is_time(name: str, every: float, who: str) -> bool:
    won, _ = await ticks.claim({name: every}, who)
    return bool(won)
