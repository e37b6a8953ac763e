"""Names of files for providers that take a file's type from its name."""

from mimetypes import MimeTypes

from app.transports.contract import File
from app.transports.email.unsendable import require_one_line

TYPES = MimeTypes()
"""As Python knows them: the types of the machine would make another request on another machine."""


def with_extension(file: File) -> str:
    """The file's name, with an extension by its type where its own says nothing."""
    name = require_one_line("A file's name", file.name).strip() or "file"
    if type_by_name(name) is None:
        name += TYPES.guess_extension(bare_type(file)) or ""
    return name


def type_by_name(name: str) -> str | None:
    return TYPES.guess_type(name)[0]


def bare_type(file: File) -> str:
    """The type without its parameters."""
    return file.content_type.partition(";")[0].strip().lower()
