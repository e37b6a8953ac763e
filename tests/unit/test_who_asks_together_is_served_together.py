"""One statement for all who ask at the same moment, and nobody pays for somebody else."""

import asyncio
from collections.abc import Hashable, Mapping, Sequence

import pytest

from app.models.together import AT_ONCE, MOST, Together

type Asked = tuple[str, int]


class Served:
    """Doubles numbers; ``held`` keeps statements from ending, ``left_out`` are served alone."""

    def __init__(self) -> None:
        self.together: list[list[Asked]] = []
        self.alone: list[Asked] = []
        self.left_out: set[str] = set()
        self.broken = False
        self.held = asyncio.Event()
        self.held.set()
        self.line = Together[Asked, int](lambda asked: asked[0], self.many, self.one)

    async def many(self, asked: Sequence[Asked]) -> Mapping[Hashable, int]:
        self.together.append(list(asked))
        await self.held.wait()
        if self.broken:
            raise ConnectionError
        return {key: 2 * number for key, number in asked if key not in self.left_out}

    async def one(self, asked: Asked) -> int:
        self.alone.append(asked)
        if asked[1] < 0:
            raise ValueError(asked[0])
        return 2 * asked[1]

    async def ask_all(self, *asked: Asked) -> list[int]:
        return await asyncio.gather(*map(self.line.ask, asked))


async def test_all_who_ask_in_one_moment_are_served_by_one_statement() -> None:
    served = Served()
    assert await served.ask_all(("a", 1), ("b", 2), ("c", 3)) == [2, 4, 6]
    assert served.together == [[("a", 1), ("b", 2), ("c", 3)]]
    assert served.alone == []


async def test_who_asks_meanwhile_is_served_afterwards_and_together() -> None:
    served = Served()
    served.held.clear()
    asking = [asyncio.create_task(served.line.ask(("a", 1)))]
    for number in range(AT_ONCE + 3):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.append(asyncio.create_task(served.line.ask((f"b{number}", number))))
    await asyncio.sleep(0.01)
    assert len(served.together) == AT_ONCE
    served.held.set()
    assert await asyncio.gather(*asking) == [2, *(2 * number for number in range(AT_ONCE + 3))]
    assert len(served.together) == AT_ONCE + 1


async def test_a_statement_serves_no_more_than_so_many() -> None:
    served = Served()
    answers = await served.ask_all(*((str(number), number) for number in range(2 * MOST + 1)))
    assert answers == [2 * number for number in range(2 * MOST + 1)]
    assert [len(batch) for batch in served.together] == [MOST, MOST, 1]


async def test_two_who_ask_for_the_same_are_not_served_by_the_same_statement() -> None:
    served = Served()
    assert await served.ask_all(("a", 1), ("a", 2), ("b", 3)) == [2, 4, 6]
    assert served.together == [[("a", 1), ("b", 3)], [("a", 2)]]


async def test_who_is_left_out_is_served_alone_and_holds_nobody_up() -> None:
    served = Served()
    served.left_out = {"a"}
    assert await served.ask_all(("a", 1), ("b", 2)) == [2, 4]
    assert served.alone == [("a", 1)]


async def test_what_is_wrong_with_one_is_nothing_to_the_others() -> None:
    served = Served()
    served.broken = True
    wrong, right = await asyncio.gather(
        served.line.ask(("a", -1)), served.line.ask(("b", 2)), return_exceptions=True
    )
    assert isinstance(wrong, ValueError)
    assert right == 4


async def test_who_has_given_up_is_not_served() -> None:
    served = Served()
    served.held.clear()
    first = [asyncio.create_task(served.line.ask((str(n), n))) for n in range(AT_ONCE * MOST)]
    await asyncio.sleep(0)
    gone = asyncio.create_task(served.line.ask(("gone", 1)))
    await asyncio.sleep(0.01)
    gone.cancel()
    served.held.set()
    await asyncio.gather(*first)
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert ("gone", 1) not in [asked for batch in served.together for asked in batch]
    assert served.alone == []
