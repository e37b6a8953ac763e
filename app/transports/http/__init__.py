"""HTTP to providers: one pooled client per channel, and one call whose outcome is exact.

``http_client`` opens the pool, ``call`` makes a request on it and either returns an
:class:`Answer` or raises :class:`NoAnswer`, which carries the outcome: ``NotSent`` as long as no
byte of the request was written, ``Unknown`` from then on.
"""

from app.transports.http.answer import Answer
from app.transports.http.call import NoAnswer, call
from app.transports.http.pool import USER_AGENT, http_client

__all__ = ["USER_AGENT", "Answer", "NoAnswer", "call", "http_client"]
