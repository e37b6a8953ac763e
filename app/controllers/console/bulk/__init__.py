"""One decision about many items: counted first, confirmed, and answered item by item."""
