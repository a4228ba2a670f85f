"""Uses Textual's private parts to write frames and to replace its driver.

Only this module and `lean_textual`, which shortens the start, use private parts.

- `App._display`, `Screen._compositor` and the updates in `textual._compositor`: `frame_diff`
  decides which part of a frame is written. At 120 by 40 an action of another player costs 2.3 KB.
  Textual itself writes 33 KB, or 17 KB if widgets are refreshed row by row. A cursor's move costs
  1.1, 6.2 and 3.3 KB (`scripts/bench tui`, medians).
- `App._driver`: Textual has a public way to the terminal only for the bell.
- `getincrementaldecoder` in the driver's module: without replacing it, typed bytes that are not
  UTF-8 end the program, and a closed terminal keeps a core busy.
- `WriterThread` in that module: see `terminal_writer`.
- `CommandPalette._start_no_matches_countdown`: its sentence is in English, and comes late.
- `re_word` in Rich's wrapping, which Textual uses too: without replacing it, lines break at
  no-break spaces, so that a French question mark may begin a line.
- `App._notifications` and `App._unnotify`: a notification that has become untrue is withdrawn.

`INTACT` is True if Textual still writes frames as this module expects. Otherwise Textual writes
frames itself, which only costs more bytes. If `App._driver` is missing, no bell, title or notice is
sent. Without the palette's method, the palette shows Textual's own sentence. Without the last two
parts, notifications stay for their whole time.
"""

import asyncio
import os
import re
import sys
import time
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

import rich._wrap
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.text import Text
from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Resize
from textual.geometry import Offset
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput
from textual.screen import Screen
from textual.strip import Strip

from driflamme_tui.drawing.frame_diff import ASK, REST_S, TerminalContents, has_italics
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.drawing.terminal_answers import LATE_ANSWER, can_answer
from driflamme_tui.drawing.terminal_writer import TerminalWriter

try:
    from textual._compositor import Compositor, CompositorUpdate, LayoutUpdate
except ImportError:
    Compositor = CompositorUpdate = LayoutUpdate = type("Unknown", (), {})  # type: ignore[assignment,misc]


if TYPE_CHECKING:
    from textual.command import CommandPalette

    _Palette = CommandPalette
else:
    # Only the type checker needs this base: at run time the class gets `CommandPalette` as another
    # base, and the palette's module is not imported here.
    _Palette = object


def _is_intact() -> bool:
    try:
        parameters: dict[Callable[..., Any], str] = {
            App._display: "self screen renderable",
            Compositor.render_strips: "self size",
            LayoutUpdate: "strips region",
            CompositorUpdate.render_segments: "self console",
        }
        return all(" ".join(signature(part).parameters) == parameters[part] for part in parameters)
    except AttributeError:
        return False


_WORD: Final = re.compile(r"[^\S\u00a0\u202f]*[\S\u00a0\u202f]+[^\S\u00a0\u202f]*")
"""Matches a word with the spaces around it; no-break spaces are parts of words."""

if hasattr(rich._wrap, "re_word"):
    rich._wrap.re_word = _WORD

TITLES: Final = ("\x1b]", "\x1bP", "\x1b[22;2t", "\x1b[23;2t")
"""Beginnings of sequences that set or store the title, or show a notice."""

GONE_S: Final = 0.05
"""Seconds to wait after each read of a closed terminal."""

INTACT: Final = _is_intact()
"""True if the installed Textual writes frames in the way that this module expects."""


class FrameUpdate(CompositorUpdate):
    """The update of a frame: only the parts that the terminal does not show yet."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.written = False
        """True if Textual has asked for the update."""

    def render_segments(self, console: Console) -> str:
        """Return the text to write, and record that Textual has asked for it."""
        self.written = True
        return self.text


def write(app: App[Any], texts: Iterable[str]) -> None:
    """Write texts that are not part of a frame, in order with the frames.

    Without a driver, before the start and after the end of the app, write nothing.
    """
    driver = getattr(app, "_driver", None)
    if driver is not None:
        for text in texts:
            driver.write(text)


def picture_of(screen: Screen[Any]) -> list[Strip]:
    """Return the rows that a screen shows now, as Textual has composed them."""
    return screen._compositor.render_strips()


class _InputDecoder:
    """Decodes typed bytes, and notices a closed terminal."""

    def __init__(self, encoding: str, on_gone: Callable[[], object]) -> None:
        self._decoder: IncrementalDecoder = getincrementaldecoder(encoding)(errors="replace")
        self._on_gone = on_gone

    def decode(self, data: bytes, final: bool = False) -> str:
        """Decode typed bytes, and leave out late answers of the terminal.

        No bytes at all mean a closed terminal: then call `on_gone`, since Textual does not react.
        """
        if not data and not final:
            self._on_gone()
            # Textual reads again at once until its driver stops, so sleep.
            time.sleep(GONE_S)
        return LATE_ANSWER.sub("", self._decoder.decode(data, final))


class FrameDiffApp(App[None]):
    """An app that sends only changes to the terminal, and measures the speed of the connection."""

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self._shown = TerminalContents(italics=has_italics(os.environ))
        self._cursor_at: Offset | None = None
        """The terminal's last cursor position; None if it is unknown."""
        self.terminal = Terminal(self.signal)
        """The terminal's look, and the time."""
        self._answers = False
        """True once the terminal has answered a query."""
        self._query_at: float | None = None
        """The time of the last query, by the clock of Textual's messages; None before the first."""
        self._query_behind = 0
        """Number of bytes that were written just before the last query."""
        self._writer: TerminalWriter | None = None
        self._terminal_loop: asyncio.AbstractEventLoop
        self._has_skipped = False
        """True if a frame was skipped because the terminal was behind."""

    def failure_report(self, error: BaseException | None) -> str:
        """Return the text that the app prints after it has failed.

        The text contains no value of a variable.
        """
        return type(error).__name__

    def _fatal_error(self) -> None:
        """End the app after an unhandled error, with its report.

        Textual would print a traceback with local variables, among them hidden cards and secrets.
        """
        self.bell()
        self.panic(Text(self.failure_report(sys.exc_info()[1] or self._exception)))

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's driver with a robust decoder and writer."""
        driver = super().get_driver_class()
        module = sys.modules[driver.__module__]
        ours = {"getincrementaldecoder": self._decoder_class, "WriterThread": self._new_writer}
        for name, function in ours.items():
            if hasattr(module, name):
                vars(module)[name] = function
        return driver

    def _decoder_class(self, encoding: str) -> Callable[[], _InputDecoder]:
        return lambda: _InputDecoder(encoding, partial(self._call_in_loop, self.exit))

    def _new_writer(self, file: TextIO) -> TerminalWriter:
        # Store the loop before the driver starts: from then on it reads the terminal.
        self._terminal_loop = asyncio.get_running_loop()
        drained = partial(self._call_in_loop, self._catch_up)
        self._writer = TerminalWriter(file, drained, partial(self._call_in_loop, self.exit))
        return self._writer

    def _call_in_loop(self, function: Callable[[], object]) -> None:
        """Call a function in the event loop; any thread may call this."""
        # A closed loop runs no functions.
        with suppress(RuntimeError):
            self._terminal_loop.call_soon_threadsafe(function)

    def _catch_up(self) -> None:
        """Draw the present screen if a frame was skipped, once the terminal takes text again."""
        if self._has_skipped:
            self._has_skipped = False
            self.refresh()

    def signal(self, sent: Iterable[str]) -> None:
        """Send sequences that draw nothing: a bell, a notice, a title.

        The sequences go through Textual's driver: otherwise its thread could mix them with a frame.
        """
        if not self.is_headless:
            # Terminals of Emacs would show sequences for titles as text.
            knows = can_answer(os.environ)
            write(self, [each for each in sent if knows or not each.startswith(TITLES)])

    def on_resize(self, event: Resize) -> None:
        """Write the whole next frame: a resized terminal may have changed its contents."""
        self._shown.forget()

    def show_all_again(self) -> None:
        """Write the whole screen, because other programs have written on the terminal."""
        self._shown.forget()
        self._cursor_at = None
        self.refresh(layout=True)

    def _display(self, *args: Any) -> None:
        """Let Textual write only the changed part of a frame.

        While the terminal is behind, skip frames; `_catch_up` draws the last one.
        """
        screen, frame = args
        if self.is_headless or not INTACT or not isinstance(frame, CompositorUpdate):
            if frame is not None:
                self._shown.forget()
            super()._display(screen, frame)
            return
        if self._writer is not None and self._writer.is_behind():
            self._has_skipped = True
            return
        system = COLOR_SYSTEMS.get(self.console.color_system or "", ColorSystem.TRUECOLOR)
        if isinstance(frame, LayoutUpdate):
            strips = [Strip.join(row) for row in frame.strips]
        else:
            strips = picture_of(screen)
        update: Any = FrameUpdate(self._shown.change(strips, system))
        if not update.text and self._cursor_at == self.cursor_position:
            return
        self._cursor_at = self.cursor_position
        super()._display(screen, update)
        if not update.written:
            self._shown.forget()
        self._ask()

    def _ask(self) -> None:
        """Query the terminal, to measure when it has drawn the frame.

        Do nothing within `REST_S` after a query, or if the terminal never answers.
        """
        now = Message().time
        if self._answers and (self._query_at is None or now - self._query_at >= REST_S):
            self._query_at, self._query_behind = now, self._shown.written
            write(self, [ASK])

    def on_terminal_supports_synchronized_output(
        self, message: TerminalSupportsSynchronizedOutput
    ) -> None:
        """Record the time of an answer. The first one answers Textual's own query."""
        self._answers = True
        if self._query_at is not None:
            self.terminal.speed.record_answer(self._query_behind, message.time - self._query_at)


def terminal_of(widget: DOMNode) -> Terminal:
    """Return the terminal that shows a widget."""
    return cast(FrameDiffApp, widget.app).terminal


class QuickPalette(_Palette):
    """A base class for the command palette. It reports an empty result at once, translated."""

    nothing_fits = ""
    """The sentence for a search without results. Each subclass must set it."""

    def _start_no_matches_countdown(self, search_value: str) -> None:
        from textual.command import CommandList
        from textual.widgets.option_list import Option

        if search_value:
            nothing = Option(self.nothing_fits, self._NO_MATCHES, disabled=True)
            self.query_one(CommandList).add_option(nothing)
        self._list_visible = bool(search_value)


def withdraw_notification(app: App[Any], sentence: str) -> None:
    """Remove all notifications that show `sentence`, before they expire."""
    with suppress(AttributeError):
        for notification in [*app._notifications]:
            if notification.message == sentence:
                app._unnotify(notification)


def place_notices(screen: Screen[Any], below: int) -> None:
    """Leave this many rows free below a screen's notifications."""
    from textual.widgets._toast import ToastRack

    for rack in screen.query(ToastRack):
        rack.styles.margin = (0, 0, below, 0)
