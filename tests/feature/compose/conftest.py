"""The application with a queue that only remembers what was published."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from arvel.kernel import Application

from app.items import publish
from app.models.queries.publish import Due


class Published:
    """What reached the queue, in order."""

    def __init__(self) -> None:
        self.due: list[Due] = []

    async def __call__(self, items: Sequence[Due]) -> bool:
        self.due.extend(items)
        return True

    @property
    def ids(self) -> list[UUID]:
        return [due.item_id for due in self.due]


@pytest.fixture
def published(application: Application) -> Published:
    recorded = Published()
    publish.use(recorded)
    return recorded
