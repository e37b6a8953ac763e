"""Clocks in the wrong order are refused before any message is sent twice."""

import pytest
from arvel.kernel.bootstrap import lifespan

from app.settings import ClockSettings, QueueSettings
from app.worker.clocks import ClocksOutOfOrder, check_clocks
from tests.worker.application import create_app


def test_default_clocks_are_in_order() -> None:
    check_clocks(ClockSettings(), QueueSettings())


@pytest.mark.parametrize(
    ("clocks", "named"),
    [
        ({"connect_timeout": 30}, ("DISPATCH_CONNECT_TIMEOUT", "DISPATCH_SEND_TIMEOUT")),
        ({"send_timeout": 38}, ("DISPATCH_SEND_TIMEOUT", "DISPATCH_LEASE")),
        ({"lease": 45}, ("DISPATCH_LEASE", "DISPATCH_JOB_TIMEOUT")),
        ({"job_timeout": 60}, ("DISPATCH_JOB_TIMEOUT", "DISPATCH_LOCK_EXPIRY")),
        ({"lock_expiry": 90}, ("DISPATCH_LOCK_EXPIRY", "QUEUE_RETRY_AFTER")),
        ({"drain": 60}, ("DISPATCH_DRAIN", "SHUTDOWN_GRACE")),
    ],
)
def test_other_order_names_both_settings(clocks: dict[str, float], named: tuple[str, str]) -> None:
    """Field report 13."""
    with pytest.raises(ClocksOutOfOrder) as refused:
        check_clocks(ClockSettings(**clocks), QueueSettings())
    assert all(name in str(refused.value) for name in named)
    assert "\n" not in str(refused.value)


async def test_boot_fails_with_clocks_out_of_order(
    monkeypatch: pytest.MonkeyPatch, database_url: str, redis_url: str
) -> None:
    """Field report 13."""
    monkeypatch.setenv("DISPATCH_LEASE", "50")
    with pytest.raises(ClocksOutOfOrder, match=r"DISPATCH_LEASE \(50 s\) must be less than"):
        async with lifespan(create_app()):
            pass
