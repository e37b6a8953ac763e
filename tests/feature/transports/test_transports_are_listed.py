"""``arvel transport:list``, whatever is configured."""

import json

from app.configuration.channels import CHANNELS
from app.transports.features import FEATURES
from tests.fakes.command_line import type_in
from tests.feature.configuration.test_boot_refuses import NOWHERE, WRONG

MAILGUN = {"MAILGUN_API_KEY": "canary-key", "MAILGUN_DOMAIN": "mg.example.com"}


async def listed(**environment: str) -> dict[str, dict[str, object]]:
    said = await type_in("transport:list", "--json", environment=NOWHERE | environment)
    assert said.code == 0, said.all
    assert "canary" not in said.out
    return {one["name"]: one for one in json.loads(said.out)}


async def test_each_is_listed_with_what_is_missing() -> None:
    found = await listed(**MAILGUN, EMAIL_CHANNEL="mailgun", SES_ACCESS_KEY_ID="AKIA" + "A" * 16)

    assert list(found) == [channel.name for channel in CHANNELS]
    mailgun, ses, twilio = found["mailgun"], found["amazon_ses"], found["twilio"]
    assert (mailgun["configured"], mailgun["chosen"], mailgun["missing"]) == (True, True, [])
    assert (ses["configured"], ses["missing"]) == (False, ["SES_SECRET_ACCESS_KEY", "SES_REGION"])
    assert twilio["missing"] == ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"]
    assert "deduplicates" in str(found["resend"]["capabilities"])


async def test_people_see_a_table() -> None:
    said = await type_in("transport:list", environment=NOWHERE | MAILGUN)
    [line] = [line for line in said.out.splitlines() if line.startswith("mailgun ")]
    assert line.split()[:5] == ["mailgun", "email", "yes,", "in", "use"]


async def test_a_wrong_configuration_is_no_obstacle() -> None:
    said = await type_in("transport:list", environment=WRONG)
    assert said.code == 0, said.all
    assert "canary" not in said.all


def test_it_is_known_of_each_what_it_can() -> None:
    assert list(FEATURES) == [channel.name for channel in CHANNELS]
