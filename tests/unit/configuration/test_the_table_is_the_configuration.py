"""There is one table of settings, and it is what ``config/`` reads."""

import msgspec
import pytest
from arvel.cache import CacheSettings
from arvel.http.middleware import SessionSettings
from arvel.kernel import Settings
from arvel.telemetry import TelemetrySettings
from hypothesis import given as examples
from hypothesis import strategies as st

from app import settings
from app.configuration import SETTINGS
from app.configuration.kinds import Unfit
from app.configuration.setting import Setting
from app.items.limits import SizeSettings
from tests.services.environment import names_read
from tests.unit.configuration.given import exactly, given, problems

NOT_IN_CONFIG = {"LOG_LEVEL"}
"""Read before there is a configuration."""

USED: tuple[type[Settings], ...] = (
    CacheSettings,
    SessionSettings,
    SizeSettings,
    TelemetrySettings,
    *(
        kind
        for kind in vars(settings).values()
        if isinstance(kind, type) and issubclass(kind, Settings) and kind is not Settings
    ),
)


def test_the_table_has_every_setting_that_is_read_and_no_other() -> None:
    assert names_read() | NOT_IN_CONFIG == set(SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_is_where_the_table_says(setting: Setting) -> None:
    if setting.key:
        assert "sentinel" in str(given(**{setting.name: "sentinel"}).value(setting))


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_the_default_is_what_the_table_says_and_can_be_used(setting: Setting) -> None:
    value = exactly({}).value(setting)
    setting.kind.read(value)
    if not setting.otherwise:
        assert value == setting.default


@examples(
    name=st.sampled_from(sorted(SETTINGS)),
    value=st.sampled_from(
        ["", "0", "1", "-1", "1.0", "0.5", "1e3", "1e400", "nan", "true", "null", "off", "*", "a b"]
    )
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
)
def test_what_is_accepted_at_boot_can_be_used_later(name: str, value: str) -> None:
    setting = SETTINGS[name]
    found = given(**{name: value}).value(setting)
    try:
        setting.kind.read(found)
    except Unfit:
        return
    section, _, field = setting.key.rpartition(".")
    for kind in USED:
        if kind.__config_key__ == section and field in kind.__struct_fields__:
            msgspec.convert({field: found}, kind, strict=False)


def test_without_any_setting_nothing_is_wrong() -> None:
    assert problems() == []
