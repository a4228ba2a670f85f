"""Looking back at a game: the table itself, with a transport in the place of the prompt.

Everything shown is what the chosen eyes could know at that step; `engine.replaying` sees to that.
The screen knows no session, so it shows the game of a file as well as the one just played.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.screen import Screen
from textual.timer import Timer

from driflamme_tui.actions import bindings
from driflamme_tui.i18n import _, language
from driflamme_tui.motion.frames import Reel, frames_of
from driflamme_tui.replay.files import save_record
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.teacher import Teacher, decisions
from driflamme_tui.screens.aid import KnownOverlay
from driflamme_tui.screens.base import TICK_SLACK_S
from driflamme_tui.screens.commanded import Commanded
from driflamme_tui.screens.overlays import EventsOverlay
from driflamme_tui.screens.replay_overlays import AnswersOverlay, FindOverlay, PositionOverlay
from driflamme_tui.table_state import NO_EFFECT, Cursor, Player, TableState
from driflamme_tui.widgets.bars import Seats
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.hand import Hand
from driflamme_tui.widgets.header import Header
from driflamme_tui.widgets.keys import Key, Keys, commands_entry, entry, pair
from driflamme_tui.widgets.known import KNOWN_LEAST, KNOWN_WIDTH
from driflamme_tui.widgets.layout import (
    CHOICES,
    COMFORTABLE_WIDTH,
    HAND_MARGIN,
    MINIMUM_HEIGHT,
    MINIMUM_WIDTH,
    Layout,
)
from driflamme_tui.widgets.panels import CardHelp, Events
from driflamme_tui.widgets.queue import Queue
from driflamme_tui.widgets.room import Room
from driflamme_tui.widgets.scrubber import Course, Seek
from driflamme_tui.widgets.too_small import TooSmall
from driflamme_tui.widgets.transport import Transport
from driflamme_tui.wording.course import turning_point
from driflamme_tui.wording.log import log_line
from driflamme_tui.wording.replay import advice_sentence, heading, no_more, player_names
from engine.cards import HAND, Seat
from engine.position import PLACE, cards_in
from engine.record import RecordError
from engine.replaying import ALL, PUBLIC, Eyes, Replay
from engine.view import View

CHART_ROWS: Final = 7
"""Rows below the hand from which the chart stands there by itself,"""
CHART_LEAST: Final = 40
"""and columns that it has at least,"""
CHART_PART: Final = 0.55
"""of all that there are this part."""

SPACIOUS_HAND: Final = 38
NARROW_HAND: Final = 30
"""Columns that the hand keeps, on a wide screen and on a narrow one."""

Line = tuple[Seat | None, str]

if TYPE_CHECKING:
    from netcode.workers import Pool


class ReplayScreen(Commanded, Screen[None]):
    """A game, step by step."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings("everywhere", "helped", "opted", "replay")

    def __init__(
        self, replay: Replay, eyes: Eyes = ALL, step: int = 0, *, taught: bool = False
    ) -> None:
        """Begin at a step, with somebody's eyes; `taught` is whether the teacher is there."""
        super().__init__()
        self.playback = Playback(replay, eyes)
        self.playback.go(step)
        self.names = player_names(replay.record)
        self.cursor: Cursor | None = None
        self.looking = False
        """Whether the arrow keys go along the cards and not along the game."""
        self.charted = False
        """Whether the chart stands in the place of the cards in hand."""
        self.notice = ""
        """What the last key or click came to, if that is not to be seen."""
        self.good = False
        self._reel = Reel()
        self._rooms: dict[tuple[int, bool, Eyes], Room] = {}
        """For how many stacks, in a round and phase, the sizes have been chosen."""
        self._logs: dict[tuple[Eyes, str], list[list[Line]]] = {}
        """The sentences of each step, by eyes and language."""
        self._ticker: Timer | None = None
        self.taught = taught
        """Whether it is said what the teacher would have played."""
        self._teacher: Teacher | None = None
        """Once it has been asked for."""
        self._pool: Pool | None = None

    def make_pool(self) -> "Pool":
        """Return the processes that the teacher thinks in: one is enough."""
        from netcode.workers import Workers

        return Workers(1)

    @property
    def replay(self) -> Replay:
        """The game."""
        return self.playback.replay

    def compose(self) -> ComposeResult:
        """Lay the zones out from the top, as those of the table."""
        yield Header(id="header")
        yield Seats(id="seats")
        yield Queue(id="queue")
        yield Transport(id="transport")
        with Horizontal(id="middle"):
            yield Hand(id="hand")
            yield CardHelp(id="card-help")
        with Horizontal(id="bottom"):
            yield Events(id="events")
            yield Course(id="course")
        yield Keys(id="keys")
        yield TooSmall(id="too-small")

    def on_mount(self) -> None:
        """Show where one is."""
        self.resized()

    async def on_unmount(self) -> None:
        """Let the teacher go."""
        if self._pool is not None:
            await self._pool.close()

    def on_resize(self, event: Resize) -> None:
        """Fit what is shown to the new size, or ask for more room."""
        if self.is_mounted:
            self.resized()

    def resized(self) -> None:
        """Show everything in the present size."""
        width, height = self.app.size
        small = width < MINIMUM_WIDTH or height < MINIMUM_HEIGHT
        self.query_one(TooSmall).display = small
        self.show()

    def relabel(self) -> None:
        """Word and draw everything anew."""
        self.notice = ""
        if self.is_mounted:
            self.resized()
        super().relabel()

    # What is shown

    def state(self) -> TableState:
        """Return the present moment."""
        playback, replay, app = self.playback, self.replay, self.app
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
            log=log,
            effect=effect,
            laid_open=playback.eyes is ALL,
        )

    def _log(self) -> list[list[Line]]:
        """Return the sentences of every step, as these eyes could know it."""
        eyes = self.playback.eyes
        key = eyes, language()
        if key not in self._logs:
            view = self.replay.seen(0, eyes)
            self._logs[key] = [
                [log_line(event, view, self.names) for event in self.replay.told(step, eyes)]
                for step in range(self.replay.last + 1)
            ]
        return self._logs[key]

    def _layout(self, view: View) -> Layout:
        """Return the layout, the same for a whole phase so that nothing shifts within."""
        placing = view.asked == PLACE
        key = view.round, placing, self.playback.eyes
        if key not in self._rooms:
            room = Room()
            for step, game in enumerate(self.replay.games):
                if (game.round, game.asked == PLACE) == key[:2]:
                    room = room.after(self.replay.seen(step, self.playback.eyes))
            self._rooms[key] = room
        return self._rooms[key].layout(
            *self.app.size,
            chosen=self.app.card_size,
            watching=0 if view.viewer is not None else view.players,
        )

    def show(self) -> None:
        """Draw the present moment, and wait for the next."""
        if not self.is_mounted:
            return
        self._teach()
        state = self.state()
        self._arrange(state)
        self.query_one(Header).show(state)
        self.query_one(Seats).show(state)
        self.query_one(Queue).show(state)
        self.query_one(Hand).show(state)
        self.query_one(CardHelp).show(state)
        self.query_one(Events).show(state)
        self._show_transport(state)
        course = self.query_one(Course)
        course.playback, course.glyphs = self.playback, state.glyphs
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
        transport.playback, transport.glyphs = self.playback, state.glyphs
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
            self._teacher = Teacher(self.replay, self._pool, self.show)
        self._teacher.teach(self.playback.eyes, self.playback.step)

    def _advice(self) -> str:
        """Return what the teacher says of the decision that led here, once it has."""
        step, eyes = self.playback.step, self.playback.eyes
        if not self.taught or step not in decisions(self.replay, eyes):
            return ""
        if self._teacher is None:
            return ""
        advice = self._teacher.advice.get(step)
        if advice is not None:
            return advice_sentence(advice)
        if self._teacher.given_up:
            return _("The teacher cannot be asked on this machine.")
        return _("The teacher is thinking.")

    def _arrange(self, state: TableState) -> None:
        layout = state.layout
        self.query_one(Seats).styles.height = layout.seats + layout.air
        self.query_one(Queue).styles.height = layout.queue_height + layout.air
        middle = self.query_one("#middle")
        middle.styles.height = layout.hand_height + layout.air
        middle.display = not self.charted
        # On a small screen the chart would have no rows beside the Queue.
        rows = layout.hand_height + layout.events_height + layout.air
        self.query_one(Queue).display = not self.charted or rows >= CHART_ROWS
        self.query_one("#bottom").display = layout.events_height > 0 or self.charted
        self.query_one(Transport).styles.height = layout.prompt
        self.query_one(Hand).styles.width = self._hand_width(state)
        self.query_one(Events).display = not self.charted
        course = self.query_one(Course)
        beside = layout.events_height >= CHART_ROWS and layout.width >= 2 * CHART_LEAST
        course.display = self.charted or beside
        width = max(CHART_LEAST, int(layout.width * CHART_PART))
        course.styles.width = "1fr" if self.charted else width

    def _hand_width(self, state: TableState) -> int:
        """Return the columns of the hand, which has a card less every round."""
        layout = state.layout
        if state.you is None:
            return KNOWN_WIDTH + 5 if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
        hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
        return max(SPACIOUS_HAND if layout.width >= COMFORTABLE_WIDTH else NARROW_HAND, hand)

    def _key_bar(self, state: TableState) -> list[Key]:
        glyphs = state.glyphs
        if self.looking:
            first = [
                pair("replay.back", "replay.on", glyphs, _("look along"), rank=1),
                pair("replay.up", "replay.down", glyphs, rank=2),
                entry("replay.leave", glyphs, _("stop looking")),
            ]
        else:
            stop = _("stop") if self.playback.playing else ""
            first = [
                pair("replay.back", "replay.on", glyphs),
                pair("replay.round-back", "replay.round-on", glyphs, rank=1),
                entry("replay.play", glyphs, stop),
                entry("replay.elimination", glyphs, rank=2),
                entry("replay.other-eyes", glyphs),
                entry("replay.chart", glyphs, rank=1),
                entry("replay.teach", glyphs, rank=2),
                entry("replay.answers", glyphs, rank=2),
                entry("replay.position", glyphs, rank=3),
                entry("replay.find", glyphs, rank=3),
                entry("replay.save", glyphs, rank=3),
            ]
        return self.possible(
            *first,
            commands_entry(glyphs),
            entry("help.open", glyphs),
            entry("replay.leave", glyphs),
        )

    def can(self, command: str) -> bool:
        """Whether a command can do anything at this moment."""
        step, last = self.playback.step, self.replay.last
        if command.startswith("replay.eyes-"):
            return command[-1] in self.replay.families
        if command in ("replay.up", "replay.down"):
            return self.looking
        if command == "replay.answers":
            return bool(self.replay.legal(step, self.playback.eyes))
        if command in ("replay.play", "replay.find"):
            return last > 0
        if command == "replay.turning":
            return bool(self.playback.turning_points)
        return True

    def moment(self) -> object:
        """Return what stays the same for as long as a command means the same here."""
        return self.playback.step

    # Time

    def _wait(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        now = self.app.clock()
        changes = [self._reel.next_change(now), self.playback.next_change(now)]
        change = min((each for each in changes if each is not None), default=None)
        if change is not None:
            self._ticker = self.set_timer(change + TICK_SLACK_S, self.tick)

    def tick(self) -> None:
        """Draw the next picture, or the next step of a game that plays by itself."""
        now = self.app.clock()
        self._reel.advance(now)
        before = self.playback.step
        if self.playback.advance(now):
            self.notice = ""
            self._picture(before)
        self.show()

    def _picture(self, before: int) -> None:
        """Let a step be told in pictures, if pictures are wanted."""
        playback = self.playback
        self._reel.skip()
        self.cursor = None if not self.looking else self._cursor_kept()
        unwanted = self.app.animation_level == "none" or self.app.line.slow
        if unwanted or playback.step != before + 1:
            return
        told = sum(map(len, self.replay.happened[: before + 1]))
        events = self.replay.told(playback.step, playback.eyes)
        frames = frames_of(self.replay.seen(before, playback.eyes), events, told)
        self._reel.feed(frames, self.app.clock())

    def _cursor_kept(self) -> Cursor | None:
        """Return the cursor, if what it is on is still there."""
        queue = self.replay.games[self.playback.step].queue
        if self.cursor is None or not queue:
            return None
        return Cursor(min(self.cursor.index, len(queue) - 1))

    # Going somewhere

    def go(self, step: int) -> None:
        """Go to a step; one on is told in pictures."""
        before = self.playback.step
        self.notice = ""
        self.playback.stop()
        if self.playback.go(step):
            self._picture(before)
        self.show()

    def tell(self, sentence: str, *, good: bool = False) -> None:
        """Say what a key or a click came to."""
        self.notice, self.good = sentence, good
        self.show()

    def action_step(self, by: int) -> None:
        """Go a step on or back; or along the cards that are looked at."""
        if self.looking:
            self._look_along(by)
        else:
            self.go(self.playback.step + by)

    def action_round(self, by: int) -> None:
        """Go to the next round, or back to the beginning of one."""
        self.go(self.replay.another_round(self.playback.step, by))

    def action_edge(self, side: int) -> None:
        """Go to the deal, or to the end."""
        self.go(0 if side < 0 else self.replay.last)

    def action_elimination(self, by: int) -> None:
        """Go to the next elimination, or to the one before."""
        step = self.playback.another(self.playback.eliminations, by)
        if step is None:
            self.tell(no_more(by))
        else:
            self.go(step)

    def action_turning(self, by: int) -> None:
        """Go to the next turning point, or to the one before, and say why it is one."""
        points = self.playback.turning_points
        step = self.playback.another(tuple(points), by)
        if step is None:
            self.tell(no_more(by))
            return
        self.go(step)
        self.tell(turning_point(points[step], self.names), good=True)

    def action_find(self) -> None:
        """Ask for a decision, and go to the next such."""

        def found(token: str | None) -> None:
            if token is None:
                return
            step = self.replay.find(token, self.playback.step, self.playback.eyes)
            if step is None:
                self.tell(
                    _("No decision is {token}, as far as these eyes can see.").format(token=token)
                )
            else:
                self.go(step)

        self.app.push_screen(FindOverlay(), found)

    @on(Seek)
    def _sought(self, message: Seek) -> None:
        self.go(message.step)

    # By itself

    def action_play(self) -> None:
        """Let the game play by itself, or stop."""
        self.notice = ""
        self._reel.skip()
        self.playback.play(self.app.clock())
        self.show()

    def action_speed(self, speed: int) -> None:
        """Play at a speed."""
        self.playback.hurry(speed, self.app.clock())
        if self.playback.playing:
            self.show()
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
            self.tell(_("That family was not at the table."))

    def action_other_eyes(self) -> None:
        """Look with the next eyes."""
        eyes = self.replay.eyes()
        self._look_with(eyes[(eyes.index(self.playback.eyes) + 1) % len(eyes)])

    def _look_with(self, eyes: Eyes) -> None:
        self.notice = ""
        self._reel.skip()
        self.playback.eyes = eyes
        self.show()

    # Looking closer

    def action_teach(self) -> None:
        """Say what the teacher would have played, or stop saying so."""
        if not self.taught and self.playback.eyes is PUBLIC:
            self.tell(_("To be taught takes the eyes of a seat, or all cards open."))
            return
        self.taught = not self.taught
        if not self.taught and self._teacher is not None:
            self._teacher.stop()
        self.notice = ""
        self.show()

    def action_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        view = self.state().view
        self.looking = not self.looking and bool(view.queue)
        self.playback.stop()
        self.cursor = Cursor(max(0, min(view.at, len(view.queue) - 1))) if self.looking else None
        self.show()

    def _look_along(self, by: int) -> None:
        state = self.state()
        stacks = len(state.view.queue)
        if stacks and self.cursor is not None:
            by = -by if state.mirrored else by
            self.cursor = Cursor((self.cursor.index + by) % stacks)
            self.show()

    def action_depth(self, by: int) -> None:
        """Look a card further down a stack, or further up."""
        queue = self.state().view.queue
        if self.looking and self.cursor is not None and self.cursor.index < len(queue):
            deepest = len(cards_in(queue[self.cursor.index])) - 1
            depth = max(0, min(deepest, self.cursor.depth + by))
            self.cursor = Cursor(self.cursor.index, depth)
            self.show()

    def _point_at(self, cursor: Cursor | None) -> None:
        if not self.looking and cursor != self.cursor:
            self.cursor = cursor
            self.show()

    @on(Queue.Hovered)
    @on(Queue.Pressed)
    def _queue_pointed(self, message: Queue.Hovered | Queue.Pressed) -> None:
        self._point_at(Cursor(message.index) if message.index >= 0 else None)

    @on(Seats.Hovered)
    def _seat_hovered(self, message: Seats.Hovered) -> None:
        self._point_at(Cursor(seat=message.seat) if message.seat >= 0 else None)

    @on(Hand.Hovered)
    @on(Hand.Pressed)
    def _hand_pointed(self, message: Hand.Hovered | Hand.Pressed) -> None:
        self._point_at(Cursor(card=message.card) if message.card else None)

    @on(Seats.Pressed)
    def _seat_pressed(self, message: Seats.Pressed) -> None:
        self.action_eyes(message.family)

    @on(Events.Pressed)
    def _events_pressed(self) -> None:
        self.action_events()

    @on(Board.Pressed)
    async def _button_pressed(self, message: Board.Pressed) -> None:
        await self.run_action(message.action)

    @on(Keys.Pressed)
    async def _key_pressed(self, message: Keys.Pressed) -> None:
        await self.run_action(message.action)

    def action_chart(self) -> None:
        """Show the chart as large as there is room, or the cards again."""
        self.charted = not self.charted
        self.show()

    def action_known(self) -> None:
        """Show what is known of every card."""
        self.app.push_screen(KnownOverlay(self.state()))

    def action_events(self) -> None:
        """Show all events up to here."""
        self.app.push_screen(EventsOverlay(self.state()))

    def action_answers(self) -> None:
        """List what could be answered, and what was."""
        step, eyes = self.playback.step, self.playback.eyes
        answers = self.replay.legal(step, eyes)
        if self.replay.games[step].over:
            self.tell(_("The game is over: nothing is asked."))
        elif not answers:
            self.tell(_("These eyes do not see the cards of whoever is asked."))
        else:
            turn = self.replay.games[step].turn
            asked = replace(self.state(), view=self.replay.seen(step, turn))
            given = self.replay.token(step + 1) if step < self.replay.last else ""
            self.app.push_screen(AnswersOverlay(asked, answers, given))

    def action_position(self) -> None:
        """Show the position in notation, and copy it."""
        line = self.replay.line(self.playback.step, self.playback.eyes)
        self.app.copy_to_clipboard(line)
        self.app.push_screen(PositionOverlay(self.state(), line))

    def action_size(self) -> None:
        """Draw the cards in the next size that makes a difference here."""
        view = self.state().view
        before = self._layout(view)
        now = CHOICES.index(self.app.card_size)
        for size in CHOICES[now + 1 :] + CHOICES[: now + 1]:
            self.app.card_size = size
            if self._layout(view) != before:
                self.app.change_setting("cards", size)
                break
        else:
            self.notice = _("There is room for cards of one size only.")
        self.show()

    def action_save(self) -> None:
        """Write the record of the game into a file, and say where."""
        try:
            path = save_record(self.replay.record, Path.cwd())
        except RecordError as error:
            self.tell(error.sentence(_))
        else:
            self.tell(_("The record is in {file}.").format(file=path), good=True)

    def action_leave(self) -> None:
        """Stop looking, or leave the game."""
        if self.looking:
            self.action_look()
        elif len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()
