"""What may reach a screen, and when: nothing before it is composed, and nothing once it has gone.

Whatever comes from a thread, another process or the network comes when it likes, and a screen is
composed and taken away in steps of which others see the middle. So results go through the screen's
own queue of messages (`deliver`, `in_background`), which Textual empties from its composition to
its end. Who calls a screen directly asks first whether it `is_whole`.
"""

from collections.abc import Callable, Mapping, Sequence
from inspect import isawaitable
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from textual import events
from textual.worker import Worker, WorkerState

if TYPE_CHECKING:
    from textual.widget import Widget as _Widget

    from driflamme_tui.screens.base.app_services import AppServices
else:
    # Textual takes a widget's style from its first base that is one, which must be the screen.
    _Widget = object

Show = Callable[[], object]
"""Shows what has come of some work, on the app's own thread; may be a coroutine function."""

_HEARD_WHEN_GONE = (events.Callback, events.Compose, events.ScreenSuspend, events.Unmount)
"""What Textual itself needs to take a screen away."""


class Lifecycle(_Widget):
    """Beside `Screen`, before it among the bases."""

    _latest: Mapping[str, Worker[Show]] = MappingProxyType({})
    """The worker of each group whose result is waited for."""

    @property
    def services(self) -> "AppServices":
        """What may be asked of the app; a screen of `play` alone declares `PlayServices`."""
        return cast("AppServices", self.app)

    @property
    def is_whole(self) -> bool:
        """Whether the screen has all its widgets: it is composed, and was not taken away."""
        return self.is_mounted and self.is_running and not self._is_gone

    @property
    def _is_gone(self) -> bool:
        """Whether the screen was taken away, or the app ends; maybe before it was composed."""
        stack: Sequence[object] = self.app.screen_stack
        return not (self.is_attached and self.app.is_running) or self not in stack

    async def on_event(self, event: events.Event) -> None:
        """Ignore keys, sizes and timers that come for a screen that was taken away."""
        if isinstance(event, _HEARD_WHEN_GONE) or not self._is_gone:
            await super().on_event(event)

    def deliver(self, show: Show) -> None:
        """Call something that touches widgets as soon as the screen has them, if it ever does.

        May be called from anywhere, threads included.
        """
        self.call_later(self._show, show)

    async def _show(self, show: Show) -> None:
        shown = None if self._is_gone else show()
        if isawaitable(shown):
            await shown

    def in_background(self, work: Callable[[], Show], *, group: str) -> None:
        """Do some work on a thread, and call what it returns once the screen can show it.

        Args:
            work: What takes long; it touches no widget.
            group: Of all that was begun in a group, only what was begun last is shown.
        """
        worker = self.run_worker(work, thread=True, exclusive=True, group=group)
        self._latest = {**self._latest, group: worker}

    async def on_worker_state_changed(self, message: Worker.StateChanged) -> None:
        """Show what has come of the work that was begun last in its group."""
        worker: Worker[Show] = message.worker
        latest = worker is self._latest.get(worker.group)
        if latest and message.state is WorkerState.SUCCESS and worker.result is not None:
            await self._show(worker.result)
