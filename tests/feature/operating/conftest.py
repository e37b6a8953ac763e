"""The application with a queue that only remembers what was published."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from arvel.kernel import Application

from app.items import bulk_operations, publish
from app.models.queries.publish import Due


class Published:
    """The items whose jobs reached the queue, in order."""

    def __init__(self) -> None:
        self.ids: list[UUID] = []

    async def __call__(self, items: Sequence[Due]) -> bool:
        self.ids += [due.item_id for due in items]
        return True


@pytest.fixture
def published(application: Application) -> Published:
    recorded = Published()
    publish.use(recorded)
    return recorded


class Workers:
    """Those to whom operations are handed: they only remember them."""

    def __init__(self) -> None:
        self.asked: list[UUID] = []

    async def __call__(self, operation_id: UUID) -> None:
        self.asked.append(operation_id)


@pytest.fixture
def workers(published: Published) -> Workers:
    recorded = Workers()
    bulk_operations.use(recorded)
    return recorded
