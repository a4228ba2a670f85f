"""Going through a game that is looked back at: from step to step by keys, or by itself."""

from collections.abc import Iterable

from textual import on

from driflamme_tui.drawing.table_state import Cursor
from driflamme_tui.model.motion_frames import frames_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.screens.overlays.replay_overlays import FindOverlay
from driflamme_tui.screens.table.cards_screen import CardsScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.scrubber import Seek
from driflamme_tui.wording.game.turning_points import turning_point
from driflamme_tui.wording.program.replay_words import no_more, player_names
from engine.ranking import owners_of
from engine.replaying import Eyes, Replay


class ReplaySteps(CardsScreen):
    """Goes to a step, and along the cards of one."""

    def __init__(self, replay: Replay, eyes: Eyes, step: int) -> None:
        """Begin at a step, with somebody's eyes."""
        super().__init__()
        self.playback = Playback(replay, eyes)
        self.playback.go(step)
        self.names = player_names(replay.record)
        self._owners = owners_of(replay.record.settings, len(self.names))
        self.notice, self.good = self._turning_words(), True
        """What the last key or click came to, if that is not to be seen; and whether it is good."""

    @property
    def replay(self) -> Replay:
        """The game."""
        return self.playback.replay

    def moment(self) -> object:
        """Return what stays the same for as long as a command means the same here."""
        return self.playback.step

    def _wait(self) -> None:
        now = self.services.clock()
        changes = [self._reel.next_change(now), self.playback.next_change(now)]
        self.wake_in(min((each for each in changes if each is not None), default=None))

    def tick(self) -> None:
        """Draw the next picture, or the next step of a game that plays by itself."""
        now = self.services.clock()
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
        self.cursor = None if not self.looking else self._cursor_kept()
        if not self.pictures_wanted() or playback.step != before + 1:
            return
        told = sum(map(len, self.replay.happened[: before + 1]))
        events = self.replay.told(playback.step, playback.eyes)
        frames = frames_of(self.replay.seen(before, playback.eyes), events, told)
        self._reel.feed(frames, self.services.clock())

    def _cursor_kept(self) -> Cursor | None:
        """Return the cursor, if what it is on is still there."""
        queue = self.replay.games[self.playback.step].queue
        if self.cursor is None or not queue:
            return None
        return Cursor(min(self.cursor.index, len(queue) - 1))

    def go(self, step: int) -> None:
        """Go to a step, and say so if it is a turning point; one on is told in pictures."""
        before = self.playback.step
        self.playback.stop()
        if self.playback.go(step):
            self._picture(before)
        self.notice, self.good = self._turning_words(), True
        self.sync()

    def show_notice(self, sentence: str, *, good: bool = False) -> None:
        """Say what a key or a click came to."""
        self.notice, self.good = sentence, good
        self.sync()

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
                    _("No decision is {token}, as far as these eyes can see.").format(token=token)
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
        self.playback.play(self.services.clock())
        self.sync()

    def action_speed(self, speed: int) -> None:
        """Play at a speed."""
        self.playback.hurry(speed, self.services.clock())
        if self.playback.playing:
            self.sync()
        else:
            self.action_play()

    def action_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        view = self.state().view
        self.looking = not self.looking and bool(view.queue)
        self.playback.stop()
        self.cursor = Cursor(max(0, min(view.at, len(view.queue) - 1))) if self.looking else None
        self.sync()

    def _look_along(self, by: int) -> None:
        state = self.state()
        stacks = len(state.view.queue)
        if stacks and self.cursor is not None:
            by = -by if state.mirrored else by
            self.cursor = Cursor((self.cursor.index + by) % stacks)
            self.sync()
