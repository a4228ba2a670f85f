"""Looking back at a game: the table itself, with a transport in the place of the prompt.

Everything shown is what the chosen eyes could know at that step; `engine.replaying` sees to that.
The screen knows no session, so it shows the game of a file as well as the one just played.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.screen import Screen

from driflamme_tui.drawing.layout import QueueRoom
from driflamme_tui.drawing.table_state import NO_EFFECT, Cursor, Player, TableState
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.table_commands import ReplayCommands
from driflamme_tui.model.motion_frames import frames_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import saved
from driflamme_tui.replay.teacher import Advice, Teacher, decisions, may_judge
from driflamme_tui.screens.base.sharing import share
from driflamme_tui.screens.overlays.replay_overlays import (
    AnswersOverlay,
    FindOverlay,
    PositionOverlay,
    WhyOverlay,
)
from driflamme_tui.screens.table.cards_screen import CardsScreen
from driflamme_tui.screens.table.looking import Looking, Zones
from driflamme_tui.text.i18n import _, language
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.replay_transport import ProgressChart, Seek, Transport
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.widgets.table.side_panels import CardHelp, Events
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.event_words import Line, log_lines, table_names
from driflamme_tui.wording.game.result_words import turning_point
from driflamme_tui.wording.program.replay_words import (
    heading,
    judgements,
    no_more,
    nothing_to_teach,
    player_names,
    taught_sentences,
    thinking,
)
from engine.ranking import owners_of
from engine.replaying import ALL, PUBLIC, Eyes, Replay
from engine.view import View

CHART_ROWS: Final = 7
"""Rows below the hand from which the chart stands there by itself."""
CHART_LEAST: Final = 40
"""Minimum width of that chart, in columns."""
CHART_PART: Final = 0.55
"""The part of all columns that it has on a wider screen."""


if TYPE_CHECKING:
    from netcode.workers.worker_pool import WorkerPool

_EYES: Final = {command: family for family, command in ReplayCommands.eyes.items()}
"""Whose eyes a command looks with."""


class ReplayScreen(CardsScreen, commands=ReplayCommands):
    """A game, step by step."""

    def __init__(
        self, replay: Replay, eyes: Eyes = ALL, step: int = 0, *, taught: bool = False
    ) -> None:
        """Begin at a step, with somebody's eyes; `taught` is whether the teacher is there."""
        super().__init__()
        self.playback = Playback(replay, eyes)
        self.playback.go(step)
        self.look = Looking(self._zones)
        self.names = player_names(replay.record)
        self.mirrored = replay.record.settings.get("direction") == "left"
        self._owners = owners_of(replay.record.settings, len(self.names))
        self.notice, self.good = self._turning_words(), True
        """What the last key or click came to, if that is not to be seen; and whether it is good."""
        self.charted = False
        """Whether the chart stands in the place of the cards in hand."""
        self.taught = taught
        """Whether it is said what the teacher would have played."""
        self._teacher: Teacher | None = None
        """Once it has been asked for."""
        self._rooms: dict[Eyes, list[QueueRoom]] = {}
        """For how many stacks the sizes have been chosen, by eyes and step."""
        self._logs: dict[tuple[Eyes, str], list[list[Line]]] = {}
        """The sentences of each step, by eyes and language."""
        self._pool: WorkerPool | None = None
        """The processes that the teacher thinks in, once it has been asked for."""

    @property
    def replay(self) -> Replay:
        """The game."""
        return self.playback.replay

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment: eyes are those of who plays."""
        family = _EYES.get(command)
        return super().can(command) and (family is None or family in self.replay.families)

    def first_entries(self) -> Mapping[Entry, str]:
        """Return what the arrows do while looking, or that the teacher is there."""
        if self.look.on:
            along = ReplayCommands.back, ReplayCommands.on
            return {along: _("move along"), ReplayCommands.leave: _("done")}
        if not self.taught:
            return {}
        return {
            entry: self.entry_words(entry) for entry in (ReplayCommands.teach, ReplayCommands.why)
        }

    def entry_words(self, entry: Entry) -> str:
        """Return what the key bar calls something now."""
        if entry == ReplayCommands.play and self.playback.playing:
            return _("stop")
        if entry == ReplayCommands.teach and self.taught:
            return _("stop teacher")
        return super().entry_words(entry)

    def is_news(self, entry: Entry) -> bool:
        """Whether the teacher is there."""
        return entry == ReplayCommands.teach and self.taught

    @property
    def looks(self) -> bool:
        """Whether the arrows look at cards."""
        return self.look.on

    @property
    def has_answers(self) -> bool:
        """Whether somebody was asked something here."""
        return bool(self.replay.legal(self.playback.step, self.playback.eyes))

    @property
    def has_steps(self) -> bool:
        """Whether there is more than one step."""
        return self.replay.last > 0

    @property
    def has_reasons(self) -> bool:
        """Whether the teacher has said something of the last decision."""
        return self._judged is not None

    @property
    def goes_on(self) -> bool:
        """Whether the game went on from here."""
        return not self.replay.games[self.playback.step].over

    @property
    def is_over(self) -> bool:
        """Whether the game was played to its end."""
        return self.replay.over

    @property
    def has_moments(self) -> bool:
        """Whether moments are known that decided the game."""
        return bool(self.playback.turning_points)

    # From step to step

    def moment(self) -> object:
        """Return what stays the same for as long as a command means the same here."""
        return self.playback.step

    def _wait(self) -> None:
        now = self.terminal.clock()
        changes = [self._reel.next_change(now), self.playback.next_change(now)]
        self.wake_in(min((each for each in changes if each is not None), default=None))

    def tick(self) -> None:
        """Draw the next picture, or the next step of a game that plays by itself."""
        now = self.terminal.clock()
        self._reel.advance(now)
        before = self.playback.step
        if self.playback.advance(now):
            self.notice = ""
            self._picture(before)
        self.sync()

    def _picture(self, before: int) -> None:
        """Let a step be told in pictures, if pictures are wanted."""
        playback = self.playback
        self._reel.skip()
        self.look.cursor = None if not self.look.on else self._cursor_kept()
        if not self.pictures_wanted() or playback.step != before + 1:
            return
        told = sum(map(len, self.replay.happened[: before + 1]))
        events = self.replay.told(playback.step, playback.eyes)
        frames = frames_of(self.replay.seen(before, playback.eyes), events, told)
        self._reel.feed(frames, self.terminal.clock())

    def _cursor_kept(self) -> Cursor | None:
        """Return the cursor, if what it is on is still there."""
        queue = self.replay.games[self.playback.step].queue
        if self.look.cursor is None or not queue:
            return None
        return Cursor(min(self.look.cursor.index, len(queue) - 1))

    def go(self, step: int) -> None:
        """Go to a step, and say so if it is a turning point; one on is told in pictures."""
        before = self.playback.step
        self.playback.stop()
        if self.playback.go(step):
            self._picture(before)
        self.notice, self.good = self._turning_words(), True
        self.sync()

    def action_step(self, by: int) -> None:
        """Go a step on or back; or along the cards that are looked at."""
        if self.look.on:
            self.look.along(by, mirrored=self.mirrored)
            self.sync()
        else:
            self.go(self.playback.step + by)

    def action_round(self, by: int) -> None:
        """Go to the next round, or back to the beginning of one."""
        self.go(self.replay.another_round(self.playback.step, by))

    def action_edge(self, side: int) -> None:
        """Go to the deal, or to the end."""
        self.go(0 if side < 0 else self.replay.last)

    def _another(self, steps: Iterable[int], by: int) -> None:
        """Go to the next of some steps, or to the one before; say so if there is none."""
        step = self.playback.another(tuple(steps), by)
        if step is None:
            self.show_notice(no_more(by))
        else:
            self.go(step)

    def action_elimination(self, by: int) -> None:
        """Go to the next elimination, or to the one before."""
        self._another(self.replay.eliminations, by)

    def action_turning(self, by: int) -> None:
        """Go to the next turning point, or to the one before."""
        self._another(self.playback.turning_points, by)

    def _turning_words(self) -> str:
        """Return why this step is a turning point, or "" if it is none."""
        point = self.playback.turning_points.get(self.playback.step)
        if point is None:
            return ""
        return " ".join(turning_point(point, self.names, self.replay.families, self._owners))

    def action_find(self) -> None:
        """Ask for a decision, and go to the next such."""

        def found(token: str | None) -> None:
            if token is None:
                return
            step = self.replay.find(token, self.playback.step, self.playback.eyes)
            if step is None:
                self.show_notice(
                    _("From this seat, no decision can be seen to be {token}.").format(token=token)
                )
            else:
                self.go(step)

        self.playback.stop()
        self.app.push_screen(FindOverlay(), found)

    @on(Seek)
    def _sought(self, message: Seek) -> None:
        self.go(message.step)

    def action_play(self) -> None:
        """Let the game play by itself, or stop."""
        self.notice = ""
        self._reel.skip()
        self.playback.play(self.terminal.clock())
        self.sync()

    def action_speed(self, speed: int) -> None:
        """Play at a speed."""
        self.playback.hurry(speed, self.terminal.clock())
        if self.playback.playing:
            self.sync()
        else:
            self.action_play()

    # Whose eyes

    def action_eyes(self, whose: str) -> None:
        """Look with the eyes of a family, of everybody, or with all cards open."""
        onlookers: dict[str, Eyes] = {"all": ALL, "public": PUBLIC}
        if whose in onlookers:
            self._look_with(onlookers[whose])
        elif whose in self.replay.families:
            self._look_with(self.replay.families.index(whose))
        else:
            self.show_notice(_("That family was not at the table."))

    def action_other_eyes(self) -> None:
        """Look with the next eyes."""
        eyes = self.replay.eyes()
        self._look_with(eyes[(eyes.index(self.playback.eyes) + 1) % len(eyes)])

    def _look_with(self, eyes: Eyes) -> None:
        self.notice = ""
        self._reel.skip()
        self.playback.eyes = eyes
        self.sync()

    # Looking closer

    def action_teach(self) -> None:
        """Say what the teacher would have played, or stop saying so."""
        if not self.taught and self.playback.eyes is PUBLIC:
            self.show_notice(_("The teacher needs the view of a seat, or all cards open."))
            return
        self.taught = not self.taught
        if not self.taught and self._teacher is not None:
            self._teacher.stop()
        self.notice, self.good = "", True
        step, eyes = self.playback.step, self.playback.eyes
        if self.taught and not may_judge(self.replay, step, eyes):
            decided = self.names[self.replay.games[step - 1].turn] if step else ""
            judged = self.names[eyes] if isinstance(eyes, int) else ""
            self.notice = nothing_to_teach(decided, judged)
        self.sync()

    def _zones(self) -> Zones:
        queue = self.replay.games[self.playback.step].queue
        return [[Cursor(index) for index in range(len(queue))]] if queue else []

    def action_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        self.playback.stop()
        self.look.toggle(self.state().view)
        self.sync()

    def action_depth(self, by: int) -> None:
        """Look a card further down a stack, or further up."""
        self.look.depth(by, self.state().view)
        self.sync()

    @on(Queue.Hovered)
    @on(Queue.Pressed)
    def _queue_pointed(self, message: Queue.Hovered | Queue.Pressed) -> None:
        self.point_at(Cursor(message.index) if message.index >= 0 else None)

    @on(Hand.Pressed)
    def _hand_pressed(self, message: Hand.Pressed) -> None:
        self.point_at(Cursor(card=message.card) if message.card else None)

    @on(Seats.Pressed)
    def _seat_pressed(self, message: Seats.Pressed) -> None:
        self.action_eyes(message.family)

    def action_chart(self) -> None:
        """Show the chart as large as there is room, or the cards again."""
        self.charted = not self.charted
        self.sync()

    def lay_over(self, overlay: Screen[None]) -> None:
        """Show something over the game, which does not go on meanwhile."""
        self.playback.stop()
        self.sync()
        self.app.push_screen(overlay)

    def action_why(self) -> None:
        """Show all that the teacher says of the last decision."""
        if self._judged is None:
            self.show_notice(_("The teacher says nothing here."))
            return
        _answer, *reasons = taught_sentences(self._judged, self._prompter(), "\n  ")
        self.lay_over(WhyOverlay([self._advice()[0], *reasons]))

    def action_answers(self) -> None:
        """List what could be answered, and what was."""
        step, eyes = self.playback.step, self.playback.eyes
        answers = self.replay.legal(step, eyes)
        if self.replay.games[step].over:
            self.show_notice(_("The game is over: there is nothing to answer."))
        elif not answers:
            self.show_notice(_("This seat cannot see the cards of the player who is asked."))
        else:
            turn = self.replay.games[step].turn
            asked = replace(self.state(), view=self.replay.seen(step, turn))
            given = self.replay.token(step + 1) if step < self.replay.last else ""
            self.lay_over(AnswersOverlay(asked, answers, given))

    def action_board(self) -> None:
        """Play on from here on the analysis board, with these eyes."""
        from driflamme_tui.alone.local_table import board_of
        from driflamme_tui.screens.table.board_screen import BoardScreen

        step, eyes = self.playback.step, self.playback.eyes
        if not self.can(ReplayCommands.board):
            self.show_notice(_("The game is over: there is nothing to answer."))
            return
        seat = eyes if isinstance(eyes, int) else None
        self.lay_over(BoardScreen(board_of(self.replay, step, seat), taught=self.taught))

    def action_position(self) -> None:
        """Show the position in notation, and copy it."""
        line = self.replay.line(self.playback.step, self.playback.eyes)
        self.app.copy_to_clipboard(line)
        self.lay_over(PositionOverlay(self.state(), line))

    def action_save(self) -> None:
        """Write the record of the game into a file, and say where."""
        sentence, good = saved(self.replay.record, self.terminal.folder, self.size.width - 2)
        self.show_notice(sentence, good=good)

    def action_share(self) -> None:
        """Copy what to tell others of the game, and write a picture of this step."""
        # What an earlier key came to is no part of the picture.
        self.show_notice("")
        share(self.app, self.replay, self.glyphs)

    def action_leave(self) -> None:
        """Stop looking, or leave the game."""
        if self.look.on:
            self.action_look()
        else:
            self.leave_at_once()

    def make_pool(self) -> "WorkerPool":
        """Return the processes that the teacher thinks in: one is enough."""
        from netcode.workers.worker_pool import WorkerPool

        return WorkerPool(1)

    def zones(self) -> ComposeResult:
        """Those of the table, and below the Queue how one goes on."""
        return self.table_zones(Transport(id="transport"), below=(ProgressChart(id="course"),))

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
        playback, replay = self.playback, self.replay
        frame = self._reel.frame
        log = [line for step in self._log()[: playback.step + 1] for line in step]
        view, effect = replay.seen(playback.step, playback.eyes), NO_EFFECT
        layout = self.layout_for(view)
        if frame is not None:
            view, effect, log = frame.view, frame.effect, log[: frame.told]
        players = replay.record.players
        return TableState(
            view=view,
            players=[
                Player(name, players[seat].bot if players else None)
                for seat, name in enumerate(self.names)
            ],
            glyphs=self.glyphs,
            layout=layout,
            cursor=self.look.cursor,
            looking=self.look.on,
            mirrored=self.mirrored,
            heading=heading(replay.record)[::-1],
            log=[line for line in log if line[1]],
            effect=effect,
            laid_open=playback.eyes is ALL,
            owners=self._owners,
            hand_of=playback.eyes if isinstance(playback.eyes, int) else None,
            why=self._why(),
        )

    def _log(self) -> list[list[Line]]:
        """Return the sentences of every step, as these eyes could know it."""
        eyes = self.playback.eyes
        key = eyes, language()
        if key not in self._logs:
            view = self.replay.seen(0, eyes)
            table = table_names(view, self.names, self._owners, self.terminal.glyphs)
            self._logs[key] = [
                log_lines(self.replay.told(step, eyes), table)
                for step in range(self.replay.last + 1)
            ]
        return self._logs[key]

    def room(self, view: View) -> QueueRoom:
        """Return the room that the round has needed up to this step and may need."""
        step, eyes = self.playback.step, self.playback.eyes
        rooms = self._rooms.setdefault(eyes, [])
        for each in range(len(rooms), step + 1):
            room = rooms[-1] if rooms else QueueRoom()
            rooms.append(room.after(self.replay.seen(each, eyes)))
        return rooms[step]

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
        self.query_one(Keys).show(self.key_bar())
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
        transport.advice = self._advice()
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

    @property
    def _judging(self) -> Teacher | None:
        """The teacher, if it is there and judges the decision that led here."""
        judges = may_judge(self.replay, self.playback.step, self.playback.eyes)
        return self._teacher if self.taught and judges else None

    @property
    def _judged(self) -> Advice | None:
        """What it thinks of that decision, once it has thought."""
        return self._judging.advice.get(self.playback.step) if self._judging else None

    def _prompter(self) -> Prompter:
        """Return what words the last decision: what was there to be known then, and no more."""
        step = self.playback.step
        seen = self.replay.seen(step - 1, self.replay.games[step - 1].turn)
        return Prompter(seen, self.names, self.glyphs)

    def _advice(self) -> list[str]:
        """Return what the teacher says of the decision that led here, the longest first."""
        teacher, advice = self._judging, self._judged
        if teacher is None:
            return []
        if advice is not None:
            return judgements(self.replay, advice, self._prompter())
        return [thinking(failed=teacher.given_up)]

    def _why(self) -> list[str]:
        """Return what the teacher says beside its answer, and that too where a notice stands."""
        advice = self._judged
        if advice is None:
            return []
        _answer, *reasons = taught_sentences(advice, self._prompter())
        if self.notice:
            reasons[:1] = [" ".join((self._advice()[0], *reasons[:1]))]
        return reasons

    def _arrange(self, state: TableState) -> None:
        layout = state.layout
        hand = self._hand_width(state)
        self.show_zones(state, Transport, hand)
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
        return self.hand_width(state)
