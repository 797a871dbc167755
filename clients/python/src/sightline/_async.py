"""The client for asyncio: calls run in threads of its own, and cancelling a task ends its exchange."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from ._client import MAX_BYTES, sender_of
from ._generated import AsyncAreas, OPERATIONS
from ._http import Abort
from ._paths import demand_options, first_cursor, next_cursor, path_of, repeated
from ._types import Answer, CallOptions, OAuthClient, Operation


class AsyncSightline(AsyncAreas):
    """Client of the service; `concurrency` calls at once. Use it as an async context manager. Errors are SightlineErrors."""

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
        concurrency: int = 16,
    ) -> None:
        """`timeout`: seconds of a call with all of its retries, from the time when it begins."""
        self._sender = sender_of(base_url, api_key, oauth, headers or {}, max_bytes, max_retries, timeout, ssl_context)
        self._timeout = timeout
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="sightline")
        super().__init__(self)

    async def lookup(self, operation: str, **parameters: Any) -> Any:
        """A lookup by the id of its operation; parameters by their names in the URL."""
        if operation not in OPERATIONS:
            raise ValueError(f"There is no operation {operation!r}: choose from {', '.join(OPERATIONS)}.")
        return (await self._send(OPERATIONS[operation], parameters, {})).data

    async def aclose(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        self._sender.close()

    async def __aenter__(self) -> AsyncSightline:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    async def _send(
        self, operation: Operation, values: Mapping[str, Any], options: CallOptions, body: Mapping[str, Any] | None = None
    ) -> Answer[Any]:
        demand_options(operation, options, tuple(values))
        timeout = options.get("timeout") or self._timeout or operation.timeout
        path = path_of(operation, values)
        abort = Abort()
        send = partial(self._sender.send, path, options, timeout, abort, method=operation.method, body=body)
        running = asyncio.get_running_loop().run_in_executor(self._threads, send)
        try:
            return await running
        except asyncio.CancelledError:
            abort.set()
            raise

    async def _pages(self, operation: Operation, values: Mapping[str, Any], options: CallOptions) -> AsyncIterator[Any]:
        cursor = first_cursor(operation, values)
        seen = {cursor}
        while True:
            page = (await self._send(operation, {**values, operation.next or "": cursor or None}, options)).data
            yield page
            following = next_cursor(operation, page, cursor)
            if following is None:
                return
            if following in seen:
                raise repeated(cursor, following)
            seen.add(following)
            cursor = following

    async def _all(self, operation: Operation, values: Mapping[str, Any], limit: int | None, options: CallOptions) -> AsyncIterator[Any]:
        left = limit
        if left is not None and left <= 0:
            return
        async for page in self._pages(operation, values, options):
            for entry in page.get(operation.items) or []:
                yield entry
                left = None if left is None else left - 1
                if left == 0:
                    return
