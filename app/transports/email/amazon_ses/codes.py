"""Errors of Amazon SES by name: what each means for a message. Data.

Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors
and .../CommonErrors.html. A name that is not listed is judged by the HTTP status that it came with.
"""

from collections.abc import Mapping

from app.transports.email.api_answers import ErrorCode
from app.transports.email.refusals import Refusal

CREDENTIALS: Mapping[str, str] = {
    "AccessDeniedException": "the access key may not send this",
    "ExpiredTokenException": "the session token has expired",
    "IncompleteSignature": "the signature is not complete",
    "InvalidClientTokenId": "the access key does not exist",
    "InvalidSignatureException": "the signature is wrong: the secret, or this machine's clock",
    "MissingAuthenticationTokenException": "the access key is missing",
    "SignatureDoesNotMatch": "the signature is wrong: the secret, or this machine's clock",
    "UnrecognizedClientException": "the access key does not exist",
}

ERROR_CODES: Mapping[str, ErrorCode] = {
    **{name: ErrorCode(Refusal.CONFIGURATION, text) for name, text in CREDENTIALS.items()},
    "AccountSuspendedException": ErrorCode(Refusal.CONFIGURATION, "the account may not send"),
    "SendingPausedException": ErrorCode(Refusal.CONFIGURATION, "sending is paused"),
    "NotFoundException": ErrorCode(
        Refusal.CONFIGURATION, "the configuration set does not exist", quotes=True
    ),
    "MailFromDomainNotVerifiedException": ErrorCode(
        Refusal.CONFIGURATION, "the MAIL FROM domain is not verified"
    ),
    "MessageRejected": ErrorCode(Refusal.REJECTED, "the message is refused", quotes=True),
    "BadRequestException": ErrorCode(Refusal.REJECTED, "the request is not valid", quotes=True),
    "LimitExceededException": ErrorCode(Refusal.REJECTED, "a limit is exceeded", quotes=True),
    "TooManyRequestsException": ErrorCode(Refusal.TRY_LATER, "too many messages", quotes=True),
    "ThrottlingException": ErrorCode(Refusal.TRY_LATER, "too many requests"),
    "Throttling": ErrorCode(Refusal.TRY_LATER, "too many requests"),
}

PAUSE_CODES = frozenset(
    {*CREDENTIALS, "AccountSuspendedException", "SendingPausedException", "http_401"}
) - {"AccessDeniedException"}
"""No message of the account would be taken; access may be denied to one sender alone."""

DAILY = "daily"
DAILY_WAIT = 600.0
"""Seconds. AWS names no time; it advises to wait up to 10 minutes. ``daily`` is a word of the
answer when the quota of 24 hours is used up, which may take longer."""
