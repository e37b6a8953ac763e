"""Reading an answer's body within bounds: a provider's answer is small, a gzip bomb is not."""

import zlib
from typing import Protocol

import httpx

MAX_BODY = 1_000_000
"""Bytes of an answer, before and after decoding. Answers to a send are a few kilobytes."""

GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class Decoder(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Identity:
    """A body as it is."""

    eof = True

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return data[:max_length]


def decoder_for(encoding: str) -> Decoder | None:
    match encoding.strip().lower():
        case "" | "identity":
            return Identity()
        case "gzip" | "x-gzip" | "deflate":
            return zlib.decompressobj(GZIP_OR_ZLIB)
        case _:
            return None


async def read_body(response: httpx.Response) -> bytes | None:
    """The decoded body, or None when it is longer than 1 MB, broken, or in a foreign encoding.

    httpx's own decoders inflate whatever they are given, so the raw bytes are inflated here.
    """
    decoder = decoder_for(response.headers.get("content-encoding", ""))
    if decoder is None:
        return None
    try:
        return await decode(response, decoder)
    except zlib.error:
        return None


async def decode(response: httpx.Response, decoder: Decoder) -> bytes | None:
    body = bytearray()
    raw_length = 0
    async for chunk in response.aiter_raw():
        raw_length += len(chunk)
        body += decoder.decompress(chunk, MAX_BODY + 1 - len(body))
        if max(raw_length, len(body)) > MAX_BODY:
            return None
    return bytes(body) if decoder.eof or not raw_length else None
