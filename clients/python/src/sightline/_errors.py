"""The error of the client. It never holds credentials."""

from __future__ import annotations

MAX_RETRY_WAIT = 15 * 60
"""Seconds; a longer wait is the caller's decision, not a retry."""


class SightlineError(Exception):
    """A failed call. Decide by `code`, or by the class of the code, never by the message."""

    code: str
    status: int | None
    """HTTP status; None: there was no answer."""
    request_id: str | None
    retryable: bool
    """Whether the same call may succeed within minutes without anyone's doing."""
    retry_after: float | None
    """Seconds that the service asked for."""
    charged: int | None
    """Credits charged; None: unknown, because an answer was lost."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        charged: int | None = 0,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.retryable = retryable
        self.retry_after = retry_after
        self.charged = charged


def may_retry(rule: bool | str, retry_after: float | None) -> bool:
    """`rule`: True, False, or "stated" (only where the answer has Retry-After)."""
    if retry_after is None:
        return rule is True
    return rule is not False and retry_after <= MAX_RETRY_WAIT
