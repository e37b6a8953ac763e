"""Addresses within the console, and none besides."""

START = "/console"


def safe(address: str) -> str:
    """An address within the console; the overview instead of any other."""
    plain = address.isascii() and address.isprintable() and "\\" not in address
    inside = address == START or address.startswith((f"{START}/", f"{START}?"))
    return address if plain and inside and ".." not in address else START
