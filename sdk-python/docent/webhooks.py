"""Deliveries to webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Sequence

from ._transport import DocentError
from ._types import WebhookBody

_TOLERANCE = 300


def unwrap(body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str]) -> WebhookBody:
    """
    Checks that a delivery is from this service and at most five minutes old, and reads its body.

    `body` is what came, not parsed. With several secrets, one that fits is enough: after a rotation both are good for
    24 hours. Raises DocentError with the code WEBHOOK_SIGNATURE_INVALID or WEBHOOK_SECRET_INVALID, and for an event
    of the workspace WEBHOOK_KIND_UNEXPECTED.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    found = {name.lower(): value for name, value in headers.items()}
    identity, timestamp = found.get("webhook-id"), found.get("webhook-timestamp")
    signatures = found.get("webhook-signature")
    if not identity or not timestamp or not signatures:
        raise _refusal("webhook-id, webhook-timestamp and webhook-signature are needed: give the headers as they came")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > _TOLERANCE:
        raise _refusal(f"It was not signed within the last {_TOLERANCE} seconds: see that the clock is right")
    signed = f"{identity}.{timestamp}.".encode() + raw
    for one in [secret] if isinstance(secret, str) else secret:
        expected = base64.b64encode(hmac.new(_key_of(one), signed, hashlib.sha256).digest())
        for signature in signatures.split(" "):
            version, _, value = signature.partition(",")
            if version == "v1" and hmac.compare_digest(expected, value.encode()):
                return _result_of(json.loads(raw))
    raise _refusal("No signature fits: give the secret of this workspace, and the body as it came, not parsed")


def _result_of(delivered: Any) -> WebhookBody:
    if "status" in delivered:
        return delivered
    raise DocentError("This delivery is an event of the workspace, no result", code="WEBHOOK_KIND_UNEXPECTED")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise DocentError("A webhook's secret is whsec_ and base64", code="WEBHOOK_SECRET_INVALID")
    return key


def _refusal(message: str) -> DocentError:
    return DocentError(message, code="WEBHOOK_SIGNATURE_INVALID")
