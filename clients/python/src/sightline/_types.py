"""Values that callers pass and receive."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Literal, TypedDict, TypeVar

T = TypeVar("T")


class CallOptions(TypedDict, total=False):
    """Options of one call. Ages are whole seconds, as in Cache-Control (RFC 9111, RFC 5861)."""

    timeout: float
    """Seconds of the call in all: connections, retries and the waits between them."""
    max_retries: int
    max_credits: int
    """A lookup that would cost more is refused with INSUFFICIENT_CREDITS, before any work."""
    max_age: int
    no_cache: bool
    only_if_cached: bool
    stale_if_error: int
    max_stale: int
    request_id: str
    """X-Request-Id: a label in the log and the ledger."""


@dataclass(frozen=True)
class OAuthClient:
    """Client credentials of OAuth 2.0 (RFC 6749, 4.4)."""

    client_id: str
    client_secret: str = field(repr=False)
    scope: str | None = None


@dataclass(frozen=True)
class Answer(Generic[T]):
    """Data of an answer, with what its headers say."""

    data: T
    credits_charged: int
    credits_remaining: int | None
    """None where the service does not say."""
    cache: Literal["hit", "miss", "stale", "collapsed"] | None
    """None for the account. `collapsed`: from a lookup that another request had begun."""
    age: int | None
    """Seconds since the source was read."""
    source: str | None
    request_id: str | None
    receipt: str | None
    """Id of the charge in the ledger; None: nothing was charged."""
    unread: tuple[str, ...]
    """Fields that the source had but that could not be read, as dotted paths."""


@dataclass(frozen=True)
class Operation:
    """What the client knows of an operation."""

    id: str
    path: str
    timeout: float
    """Seconds; the default of a call."""
    items: str | None = None
    """Field of the resource with the entries of a page."""
    next: Literal["after", "page"] | None = None
    method: str = "GET"
    """Another one is sent once: a repetition could do it twice."""
    parameters: tuple[str, ...] | None = None
    """Names of its parameters in the URL; None: those of the operation that it is about, too."""
