"""Yields a client's news one by one, so that tests can read them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, TypeVar

from netcode.client.connection import Connect
from netcode.client.reconnection import News, stay_connected
from netcode.client.session import Session

_T = TypeVar("_T")


async def news_of(
    stay: Callable[[Callable[[_T], None]], Coroutine[Any, Any, object]],
) -> AsyncGenerator[_T, None]:
    """Yield the news that `stay` reports, and raise its error if it fails.

    Closing the generator ends the connection.
    """
    queue: asyncio.Queue[_T | None] = asyncio.Queue()
    staying = asyncio.create_task(stay(queue.put_nowait))
    staying.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (news := await queue.get()) is not None:
            yield news
        await staying
    finally:
        staying.cancel()
        await asyncio.wait([staying])


def followed(
    connect: Connect, session: Session, name: str, **options: Any
) -> AsyncGenerator[News, None]:
    """Connect with retries, and yield the news."""
    return news_of(lambda on_news: stay_connected(connect, session, name, on_news, **options))
