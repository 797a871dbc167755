"""The client whose calls block."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._generated import Areas, OPERATIONS
from ._http import Abort, Transport
from ._paths import demand_options, first_cursor, next_cursor, option_fault, path_of, repeated
from ._send import Sender
from ._types import Answer, CallOptions, OAuthClient, Operation

if TYPE_CHECKING:
    from typing_extensions import Unpack

MAX_BYTES = 64 * 1024 * 1024


def sender_of(
    base_url: str | None,
    api_key: str | None,
    oauth: OAuthClient | None,
    headers: Mapping[str, str],
    max_bytes: int,
    max_retries: int,
    timeout: float | None,
    ssl_context: ssl.SSLContext | None,
) -> Sender:
    """Raises ValueError for wrong options; no message quotes a secret."""
    url = base_url or os.environ.get("SIGHTLINE_URL")
    if not url:
        raise ValueError("Sightline needs the URL of the service: pass base_url, or set SIGHTLINE_URL.")
    if not re.fullmatch(r"https?://[^/@?#\s]+(/[^@?#\s]*)?", url):
        raise ValueError("base_url must be an http or https URL without credentials, query and fragment, such as https://sightline.example.")
    key = None if oauth else (api_key or os.environ.get("SIGHTLINE_API_KEY"))
    if key is None and oauth is None:
        raise ValueError("Sightline needs credentials: pass api_key or oauth, or set SIGHTLINE_API_KEY.")
    for name, value in {"api_key": key or "-", **headers}.items():
        if not re.fullmatch(r"[\t\x20-\x7e]+", value):
            raise ValueError(f"{name} must be printable ASCII characters.")
    fault = option_fault(timeout, max_retries)
    if fault is not None:
        raise ValueError(fault)
    transport = Transport(url.rstrip("/"), ssl_context=ssl_context)
    return Sender(transport, api_key=key, oauth=oauth, headers=headers, max_bytes=max_bytes, max_retries=max_retries)


class Sightline(Areas):
    """Client of the service. Thread-safe; close it, or use it as a context manager. Errors are SightlineErrors."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        oauth: OAuthClient | None = None,
        timeout: float | None = None,
        max_retries: int = 4,
        max_bytes: int = MAX_BYTES,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """`timeout`: seconds of a call with all of its retries; default: the deadline of its operation and 5 s, 60 s for the account."""
        self._sender = sender_of(base_url, api_key, oauth, headers or {}, max_bytes, max_retries, timeout, ssl_context)
        self._timeout = timeout
        super().__init__(self)

    def lookup(self, operation: str, **parameters: Any) -> Any:
        """A lookup by the id of its operation; parameters by their names in the URL."""
        if operation not in OPERATIONS:
            raise ValueError(f"There is no operation {operation!r}: choose from {', '.join(OPERATIONS)}.")
        return self._send(OPERATIONS[operation], parameters, {}).data

    def close(self) -> None:
        self._sender.close()

    def __enter__(self) -> Sightline:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def _send(
        self, operation: Operation, values: Mapping[str, Any], options: CallOptions, body: Mapping[str, Any] | None = None
    ) -> Answer[Any]:
        demand_options(operation, options, tuple(values))
        timeout = options.get("timeout") or self._timeout or operation.timeout
        return self._sender.send(path_of(operation, values), options, timeout, method=operation.method, body=body)

    def _pages(self, operation: Operation, values: Mapping[str, Any], options: CallOptions) -> Iterator[Any]:
        cursor = first_cursor(operation, values)
        seen = {cursor}
        while True:
            page = self._send(operation, {**values, operation.next or "": cursor or None}, options).data
            yield page
            following = next_cursor(operation, page, cursor)
            if following is None:
                return
            if following in seen:
                raise repeated(cursor, following)
            seen.add(following)
            cursor = following

    def _all(self, operation: Operation, values: Mapping[str, Any], limit: int | None, options: CallOptions) -> Iterator[Any]:
        left = limit
        if left is not None and left <= 0:
            return
        for page in self._pages(operation, values, options):
            for entry in page.get(operation.items) or []:
                yield entry
                left = None if left is None else left - 1
                if left == 0:
                    return
