"""Client of Docent's HTTP API."""

from ._answers import Answer, AnswerStream
from ._transport import DocentError, Options
from ._indexing import Indexed
from ._lists import Listing
from .client import Docent
from .webhooks import unwrap

__all__ = ["Answer", "AnswerStream", "Docent", "DocentError", "Indexed", "Listing", "Options", "unwrap"]
