"""Turns the pages: which topics what happens brings up, and which have been read."""

from collections.abc import Iterable
from typing import Final

from driflamme_tui.lesson.tutor_pages import TOPICS, LessonPage, Situation, Topic

IDS: Final = frozenset(topic.id for topic in TOPICS)
"""The ids of all topics."""


class Tutor:
    """Knows what the learner has read, and what there is to read now."""

    def __init__(self, told: Iterable[str] = ()) -> None:
        """Begin with the topics that have been read already, by id."""
        self._told = dict.fromkeys(told)
        self._unread: list[tuple[Topic, int]] = []

    @property
    def told(self) -> tuple[str, ...]:
        """The topics that have been read, in that order."""
        return tuple(self._told)

    @property
    def topic(self) -> Topic | None:
        """What there is to read now, if there is anything."""
        return self._unread[0][0] if self._unread else None

    @property
    def page(self) -> LessonPage | None:
        """The page that is open."""
        if not self._unread:
            return None
        topic, number = self._unread[0]
        return topic.pages[number]

    @property
    def left(self) -> int:
        """How many pages there are to read now, the open one included."""
        return len(self._unread)

    def update(self, now: Situation) -> None:
        """Add the topics that what has just happened brings up."""
        waiting = {topic.id for topic, _ in self._unread}
        for topic in TOPICS:
            if topic.id not in self._told and topic.id not in waiting and topic.when(now):
                self._unread += [(topic, number) for number in range(len(topic.pages))]

    def turn(self) -> None:
        """Go on to the next page."""
        if self._unread:
            topic, _ = self._unread.pop(0)
            if self.topic is not topic:
                self._told[topic.id] = None
