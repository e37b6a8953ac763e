"""What a provider that tries an address before it reports there gets.

Mandrill asks by HEAD, Unisender Go by GET, both before anybody could have a secret.
"""

from arvel.http.request import Request
from arvel.http.response import Response


async def answer_probe(request: Request, provider: str) -> Response:
    """200 for whatever provider, so that nobody learns which ones are configured."""
    return Response("", 200)
