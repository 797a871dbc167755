"""Paths and pages of calls, the same for both clients."""

from __future__ import annotations

import difflib
import re
import threading
import urllib.parse
from collections.abc import Mapping
from typing import Any

from ._errors import SightlineError
from ._generated import ERROR_CLASSES
from ._types import CallOptions, Operation

_OPTIONS = tuple(CallOptions.__annotations__)


def _refused(why: str) -> SightlineError:
    return ERROR_CLASSES["INVALID_REQUEST"]("INVALID_REQUEST", f"{why} Nothing was sent.")


def option_fault(timeout: Any, max_retries: Any) -> str | None:
    """Why a call cannot be made with these; None: it can."""
    is_time = isinstance(timeout, (int, float)) and not isinstance(timeout, bool) and 0 < timeout <= threading.TIMEOUT_MAX
    if timeout is not None and not is_time:
        return f"timeout is {timeout!r}, but it must be a number of seconds above 0."
    if not isinstance(max_retries, int) or isinstance(max_retries, bool) or max_retries < 0:
        return f"max_retries is {max_retries!r}, but it must be a whole number from 0 on."
    return None


def _unknown(what: str, name: str, operation: Operation, known: tuple[str, ...]) -> SightlineError:
    near = difflib.get_close_matches(name, known, 1)
    hint = f": do you mean {near[0]}?" if near else f": it takes {', '.join(known)}."
    return _refused(f"{operation.id} has no {what} {name}{hint}")


def demand_options(operation: Operation, options: Mapping[str, Any], arguments: tuple[str, ...]) -> None:
    """Raises INVALID_REQUEST for an option that there is not, or with a value that none can have: it would be left out in silence."""
    for name in options:
        if name not in _OPTIONS:
            raise _unknown("option", name, operation, (*arguments, *_OPTIONS))
    fault = option_fault(options.get("timeout"), options.get("max_retries", 0))
    if fault is not None:
        raise _refused(fault)


def path_of(operation: Operation, values: Mapping[str, Any]) -> str:
    """Path and query. Raises INVALID_REQUEST where a value would change the path."""
    left = {name: value for name, value in values.items() if value is not None}
    if operation.parameters is not None:
        for name in left:
            if name not in operation.parameters:
                raise _unknown("parameter", name, operation, operation.parameters)

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        value = str(left.pop(name, ""))
        # "." and ".." are steps in a path, however they are encoded
        if value in ("", ".", ".."):
            raise _refused(f'Parameter {name} of {operation.id} is "{value}": it must not be empty, "." or "..".')
        return urllib.parse.quote(value, safe="")

    path = re.sub(r"\{(\w+)\}", fill, operation.path)
    texts = {name: ("true" if value else "false") if isinstance(value, bool) else str(value) for name, value in left.items()}
    return f"{path}?{urllib.parse.urlencode(texts)}" if texts else path


def first_cursor(operation: Operation, values: Mapping[str, Any]) -> str:
    given = values.get(operation.next or "")
    return str(given) if given is not None else ("1" if operation.next == "page" else "")


def next_cursor(operation: Operation, page: Mapping[str, Any], current: str) -> str | None:
    """The cursor of the next page; None on the last one."""
    if operation.next == "after":
        after = page.get("after")
        return after if page.get("hasMore") is True and isinstance(after, str) else None
    pagination = page.get("pagination")
    if not isinstance(pagination, dict) or pagination.get("hasNextPage") is not True:
        return None
    stated = pagination.get("currentPage")
    return str((stated if isinstance(stated, int) else int(current)) + 1)


def repeated(current: str, following: str) -> SightlineError:
    return SightlineError("CURSOR_REPEATED", f"The page after {current or 'the first one'} is {following} again.")
