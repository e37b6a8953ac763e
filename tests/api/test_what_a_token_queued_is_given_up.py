"""A stolen token: all that it queued is cancelled at once, and nothing of anybody else's."""

from app.items import bulk_operations, resend
from app.models import statements
from app.models.queries.bulk_filter import Filter
from tests.api.given import email, rows_of, sms
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web
from tests.feature.operating.command_line import arvel


async def actors(web: Web) -> list[str]:
    """Two people who have had two items queued each, by the names that items know them by."""
    for _ in range(2):
        token = bearer(await put_token("send"))
        await web.post("/api/sms", json=sms(), headers=token)
        await web.post("/api/messages/batch", json={"messages": [mail()]}, headers=token)
    rows = await statements.run(
        "SELECT created_by, min(item_id::text) FROM item_search GROUP BY 1 ORDER BY 2"
    )
    return [row["created_by"] for row in rows]


def mail() -> dict[str, object]:
    return {"method": "email", **email()}


async def states_of(actor: str) -> set[str]:
    rows = await statements.run(
        "SELECT q.state FROM queue_items q JOIN item_search s ON s.item_id = q.id"
        " WHERE s.created_by = $1",
        actor,
    )
    return {row["state"] for row in rows}


async def test_items_of_one_token_are_cancelled_from_the_command_line(web: Web) -> None:
    thief, owner = await actors(web)
    said = await arvel("dispatch:cancel", "--all", "--created-by", thief)
    assert said.code == 0, said.err
    assert "2 cancelled." in said.out
    assert (await states_of(thief), await states_of(owner)) == ({"cancelled"}, {"queued"})


async def test_a_filter_counts_the_items_of_one_token(web: Web) -> None:
    thief, _ = await actors(web)
    counted = await bulk_operations.count("cancel", Filter(created_by=thief))
    assert counted.matching == 2
    assert Filter.from_json(Filter(created_by=thief).as_json()) == Filter(created_by=thief)


async def test_a_copy_is_whose_who_had_it_sent_again(web: Web) -> None:
    await web.post("/api/sms", json=sms(), headers=bearer(await put_token("send")))
    [item] = await rows_of("queue_items")
    await statements.run("UPDATE queue_items SET state = 'cancelled', finished_at = now()")
    await resend(item["id"], "operator")
    kept = {row["created_by"] for row in await rows_of("item_search")}
    assert "operator" in kept
    assert len(kept) == 2
