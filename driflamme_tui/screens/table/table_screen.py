"""The table itself: shows the session's view, asks its question, sends the answer.

Keys and clicks change a `Question` (see `table_answers.py` and `table_mouse.py`); every change
makes a new `TableState`, which all widgets draw. Nothing here judges a rule.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.timer import Timer

from driflamme_tui.drawing.card_panel import card_of, subject
from driflamme_tui.drawing.layout import Layout
from driflamme_tui.drawing.queue_sizes import QueueRoom
from driflamme_tui.drawing.table_state import NO_EFFECT, Player, TableState
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.motion_frames import Weight
from driflamme_tui.preferences.attention import Attention
from driflamme_tui.preferences.coaching import Coaching, keep_coaching, recall_coaching
from driflamme_tui.screens.base.command_screen import Reminder
from driflamme_tui.screens.base.full_screen import TICK_SLACK_S
from driflamme_tui.screens.countdown import Countdown
from driflamme_tui.screens.table.table_pictures import TablePictures
from driflamme_tui.screens.table.table_summary import (
    changes,
    players_of,
    sums,
    table_keys,
)
from driflamme_tui.screens.table.table_zones import (
    TALK_PART,
    hand_width,
    show_zones,
    table_zones,
    talk_width,
)
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.key_bar import Key, Keys
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.header import Header
from driflamme_tui.widgets.table.known_cards import (
    KNOWN_WIDTH,
    TEACHING_BESIDE,
    TEACHING_WIDTH,
    KnownCards,
)
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.widgets.table.side_panels import CardHelp
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.event_words import (
    Line,
    TableNames,
    forced_sentence,
    log_lines,
    renumbers,
    table_names,
)
from driflamme_tui.wording.program.connection_words import lost_title, steady_latency
from driflamme_tui.wording.program.evening_words import again_words
from driflamme_tui.wording.program.invitation_words import ROOM_SIGNS
from driflamme_tui.wording.program.people_words import (
    paused_title,
    refused_in_game,
    stood_in_title,
    table_heading,
)
from driflamme_tui.wording.program.sealed_words import first_sentence, vote_words
from engine.cards import UNKNOWN, Seat
from engine.events import AmbushSprung, Eliminated, Event, Moved, Stole
from engine.position import PLACE
from engine.view import View
from netcode.protocol.messages import Refused

TALK_WIDE: Final = 100
"""Columns from which it stands there all the time: elsewhere the events need them."""
TALK_ROWS: Final = 3
"""Rows below the hand from which the chat stands there; with fewer, events need them all."""

TALK_KEPT: Final = 30
"""Lines of chat that may be shown: more than any screen has rows for."""


class TableScreen(TablePictures):
    """The table, while a game is played and when it is over."""

    def __init__(self) -> None:
        super().__init__()
        self._shown_revision = 0
        self._refusal: Refused | None = None
        """The last one that was told."""
        self._room: dict[tuple[int, bool], QueueRoom] = {}
        """For how many stacks, in a round and phase, the sizes have been chosen."""
        self._log: list[Line] = []
        self._worded: tuple[list[Event], list[str]] = ([], [])
        self._countdown: Countdown | None = None
        self._coaching = recall_coaching() if self.services.COACHES else Coaching(wanted=False)
        self._played_on = False
        """Whether this game was seen before it was over."""
        self._view_shown = False
        """Whether a view has been shown: what came before the first is old news."""
        self._forced = ""
        """What the rules have decided last without asking anybody."""
        self._attention = Attention()
        self._caller: Timer | None = None
        """Waits until the reader is to be called."""
        self._latency_ms: int | None = None
        """The round trip that is shown."""
        self._said: tuple[object, int] = (None, 0)
        """Since when lines of chat are shown, and how many there were then."""
        self._spoken = 0, 0
        """How many lines of chat there are, and how many events came before the last."""

    def zones(self) -> ComposeResult:
        """Lay the zones out from the top."""
        return table_zones(
            Prompt(id="prompt"),
            TalkPanel(id="talk-beside"),
            below=(KnownCards(id="known"), TalkPanel(id="talk-below")),
        )

    def on_mount(self) -> None:
        """Set the chat off from what stands at its left."""
        for panel in self.query(TalkPanel):
            panel.divided = True
        self.watch(self.app, "app_focus", self._call, init=False)

    def relabel(self) -> None:
        """Word everything anew, the events that have been told included."""
        self._worded = ([], [])
        super().relabel()

    # What the session says

    def sync(self) -> None:
        """Take over what has changed in the session, and show it."""
        app = self.services
        session = app.session
        view = session.view
        if view is None:
            return
        self._count_game(view)
        if session.clock is None:
            self._countdown = None
        elif self._countdown is None or self._countdown.clock is not session.clock:
            self._countdown = Countdown(session.clock, app.clock())
        # After a new welcome there is no revision for a moment; the choice is kept meanwhile.
        if session.revision and session.revision != self._shown_revision:
            unanswered = self.question is not None and self.answered != self._shown_revision
            self._shown_revision = session.revision
            self._refusal = session.refusal
            self._picture(view)
            names = [player.name for player in self._players(view)]
            fresh = session.events[session.fresh :] if self._view_shown else []
            table = self._table_names(view, names)
            self._forced = forced_sentence(fresh, table)
            self._view_shown = True
            self.ask(view)
            if unanswered and not self.stood_in() and session.sealed is None:
                self.stood_for = _(
                    "A bot has decided for you: your time was over, or your line was lost."
                )
        if session.sealed is not None and session.sealed.stage == "frozen":
            self.question = None
        refusal = session.refusal
        refused = refusal is not None and refusal is not self._refusal
        if refusal is not None and refused:
            self.notice = refused_in_game(refusal, self.lobby, app.glyphs)
        self._refusal = refusal
        if refused or app.lost is not None or not self.stood_in():
            self.taking_back = False
        self._latency_ms = steady_latency(self._latency_ms, app.latency_ms)
        self.show()
        self._call()

    def state(self) -> TableState:
        """Return the present moment of the table."""
        app = self.services
        session = app.session
        view, lobby = self.view, self.lobby
        players = self._players(view)
        settings = lobby.settings
        countdown = self._running_clock()
        wanted = again_words(lobby) if view.over else ""
        names = [player.name for player in players]
        log = self._log_of(view, session.events, names)
        hint = self.hint(Prompter(view, names, app.glyphs))
        stays, frame = self._stays(view, log), self._reel.frame
        seen, said = self._talk_shown(view), len(session.talk)
        unread = self.unread(seen=seen)
        if seen or self._said[0] is not self.answered_at:
            self._said = self.answered_at, said
        if self._spoken[0] != said:
            self._spoken = said, len(session.events)
        spoken = not seen and said > 0 and (unread > 0 or said > self._said[1])
        # An answer that strikes a card is done only once that is shown.
        stalls = session.pending is not None and vote_words(session.sealed, "")[0]
        effect, weight = NO_EFFECT, Weight.ORDINARY
        question = None if frame is not None or stalls else self.question
        # What was decided is a matter of its own: a question stands without it.
        decided = self._forced if question is None else ""
        if frame is not None:
            view, effect, log = frame.view, frame.effect, log[: frame.told]
            stays, weight = None, frame.weight
        return TableState(
            view=view,
            players=players,
            glyphs=app.glyphs,
            layout=self.layout_for(view),
            question=question,
            owners=session.owners(),
            hand_of=self.hand_of,
            cursor=self.cursor,
            looking=self.looking,
            mirrored=settings.direction == "left",
            sent=session.pending is not None,
            lost="" if app.lost is None else lost_title(app.lost, app.clock()),
            paused=lobby.paused,
            host=lobby.host,
            stood_in=self.stood_in() and not view.over,
            taking_back=self.taking_back,
            time_left=None if countdown is None else countdown.shown(app.clock()),
            time_runs=countdown is not None and countdown.clock.running,
            latency_ms=self._latency_ms,
            room=lobby.code[:ROOM_SIGNS] if lobby.code else "",
            talk=session.talk[-TALK_KEPT:],
            unread=unread,
            spoken=spoken,
            spoken_last=spoken and self._spoken[1] == len(session.events),
            coached=self._coaching.on,
            notice=self.notice or ("" if hint[0] else self.stood_for),
            hint=hint,
            hinted=self.hinted(),
            forced=(decided or first_sentence(session.sealed, view)) if frame is None else "",
            heading=[
                *sums(view, session.owners(), players),
                *table_heading(session.lobby, session.sealed),
            ],
            sealed=session.sealed,
            log=[line for line in [*log, (None, wanted)] if line[1]],
            effect=effect,
            telling=frame is not None,
            weight=weight,
            leads=frame is not None and frame.leads,
            again=self._reel.again,
            stays=stays,
            change=changes(view, self.answered_at),
        )

    def _stays(self, view: View, log: list[Line]) -> Line | None:
        """Return what mattered most since the reader's last answer.

        Its line in the log names no positions any more once they have changed.
        """
        if self.answered_at is None or view.over:
            return None
        _before, told = self.answered_at
        happened = self.services.session.events
        # What was done to the reader comes first; of several as great a surprise the last; without
        # any what happened last to somebody.
        weighed = [
            (
                _strikes(happened[number - 1], view.viewers),
                self._surprises.get(number, Weight.ORDINARY).value,
                number,
            )
            for number, (seat, sentence) in enumerate(log[told:], told + 1)
            if sentence and seat is not None
        ]
        if not weighed:
            return None
        at = max(weighed)[-1] - 1
        if any(map(renumbers, happened[at:])):
            names = [player.name for player in self._players(view)]
            table = replace(self._table_names(view, names), numbered=False)
            log[at] = log_lines(happened[: at + 1], table, at)[0]
        return log[at]

    def _players(self, view: View) -> list[Player]:
        return players_of(view, self.lobby)

    def _call(self) -> None:
        """Call the reader, if it is their turn and they look elsewhere."""
        stopped = self.services.lost is not None or self.stood_in()
        asked = None if self.question is None or stopped else self._shown_revision
        if asked == self.answered or self.services.session.pending is not None:
            asked = None
        now, clock = self.services.clock(), self._running_clock()
        left = clock.left_s(now) if clock is not None and clock.clock.running else None
        self._attention.focused = self.app.app_focus
        self.services.signal(self._attention.update(asked, now, left, self.services.settings))
        # A timer of its own: nothing is drawn for this.
        if self._caller is not None:
            self._caller.stop()
        change = self._attention.next_change(now, left)
        self._caller = None
        if change is not None:
            self._caller = self.set_timer(change + TICK_SLACK_S, self._call)

    def on_unmount(self) -> None:
        """Leave the terminal's title as it was."""
        self.services.signal(self._attention.leave())

    def _running_clock(self) -> Countdown | None:
        """Return the clock of the question being asked, unless it stands for nobody's sake."""
        session, countdown = self.services.session, self._countdown
        # Without a clock the game may be gone before it was seen.
        if countdown is None or self.services.lost is not None or self.view.over:
            return None
        if countdown.clock.revision != session.revision:
            return None
        return countdown if countdown.clock.running or self.lobby.paused else None

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds the clock, or the wait for a lost line, changes."""
        changes = [super().next_change(now)]
        changes.append(self._reel.next_change(now))
        countdown = self._running_clock()
        if countdown is not None:
            changes.append(countdown.next_change(now))
        return min((change for change in changes if change is not None), default=None)

    def tick(self) -> None:
        """Draw the next picture; or else the time that is left, and nothing else."""
        if self._reel.frame is not None:
            if not self._reel.advance(self.services.clock()):
                # Whatever was typed meanwhile was not for the question that appears now.
                self.writing_ended()
            self.show()
            self._wait_for_change()
            return
        state = self.state()
        for zone in (Header, Seats, Prompt):
            self.query_one(zone).show(state)
        self._wait_for_change()

    def _log_of(self, view: View, happened: Sequence[Event], names: Sequence[str]) -> list[Line]:
        """Return the lines of the event list, wording only the events that are new."""
        known = len(self._log)
        if known > len(happened) or self._worded != (happened[:1], list(names)):
            self._log, known = [], 0
        self._worded = (list(happened[:1]), list(names))
        self._log += log_lines(happened, self._table_names(view, names), known)
        return list(self._log)

    def _table_names(self, view: View, names: Sequence[str]) -> TableNames:
        """Return what sentences about events call everybody."""
        return table_names(view, names, self.services.session.owners(), self.services.glyphs)

    def show(self) -> None:
        """Draw the present moment."""
        state = self.state()
        self._arrange(state)
        for panel in self.query(TalkPanel):
            panel.show(state.talk, self.silenced())
        self.query_one(Keys).show(self._key_bar(state))

    def _talk_shown(self, view: View) -> bool:
        """Whether the chat stands where the reader sees it."""
        layout = self.layout_for(view)
        return self.talking or self._talk_below(layout) or self._talk_beside(layout)

    def _talk_below(self, layout: Layout) -> bool:
        """Whether the chat stands below the hand, beside the events."""
        if layout.events_height < TALK_ROWS or layout.teaches:
            return False
        # Where sentences would be cut for it, it has room only while somebody writes.
        return self.talking or (layout.width >= TALK_WIDE and bool(self.services.session.talk))

    def _talk_beside(self, layout: Layout) -> bool:
        """Whether it stands beside the hand because what is known of all cards needs the rows."""
        return layout.teaches and bool(self.services.session.talk)

    def room(self, view: View) -> QueueRoom:
        """Return the room that the phase has needed so far and may need."""
        key = view.round, view.asked == PLACE
        sizes = self._room.get(key, QueueRoom()).after(view)
        self._room = {key: sizes}
        return sizes

    def _arrange(self, state: TableState) -> None:
        layout = state.layout
        show_zones(self, state, Prompt, hand_width(state))
        self.query_one("#bottom").display = layout.events_height > 0
        known = self.query_one(KnownCards)
        known.display = layout.knows
        ten_cards = min(TEACHING_WIDTH, layout.width - TEACHING_BESIDE)
        known.styles.width = ten_cards if layout.teaches else KNOWN_WIDTH
        below = self.query_one("#talk-below")
        below.display = self._talk_below(layout)
        below.styles.width = talk_width(self.size.width)
        beside = self.query_one("#talk-beside")
        beside.display = (self.talking or self._talk_beside(layout)) and not below.display
        beside.styles.width = layout.width // TALK_PART if layout.teaches else "1fr"
        self.query_one(CardHelp).display = layout.teaches or not beside.display

    def _count_game(self, view: View) -> None:
        """Count a game of the reader's own when it ends before their eyes."""
        if not view.over:
            self._played_on = view.viewer is not None
        elif self._played_on:
            self._played_on = False
            self._coaching = self._coaching.after_a_game()
            if self.services.COACHES:
                keep_coaching(self._coaching)

    def action_coach(self) -> None:
        """Say what each decision is about, or stop saying so."""
        self._coaching = self._coaching.toggled()
        if self.services.COACHES:
            keep_coaching(self._coaching)
        self.show()

    def help_page(self) -> str:
        """Open the help at the card that is looked at or asked about."""
        from driflamme_tui.wording.game.help_pages import THE_CARDS, card_page

        state = self.state()
        looked_at = state.cursor is not None or state.question is not None
        cursor = subject(state) if looked_at else None
        card = card_of(state, cursor) if cursor is not None else ""
        if not card:
            return super().help_page()
        return THE_CARDS if card == UNKNOWN else card_page(card)

    def reminder(self) -> Reminder | None:
        """Tell whoever reads the help what the table asks."""
        state = self.state()
        if state.view.over:
            return None
        view = state.view
        if state.question is not None and state.answerable and not state.sent:
            return Reminder(state.prompter.title(state.question), view.families[view.turn], True)
        stopped = state.lost or (paused_title(state.host) if state.paused else "")
        text = stopped or (stood_in_title() if state.stood_in else state.prompter.waiting())
        return Reminder(text, view.families[view.turn], False)

    def _key_bar(self, state: TableState) -> list[Key]:
        told = 0 if self.answered_at is None else self.answered_at[1]
        first, others = table_keys(state, news=len(self.services.session.events) > told)
        return self.possible(
            *first,
            self.talk_key(state.unread),
            *others,
            *self.way_out(TableCommands.leave_table),
        )


def _strikes(event: Event, readers: Sequence[Seat]) -> bool:
    """Whether an event is something that another does to a reader."""
    match event:
        case Eliminated(victim=struck) | Moved(owner=struck) | AmbushSprung(attacker=struck):
            pass
        case Stole(victim=struck, influence=influence) if influence:
            pass
        case _:
            return False
    return struck in readers and event.seat not in readers
