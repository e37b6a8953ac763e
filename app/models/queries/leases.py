"""Is anything being sent?"""

from app.models import statements

ANY = "SELECT FROM queue_items WHERE state = 'sending' LIMIT 1"


async def is_any_leased() -> bool:
    """Whether a worker holds an item, or held it until it died."""
    return bool(await statements.run(ANY))
