"""Lists that come in pages."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, TypeVar

Item = TypeVar("Item")


class Listing(Generic[Item]):
    """A list: iterated it gives the items of all pages, each of which is asked for when it is needed."""

    def __init__(self, open_page: Callable[[int | None], Any], first: int | None) -> None:
        self._open_page = open_page
        self._first = first

    def page(self) -> Any:
        """The page that was asked for, as the server sends it."""
        return self._open_page(self._first)

    def pages(self) -> Iterator[Any]:
        """This page and all later ones."""
        page = self.page()
        number = page.get("page", page.get("pagination", {}).get("page", self._first or 0))
        seen = 0
        while True:
            count = len(_items_of(page))
            if count == 0 and seen > 0:
                return
            yield page
            seen += count
            total = page.get("pagination", {}).get("total_count", page.get("data_sources_count", {}).get("total", 0))
            if count == 0 or not page.get("has_more", seen < total):
                return
            number += 1
            page = self._open_page(number)

    def __iter__(self) -> Iterator[Item]:
        # Something new meanwhile moves others to a later page.
        seen: set[str] = set()
        for page in self.pages():
            for item in _items_of(page):
                known: str | None = item.get("id", item.get("_id"))
                if known is not None:
                    if known in seen:
                        continue
                    seen.add(known)
                yield item


def _items_of(page: Any) -> list[Any]:
    return [item for value in page.values() if isinstance(value, list) for item in value]
