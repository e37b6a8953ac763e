"""Functions that chains and batches may name, and one that they may not."""

from tests.worker.probes.notes import note


async def caught(_error: BaseException) -> None:
    await note("caught")


async def finished(_batch: object) -> None:
    await note("finished")


async def forbidden(*_: object) -> None:
    await note("forbidden")
