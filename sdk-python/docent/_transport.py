"""Sends requests: the key, JSON, time limits, retries and errors of all calls."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping

_LONGEST_RETRY_AFTER = 60.0


class DocentError(Exception):
    """A call that failed. `status` is 0 and `code` CONNECTION_FAILED if nobody answered."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "CONNECTION_FAILED",
        details: Any = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details = details
        self.request_id = request_id


@dataclass(frozen=True)
class Options:
    """Options of one call; what is None is as the client has it."""

    headers: Mapping[str, str] = field(default_factory=dict)
    #: Seconds without a byte of the answer.
    timeout: float | None = None
    #: How often the call is repeated at most; 0: never.
    max_retries: int | None = None


@dataclass(frozen=True)
class Body:
    """A body that is no JSON, made anew for each attempt."""

    open: Callable[[], Iterable[bytes]]
    content_type: str
    length: int
    can_repeat: bool


def new_object_id() -> str:
    return f"{int(time.time()):08x}{secrets.token_hex(8)}"


def segment(id: str) -> str:
    """An id as part of a path, escaped. What a URL leaves out or takes as a step up would make it another path."""
    if id in ("", ".", ".."):
        raise DocentError(f"{id!r} is no id", code="INVALID_ID")
    return urllib.parse.quote(id, safe="")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves redirects alone, which would send the key to another host."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


class Transport:
    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        timeout: float,
        max_retries: int,
        headers: Mapping[str, str],
    ) -> None:
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"{base_url!r} is no http or https URL")
        path = parts.path.rstrip("/") or "/v1"
        self._base = f"{parts.scheme}://{parts.netloc}{path}"
        # The value that browsers send: the server then sends no file by way of another host.
        own = {"sec-fetch-mode": "cors"} if api_key is None else {"sec-fetch-mode": "cors", "x-api-key": api_key}
        self._headers = {**headers, **own}
        self._timeout = timeout
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def json(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        options: Options | None = None,
    ) -> Any:
        """The parsed answer; its `data` where it has one."""
        with self.open(method, path, query, body, options) as response:
            try:
                reply = json.load(response)
            except ValueError as error:
                raise DocentError("The answer is not JSON", code="INVALID_ANSWER") from error
        return reply["data"] if isinstance(reply, dict) and "data" in reply else reply

    def open(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        options: Options | None = None,
    ) -> http.client.HTTPResponse:
        """A good answer, whose body is still to be read and closed."""
        options = options or Options()
        headers = {**self._headers}
        if method in ("POST", "DELETE"):
            headers["idempotency-key"] = new_object_id()
        headers.update(options.headers)
        given = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
        url = f"{self._base}{path}" + (f"?{urllib.parse.urlencode(given)}" if given else "")
        can_repeat = not isinstance(body, Body) or body.can_repeat
        allowed = self._max_retries if options.max_retries is None else options.max_retries
        timeout = self._timeout if options.timeout is None else options.timeout
        retries = 0
        while True:
            try:
                request = _request_of(method, url, headers, body)
                return self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                failure, retry_after = _error_of(error), error.headers.get("retry-after")
            except (OSError, http.client.HTTPException) as error:
                failure, retry_after = _unreachable(url, error), None
            wait = _wait_of(retries, retry_after)
            if not can_repeat or retries >= allowed or not _is_temporary(failure) or wait is None:
                raise failure
            retries += 1
            time.sleep(wait)


def _request_of(method: str, url: str, headers: dict[str, str], body: Any) -> urllib.request.Request:
    headers = {**headers}
    data: Any = None
    if isinstance(body, Body):
        data = body.open()
        headers.update({"content-type": body.content_type, "content-length": str(body.length)})
    elif body is not None:
        data = json.dumps(body).encode()
        headers["content-type"] = "application/json"
    return urllib.request.Request(url, data=data, headers=headers, method=method)


def _text_of(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _error_of(error: urllib.error.HTTPError) -> DocentError:
    request_id = error.headers.get("x-request-id")
    if error.code in (301, 302, 303, 307, 308):
        return _redirected(error)
    try:
        told = json.load(error)
        return DocentError(
            str(told.get("message") or f"Status {error.code}"),
            status=error.code,
            code=str(told.get("error_code") or f"HTTP_{error.code}"),
            details=told.get("details"),
            request_id=request_id,
        )
    except (ValueError, AttributeError, OSError):
        return DocentError(f"Status {error.code}", status=error.code, code=f"HTTP_{error.code}", request_id=request_id)
    finally:
        error.close()


def _redirected(error: urllib.error.HTTPError) -> DocentError:
    error.close()
    here, there = error.geturl(), urllib.parse.urljoin(error.geturl(), error.headers.get("location") or "")
    origins = ["://".join(urllib.parse.urlsplit(url)[:2]) for url in (here, there)]
    place = origins[1] if origins[0] != origins[1] else there.partition("?")[0]
    return DocentError(f"The server at {origins[0]} redirects to {place}: give that as base_url", code="REDIRECTED")


def _unreachable(url: str, error: Exception) -> DocentError:
    origin = "://".join(urllib.parse.urlsplit(url)[:2])
    reason = getattr(error, "reason", error)
    code = "TIMEOUT" if isinstance(reason, TimeoutError) else "CONNECTION_FAILED"
    failure = DocentError(f"The server at {origin} cannot be reached: {reason}", code=code)
    failure.__cause__ = error
    return failure


def _is_temporary(error: DocentError) -> bool:
    if error.code in ("AGENT_FAILED", "REDIRECTED"):
        return False
    return error.status in (0, 429) or error.status >= 500 or error.code == "REQUEST_IN_PROGRESS"


def _wait_of(retries: int, retry_after: str | None) -> float | None:
    """Seconds before the next attempt; None if the server wants to be left alone for longer."""
    if retry_after:
        try:
            asked = float(retry_after)
        except ValueError:
            date = email.utils.parsedate_tz(retry_after)
            asked = email.utils.mktime_tz(date) - time.time() if date else -1.0
        if asked > _LONGEST_RETRY_AFTER:
            return None
        if asked >= 0:
            return asked
    return min(8.0, 0.5 * 2**retries) * (0.5 + random.random() / 2)
