"""How parts of a message become bytes."""

from email.policy import EmailPolicy


class Wire(EmailPolicy):
    """As ``email.policy.SMTP``, but a long Content-ID stays readable.

    The standard policy turns a word that is too long for a line into encoded words, and an image
    that is referred to by its Content-ID is then not found.
    """

    def fold(self, name: str, value: str) -> str:
        if name.lower() == "content-id":
            return f"{name}: {value}{self.linesep}"
        return super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        return self.fold(name, value).encode("ascii")


WIRE = Wire(linesep="\r\n", cte_type="7bit")
