"""Files on their way to the server."""

from __future__ import annotations

import io
import os
import secrets
from typing import BinaryIO, Callable, Iterator, Union

from ._transport import Body

#: Path of a file, its bytes, or a file that was opened for reading bytes, and can be sought in.
Content = Union[str, "os.PathLike[str]", bytes, BinaryIO]
#: Told how many bytes of how many have left.
Progress = Callable[[int, int], None]

_CHUNK = 1 << 16


def form_of(content: Content, name: str | None, virtual_user_email: str | None, on_progress: Progress | None) -> Body:
    """The file as a form, read as it is sent."""
    path = os.fspath(content) if isinstance(content, (str, os.PathLike)) else None
    title = name or (os.path.basename(path) if path is not None else None) or "file"
    start = 0
    if isinstance(content, (str, os.PathLike)):
        # A path that cannot be opened fails here, and not as a connection that broke.
        with open(content, "rb") as opened:
            size = os.fstat(opened.fileno()).st_size
    elif isinstance(content, bytes):
        size = len(content)
    else:
        start = content.tell()
        size = content.seek(0, io.SEEK_END) - start
    boundary = secrets.token_hex(16)
    fields = "" if virtual_user_email is None else _part(boundary, "virtual_user_email") + f"\r\n\r\n{virtual_user_email}\r\n"
    head = (fields + _part(boundary, "file", title) + "\r\ncontent-type: application/octet-stream\r\n\r\n").encode()
    tail = f"\r\n--{boundary}--\r\n".encode()

    def chunks() -> Iterator[bytes]:
        yield head
        file: BinaryIO
        if isinstance(content, (str, os.PathLike)):
            file = open(content, "rb")
        elif isinstance(content, bytes):
            file = io.BytesIO(content)
        else:
            file = content
            file.seek(start)
        sent = 0
        try:
            while chunk := file.read(_CHUNK):
                yield chunk
                sent += len(chunk)
                if on_progress:
                    on_progress(sent, size)
        finally:
            if file is not content:
                file.close()
        yield tail

    # A second upload of the same bytes is harmless: it goes by itself when nobody uses it.
    return Body(chunks, f"multipart/form-data; boundary={boundary}", len(head) + size + len(tail), can_repeat=True)


def _part(boundary: str, name: str, file_name: str | None = None) -> str:
    escaped = (file_name or "").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    return f'--{boundary}\r\ncontent-disposition: form-data; name="{name}"' + (f'; filename="{escaped}"' if file_name else "")
