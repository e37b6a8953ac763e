"""The workflow table as SQL: what the statements of this folder are made of."""

from collections.abc import Iterable

from app.workflow import DONE, MOVES, RANKS, Kind, Move, transition_named


def quoted(names: Iterable[str]) -> str:
    """A list of names as SQL literals: the names are the workflow's own, never a caller's."""
    return ", ".join(f"'{name}'" for name in sorted(names))


def sources_of(transition: str) -> str:
    """The states that a transition normally leaves from, as a list for ``IN (…)``."""
    return quoted(transition_named(transition).sources)


DONE_STATES = quoted(DONE)


def _row(move: Move) -> str:
    kinds = f"ARRAY[{quoted(move.error_kinds)}]" if move.error_kinds else "NULL::text[]"
    method = f"'{move.method}'" if move.method else "NULL::text"
    return (
        f"('{move.transition}', '{move.source}', '{move.target}', '{move.kind}', {kinds}, {method})"
    )


MOVES_TABLE = (
    "(VALUES "
    + ", ".join(_row(m) for m in MOVES)
    + ") AS m (transition, source, target, kind, error_kinds, method)"
)
"""Every move of the workflow as rows; a join with it is the guard of a statement."""

IS_ALLOWED = (
    "m.source = {0}.state AND (m.error_kinds IS NULL OR {0}.error_kind = ANY (m.error_kinds))"
    " AND (m.method IS NULL OR m.method = {0}.method)"
)

NORMAL = f"m.kind = '{Kind.NORMAL}'"


def rank_of(report: str, method: str) -> str:
    """SQL for the rank of a report about an attempt of that method."""
    rows = " ".join(
        f"WHEN {method} = '{name}' AND {report} = '{said}' THEN {rank}"
        for name, ranks in RANKS.items()
        for said, rank in ranks.items()
    )
    return f"(CASE {rows} ELSE 0 END)"


HISTORY = """INSERT INTO item_history
    (item_id, attempt_id, transition, from_state, to_state, actor, text, detail, at)"""
