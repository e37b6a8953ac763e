"""Style, script and pictures of the pages, under addresses that change with their content."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from arvel.http.request import Request
from arvel.http.response import Response

FOLDER = Path(__file__).parents[3] / "public" / "console"
FOR_GOOD = "public, max-age=31536000, immutable"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    media_type: str
    digest: str


def _read(file: Path) -> Asset:
    content = file.read_bytes()
    return Asset(content, TYPES[file.suffix], hashlib.sha256(content).hexdigest()[:16])


ASSETS = {file.name: _read(file) for file in sorted(FOLDER.iterdir()) if file.suffix in TYPES}


def address(name: str) -> str:
    return f"/console/assets/{ASSETS[name].digest}/{name}"


async def serve(request: Request, digest: str, name: str) -> Response:
    """404 for another digest than the present one: it would be kept for good."""
    asset = ASSETS.get(name)
    if asset is None or asset.digest != digest:
        return Response(b"", 404, headers={"cache-control": "no-store"})
    headers = {
        "content-type": asset.media_type,
        "cache-control": FOR_GOOD,
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
    }
    return Response(asset.content, headers=headers)
