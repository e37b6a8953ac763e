"""What is generated is what is committed."""

from pathlib import Path

from app.commands import render_configuration
from app.commands.render_workflow import page, picture

ROOT = Path(__file__).resolve().parents[2]


def test_the_workflow_page_is_the_table() -> None:
    assert (ROOT / "docs" / "workflow.md").read_text() == page()


def test_the_readme_shows_the_workflow_as_it_is() -> None:
    assert picture() in (ROOT / "README.md").read_text()


def test_the_page_of_settings_is_their_table() -> None:
    """``arvel dispatch:configuration > docs/reference/configuration.md`` writes it anew."""
    written = (ROOT / "docs" / "reference" / "configuration.md").read_text()
    assert written == render_configuration.page()
