"""The setting EMAIL_TRACKING_STRATEGY: a class, its dotted path, or a clear refusal."""

from collections.abc import Mapping
from uuid import UUID, uuid7

import pytest

from app.configuration.kinds import Unfit
from app.configuration.kinds_of_tracking import Strategy
from app.transports.contract import EventType, ProviderEvent
from app.transports.email.strategies import NotAStrategy, load_strategy
from app.transports.email.tracking import (
    EmailTrackingStrategy,
    MetadataEmailTrackingStrategy,
    TrackingKeys,
)
from tests.fakes.strategies import TagStrategy

HERE = "app.transports.email.tracking"


def test_without_a_setting_the_keys_are_metadata() -> None:
    assert type(load_strategy("")) is MetadataEmailTrackingStrategy
    assert type(load_strategy(None)) is MetadataEmailTrackingStrategy


@pytest.mark.parametrize(
    ("setting", "kind"),
    [
        (TagStrategy, TagStrategy),
        ("tests.fakes.strategies.TagStrategy", TagStrategy),
        (EmailTrackingStrategy, EmailTrackingStrategy),
        (f"{HERE}.EmailTrackingStrategy", EmailTrackingStrategy),
    ],
)
def test_a_class_and_its_path_are_the_same(setting: object, kind: type) -> None:
    assert type(load_strategy(setting)) is kind


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("MetadataEmailTrackingStrategy", f"Did you mean {HERE}.MetadataEmailTrackingStrategy?"),
        (f"{HERE}.MetadataTrackingStrategy", f"Did you mean {HERE}.MetadataEmailTracking"),
        (f"{HERE}.Nothing", "does not have"),
        ("tests.fakes.nowhere.Strategy", "can't be imported"),
        ("tests.fakes.strategies.NoStrategy", "subclass"),
        ("tests.fakes.strategies.PREFIX", "subclass"),
        ("tests.fakes.strategies.NeedyStrategy", "can't be made"),
        (TagStrategy(), "subclass"),
        (42, "subclass"),
        ("..", "can't be imported"),
        (".x", "dotted path"),
    ],
)
def test_anything_else_is_refused_with_what_to_correct(setting: object, said: str) -> None:
    with pytest.raises(NotAStrategy, match="EMAIL_TRACKING_STRATEGY") as refused:
        load_strategy(setting)
    assert said in str(refused.value)
    with pytest.raises(Unfit, match="a subclass of"):
        Strategy().read(setting)


@pytest.mark.parametrize(
    ("metadata", "found"),
    [
        ({}, False),
        ({"vdq_queue_item": ""}, False),
        ({"vdq_queue_item": "81"}, False),
        ({"vdq_attempt": str(UUID(int=1))}, False),
        ({"vdq_queue_item": str(UUID(int=1)), "vdq_attempt": "x"}, True),
    ],
)
def test_metadata_that_is_no_key_is_no_error(metadata: Mapping[str, str], found: bool) -> None:
    event = ProviderEvent("k", EventType.DELIVERED, "delivered", metadata=metadata)
    keys = MetadataEmailTrackingStrategy().find_queue_item(event)
    assert (keys is not None) is found
    assert keys is None or keys.attempt is None


def test_both_keys_come_back() -> None:
    item, attempt = uuid7(), uuid7()
    metadata = {"vdq_queue_item": str(item), "vdq_attempt": str(attempt), "other": "x"}
    event = ProviderEvent("k", EventType.DELIVERED, "delivered", metadata=metadata)
    found = MetadataEmailTrackingStrategy().find_queue_item(event)
    assert found == TrackingKeys(item, attempt)
