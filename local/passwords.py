"""Random secrets of local servers, so that other accounts of this machine stay outside."""

import secrets
from base64 import b64encode
from pathlib import Path


def ensure(folder: Path) -> Path:
    """Put a password into the folder unless it has one; the file is for its owner alone."""
    path = folder / "password"
    if not path.exists():
        write_privately(path, secrets.token_hex(16))
    return path


def ensure_key(folder: Path) -> str:
    """32 random bytes in base64, made at the first call for this folder and kept."""
    path = folder / "key"
    if not path.exists():
        write_privately(path, b64encode(secrets.token_bytes(32)).decode())
    return path.read_text()


def write_privately(path: Path, text: str) -> None:
    """Write a file that only its owner can read, at no moment anybody else."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(text)


def read(folder: Path) -> str:
    """The password of this folder's server."""
    return (folder / "password").read_text()
