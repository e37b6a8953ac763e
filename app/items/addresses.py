"""Email addresses as they are kept: the domain in A-labels, ready for an envelope."""

from email_validator import EmailNotValidError, ValidatedEmail, validate_email

from app.items.refusals import Refused

LONGEST = 254
"""RFC 5321 section 4.5.3.1.3: a path of 256 characters less its angle brackets."""


def check_address(value: object) -> str:
    """The address with its domain by IDNA 2008, so that ``a@faß.de`` is ``a@xn--fa-hia.de``.

    Nothing is looked up. The part before the @ stays as it is: only its own server may interpret
    it (RFC 5321 section 2.3.11).
    """
    if value is None or value == "":
        raise Refused("An email address is missing.")
    if not isinstance(value, str):
        raise Refused("Must be text.")
    if len(value) > LONGEST:
        raise Refused(f"Must have at most {LONGEST} characters.")
    found = parse_email(value)
    address = f"{found.local_part}@{found.ascii_domain}"
    if len(address) > LONGEST:
        raise Refused(f"Must have at most {LONGEST} characters, its domain written in ASCII.")
    return address


def parse_email(value: str) -> ValidatedEmail:
    try:
        return validate_email(value, check_deliverability=False)
    except EmailNotValidError:
        # Its own text quotes parts of the address.
        raise Refused("Is not an email address such as name@example.com.") from None
