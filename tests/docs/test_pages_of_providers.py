"""What is said of each provider is what its tables say, and each has a page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands.render_providers import BEGIN, END, page, part
from app.configuration import SETTINGS, Readings
from app.configuration.channels import CHANNELS
from app.providers.transports import offers
from app.transports import catalogue

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMES = [channel.name for channel in CHANNELS]


@pytest.fixture(autouse=True)
def _wired() -> Iterator[None]:
    """Facts need no configuration, so that none is read."""
    before = dict(catalogue.offers())
    catalogue.use({offer.name: offer for offer in offers(unread)})
    yield
    catalogue.use(before)


def unread() -> Readings:
    raise AssertionError("the configuration is read")


def page_of(name: str) -> str:
    return (DOCS / "providers" / f"{name}.md").read_text()


def test_the_page_of_providers_is_their_tables() -> None:
    """``arvel transport:list --page providers > docs/reference/providers.md`` writes it anew."""
    assert (DOCS / "reference" / "providers.md").read_text() == page()


@pytest.mark.parametrize("name", NAMES)
def test_a_provider_has_a_page_with_its_facts(name: str) -> None:
    """``arvel transport:list --page NAME`` prints that part of it."""
    written = page_of(name)
    assert written.count(BEGIN) == written.count(END) == 1
    assert written[written.index(BEGIN) :] == part(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_tells_what_somebody_must_do_and_may_expect(name: str) -> None:
    written = page_of(name)
    for title in ("## Set-up", "## Permissions", "## Limits and quirks", "## Facts"):
        assert f"\n{title}\n" in written


@pytest.mark.parametrize("name", NAMES)
def test_settings_that_a_page_names_exist(name: str) -> None:
    named = set(re.findall(r"`([A-Z]+_[A-Z0-9_]+)[=`]", page_of(name)))
    assert named <= SETTINGS.keys()


def test_there_is_no_page_of_nobody() -> None:
    assert sorted(file.stem for file in (DOCS / "providers").glob("*.md")) == sorted(NAMES)
