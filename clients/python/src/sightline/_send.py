"""A call: attempts until there is an answer, a final error, or the end of its time."""

from __future__ import annotations

import json
import random
import re
import threading
import time
import urllib.parse
from collections.abc import Mapping
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from ._errors import SightlineError, may_retry
from ._generated import ERROR_CLASSES, RETRYABLE
from ._http import Abort, Aborted, AnswerTooLarge, ConnectionFailed, Transport
from ._types import Answer, OAuthClient

_BACKOFF = 0.25
_MAX_BACKOFF = 8.0
_TOKEN_MARGIN = 30.0
# seconds that a retry may take until the service reads it
_ARRIVAL = 10
_TOKEN_CODES = {400: "INVALID_REQUEST", 401: "UNAUTHORIZED", 403: "FORBIDDEN", 429: "RATE_LIMITED", 503: "OVERLOADED"}


def _error(code: str, message: str, **facts: Any) -> SightlineError:
    return ERROR_CLASSES.get(code, SightlineError)(code, message, **facts)


def _number(field: str | None) -> int | None:
    return int(field) if field is not None and re.fullmatch(r"[0-9]{1,15}", field) else None


def _retry_after(headers: Message) -> float | None:
    field = headers.get("retry-after")
    if field is None:
        return None
    seconds = _number(field)
    if seconds is not None:
        return float(seconds)
    try:
        return max(0.0, parsedate_to_datetime(field).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unexpected(status: int, headers: Message, what: str) -> SightlineError:
    after = _retry_after(headers)
    again = status == 200 or status == 429 or status >= 500
    return _error(
        "UNEXPECTED_ANSWER",
        f"Status {status}: {what}.",
        status=status,
        request_id=headers.get("x-request-id"),
        retryable=may_retry(again, after),
        retry_after=after,
        charged=_number(headers.get("x-credits-charged")),
    )


def _error_in(status: int, headers: Message, body: bytes) -> SightlineError:
    if status < 400:
        return _unexpected(status, headers, "the service does not redirect; check base_url")
    error = (_object(body) or {}).get("error")
    code, message = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, None)
    if not isinstance(code, str) or not isinstance(message, str):
        return _unexpected(status, headers, "the body is not an error of the service")
    if code not in RETRYABLE:
        return _unexpected(status, headers, f"unknown code {code}: {message}")
    after = _retry_after(headers)
    return _error(
        code,
        message,
        status=status,
        request_id=headers.get("x-request-id"),
        retryable=may_retry(RETRYABLE[code], after),
        retry_after=after,
        charged=_number(headers.get("x-credits-charged")) or 0,
    )


def _cache(field: str | None) -> Any:
    if not field:
        return None
    if re.search(r";\s*hit\b", field):
        return "stale" if re.search(r";\s*ttl=-", field) else "hit"
    if re.search(r";\s*fwd-status=", field):
        return "stale"
    return "collapsed" if re.search(r";\s*collapsed\b", field) else "miss"


def _answer(data: dict[str, Any], headers: Message) -> Answer[Any]:
    return Answer(
        data=data,
        credits_charged=_number(headers.get("x-credits-charged")) or 0,
        credits_remaining=_number(headers.get("x-credits-remaining")),
        cache=_cache(headers.get("cache-status")),
        age=_number(headers.get("age")),
        source=headers.get("x-data-source"),
        request_id=headers.get("x-request-id"),
        receipt=headers.get("x-receipt"),
        unread=tuple(filter(None, re.split(r"\s*,\s*", headers.get("x-fields-unread") or ""))),
    )


def _directives(options: Mapping[str, Any], late: int) -> str:
    """`late` is above 0 where an answer that may have been charged was lost: the retry accepts every answer that would have done when the call
    began, because the lost one is in the cache of the service, and costs nothing."""
    no_cache, max_age = options.get("no_cache"), options.get("max_age")
    age = 0 if no_cache else max_age
    max_stale = (options.get("max_stale") or 0) + late
    stale_if_error = options.get("stale_if_error")
    parts = [
        "no-cache" if no_cache and not late else (f"max-age={age + late}" if age is not None else None),
        "only-if-cached" if options.get("only_if_cached") else None,
        f"stale-if-error={stale_if_error}" if stale_if_error is not None else None,
        f"max-stale={max_stale}" if max_stale else None,
    ]
    return ", ".join(part for part in parts if part)


class Sender:
    """Sends the calls of a client. Thread-safe."""

    def __init__(
        self,
        transport: Transport,
        *,
        api_key: str | None,
        oauth: OAuthClient | None,
        headers: Mapping[str, str],
        max_bytes: int,
        max_retries: int,
    ) -> None:
        self._transport = transport
        self._api_key = api_key
        self._oauth = oauth
        self._headers = {**headers, "accept": "application/json"}
        self._max_bytes = max_bytes
        self._max_retries = max_retries
        self._token: tuple[str, float] | None = None
        self._token_lock = threading.Lock()

    def close(self) -> None:
        self._transport.close()

    def send(
        self,
        path: str,
        options: Mapping[str, Any],
        timeout: float,
        abort: Abort | None = None,
        *,
        method: str = "GET",
        body: Mapping[str, Any] | None = None,
    ) -> Answer[Any]:
        """Raises a SightlineError. What is no GET is sent once, and `body` is its JSON."""
        abort = abort or Abort()
        began = time.monotonic()
        max_retries = options.get("max_retries", self._max_retries) if method == "GET" else 0
        content = None if body is None else json.dumps(body).encode()
        lost = False
        attempts = 0
        while True:
            attempts += 1
            left = timeout - (time.monotonic() - began)
            try:
                late = int(time.monotonic() - began) + 1 + _ARRIVAL if lost else 0
                return self._attempt(method, path, content, options, late, left, abort)
            except Aborted as error:
                raise _error("ABORTED", "The call was aborted.", charged=None) from error
            except SightlineError as error:
                last = error
            if lost:
                last.charged = None  # what an earlier attempt was charged is not known
            lost = lost or last.charged != 0
            spent = time.monotonic() - began
            wait = (last.retry_after or 0.0) + random.random() * min(_MAX_BACKOFF, _BACKOFF * 2 ** (attempts - 1))
            if spent >= timeout:
                raise _error(
                    "DEADLINE_EXCEEDED", f"No answer within {timeout:g} s; the last attempt: {last}", retryable=True, charged=None
                ) from last
            if not last.retryable or attempts > max_retries or spent + wait >= timeout:
                raise last
            if abort.event.wait(wait):
                raise _error("ABORTED", "The call was aborted.", charged=None)

    def _attempt(
        self,
        method: str,
        path: str,
        content: bytes | None,
        options: Mapping[str, Any],
        late: int,
        timeout: float,
        abort: Abort,
        may_renew: bool = True,
    ) -> Answer[Any]:
        began = time.monotonic()
        headers = dict(self._headers)
        if directives := _directives(options, late):
            headers["cache-control"] = directives
        token = self._access_token(timeout, abort) if self._oauth else None
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        elif self._api_key is not None:
            headers["x-api-key"] = self._api_key
        for name, option in (("x-max-credits", "max_credits"), ("x-request-id", "request_id")):
            if options.get(option) is not None:
                headers[name] = str(options[option])
        if content is not None:
            headers["content-type"] = "application/json"
        status, answer, body = self._exchange(method, path, headers, content, timeout, abort)
        if status == 401 and token is not None and may_renew:
            # a token may be revoked before its end
            with self._token_lock:
                if self._token and self._token[0] == token:
                    self._token = None
            return self._attempt(method, path, content, options, late, timeout - (time.monotonic() - began), abort, False)
        if status not in (200, 201):
            raise _error_in(status, answer, body)
        data = _object(body) if answer.get("x-request-id") else None
        if data is None:
            raise _unexpected(status, answer, "the body is not an answer of the service")
        return _answer(data, answer)

    def _exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None, timeout: float, abort: Abort
    ) -> tuple[int, Message, bytes]:
        if timeout <= 0:
            raise _error("CONNECTION_FAILED", "There was no time left.", retryable=True)
        try:
            return self._transport.exchange(method, path, headers, body, timeout=timeout, max_bytes=self._max_bytes, abort=abort)
        except ConnectionFailed as error:
            raise _error("CONNECTION_FAILED", f"No answer: {error}.", retryable=True, charged=None) from error
        except AnswerTooLarge as error:
            raise _error(
                "ANSWER_TOO_LARGE",
                f"The answer is larger than {self._max_bytes} bytes once decoded: raise max_bytes to read it.",
                status=error.status,
                request_id=error.headers.get("x-request-id"),
                charged=_number(error.headers.get("x-credits-charged")),
            ) from error

    def _access_token(self, timeout: float, abort: Abort) -> str:
        assert self._oauth is not None
        began = time.monotonic()
        # one request for all threads
        if not self._token_lock.acquire(timeout=max(0.0, timeout)):
            raise _error("CONNECTION_FAILED", "No access token within the time of the call.", retryable=True)
        try:
            if self._token and time.monotonic() < self._token[1]:
                return self._token[0]
            form = {"grant_type": "client_credentials", "client_id": self._oauth.client_id, "client_secret": self._oauth.client_secret}
            if self._oauth.scope is not None:
                form["scope"] = self._oauth.scope
            headers = {**self._headers, "content-type": "application/x-www-form-urlencoded"}
            left = timeout - (time.monotonic() - began)
            body = urllib.parse.urlencode(form).encode()
            status, answer, text = self._exchange("POST", "/v1/oauth/token", headers, body, left, abort)
            given = _object(text) or {}
            token, seconds = given.get("access_token"), given.get("expires_in")
            if status != 200 or not isinstance(token, str) or not isinstance(seconds, int):
                after, code = _retry_after(answer), _TOKEN_CODES.get(status)
                if code is None or not isinstance(given.get("error"), str):
                    raise _unexpected(status, answer, "the token endpoint did not give an access token")
                raise _error(
                    code,
                    f"{given['error']}: {given.get('error_description', '')}",
                    status=status,
                    request_id=answer.get("x-request-id"),
                    retryable=may_retry(RETRYABLE[code], after),
                    retry_after=after,
                )
            self._token = (token, time.monotonic() + max(seconds - _TOKEN_MARGIN, seconds * 0.9))
            return token
        finally:
            self._token_lock.release()
