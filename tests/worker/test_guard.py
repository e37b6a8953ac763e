"""Nothing that a message names is imported or called unless it is known."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from arvel.queue import Bus, Job
from arvel.queue.listener import CallQueuedListener

from app.worker import payloads
from app.worker.envelope import wrap
from app.worker.guard import LARGEST, LARGEST_CHAIN, Guard
from app.worker.known import Known, reference
from app.worker.refusal import Reason, Refused
from app.worker.signing import Signer
from tests.worker import probes
from tests.worker.probes.notes import Note
from tests.worker.probes.shapes import Puzzling, Shaped

SHELL = "subprocess:check_call"


@pytest.fixture
def guard() -> Guard:
    return Guard(Known(probes))


def allowed() -> None:
    """A callback that nobody allowed until a test does."""


class Listener:
    def handle(self, event: object) -> None: ...


def payload(**changes: Any) -> str:
    """A payload of ``Note``, as arvel writes it, with changes."""
    content = {"job": reference(Note), "args": ["k"], "kwargs": {}, "_trace": {}, "_context": None}
    content |= {"_log_context": {}} | changes
    return json.dumps({k: v for k, v in content.items() if v is not ...})


def instance(job_cls: type[Job] = Note, **state: Any) -> str:
    return payload(job=reference(job_cls), args=..., kwargs=..., state=state)


def reason_of(guard: Guard, written: str) -> Reason:
    with pytest.raises(Refused) as refused:
        guard.check(written)
    return refused.value.reason


def test_what_arvel_writes_passes(guard: Guard) -> None:
    assert guard.check(payloads.of_calls(Note, [(("k",), {})])[0]).arguments == {"key": "k"}
    assert guard.check(payloads.of_instance(Note("k", "v"))).by_place == ("k", "v")


def attempts(marker: Path) -> Iterator[tuple[str, str, Reason]]:
    """Every way in which a payload could make arvel's decoder call something."""
    command = [["sh", "-c", f"touch {marker}"]]
    shell = {"job": SHELL, "args": command, "kwargs": {}}
    yield "job", json.dumps(shell), Reason.UNKNOWN_JOB
    yield "job twice", payload()[:-1] + f', "job": "{SHELL}"}}', Reason.UNKNOWN_JOB
    yield "state", json.dumps({"job": SHELL, "state": {}}), Reason.UNKNOWN_JOB
    link = instance(Note, key="k", __arvel_chain__=[json.dumps(shell)])
    yield "link by call", link, Reason.UNREADABLE
    state = json.dumps({"job": SHELL, "state": {"args": command}})
    yield "link", instance(Note, key="k", __arvel_chain__=[state]), Reason.UNKNOWN_JOB
    deep = instance(Note, key="k", __arvel_chain__=[instance(Note, key="k")])
    yield "chain in a link", instance(Note, key="k", __arvel_chain__=[deep]), Reason.UNREADABLE
    yield "catch", instance(Note, key="k", __arvel_chain_catch__=SHELL), Reason.UNKNOWN_CALLBACK
    model = {"__model__": SHELL, "__id__": command[0]}
    yield "model", payload(args=[model]), Reason.BAD_ARGUMENTS
    yield "model in a list", instance(Shaped, words=[model]), Reason.BAD_ARGUMENTS
    yield "model in a tree", instance(Shaped, tree={"x": [model]}), Reason.UNKNOWN_REFERENCE
    yield "class in a tree", instance(Shaped, tree={"__class__": SHELL}), Reason.UNKNOWN_REFERENCE
    listener = {"is_class": True, "listener_state": None, "args": command}
    written = instance(CallQueuedListener, listener_ref=SHELL, **listener)
    yield "listener", written, Reason.UNKNOWN_LISTENER
    written = instance(CallQueuedListener, **listener)
    yield "no listener", written, Reason.UNKNOWN_LISTENER
    by_call = payload(
        job=reference(CallQueuedListener), args=[SHELL], kwargs=listener | {"args": command}
    )
    yield "listener by call", by_call, Reason.UNKNOWN_LISTENER
    yield "method", instance(Note, key="k", handle="x"), Reason.BAD_ARGUMENTS
    yield "limit", instance(Note, key="k", timeout=10**9), Reason.BAD_ARGUMENTS


CASES = {name: (written, reason) for name, written, reason in attempts(Path("/nowhere/ran"))}


@pytest.mark.parametrize("name", CASES)
def test_nothing_that_a_payload_names_is_loaded(guard: Guard, name: str) -> None:
    written, reason = CASES[name]
    assert reason_of(guard, written) is reason


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", Reason.UNREADABLE),
        ("[]", Reason.UNREADABLE),
        ("[" * 100_000, Reason.UNREADABLE),
        (payload(extra=1), Reason.UNREADABLE),
        (payload(state={}), Reason.UNREADABLE),
        (payload(args=...), Reason.UNREADABLE),
        (payload(args=["k", "v", "w"]), Reason.BAD_ARGUMENTS),
        (payload(kwargs={"key": "k"}), Reason.BAD_ARGUMENTS),
        (payload(args=["k" * 256]), Reason.BAD_ARGUMENTS),
        (payload(args=[{"a": 1}]), Reason.BAD_ARGUMENTS),
        (instance(Note, key="k", other="k"), Reason.BAD_ARGUMENTS),
        (instance(Note, key="k", __arvel_attempts__="many"), Reason.UNREADABLE),
        (instance(Note, key="k", __arvel_batch__="no id"), Reason.UNREADABLE),
        (payload(_log_context={"secret": "x"}), Reason.BAD_CONTEXT),
        (payload(_context={"visible": {"secret": "x"}, "hidden": {}}), Reason.BAD_CONTEXT),
        (payload(args=["k" * LARGEST]), Reason.TOO_BIG),
    ],
)
def test_payload_of_another_form_is_refused(guard: Guard, written: str, reason: Reason) -> None:
    assert reason_of(guard, written) is reason


def test_refusal_quotes_nothing_of_the_message(guard: Guard) -> None:
    with pytest.raises(Refused) as refused:
        guard.check(payload(args=[{"to": "anna@example.com"}]))
    assert "anna" not in str(refused.value)


@pytest.mark.parametrize(
    ("state", "fits"),
    [
        ({"item_id": str(uuid4())}, True),
        ({"item_id": "no id"}, False),
        ({"item_id": None}, False),
        ({"number": 5}, True),
        ({"number": True}, False),
        ({"number": 2**70}, False),
        ({"number": "5"}, False),
        ({"later": None}, True),
        ({"later": {"__datetime__": "2026-12-01T00:00:00+00:00"}}, True),
        ({"later": {"__datetime__": "tomorrow"}}, False),
        ({"later": {"__datetime__": "2026-12-01T00:00:00+00:00", "__class__": SHELL}}, False),
        ({"words": ["a", "b"]}, True),
        ({"words": ["a"] * 1001}, False),
        ({"words": "a"}, False),
        ({"color": "red"}, True),
        ({"color": "blue"}, False),
        ({"tree": {"a": [1, {"b": None}]}}, True),
        ({"declared": "x"}, True),
        ({"counted": 1}, False),
        ({"untyped": "x"}, True),
        ({"untyped": ["x"]}, False),
    ],
)
def test_arguments_have_the_shape_of_the_constructor(
    guard: Guard, state: dict[str, Any], fits: bool
) -> None:
    written = instance(Shaped, **state)
    if fits:
        guard.check(written)
    else:
        assert reason_of(guard, written) is Reason.BAD_ARGUMENTS


def test_allowed_callback_and_listener_pass() -> None:
    known = Known(probes)
    known.allow_callback(allowed)
    known.allow_listener(Listener)
    guard = Guard(known)
    guard.check(instance(Note, key="k", __arvel_chain_catch__=reference(allowed)))
    guard.check(payloads.of_instance(CallQueuedListener.for_listener(Listener, ({"a": 1},))))


def test_chain_of_known_jobs_passes(guard: Guard) -> None:
    head = Note("a")
    head.__arvel_chain__ = [payloads.of_instance(link) for link in (Note("b"), Note("c"))]
    assert Bus.chain([head]).jobs == [head]
    guard.check(payloads.of_instance(head))


def test_chain_may_be_bigger_than_a_job_but_not_endless(guard: Guard) -> None:
    link = instance(Note, key="k" * 200)
    many = [link] * (LARGEST // len(link) + 1)
    guard.check(instance(Note, key="k", __arvel_chain__=many))
    more = [link] * (LARGEST_CHAIN // len(link) + 1)
    assert reason_of(guard, instance(Note, key="k", __arvel_chain__=more)) is Reason.TOO_BIG


def test_only_what_a_worker_can_find_is_allowed() -> None:
    class Inner(Note):
        pass

    with pytest.raises(ValueError, match="top of a module"):
        Known(probes).allow(Inner)


SIGNER = Signer(["key"])


def test_message_opens_with_its_signature_on_its_queue_alone(guard: Guard) -> None:
    data = wrap(payload(), "high", "1")
    signature = SIGNER.sign("high", data)
    assert guard.open(SIGNER, "high", data, signature)[1].job_cls is Note
    for label, signed in (("bulk", signature), ("high", b""), ("high", b"x" * 32)):
        with pytest.raises(Refused) as refused:
            guard.open(SIGNER, label, data, signed)
        assert refused.value.reason is Reason.BAD_SIGNATURE


def test_signed_message_still_runs_nothing_unknown(guard: Guard) -> None:
    written = json.dumps({"job": SHELL, "args": [["true"]], "kwargs": {}})
    data = wrap(written, "high", "1")
    with pytest.raises(Refused) as refused:
        guard.open(SIGNER, "high", data, SIGNER.sign("high", data))
    assert refused.value.reason is Reason.UNKNOWN_JOB


def test_task_of_another_name_is_no_message_of_ours(guard: Guard) -> None:
    data = wrap(payload(), "high", "1").replace(b"_run_job", b"_run_job2")
    with pytest.raises(Refused) as refused:
        guard.open(SIGNER, "high", data, SIGNER.sign("high", data))
    assert refused.value.reason is Reason.UNREADABLE


def test_message_that_can_t_be_judged_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Known(probes)
    monkeypatch.setattr(known, "job", lambda _name: object())
    data = wrap(payload(), "high", "1")
    with pytest.raises(Refused) as refused:
        Guard(known).open(SIGNER, "high", data, SIGNER.sign("high", data))
    assert refused.value.reason is Reason.UNREADABLE


def test_annotation_for_type_checkers_alone_lets_short_scalars_pass(guard: Guard) -> None:
    guard.check(instance(Puzzling, key="k"))
    assert reason_of(guard, instance(Puzzling, key={"a": 1})) is Reason.BAD_ARGUMENTS


def test_two_keys_are_valid_while_they_are_changed() -> None:
    old, both, new = Signer(["old"]), Signer(["new", "old"]), Signer(["new"])
    assert both.verify("high", b"x", old.sign("high", b"x"))
    assert new.verify("high", b"x", both.sign("high", b"x"))
    assert not new.verify("high", b"x", old.sign("high", b"x"))
