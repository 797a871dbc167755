"""One HTTP exchange within a time limit, over kept connections. Nothing else of the package opens a socket."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
import zlib
from base64 import b64encode
from collections.abc import Mapping
from email.message import Message

_CHUNK = 65_536


class ConnectionFailed(Exception):
    """There was no answer, or it was cut off."""


class Aborted(Exception):
    """The caller gave up."""


class AnswerTooLarge(Exception):
    """The body is larger than allowed; carries status and headers."""

    def __init__(self, status: int, headers: Message) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers


class Abort:
    """Ends the exchanges of one call from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: http.client.HTTPConnection | None = None
        self.event = threading.Event()

    def set(self) -> None:
        self.event.set()
        with self._lock:
            _cut(self._connection)

    def watch(self, connection: http.client.HTTPConnection | None) -> None:
        with self._lock:
            self._connection = connection
        if self.event.is_set():
            _cut(connection)


def _cut(connection: http.client.HTTPConnection | None) -> None:
    if connection is not None and connection.sock is not None:
        try:
            connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it is closed already


class Transport:
    """Connections to one origin, at most `max_idle` kept."""

    def __init__(self, base_url: str, *, max_idle: int = 16, ssl_context: ssl.SSLContext | None = None) -> None:
        parts = urllib.parse.urlsplit(base_url)
        self._tls = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._tls else 80)
        self._prefix = parts.path.rstrip("/")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._context = ssl_context
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._max_idle = max_idle
        proxy = None if urllib.request.proxy_bypass(self._host) else urllib.request.getproxies().get(parts.scheme)
        self._proxy = urllib.parse.urlsplit(proxy) if proxy else None

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None, *, timeout: float, max_bytes: int, abort: Abort
    ) -> tuple[int, Message, bytes]:
        """Status, headers and decoded body. Raises ConnectionFailed, Aborted or AnswerTooLarge."""
        with self._lock:
            # an open connection may be closed already, and what is no GET must not be sent twice
            kept = self._idle.pop() if self._idle and method == "GET" else None
        if kept is not None:
            began = time.monotonic()
            try:
                return self._on(kept, method, path, headers, body, timeout, max_bytes, abort)
            except ConnectionFailed:
                timeout -= time.monotonic() - began
                if abort.event.is_set() or timeout <= 0:
                    raise
                # the service may have closed the open connection: one more attempt on a new one, in the time that is left
        return self._on(self._connect(timeout), method, path, headers, body, timeout, max_bytes, abort)

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        proxy = self._proxy
        host, port = (proxy.hostname or "", proxy.port or 80) if proxy else (self._host, self._port)
        if not self._tls:
            return http.client.HTTPConnection(host, port, timeout=timeout)
        connection = http.client.HTTPSConnection(host, port, timeout=timeout, context=self._context)
        if proxy:
            connection.set_tunnel(self._host, self._port, self._proxy_headers())
        return connection

    def _proxy_headers(self) -> dict[str, str]:
        if not self._proxy or self._proxy.username is None:
            return {}
        name, secret = (urllib.parse.unquote(text or "") for text in (self._proxy.username, self._proxy.password))
        return {"Proxy-Authorization": "Basic " + b64encode(f"{name}:{secret}".encode()).decode()}

    def _on(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout: float,
        max_bytes: int,
        abort: Abort,
    ) -> tuple[int, Message, bytes]:
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            _cut(connection)

        # a socket's own time limit starts again with every byte: the timer bounds the whole exchange
        timer = threading.Timer(timeout, expire)
        timer.daemon = True
        timer.start()
        kept = False
        try:
            abort.watch(connection)
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            target = f"{self._prefix}{path}"
            more: dict[str, str] = {}
            if self._proxy and not self._tls:
                target, more = f"{self._origin}{target}", self._proxy_headers()
            connection.request(method, target, body, {**headers, **more, "accept-encoding": "gzip"})
            answer = connection.getresponse()
            data = _body_of(answer, max_bytes)
            kept = not answer.will_close
            return answer.status, answer.headers, data
        except (OSError, http.client.HTTPException, zlib.error) as error:
            if abort.event.is_set():
                raise Aborted from error
            reason = f"no answer within {timeout:.1f} s" if expired.is_set() else (str(error) or type(error).__name__)
            raise ConnectionFailed(reason) from error
        finally:
            timer.cancel()
            abort.watch(None)
            with self._lock:
                kept = kept and not expired.is_set() and len(self._idle) < self._max_idle
                if kept:
                    self._idle.append(connection)
            if not kept:
                connection.close()


def _body_of(answer: http.client.HTTPResponse, max_bytes: int) -> bytes:
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS) if answer.headers.get("content-encoding") == "gzip" else None
    parts: list[bytes] = []
    size = 0
    while part := answer.read(_CHUNK):
        while part:
            data = decoder.decompress(part, max_bytes + 1 - size) if decoder else part
            part = decoder.unconsumed_tail if decoder else b""
            size += len(data)
            if size > max_bytes:
                raise AnswerTooLarge(answer.status, answer.headers)
            parts.append(data)
    if decoder and not decoder.eof:
        raise http.client.IncompleteRead(b"")
    if answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return b"".join(parts)
