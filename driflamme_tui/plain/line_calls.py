"""Rings the bell for a player without a screen who has not typed for a while."""

from collections.abc import Callable

from driflamme_tui.preferences.player_calls import PATIENCE_S
from driflamme_tui.preferences.settings import ALL, NONE
from driflamme_tui.wording.program.call_words import CallWords
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.messages import State


class LineCalls:
    """Rings the bell for the player's turn and for news of the table.

    A terminal without a screen does not report its focus. So the bell does not ring for a player
    who has typed within `PATIENCE_S`.
    """

    def __init__(self, ring: Callable[[], object], calls: str, clock: Callable[[], float]) -> None:
        """Set when to call, according to the player's setting `calls`.

        Args:
            ring: Rings the bell.
            calls: A value of the setting `calls`: the events that call the player.
            clock: Returns the monotonic time in seconds.
        """
        self._ring, self._calls, self._clock = ring, calls, clock
        self._words = CallWords()
        self._typed_at = clock()

    def typed(self) -> None:
        """Record that the player has typed a line."""
        self._typed_at = self._clock()

    def handle(self, news: News, session: Session) -> None:
        """Ring if this news is one of the events in `calls`, unless the player has typed recently.

        Call this after the session has received the news.
        """
        sentence = self._words.sentence(news, session)
        view = session.view
        is_turn = isinstance(news, State) and view is not None and bool(view.legal)
        calls = is_turn or (bool(sentence) and self._calls == ALL)
        if calls and self._calls != NONE and self._clock() - self._typed_at >= PATIENCE_S:
            self._ring()
