"""Gives up waiting for final reports."""

from typing import override

from arvel.queue import Job

from app.items import timeouts
from app.jobs.look_up import look_up


class TimeoutSms(Job):
    """SMS after ``SMS_TIMEOUT_HOURS``, email after ``EMAIL_TIMEOUT_HOURS``."""

    tries = 1

    @override
    async def handle(self) -> None:
        await timeouts.time_out_sms(look_up)
        await timeouts.time_out_email()
