"""Telephone numbers in the international form, ITU-T E.164."""

import re

import phonenumbers

from app.items.refusals import Refused

LONGEST = 32
E164 = re.compile(r"\+[1-9][0-9]{6,14}")


def check_number(value: object) -> str:
    """An E.164 number of a country and a length that exist.

    Whether somebody has it only the network knows: numbers of new ranges, and the sandbox's own,
    are not in the library's tables, so those aren't asked.
    """
    if value is None or value == "":
        raise Refused("A mobile number is missing.")
    if not isinstance(value, str):
        raise Refused("Must be text.")
    if len(value) > LONGEST or not E164.fullmatch(value) or not is_possible(value):
        raise Refused(
            "Is not a number in the international form E.164: + and country code, then the"
            " number, digits only, such as +14155550123."
        )
    return value


def is_possible(number: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number))
    except phonenumbers.NumberParseException:
        return False
