"""Times and files that no message can be sent with are refused, not stumbled over."""

import io
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from app.items.envelopes import check_time
from app.items.refusals import Refused
from app.items.uploads import read_open, read_path


@pytest.mark.parametrize(
    "zone", [UTC, timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))]
)
@pytest.mark.parametrize("year", [1, 9999])
def test_a_time_that_no_database_takes_is_refused(year: int, zone: timezone) -> None:
    with pytest.raises(Refused, match="between"):
        check_time(datetime(year, 1, 1, tzinfo=zone))


def test_a_closed_file_is_refused() -> None:
    file = io.BytesIO(b"content")
    file.close()
    with pytest.raises(Refused, match="still open"):
        read_open(file, 10)


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_what_is_no_file_is_not_read(path: str) -> None:
    with pytest.raises(Refused):
        read_path(Path(path), 10)
