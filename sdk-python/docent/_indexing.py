"""Files on their way into the search index."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._transport import DocentError, Transport, segment

if TYPE_CHECKING:
    from . import _types as t

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 1.0
_PAGE_SIZE = 500


@dataclass
class Indexed:
    """Files of a folder none of which waits any more."""

    successful: list[t.DataSource] = field(default_factory=list)
    #: Each says in `status_reason` why.
    failed: list[t.DataSource] = field(default_factory=list)


def wait_until_indexed(transport: Transport, knowledge_base_id: str, timeout: float) -> Indexed:
    ends_at = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        indexed, pending = _look_at(transport, knowledge_base_id)
        if pending == 0:
            return indexed
        if time.monotonic() + pause > ends_at:
            raise DocentError(f"{pending} files are not indexed yet", code="TIMEOUT")
        time.sleep(pause)
        pause = min(_LONGEST_PAUSE, pause * 1.5)


def _look_at(transport: Transport, knowledge_base_id: str) -> tuple[Indexed, int]:
    """What became of the files, and how many wait or are being indexed."""
    indexed, pending, page = Indexed(), 0, 0
    while True:
        query = {"page": page, "page_size": _PAGE_SIZE}
        found: Any = transport.json("GET", f"/knowledge-bases/{segment(knowledge_base_id)}/data-sources", query)
        for file in found["data_sources"]:
            if file.get("status") == "successful":
                indexed.successful.append(file)
            elif file.get("status") == "failed":
                indexed.failed.append(file)
            elif "status" in file:
                pending += 1
        page += 1
        if page * _PAGE_SIZE >= found["data_sources_count"]["total"]:
            return indexed, pending
