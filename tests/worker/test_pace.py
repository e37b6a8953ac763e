"""The times of real life keep what is promised."""

from app.worker.pace import Pace


def test_pace_takes_over_within_half_a_minute() -> None:
    pace = Pace()
    assert pace.abandoned + pace.look + pace.block <= 28


def test_several_heartbeats_may_be_missing_before_a_message_is_taken_over() -> None:
    pace = Pace()
    assert pace.heartbeat * 4 <= pace.abandoned
