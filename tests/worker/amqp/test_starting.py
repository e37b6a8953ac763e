"""What a process says of its broker when it starts."""

from arvel.contracts import HealthStatus
from arvel.kernel import Application

from app.worker.amqp.reachable import Reachable


async def test_a_broker_that_answers_is_said_to_be_there(booted: Application) -> None:
    found = (await booted.resources.check_all()).results["queue:default"]
    assert (found.status, found.detail) == (HealthStatus.OK, "AMQP connect")


async def test_one_that_is_away_fails_no_start_and_tells_no_password(booted: Application) -> None:
    booted.resources.register(Reachable("amqp://guest:canary@127.0.0.1:1/"))
    report = await booted.resources.check_all()
    found = report.results["queue:default"]
    assert (found.status, report.healthy) == (HealthStatus.FAILED, True)
    assert "Connect call failed" in found.detail
    assert "canary" not in found.detail
