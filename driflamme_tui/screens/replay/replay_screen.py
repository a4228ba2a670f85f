"""Looking back at a game: the table itself, with a transport in the place of the prompt.

Everything shown is what the chosen eyes could know at that step; `engine.replaying` sees to that.
The screen knows no session, so it shows the game of a file as well as the one just played.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from textual.app import ComposeResult

from driflamme_tui.drawing.layout import Layout
from driflamme_tui.drawing.queue_sizes import QueueRoom
from driflamme_tui.drawing.table_state import NO_EFFECT, Player, TableState
from driflamme_tui.keymap.screen_commands import EverywhereCommands
from driflamme_tui.keymap.table_commands import ReplayCommands
from driflamme_tui.replay.teacher import Teacher, decisions
from driflamme_tui.screens.replay.replay_controls import ReplayControls
from driflamme_tui.screens.table.table_zones import (
    change_card_size,
    hand_width,
    show_zones,
    table_zones,
)
from driflamme_tui.text.i18n import _, language
from driflamme_tui.widgets.key_bar import Key, Keys, commands_entry, entry, pair
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.replay_transport import Transport
from driflamme_tui.widgets.table.scrubber import ProgressChart
from driflamme_tui.widgets.table.side_panels import CardHelp, Events
from driflamme_tui.wording.game.event_words import Line, log_lines, table_names
from driflamme_tui.wording.program.replay_words import advice_sentence, heading
from engine.position import PLACE
from engine.ranking import owners_of
from engine.replaying import ALL, Eyes, Replay
from engine.view import View

CHART_ROWS: Final = 7
"""Rows below the hand from which the chart stands there by itself."""
CHART_LEAST: Final = 40
"""Minimum width of that chart, in columns."""
CHART_PART: Final = 0.55
"""The part of all columns that it has on a wider screen."""


if TYPE_CHECKING:
    from netcode.workers.worker_pool import WorkerPool


class ReplayScreen(ReplayControls):
    """A game, step by step."""

    def __init__(
        self, replay: Replay, eyes: Eyes = ALL, step: int = 0, *, taught: bool = False
    ) -> None:
        """Begin at a step, with somebody's eyes; `taught` is whether the teacher is there."""
        super().__init__(replay, eyes, step, taught=taught)
        self._owners = owners_of(replay.record.settings, len(self.names))
        self._rooms: dict[tuple[int, bool, Eyes], QueueRoom] = {}
        """For how many stacks, in a round and phase, the sizes have been chosen."""
        self._logs: dict[tuple[Eyes, str], list[list[Line]]] = {}
        """The sentences of each step, by eyes and language."""
        self._pool: WorkerPool | None = None
        """The processes that the teacher thinks in, once it has been asked for."""

    def make_pool(self) -> "WorkerPool":
        """Return the processes that the teacher thinks in: one is enough."""
        from netcode.workers.worker_pool import WorkerPool

        return WorkerPool(1)

    def zones(self) -> ComposeResult:
        """Those of the table, and below the Queue how one goes on."""
        return table_zones(Transport(id="transport"), below=(ProgressChart(id="course"),))

    async def on_unmount(self) -> None:
        """Let the teacher go."""
        if self._pool is not None:
            await self._pool.close()

    def relabel(self) -> None:
        """Word and draw everything anew."""
        self.notice, self.good = self._turning_words(), True
        super().relabel()

    # What is shown

    def state(self) -> TableState:
        """Return the present moment."""
        playback, replay, app = self.playback, self.replay, self.services
        frame = self._reel.frame
        log = [line for step in self._log()[: playback.step + 1] for line in step]
        view, effect = replay.seen(playback.step, playback.eyes), NO_EFFECT
        layout = self._layout(view)
        if frame is not None:
            view, effect, log = frame.view, frame.effect, log[: frame.told]
        players = replay.record.players
        return TableState(
            view=view,
            players=[
                Player(name, players[seat].bot if players else None)
                for seat, name in enumerate(self.names)
            ],
            glyphs=app.glyphs,
            layout=layout,
            cursor=self.cursor,
            looking=self.looking,
            mirrored=replay.record.settings.get("direction") == "left",
            heading=heading(replay.record)[::-1],
            log=[line for line in log if line[1]],
            effect=effect,
            laid_open=playback.eyes is ALL,
            owners=self._owners,
            hand_of=playback.eyes if isinstance(playback.eyes, int) else None,
        )

    def _log(self) -> list[list[Line]]:
        """Return the sentences of every step, as these eyes could know it."""
        eyes = self.playback.eyes
        key = eyes, language()
        if key not in self._logs:
            view = self.replay.seen(0, eyes)
            table = table_names(view, self.names, self._owners, self.services.glyphs)
            self._logs[key] = [
                log_lines(self.replay.told(step, eyes), table)
                for step in range(self.replay.last + 1)
            ]
        return self._logs[key]

    def _layout(self, view: View) -> Layout:
        """Return the layout, the same for a whole phase so that nothing shifts within."""
        placing = view.asked == PLACE
        key = view.round, placing, self.playback.eyes
        if key not in self._rooms:
            room = QueueRoom()
            for step, game in enumerate(self.replay.games):
                if (game.round, game.asked == PLACE) == key[:2]:
                    room = room.after(self.replay.seen(step, self.playback.eyes))
            self._rooms[key] = room
        return self._rooms[key].layout(
            *self.app.size,
            chosen=self.services.card_size,
            watching=0 if view.viewer is not None else view.players,
        )

    def sync(self) -> None:
        """Draw the present moment, and wait for the next."""
        self._teach()
        state = self.state()
        self._arrange(state)
        self._show_transport(state)
        course = self.query_one(ProgressChart)
        course.playback = self.playback
        advice = {} if self._teacher is None else self._teacher.advice
        judged = decisions(self.replay, self.playback.eyes) if self.taught else ()
        course.lost = None
        if self.taught:
            course.lost = {step: advice[step].lost for step in judged if step in advice}
        course.redraw()
        self.query_one(Keys).show(self._key_bar(state))
        self._wait()

    def _show_transport(self, state: TableState) -> None:
        transport = self.query_one(Transport)
        transport.playback = self.playback
        transport.state = state
        lines = self._log()[self.playback.step]
        # What somebody decided comes first; what it led to stands among the events.
        seat, sentence = lines[0]
        sign = "" if seat is None else f"{state.prompter.tag(seat)} "
        transport.happened = f"{sign}{sentence}"
        over = self.replay.games[self.playback.step].over
        view = self.replay.seen(self.playback.step, self.playback.eyes)
        transport.coming = "" if over else replace(state, view=view).prompter.waiting()
        transport.advice = self._advice(state)
        transport.notice, transport.good = self.notice, self.good
        transport.redraw()

    def _teach(self) -> None:
        """Have the teacher judge what is looked at, if that is wanted."""
        if not self.taught:
            return
        if self._teacher is None:
            self._pool = self.make_pool()
            self._teacher = Teacher(self.replay, self._pool, partial(self.deliver, self.sync))
        self._teacher.teach(self.playback.eyes, self.playback.step)

    def _advice(self, state: TableState) -> tuple[str, str]:
        """Return what the teacher says of the decision that led here, and the same in short."""
        step, eyes = self.playback.step, self.playback.eyes
        if not self.taught or step not in decisions(self.replay, eyes):
            return "", ""
        if self._teacher is None:
            return "", ""
        advice = self._teacher.advice.get(step)
        if advice is not None:
            # What was there to be known, and no more, was what the teacher went by.
            seen = self.replay.seen(step - 1, self.replay.games[step - 1].turn)
            prompter = replace(state, view=seen).prompter
            return advice_sentence(advice, prompter), advice_sentence(advice, prompter, short=True)
        waiting = _("The teacher is thinking.")
        if self._teacher.given_up:
            waiting = _("The teacher cannot be asked on this machine.")
        return waiting, waiting

    def _arrange(self, state: TableState) -> None:
        layout = state.layout
        hand = self._hand_width(state)
        show_zones(self, state, Transport, hand)
        self.query_one("#middle").display = not self.charted
        # On a small screen the chart would have no rows beside the Queue.
        rows = layout.hand_height + layout.events_height + layout.air
        self.query_one(Queue).display = not self.charted or rows >= CHART_ROWS
        self.query_one("#bottom").display = layout.events_height > 0 or self.charted
        self.query_one(CardHelp).display = hand < layout.width
        self.query_one(Events).display = not self.charted
        course = self.query_one(ProgressChart)
        beside = layout.events_height >= CHART_ROWS and layout.width >= 2 * CHART_LEAST
        course.display = self.charted or beside
        width = max(CHART_LEAST, int(layout.width * CHART_PART))
        course.styles.width = "1fr" if self.charted else width

    def _hand_width(self, state: TableState) -> int:
        """Return the columns of the hand, or of all hands where all cards are open."""
        layout = state.layout
        if state.laid_open and 2 * layout.hand_height < state.view.players:
            # Three families share a row then.
            return layout.width
        return hand_width(state)

    def _key_bar(self, state: TableState) -> list[Key]:
        glyphs = state.glyphs
        if self.looking:
            first = [
                pair(ReplayCommands.back, ReplayCommands.on, glyphs, _("look along"), rank=1),
                pair(ReplayCommands.up, ReplayCommands.down, glyphs, rank=2),
                entry(ReplayCommands.leave, glyphs, _("stop looking")),
            ]
        else:
            stop = _("stop") if self.playback.playing else ""
            first = [
                pair(ReplayCommands.back, ReplayCommands.on, glyphs),
                pair(ReplayCommands.round_back, ReplayCommands.round_on, glyphs, rank=1),
                entry(ReplayCommands.play, glyphs, stop),
                entry(ReplayCommands.elimination, glyphs, rank=2),
                entry(ReplayCommands.other_eyes, glyphs),
                entry(ReplayCommands.chart, glyphs, rank=1),
                entry(ReplayCommands.teach, glyphs, rank=2),
                entry(ReplayCommands.board, glyphs, rank=2),
                entry(ReplayCommands.answers, glyphs, rank=2),
                entry(ReplayCommands.position, glyphs, rank=3),
                entry(ReplayCommands.find, glyphs, rank=3),
                entry(ReplayCommands.save, glyphs, rank=3),
                entry(ReplayCommands.share, glyphs, rank=2),
            ]
        last = [] if self.looking else [entry(ReplayCommands.leave, glyphs)]
        return self.possible(
            *first, commands_entry(glyphs), entry(EverywhereCommands.help, glyphs), *last
        )

    def action_size(self) -> None:
        """Draw the cards in the next size that makes a difference here."""
        view = self.state().view
        self.notice = change_card_size(self.services, lambda: self._layout(view)) or self.notice
        self.sync()
