"""Reports that are nearly right: one thing in them is missing, null, of another type, or huge."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

type Path = tuple[str | int, ...]

ODD: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.just(10**400),
    st.text(max_size=20),
    st.sampled_from(["", "\0", "\ud800", "x" * 10_000, "9999-99-99", "1e999", "[]", "{"]),
    st.just([]),
    st.just({}),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
    st.just([[[[[[[[{}]]]]]]]]),
)
"""What may stand where something else should."""

GONE = object()


@st.composite
def mutated(draw: st.DrawFn, content: Any) -> Any:
    """``content`` with up to three places changed, or taken away."""
    changed = deepcopy(content)
    for _ in range(draw(st.integers(1, 3))):
        places = list(places_in(changed))
        if not places:
            return changed
        changed = put(
            changed, draw(st.sampled_from(places)), draw(ODD.map(deepcopy) | st.just(GONE))
        )
    return changed


def places_in(content: Any, above: Path = ()) -> Iterator[Path]:
    """Where something stands, the whole included."""
    yield above
    pairs = content.items() if isinstance(content, dict) else []
    pairs = enumerate(content) if isinstance(content, list) else pairs
    for name, value in pairs:
        yield from places_in(value, (*above, name))


def put(content: Any, place: Path, value: Any) -> Any:
    if not place:
        return None if value is GONE else value
    *above, last = place
    holder = content
    for name in above:
        holder = holder[name]
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return content
