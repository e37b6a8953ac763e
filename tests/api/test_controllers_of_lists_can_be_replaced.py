"""`SEND_QUEUE_CONTROLLER` and `SENT_ITEM_CONTROLLER`: who answers for the lists."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.configuration.kinds import Unfit
from app.configuration.kinds_of_controllers import SEND_QUEUE, SENT_ITEMS, Controller
from app.controllers.api.items import replaceable
from app.providers.configuration import ConfigurationRefused
from tests.api.stock import put
from tests.api.test_lists_show_items_page_by_page import QUEUE, SENT
from tests.fakes import controllers
from tests.fakes.access import bearer, put_token
from tests.fakes.web import serving

FAKES = "tests.fakes.controllers"


@pytest.fixture(autouse=True)
def ours_again() -> Iterator[None]:
    """What a test replaces must not answer in the next."""
    yield
    for setting in (SEND_QUEUE, SENT_ITEMS):
        replaceable.use(setting, "")


async def test_another_class_answers(database_url: str, redis_url: str, tmp_path: Path) -> None:
    named = {
        SEND_QUEUE: f"{FAKES}.Quiet",
        SENT_ITEMS: f"{FAKES}.Own",
        "STORAGE_PATH": str(tmp_path),
    }
    async with serving(**named) as web:
        key = await put("queued")
        token = bearer(await put_token())
        answer = await web.client.get(QUEUE, headers=token)
        assert (answer.headers["x-own"], len(answer.json()["data"])) == ("list", 1)
        answer = await web.client.get(f"{QUEUE}/{key}", headers=token)
        assert (answer.headers["x-own"], answer.json()["state"]) == ("item", "queued")
        assert (await web.client.get(SENT, headers=token)).json() == {"data": [], "next": None}
        other = uuid.uuid7()
        answer = await web.client.get(f"{SENT}/{other}", headers=token)
        assert answer.json() == {"id": str(other)}


async def test_who_may_is_asked_before_the_controller(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    async with serving(**{SENT_ITEMS: f"{FAKES}.Own", "STORAGE_PATH": str(tmp_path)}) as web:
        nobody = bearer(await put_token("send"))
        assert (await web.client.get(SENT, headers=nobody)).status_code == 403
        assert (await web.client.get(SENT)).status_code == 401
        everybody = bearer(await put_token())
        assert (await web.client.get(f"{SENT}?colour=red", headers=everybody)).status_code == 422


async def test_one_that_writes_is_warned_of_and_reached_by_no_route(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    with pytest.warns(RuntimeWarning, match=r"SENT_ITEM_CONTROLLER: Writing has destroy"):
        await remove_and_look(tmp_path)


async def remove_and_look(storage: Path) -> None:
    named = {SENT_ITEMS: f"{FAKES}.Writing", "STORAGE_PATH": str(storage)}
    async with serving(**named) as web:
        token = bearer(await put_token())
        key = await put("succeeded")
        answer = await web.client.delete(f"{SENT}/{key}", headers=token)
        assert answer.status_code == 405
        assert (await web.client.get(f"{SENT}/{key}", headers=token)).status_code == 200


def test_a_class_may_be_given_itself() -> None:
    assert Controller().read(controllers.Own) == f"{FAKES}.Own"
    replaceable.use(SENT_ITEMS, controllers.Own)


def test_ours_only_read() -> None:
    for kind in (replaceable.QueueItemController, replaceable.SentItemController):
        assert not [name for name in replaceable.WRITES if hasattr(kind, name)]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("Own", "has no module before the class"),
        ("nowhere.Own", "names the module nowhere, which raises ModuleNotFoundError"),
        (f"{FAKES}.Absent", f"names Absent, which {FAKES} does not have"),
        (f"{FAKES}.no_class", "names something that is no class"),
        (f"{FAKES}.Blind", "names Blind, which has no async method show"),
        (f"{FAKES}.Demanding", "names Demanding, which can't be made without arguments"),
        (42, "names something that is no class"),
    ],
)
def test_what_can_not_answer_is_named(given: object, reason: str) -> None:
    with pytest.raises(Unfit, match=reason):
        Controller().read(given)


async def test_a_wrong_path_is_refused_at_boot(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationRefused, match=r"SEND_QUEUE_CONTROLLER: .*nowhere"):
        async with serving(**{SEND_QUEUE: "nowhere.Own", "STORAGE_PATH": str(tmp_path)}):
            pass
