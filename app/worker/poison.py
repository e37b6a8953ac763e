"""Stops messages that kill or fail one worker after another."""

from collections.abc import Awaitable, Callable

from app.worker.delivery import Delivery
from app.worker.guard import Guard, KnownJob
from app.worker.names import log
from app.worker.quarantine import Quarantine
from app.worker.refusal import Reason, Refused
from app.worker.signing import Signer

type OnPoisoned = Callable[[KnownJob], Awaitable[None]]
"""Told of a job that was delivered too often; when it raises, it is told again later."""


async def ignore_poisoned(_job: KnownJob) -> None:
    """Nothing beyond the quarantine, unless a provider says otherwise."""


class Poison:
    def __init__(
        self, guard: Guard, signer: Signer, quarantine: Quarantine, hook: OnPoisoned
    ) -> None:
        self._guard = guard
        self._signer = signer
        self._quarantine = quarantine
        self._hook = hook

    async def stop(self, delivery: Delivery) -> None:
        """Put a message aside that was delivered too often, and tell whose it was."""
        try:
            await self._quarantine.put(delivery, await self._reason(delivery))
        except Exception as error:
            log().warning("poison_not_recorded", error=type(error).__name__)

    async def _reason(self, delivery: Delivery) -> Reason:
        try:
            _, job = self._guard.open(
                self._signer, delivery.label, delivery.data, delivery.signature
            )
        except Refused as refused:
            return refused.reason
        await self._hook(job)
        return Reason.POISONED
