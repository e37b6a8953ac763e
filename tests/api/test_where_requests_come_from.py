"""The address that counts: the peer's, or the one that a proxy of ours saw, never a claimed one."""

import pytest

from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web, serving

HERE = "127.0.0.1/32"
CLIENT = "203.0.113.7"
NETWORK = "203.0.113.0/24"


async def status_from(web: Web, network: str, *forwarded: str) -> int:
    """The status for a token that works from one network only."""
    token = bearer(await put_token(networks=(network,)))
    headers = [*token.items(), *(("x-forwarded-for", value) for value in forwarded)]
    return (await web.client.get("/api/workflow", headers=headers)).status_code


async def test_a_claimed_address_is_not_believed(web: Web) -> None:
    assert await status_from(web, NETWORK, CLIENT) == 401
    assert await status_from(web, HERE, CLIENT) == 200


@pytest.mark.parametrize(
    ("forwarded", "network", "status"),
    [
        ([CLIENT], NETWORK, 200),
        ([], HERE, 200),
        # The client wrote the first one itself; our proxy appended whom it saw.
        ([f"{CLIENT}, 198.51.100.1"], NETWORK, 401),
        ([f"{CLIENT}, 198.51.100.1"], "198.51.100.1/32", 200),
        ([CLIENT, "198.51.100.1"], "198.51.100.1/32", 200),
        # Two proxies of ours in a row.
        ([f"{CLIENT}, 192.0.2.9"], NETWORK, 200),
        ([f"{CLIENT}:51111, [::ffff:192.0.2.9]:80"], NETWORK, 200),
        # What can't be read ends at the last proxy that is known.
        (["unknown"], NETWORK, 401),
        ([f"{CLIENT}, a b, 192.0.2.9"], NETWORK, 401),
    ],
)
async def test_proxies_are_believed_from_the_right(
    database_url: str, redis_url: str, forwarded: list[str], network: str, status: int
) -> None:
    async with serving(TRUSTED_PROXIES="127.0.0.1,192.0.2.9") as web:
        assert await status_from(web, network, *forwarded) == status


async def test_behind_any_proxy_only_its_own_word_counts(database_url: str, redis_url: str) -> None:
    async with serving(TRUSTED_PROXIES="*") as web:
        assert await status_from(web, NETWORK, f"198.51.100.1, {CLIENT}") == 200
        assert await status_from(web, NETWORK, f"{CLIENT}, 198.51.100.1") == 401
        assert await status_from(web, HERE) == 200
