"""Clocks in the wrong order would send messages twice."""

import pytest

from tests.unit.configuration.given import problems, refused, warned


@pytest.mark.parametrize(
    ("name", "value", "other"),
    [
        ("DISPATCH_CONNECT_TIMEOUT", "30", "DISPATCH_SEND_TIMEOUT (30 s)"),
        ("DISPATCH_SEND_TIMEOUT", "38", "DISPATCH_LEASE (40 s) by more than 2 s"),
        ("DISPATCH_LEASE", "45", "DISPATCH_JOB_TIMEOUT (45 s)"),
        ("DISPATCH_JOB_TIMEOUT", "60", "DISPATCH_LOCK_EXPIRY (60 s)"),
        ("DISPATCH_LOCK_EXPIRY", "90", "QUEUE_RETRY_AFTER (90 s)"),
        ("DISPATCH_DRAIN", "60", "SHUTDOWN_GRACE (60 s)"),
    ],
)
def test_each_pair_out_of_order_is_refused_with_both(name: str, value: str, other: str) -> None:
    """Field report 13."""
    said = refused(**{name: value})
    assert list(said) == [name]
    assert said[name].startswith(f"{value} s must be less than {other}: ")


def test_all_pairs_out_of_order_are_said_at_once() -> None:
    """Field report 13."""
    said = refused(DISPATCH_CONNECT_TIMEOUT="50", DISPATCH_LEASE="50", DISPATCH_LOCK_EXPIRY="100")
    assert set(said) == {"DISPATCH_CONNECT_TIMEOUT", "DISPATCH_LEASE", "DISPATCH_LOCK_EXPIRY"}


def test_a_clock_that_can_not_be_read_is_compared_with_nothing() -> None:
    assert list(refused(DISPATCH_LEASE="soon")) == ["DISPATCH_LEASE"]


def test_other_clocks_in_order_are_welcome() -> None:
    assert (
        problems(
            DISPATCH_CONNECT_TIMEOUT="1",
            DISPATCH_SEND_TIMEOUT="2",
            DISPATCH_LEASE="4.5",
            DISPATCH_JOB_TIMEOUT="5",
            DISPATCH_LOCK_EXPIRY="6",
            DISPATCH_DRAIN="5",
            SHUTDOWN_GRACE="8",
        )
        == []
    )


def test_a_grace_in_which_a_call_can_not_end_deserves_a_look() -> None:
    assert (
        "DISPATCH_SEND_TIMEOUT"
        in warned(DISPATCH_DRAIN="20", SHUTDOWN_GRACE="34")["SHUTDOWN_GRACE"]
    )
    assert warned(DISPATCH_DRAIN="20", SHUTDOWN_GRACE="35") == {}
