"""What an error of the database means, however it comes wrapped.

Within a transaction SQLAlchemy wraps what asyncpg raises, twice; outside of one nobody does.
"""

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.models.statements import REPEATABLE, UNAVAILABLE


def cause_of(error: BaseException) -> BaseException:
    """asyncpg's own error, where there is one."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error


def is_unavailable(error: BaseException) -> bool:
    """Whether the database can't be reached now: another try later may succeed."""
    return isinstance(error, PoolTimeout) or isinstance(cause_of(error), UNAVAILABLE)


def is_repeatable(error: BaseException) -> bool:
    """Whether the same transaction may be tried again at once."""
    return isinstance(cause_of(error), REPEATABLE)


def is_lock_timeout(error: BaseException) -> bool:
    return isinstance(cause_of(error), asyncpg.LockNotAvailableError)
