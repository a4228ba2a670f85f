"""Shows the result: the winner and the reason, everybody's figures, and an offer to play again."""

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import Static

from driflamme_tui.drawing.palette import DEFAULT
from driflamme_tui.keymap.command_type import Command, Entry, one_line
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import ScrollCommands, SessionCommands, retrying
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import save_in_folder
from driflamme_tui.screens.base.messages import LookBack, ShowResult
from driflamme_tui.screens.countdown import soonest
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.overlays.shared_overlay import share
from driflamme_tui.screens.result_texts import ResultTexts
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.progress_chart import ProgressChart
from driflamme_tui.wording.game.result_words import headline, reason
from driflamme_tui.wording.program.evening_words import (
    again_words,
    evening_headline,
    game_words,
    start_words,
    victories_sentence,
)
from driflamme_tui.wording.program.holder_words import holder_sentences
from driflamme_tui.wording.program.people_words import levels_of
from driflamme_tui.wording.program.settings_words import free_families
from engine.ranking import ranking_of_owners
from engine.record import Record
from engine.replaying import Replay
from netcode.protocol.messages import BackToLobby


class ResultCommands(SessionCommands, ScrollCommands, prefix="result"):
    """Commands of the result: another game, the replay and its moments, sharing, and the lobby."""

    again = Command(
        "enter",
        "ready",
        "ask for another game with the same people",
        "again",
    )
    table = Command("v", "table", "see the table as it was at the end", "table")
    course = Command(
        "c",
        "course",
        "show a chart of influence over the game, or the ranking again",
        "chart",
    )
    replay = Command(
        "r",
        "replay",
        "replay the game, step by step",
        "replay",
    )
    moment = one_line(
        "result.moment",
        "123",
        "moment('{}')".format,
        "replay one of the moments that decided the game",
    )
    mistakes = Command(
        "m",
        "mistakes",
        "learn from your mistakes: your accuracy, and your costliest decisions",
        "mistakes",
    )
    share = Command(
        "h",
        "share",
        "copy a summary of the game for others",
        "share",
    )
    save = Command("s", "save", "save the record of the game to a file", "save")
    lobby = Command(
        "l",
        "lobby",
        "the host: go back to the lobby with everybody",
        "lobby",
    )
    retry = retrying(replay)
    leave_table = Command("q,escape", "leave", "leave the table", "leave")
    bar = (
        "retry* again* replay* mistakes share lobby* talk course up/down save table people "
        "leave_table"
    )


GROWING_S: Final = 0.8
"""Seconds in which the bars grow to their full length."""
FRAME_S: Final = 1 / 12
"""Seconds for each frame while the bars grow."""

TALK_PART: Final = 7
"""Rows of the screen for each row of the chat."""
FEWEST_TALK_ROWS: Final = 2
"""Minimum rows of the chat."""

WIDE_COLUMNS: Final = 160
"""Minimum columns of the terminal for showing the parts side by side."""
TALL: Final = 50
"""Minimum rows for a larger chart, if there are two columns."""
SPACED_ROWS: Final = 24
"""Minimum rows for spaced letters in the winner's band."""
LOW: Final = 36
"""Number of rows of the screen below which the winner's band has one row, and the chart is
lower.
"""


class ResultScreen(GatheringScreen, commands=ResultCommands):
    """The screen after a game."""

    has_many_keys = True
    _playback: Playback | None = None
    """The replay of the game, at its end; None without a record."""
    _grows_from: float | None = None
    """The time, by the terminal's clock, at which the bars began to grow.

    None once they have grown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE_COLUMNS, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (LOW, "-high"), (TALL, "-tall")]

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Most commands need the record of the game."""
        if command in ResultCommands.moment.values():
            return self.has_moments
        match command:
            case ResultCommands.again:
                return self.may_get_ready
            case ResultCommands.course | ResultCommands.share | ResultCommands.save:
                return self.player_seat.session.record is not None
            case ResultCommands.mistakes:
                is_seated = bool(self.player_seat.session.player_seats)
                return is_seated and self.player_seat.session.record is not None
            case ResultCommands.replay:
                return self.player_seat.session.record is not None and self.player_seat.lost is None
            case ResultCommands.lobby:
                return self.player_seat.is_host
        return super().is_possible(command)

    def parts(self) -> ComposeResult:
        """Yield the winner and all figures, which scroll, and then the offer to play again."""
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static(id="band")
            yield Static(id="why")
            with Container(id="columns"):
                with Vertical():
                    yield Static(id="ranking")
                    yield Static(id="moments")
                    yield ProgressChart(id="course")
                    yield Static(id="legend")
                with Vertical():
                    yield Static(id="cards")
                    yield Static(id="values")
        yield Static(id="again")
        yield Static(id="others")
        yield TalkPanel(id="talk-below")

    def on_mount(self) -> None:
        """Let the bars grow, unless animations are off or the terminal is slow."""
        if self.app.animation_level != "none" and not self.terminal.speed.is_slow:
            self._grows_from = self.terminal.clock()

    def sync(self) -> None:
        """Redraw everything from the session. Before the end of the game, do nothing."""
        session = self.player_seat.session
        if session.view is None or not session.view.over:
            return
        self.query_one(TalkPanel).display = there = self.talking or bool(session.talk)
        if there:
            self.show_talk(max(FEWEST_TALK_ROWS, self.size.height // TALK_PART))
        chart = self.query_one(ProgressChart)
        chart.playback, chart.display = self.playback, self.playback is not None
        chart.redraw()
        super().sync()

    def heading(self) -> str:
        """Return the title of the screen."""
        return _("Result")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return all texts of the screen, and set the colour of the winner's band."""
        session, lobby = self.player_seat.session, self.lobby
        view, names, owners = session.view, session.names(), session.owners()
        assert view is not None
        won, why = headline(view, names, owners), reason(view, names, owners)
        seat = ranking_of_owners(view, owners)[0][0][0]
        if decided := evening_headline(lobby):
            leaders = [each.name for each in lobby.evening.leaders]
            seat = next((at for at, name in enumerate(names) if name in leaders), seat)
            won, why = decided, won
        hue = self.terminal.palette.families[view.families[seat]].hue
        if hue != DEFAULT:
            self.query_one("#band").styles.background = hue
        result_texts = ResultTexts(
            view=view,
            names=names,
            levels=levels_of(lobby.seats, view.families),
            owners=owners,
            events=session.events,
            playback=self.playback,
            doubts=self.sections.doubts(),
            page=self,
        )
        lost, (notice, good) = self.lost_title(), self.notice_line()
        large, space = " ".join(won.upper()), self.size.width - 8
        spaced = self.size.height >= SPACED_ROWS and cell_len(large) <= space
        record = session.record
        changes = () if record is None else holder_sentences(record.players)
        of_wings = self.sections.every(lambda each: each.result(names))
        sentences = filter(None, (why, *changes, victories_sentence(lobby), *of_wings))
        return {
            **super().texts(),
            "summary": self.text((lost, "alert") if lost else game_words(lobby)),
            "band": self.text((large if spaced else won, "chosen" if hue == DEFAULT else "")),
            "why": self.text(("\n".join(sentences), "mute")),
            "ranking": result_texts.ranking(self._grown()),
            "legend": result_texts.legend(),
            "cards": result_texts.cards(),
            "moments": result_texts.moments(),
            "values": result_texts.values() or Text(),
            "again": self._again(),
            "others": self.text((again_words(lobby), "mute")),
            "notice": self.text((notice, "bold" if good else "alert")),
        }

    def _again(self) -> Text:
        """Return a button for the next game, or the reason why the table waits.

        During a countdown the button shows the time. Returns an empty text if the reader is ready,
        or watches without a free seat.
        """
        lobby, name = self.lobby, key(ResultCommands.again, self.glyphs)
        own, count = lobby.your_seat, self.count
        if waits := self.sections.waits():
            return self.text((waits, "bold"))
        text = ""
        if count:
            text = start_words(count, name if own is not None else "")
        elif own is None and free_families(lobby):
            text = _("{key}: sit down for the next game")
        elif own is not None and not own.ready:
            text = _("{key}: another game with the same people")
            if evening_headline(lobby):
                text = _("{key}: another evening with the same people")
        return self.link(f" {text.format(key=name)} ", "ready", "chosen") if text else Text()

    @property
    def playback(self) -> Playback | None:
        """The replay of the game, at its end; None without a record."""
        record = self.player_seat.session.record
        if record is None:
            return None
        if self._playback is None or self._playback.replay.record is not record:
            self._playback = Playback(Replay.of(record))
            self._playback.go(self._playback.replay.last)
        return self._playback

    # Time

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the screen changes by itself; None if it stays."""
        return soonest(super().next_change(now), None if self._grows_from is None else FRAME_S)

    def tick(self) -> None:
        """Redraw the bars and the countdown, and set the next timer.

        Once the bars have their full length, end the animation.
        """
        if self._grown() >= 1:
            self._grows_from = None
        super().tick()

    def on_key(self, _event: events.Key) -> None:
        """At any key, end the animation of the bars, and show them in full length."""
        if self._grows_from is not None:
            self._grows_from = None
            self.sync()

    def _grown(self) -> float:
        """Return the present part of the bars' full length, from 0 to 1."""
        if self._grows_from is None:
            return 1.0
        return min(1.0, (self.terminal.clock() - self._grows_from) / GROWING_S)

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry. The label of another game depends on the reader's seat."""
        words = self.ready_words() if entry == ResultCommands.again else ""
        return words or super().entry_words(entry)

    @property
    def has_moments(self) -> bool:
        """True if the game has moments that decided it."""
        return self.playback is not None and bool(self.playback.turning_points)

    def _record(self) -> Record | None:
        """Return the record of the game; without one, show a notice and return None."""
        record = self.player_seat.session.record
        if record is None:
            self.show_notice(
                _("The table has not sent the record of this game: wait a moment, then try again.")
            )
        return record

    def action_replay(self) -> None:
        """Open the replay of the game; without a record, only show a notice.

        While the connection is lost, try to reconnect instead.
        """
        if not self.player_seat.retry() and (record := self._record()) is not None:
            self._look_back(record)

    def _look_back(self, record: Record, step: int = 0, *, learns: bool = False) -> None:
        """Open the replay of the game at a step. With `learns`, judge the reader's decisions."""
        own = self.player_seat.session.player_seats
        self.app.post_message(LookBack(Replay.of(record), step, own, learns=learns))

    def action_mistakes(self) -> None:
        """Open the replay of the game, with the reader's decisions judged.

        Without a record, only show a notice. A spectator must first choose the judged seat.
        """
        if (record := self._record()) is not None:
            self._look_back(record, learns=True)

    def action_seek(self, step: int) -> None:
        """Open the replay at the clicked step. Without a record, only show a notice."""
        if (record := self._record()) is not None:
            self._look_back(record, step)

    def action_moment(self, number: str) -> None:
        """Open the replay at a moment that decided the game, by the moment's number from 1.

        If the game has fewer such moments, do nothing. Without a record, only show a notice.
        """
        if (record := self._record()) is not None and self.playback is not None:
            steps = [*self.playback.turning_points][int(number) - 1 : int(number)]
            for step in steps:
                self._look_back(record, step)

    def action_save(self) -> None:
        """Write the record of the game into a file, and show the path or the error.

        Without a record, only show a notice about its absence.
        """
        if (record := self._record()) is not None:
            sentence, good = save_in_folder(record, self.terminal.folder, self.size.width - 4)
            self.show_notice(self.glyphs.plain(sentence), good=good)

    def action_share(self) -> None:
        """Copy a summary of the game to the clipboard, and show the copied text.

        Without a record of the game, only show a notice.
        """
        if self._record() is not None and self.playback is not None:
            self.show_notice("")
            share(self.app, self.playback.replay, self.glyphs)

    def action_table(self) -> None:
        """Show the table at the end of the game."""
        self.app.post_message(ShowResult(is_shown=False))

    def action_course(self) -> None:
        """Scroll to the chart of influence. If the page is scrolled already, scroll to the top."""
        if self.scrolled.scroll_y:
            self.action_edge(-1)
        else:
            self.scrolled.scroll_to_widget(self.query_one("#course"), animate=False, top=True)

    def action_lobby(self) -> None:
        """Ask the host's table to return to the lobby, with everybody."""
        self.player_seat.send(BackToLobby())
