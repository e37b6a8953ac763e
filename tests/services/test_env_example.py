"""`.env.example` names what the configuration reads, no less and no more."""

import re

from tests.services.environment import CONFIG, names_read

EXAMPLE = CONFIG.parent / ".env.example"


def test_every_setting_is_in_the_example() -> None:
    read = names_read()
    shown = set(re.findall(r"^(?:# )?([A-Z][A-Z0-9_]+)=", EXAMPLE.read_text(), re.MULTILINE))
    assert read - shown == set(), "add these to .env.example"
    assert shown - read == set(), "nothing reads these settings of .env.example"
