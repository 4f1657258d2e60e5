"""Answers as they come."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

from ._transport import DocentError
from ._types import Citation, Review, StreamEvent

_MOST_RESUMPTIONS = 20


@dataclass
class Answer:
    """An answer that was read to its end; `review` is set when the run waits for somebody's decision."""

    message_id: str
    text: str = ""
    citations: list[Citation] = field(default_factory=list)
    review: Review | None = None


class AnswerStream:
    """An answer, event by event, over connections that may break. It is read once."""

    def __init__(
        self,
        message_id: str,
        start: Callable[[], http.client.HTTPResponse],
        resume: Callable[[int], http.client.HTTPResponse],
    ) -> None:
        self.message_id = message_id
        self._answer = Answer(message_id)
        self._events = self._follow(start, resume)

    def __iter__(self) -> Iterator[StreamEvent]:
        return self._events

    def events(self) -> Iterator[StreamEvent]:
        return self._events

    def text(self) -> Iterator[str]:
        """Text of the answer, piece by piece."""
        for event in self._events:
            if event["type"] == "response":
                yield event["text"]

    def final(self) -> Answer:
        """Reads to the end. Raises DocentError with the code AGENT_FAILED or CANCELLED."""
        for _ in self._events:
            pass
        return self._answer

    def _follow(
        self, start: Callable[[], http.client.HTTPResponse], resume: Callable[[int], http.client.HTTPResponse]
    ) -> Iterator[StreamEvent]:
        last = -1
        breaks = 0
        response = start()
        while True:
            try:
                with response:
                    for data in event_lines(response):
                        if data == "[DONE]":
                            return
                        event = json.loads(data)
                        if event.get("sequence_number", last + 1) <= last:
                            continue
                        last = event.get("sequence_number", last)
                        breaks = 0
                        if event["type"] == "error":
                            code = "CANCELLED" if event["text"] == "cancelled" else "AGENT_FAILED"
                            raise DocentError(event["text"], code=code)
                        self._note(event)
                        yield event
            except (OSError, http.client.HTTPException):
                pass
            # It ended without [DONE]: the run goes on, and so does its reading.
            breaks += 1
            if breaks > _MOST_RESUMPTIONS:
                raise DocentError("The stream breaks again and again")
            time.sleep(min(5.0, 0.1 * 2 ** min(breaks, 6)))
            response = resume(last)

    def _note(self, event: Any) -> None:
        if event["type"] == "response":
            self._answer.text += event["text"]
        elif event["type"] == "review_request":
            self._answer.review = event["data"]["review"]
        elif event["type"] == "end_response":
            self._answer.citations = event["data"]["citations"]
            self._answer.review = None


def event_lines(response: http.client.HTTPResponse) -> Iterator[str]:
    """The data of each server-sent event."""
    data: list[str] = []
    for raw in response:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            yield "\n".join(data)
            data = []
