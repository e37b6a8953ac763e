"""Renders the page of settings from the table of them."""

from collections.abc import Iterator

from app.configuration import SECTIONS
from app.configuration.setting import Section, Setting

HEAD = """# Configuration

This page is generated from `app/configuration/table` by `arvel dispatch:configuration`; change the
table there.

Settings are read from the environment, then from `.env.APP_ENV`, then from `.env`; the first that
has a name wins. The words `true`, `false`, `null` and `empty` are values: put them in quotes where
they are meant as text (`SMTP_PASSWORD='"true"'`).

All of them are checked when a process starts. What is wrong is said at once and stops it, one line
for each setting; what deserves a look is logged. A name that begins like ours and is none of these
stops it too, and so does one that begins with `VDQ_`, with its new name. `arvel dispatch:doctor`
says the same without starting anything, and looks at the servers as well. No value is ever shown.

## Refused in production only

`QUEUE_CONNECTION=memory`, `CACHE_STORE=array` and `SESSION_DRIVER=cookie` (they end at one
process), a missing `APP_KEY`, and a channel that reaches nobody: `EMAIL_CHANNEL=sandbox`,
`SMS_CHANNEL=sandbox`, or no account at all.
"""

COLUMNS = ("setting", "must be", "default", "meaning")


def page() -> str:
    """The whole page as Markdown."""
    return HEAD + "".join(f"\n{_render(section)}" for section in SECTIONS)


def _render(section: Section) -> str:
    rows = [COLUMNS, tuple("---" for _ in COLUMNS), *_rows(section)]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"## {section.title}\n\n{section.text}\n\n{table}"


def _rows(section: Section) -> Iterator[tuple[str, ...]]:
    for setting in section.settings:
        secret = " *Secret.*" if setting.secret else ""
        yield (
            f"`{setting.name}`",
            setting.kind.shape.replace("|", "\\|"),
            describe_default(setting),
            f"{setting.meaning}{secret}",
        )


def describe_default(setting: Setting) -> str:
    """As it would be written in the environment."""
    if setting.otherwise:
        return setting.otherwise
    match setting.default:
        case "" | []:
            return ""
        case bool() as flag:
            return f"`{str(flag).lower()}`"
        case float() as number:
            return f"`{number:g}`"
        case other:
            return f"`{other}`"
