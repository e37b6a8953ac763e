"""Why the outcome of an attempt may be unknown: its worker died, or an answer was lost."""

from local.faults.blows import Hit
from local.faults.story import Attempt, Story
from local.faults.surroundings import LEASE_S, SEND_TIMEOUT_S

DEADLY = frozenset({"kill", "stop", "stop long", "terminate, then kill"})
"""What may keep a process from recording what it knows; a frozen one has lost its answer."""

AWAY = frozenset({"leave", "go deaf"})
MARGIN_S = 0.5
THAW_S = 1.0
"""Seconds that PostgreSQL may need for what was said to it while it was frozen."""


def excuse(story: Story, attempt: Attempt) -> str | None:
    """Why nobody can know what became of an attempt; ``None``: somebody should."""
    began, ended = first_said(story, attempt), attempt.ended or float("inf")
    requests = list(story.requests_in(attempt))
    for request in requests:
        if not request.clear or request.seconds > SEND_TIMEOUT_S - MARGIN_S:
            return f"{request.provider} gave no answer that can be read"
    workers = {request.worker for request in requests}
    for hit in story.hits:
        if not overlaps(hit, began, ended):
            continue
        if hit.target == story.item.channel and hit.how in AWAY:
            return f"{hit.target} was away"
        if hit.how not in DEADLY or not is_process(hit.target):
            continue
        if hit.target in workers or (not workers and hit.at < attempt.started + LEASE_S):
            return f"{hit.target}: {hit.how}"
    return None


def first_said(story: Story, attempt: Attempt) -> float:
    """When the claim may have been sent: PostgreSQL that was frozen obeys when it is back, whether
    or not the worker still lives."""
    frozen = (
        hit.at
        for hit in story.hits
        if hit.target == "postgres" and hit.at < attempt.started < hit.until + THAW_S
    )
    return min(frozen, default=attempt.started)


def is_process(target: str) -> bool:
    return target.startswith(("worker", "web"))


def overlaps(hit: Hit, began: float, ended: float) -> bool:
    return hit.at < ended and hit.until > began - MARGIN_S
