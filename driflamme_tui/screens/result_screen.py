"""The result: who won and why, what everybody had, and another game if they like."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Final

from msgspec import Struct
from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import DEFAULT, style
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, key
from driflamme_tui.keymap.screen_commands import ResultCommands, SessionCommands
from driflamme_tui.model.game_progress import progress_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.replay.record_files import saved
from driflamme_tui.screens.base.sharing import share
from driflamme_tui.screens.session_screen import SessionScreen, margin
from driflamme_tui.text.cell_widths import bar, shortened, wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.key_bar import Key, entry
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.scrubber import ProgressChart, Seek
from driflamme_tui.wording.game.names import card_name_for, family_name
from driflamme_tui.wording.game.result_words import headline, reason, tie_break
from driflamme_tui.wording.game.turning_points import turning_point
from driflamme_tui.wording.program.evening_words import evening_sentence, game_words
from engine.cards import Family, Seat
from engine.events import Eliminated, Event
from engine.position import cards_in
from engine.ranking import (
    Owner,
    Owners,
    each_alone,
    is_for_two,
    owner_of,
    ranking_of_owners,
    total,
    total_in_queue,
)
from engine.record import Record
from engine.replaying import Replay
from engine.view import View
from netcode.protocol.messages import BackToLobby, Lobby, SetReady


class Standing(Struct, frozen=True):
    """One line of the ranking: of a player with all their seats, or of one seat."""

    place: int
    """0 for a seat of a player who stands above it with all of theirs."""
    seat: Seat
    """Of a player with several, the first."""
    influence: int
    lost: int
    """Influence that was still on cards, which does not count."""
    queued: int
    """Own cards in the Queue, covered ones too: the tie-break."""
    eliminated: int
    """Cards that this seat's cards eliminated."""
    best: int
    """The most that one card's resolution brought; 0 where that is not known."""


def standings(view: View, events: Sequence[Event], owners: Owners | None = None) -> list[Standing]:
    """Return the ranking of a finished game, best first.

    Where players have two families each, a line for each family follows their own.
    """
    lines = []
    went = progress_of(events, view.pools)

    def line(place: int, own: Owner) -> Standing:
        lost = sum(
            influence
            for stack in view.queue
            if stack[0] in own
            for _card, _face_up, influence in cards_in(stack)
        )
        kills = sum(isinstance(event, Eliminated) and event.seat in own for event in events)
        best = max(went.best(seat) for seat in own) if went is not None else 0
        queued = total_in_queue(view, own)
        return Standing(place, own[0], total(view, own), lost, queued, kills, best)

    place = 1
    for shared in ranking_of_owners(view, owners or each_alone(view.players)):
        for own in shared:
            lines.append(line(place, own))
            if own[1:]:
                lines += [line(0, (seat,)) for seat in own]
        place += len(shared)
    return lines


NAME_ROOM: Final = 20
"""Columns for a player's sign and name; on a narrow screen there are fewer."""

VALUES_FROM: Final = 8
"""Columns left of the values of the rounds, for a player's signs."""

NAMES: Final = (20, 7, 4, 1)
"""Columns for a card's name; with 1, its letter."""


def _named(
    groups: Sequence[tuple[str, str]], columns: int, glyphs: Glyphs
) -> list[tuple[str, str]]:
    """Return each group's label and its cards by name, or by letter where there is no room."""
    return [
        (
            f"{label} ",
            " ".join(card if columns == 1 else card_name_for(card, columns) for card in cards)
            + ("  " if cards else f"{glyphs.nothing}  "),
        )
        for label, cards in groups
    ]


FULL_WIDTH: Final = 80
"""Columns for the whole ranking; with fewer, names are cut and the last column is left out."""
NARROWER: Final = 12
"""Columns by which the ranking is narrower then."""
CHART_WIDTH: Final = 100
"""Columns from which the chart stands under everything else."""

GAPS: Final = 4
"""Empty rows between the parts of the result, where there is room for them."""
BAND_ROWS: Final = 3
"""Rows of the band that says who won; one where there are no others."""
LOWEST_CHART: Final = 8
"""Rows of the lowest chart: fewer would show no difference."""
HIGHEST_CHART: Final = 20
"""Rows of the highest chart beside anything else."""
WIDEST_STEP: Final = 12
"""Columns from one round to the next among the values, at most."""

GROWING_S: Final = 0.8
"""For how long bars grow to what they stand for."""
FRAME_S: Final = 1 / 12
"""How long each picture of that stays."""

TALK_ROWS: Final = 4
"""Rows of the chat on the smallest screen, once something was said."""
TALK_PART: Final = 5
"""On a larger screen the chat has one of so many rows."""
TALK_MOST: Final = 7
"""Rows of the chat at most, since the chart needs the room."""


class ResultScreen(SessionScreen):
    """What stays after a game until everybody has seen it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("result")

    course_shown = False
    """Whether the course of the game stands in the place of the ranking."""
    _shown: Lobby | None = None
    """What is shown of the table."""
    _playback: Playback | None = None
    """The game at its end, once there is a record of it."""
    _grows_from: float | None = None
    """When bars began to grow; None once they have."""

    def zones(self) -> ComposeResult:
        """A board, the chart under it, and the chat."""
        board, talk = super().zones()
        yield board
        yield ProgressChart(id="course")
        yield talk

    def on_mount(self) -> None:
        """Show what there is, the bars as they grow."""
        if self.app.animation_level != "none" and not self.services.line.slow:
            self._grows_from = self.services.clock()

    def sync(self) -> None:
        """Show what the session knows now."""
        session, lobby = self.services.session, self.lobby
        if session.view is None or not session.view.over:
            return
        if self._shown is not lobby:
            self._shown, self.notice = lobby, ""
        rows = max(TALK_ROWS, min(TALK_MOST, (self.size.height - 2) // TALK_PART))
        there = bool(session.talk) or self.talking
        self.query_one(TalkPanel).display = there
        self.show_talk(rows)
        self._divide(session.view, self.size.height - 1 - rows * there)
        super().sync()

    def _divide(self, view: View, height: int) -> None:
        """Divide the rows between what is drawn and the chart."""
        chart = self.query_one(ProgressChart)
        chart.playback = self.playback
        left = margin(self.size.width)
        rows = self._needed(view) + GAPS
        if self.course_shown:
            rows = 3 + view.players + len(self._points(self.size.width - 2 * left - 3, whole=True))
        rows = min(rows, height - LOWEST_CHART)
        beside = self.size.width >= CHART_WIDTH and rows >= self._needed(view)
        chart.display = chart.playback is not None and (self.course_shown or beside)
        self.board.styles.height = rows if chart.display else "1fr"
        chart.styles.max_height = None if self.course_shown else HIGHEST_CHART
        chart.styles.margin = (0, left, 0, left - 1)
        chart.redraw()

    @property
    def playback(self) -> Playback | None:
        """The game to look back at, at its end; None while there is no record of it."""
        record = self.services.session.record
        if record is None:
            return None
        if self._playback is None or self._playback.replay.record is not record:
            self._playback = Playback(Replay.of(record))
            self._playback.go(self._playback.replay.last)
        return self._playback

    # Time

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds something that is shown changes by itself."""
        return FRAME_S if self._grows_from is not None else super().next_change(now)

    def tick(self) -> None:
        """Show the present time, until bars have grown."""
        if self._grown() >= 1:
            self._grows_from = None
        super().tick()

    def on_key(self, _event: events.Key) -> None:
        """Let bars grow no more: whoever presses a key has seen enough of that."""
        self._grows_from = None
        self.board.redraw()

    def _grown(self) -> float:
        """Return which part of their length bars have."""
        if self._grows_from is None:
            return 1.0
        return min(1.0, (self.services.clock() - self._grows_from) / GROWING_S)

    # What is drawn

    def _told(self, view: View) -> tuple[str, Seat, list[str]]:
        """Return who won the game, or the evening once that is decided; their seat; and why."""
        session, lobby, left = self.services.session, self.lobby, margin(self.size.width)
        names, owners = session.names(), session.owners()
        won, evening = headline(view, names, owners), evening_sentence(lobby)
        why, seat = reason(view, names, owners), ranking_of_owners(view, owners)[0][0][0]
        room = self.size.width - left - 1
        if evening and lobby.evening.is_decided(lobby.settings.best_of):
            leaders = [each.name for each in lobby.evening.leaders]
            seat = next((at for at, name in enumerate(names) if name in leaders), seat)
            return evening, seat, wrapped(f"{won} {self.glyphs.dash} {why}", room, room)
        lines = wrapped(why, room, room)
        return won, seat, lines + wrapped(evening, room, room) if evening else lines

    def _needed(self, view: View) -> int:
        """Return how many rows everything takes, without any that is empty."""
        ranked = len(standings(view, (), self.services.session.owners()))
        points = 0 if self.playback is None else 1 + len(self.playback.turning_points)
        return 6 + BAND_ROWS + len(self._told(view)[2]) + ranked + points + view.players

    def draw(self, canvas: Canvas) -> None:
        """Draw who won, the ranking, what decided, the cards laid open, and who plays on."""
        view = self.services.session.view
        if view is None:
            return
        lost = self.lost_title()
        self.draw_head(canvas, _("Result"), lost or game_words(self.lobby), alert=bool(lost))
        left = margin(canvas.width)
        if self.course_shown:
            self._draw_course(canvas, left, 1, view)
            if self.told_notice()[0]:
                # There is no other row that is free: it takes the title's of the values.
                self._draw_notice(canvas, left, 1)
            return
        large, seat, told = self._told(view)
        points = self._points(canvas.width - left - 4, whole=False)
        # What there is no room for goes, what matters least first.
        spare, dropped = canvas.height - self._needed(view), set()
        for part, rows in (("title", 1), ("band", BAND_ROWS - 1), ("legend", 1), ("points", 3)):
            if spare < 0:
                dropped.add(part)
                spare += min(rows, len(points)) if part in ("title", "points") else rows
        lines = told[: min(0, spare) or None]
        gaps = [int(spare > n) for n in range(GAPS)]
        high = 1 if "band" in dropped else BAND_ROWS
        self._draw_band(canvas, left, 1, large, view.families[seat], high)
        row = canvas.lines(left, 1 + high, lines, canvas.mute) + gaps[0]
        row = self._draw_ranking(canvas, left, row, view, legend="legend" not in dropped) + gaps[1]
        if points and "points" not in dropped:
            if "title" not in dropped:
                end = canvas.text(left, row, _("TURNING POINTS"), canvas.heading) + 2
                canvas.text(end, row, _("its number shows each in the replay"), canvas.mute)
                row += 1
            row = self._draw_points(canvas, left, row, points) + gaps[2]
        self._draw_cards(canvas, left, row + 1, view)
        row += view.players + 1 + gaps[3]
        self._draw_again(canvas, left, row)
        if self.told_notice()[0]:
            self._draw_notice(canvas, left, row - 1 if gaps[3] else row + 1)

    def _draw_band(
        self, canvas: Canvas, x: int, y: int, text: str, family: Family, rows: int
    ) -> None:
        """Draw who won on a ground of their colour, as large as there is room."""
        palette, width = canvas.palette, canvas.width - 2 * x
        hue = palette.families[family].hue
        ink = canvas.chosen if hue == DEFAULT else style(palette.on_colour, hue, bold=True)
        spaced = " ".join(text.upper())
        large = rows > 1 and cell_len(spaced) <= width - 4
        canvas.fill(x, y, width, rows, ink, " ")
        canvas.text(x + 2, y + rows // 2, spaced if large else text, ink, width - 3)

    def _draw_notice(self, canvas: Canvas, x: int, y: int) -> None:
        notice, good = self.told_notice()
        canvas.text(x, y, notice, canvas.bold if good else canvas.alert, canvas.width - x - 1)

    def _draw_ranking(self, canvas: Canvas, x: int, y: int, view: View, *, legend: bool) -> int:
        """Draw a bar and figures for everybody, and what they mean; return the row after it."""
        session, glyphs = self.services.session, canvas.glyphs
        owners, names = session.owners(), session.names()
        narrow = NARROWER if canvas.width < FULL_WIDTH else 0
        further = max(0, canvas.width - 2 * x - FULL_WIDTH + 4) - narrow
        columns = (
            (38 + further, _("on cards")),
            (48 + further, _("in Queue")),
            (58 + further, _("eliminated")),
            *(() if narrow else ((70 + further, _("best")),)),
        )
        end = x + 36 + further
        influence = _("influence")
        canvas.text(end - cell_len(influence), y, influence, canvas.heading)
        for column, label in columns:
            canvas.text(x + column, y, label, canvas.heading)
        ranked, grown, ties = standings(view, session.events, owners), self._grown(), []
        most = max(line.influence for line in ranked)
        room = NAME_ROOM - narrow // 2 - 1 if narrow else NAME_ROOM
        for row, line in enumerate(ranked, y + 1):
            family = view.families[line.seat]
            hue, ink = canvas.hue(family), canvas.bold if line.place == 1 else canvas.plain
            if line.place:
                canvas.text(x, row, f"{line.place}.", ink)
                owner = owner_of(owners, line.seat)
                ties.append((tie_break(view, owner, owners), f"{line.place}. "))
            name = names[line.seat]
            if line.seat in view.viewers:
                yours = _("{name} (you)").format(name=name)
                name = yours if cell_len(yours) <= room - 3 else name
            title, named = f"{glyphs.tag(family)} {name}", hue
            if is_for_two(owners):
                # The player's own line says whose; those below it, which family.
                title = name if line.place else f"  {glyphs.tag(family)} {family_name(family)}"
                named = ink if line.place else hue
            canvas.text(x + 3, row, shortened(title, room, glyphs), named)
            left = x + 3 + room + 1
            length = bar(line.influence * grown, most, end - 4 - left, glyphs)
            canvas.text(left, row, length, hue)
            score = str(round(line.influence * grown))
            canvas.text(end - len(score), row, score, canvas.bold)
            best = f"+{line.best}" if line.best else glyphs.nothing
            values = (line.lost, line.queued, line.eliminated, best)
            for (column, label), value in zip(columns, values, strict=False):
                canvas.text(x + column, row, f"{value:>{min(len(label), 9)}}", ink)
        row = y + 1 + len(ranked)
        if not legend:
            return row
        told = next((f"{place}{tie}" for tie, place in ties if tie), "")
        if not narrow:
            best = _("best: the most that one card brought")
            both = f"{told} {glyphs.separator} {best}" if told else best
            told = both if cell_len(both) < canvas.width - x else told
        canvas.text(x, row, told, canvas.mute)
        return row + 1

    def _points(self, width: int, *, whole: bool) -> list[tuple[str, str]]:
        """Return what decided the game, and the key to see it, in rows of so many columns.

        Unless it is wanted `whole`, each has one row, and tells only what happened if that is full.
        """
        session, playback = self.services.session, self.playback
        rows: list[tuple[str, str]] = []
        if playback is None or session.view is None:
            return rows
        families, owners = session.view.families, session.owners()
        for number, point in enumerate(playback.turning_points.values(), 1):
            told, moved = turning_point(point, session.names(), families, owners)
            both = f"{told} {moved}"
            if not whole and cell_len(both) > width:
                both = shortened(told, width, self.glyphs)
            rows += [(str(number), row) for row in wrapped(both, width, width)]
        return rows

    def _draw_points(
        self, canvas: Canvas, x: int, y: int, points: Sequence[tuple[str, str]]
    ) -> int:
        """Draw what decided the game; return the row after it."""
        for row, (number, text) in enumerate(points, y):
            if row == y or points[row - y - 1][0] != number:
                canvas.text(x, row, number, canvas.bold)
            canvas.place(x + 3, row, text, canvas.plain, f"moment('{number}')")
        return y + len(points)

    def _draw_cards(self, canvas: Canvas, x: int, y: int, view: View) -> None:
        glyphs = canvas.glyphs
        canvas.text(x, y - 1, _("LAID OPEN"), canvas.heading)
        groups = []
        for seat in range(view.players):
            queued = [
                card
                for stack in view.queue
                if stack[0] == seat
                for card, _face_up, _influence in cards_in(stack)
            ]
            groups.append(
                (
                    (_("last"), view.hands[seat]),
                    (_("aside"), view.aside[seat]),
                    (_("Queue"), "".join(queued)),
                )
            )
        widest = max(cell_len(glyphs.tag(family)) for family in view.families)
        room = canvas.width - x - widest - 2
        tried = [[_named(group, columns, glyphs) for group in groups] for columns in NAMES]
        fitting = [
            lines
            for lines in tried
            if all(sum(map(cell_len, sum(line, ()))) <= room for line in lines)
        ]
        lines = (fitting or tried[-1:])[0]
        for row, (family, line) in enumerate(zip(view.families, lines, strict=True), y):
            end = canvas.text(x, row, glyphs.tag(family), canvas.hue(family)) + 1
            for label, names in line:
                end = canvas.text(end, row, label, canvas.mute)
                end = canvas.text(end, row, names, canvas.plain)

    def _draw_course(self, canvas: Canvas, x: int, y: int, view: View) -> None:
        """Draw everybody's influence after each round, and what moved the ranking most."""
        if self.playback is None:
            return
        replay, glyphs = self.playback.replay, canvas.glyphs
        shown = [replay.pools(step) for step in (*replay.rounds, replay.last)]
        width = canvas.width - 2 * x
        ranked = ranking_of_owners(view, self.services.session.owners())
        lanes = [own for shared in ranked for own in shared]
        step = min(WIDEST_STEP, (width - VALUES_FROM) // len(shown))
        for point in range(len(shown)):
            label = _("start") if point == 0 else str(point)
            canvas.text(x + VALUES_FROM + point * step, y, label, canvas.mute)
        for own in lanes:
            y += 1
            tags = "".join(glyphs.tag(view.families[seat]) for seat in own)
            canvas.text(x, y, tags, canvas.hue(view.families[own[0]]))
            for point, pools in enumerate(shown):
                value = str(sum(pools[seat] for seat in own))
                canvas.text(x + VALUES_FROM + point * step, y, value, canvas.plain)
        self._draw_points(canvas, x, y + 1, self._points(width - 3, whole=True))

    def _draw_again(self, canvas: Canvas, x: int, y: int) -> None:
        own = self.lobby.own_seat
        people = [seat for seat in self.lobby.seats if seat.bot is None and seat.present]
        ready = [seat.name for seat in people if seat.ready]
        if own is not None and not own.ready:
            another = _("{key}: another game with the same people")
            another = another.format(key=key(ResultCommands.again, canvas.glyphs))
            canvas.place(x, y, f" {another} ", canvas.chosen, "again")
        if ready:
            waiting = len(people) - len(ready)
            text = ngettext(
                "{names} would like another game; {n} person has not said so yet.",
                "{names} would like another game; {n} people have not said so yet.",
                waiting,
            ).format(names=", ".join(ready), n=waiting)
            shown = shortened(text, canvas.width - x - 1, canvas.glyphs)
            canvas.text(x, y + 1, shown, canvas.mute)

    def key_bar(self) -> Iterable[Key]:
        """Return what can be done with the result."""
        glyphs = self.glyphs
        return (
            entry(ResultCommands.retry, glyphs),
            entry(ResultCommands.again, glyphs),
            entry(ResultCommands.replay, glyphs),
            entry(ResultCommands.share, glyphs, rank=1),
            entry(ResultCommands.save, glyphs, rank=3),
            entry(ResultCommands.course, glyphs, rank=3),
            entry(ResultCommands.table, glyphs, rank=3),
            entry(ResultCommands.lobby, glyphs),
            self.talk_key(0),
            entry(SessionCommands.people, glyphs, rank=3),
            *self.way_out(ResultCommands.leave_table),
        )

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        if command == ResultCommands.again:
            return self.lobby.you is not None
        if command == ResultCommands.lobby:
            return self.lobby.host
        if command == ResultCommands.replay:
            return self.services.session.record is not None and self.services.lost is None
        if command in (ResultCommands.save, ResultCommands.share, ResultCommands.course):
            return self.services.session.record is not None
        if command in ResultCommands.moment.values():
            return self.playback is not None and bool(self.playback.turning_points)
        return super().can(command)

    def _record(self) -> Record | None:
        """Return the record of the game, or say that there is none."""
        record = self.services.session.record
        if record is None:
            self.show_notice(_("The table has not sent the record of this game."))
        return record

    def action_replay(self) -> None:
        """Look back at the game that is over; while the line is lost, try it at once instead."""
        if not self.retries() and (record := self._record()) is not None:
            self.services.show_replay(record)

    @on(Seek)
    def _sought(self, message: Seek) -> None:
        if (record := self._record()) is not None:
            self.services.show_replay(record, message.step)

    def action_moment(self, number: str) -> None:
        """Look back at one of the moments that decided the game."""
        if (record := self._record()) is not None and self.playback is not None:
            steps = [*self.playback.turning_points][int(number) - 1 : int(number)]
            for step in steps:
                self.services.show_replay(record, step)

    def action_save(self) -> None:
        """Write the record of the game into a file, and say where."""
        if (record := self._record()) is not None:
            self._say_where(*saved(record, Path.cwd(), self._notice_room()))

    def action_share(self) -> None:
        """Copy what to tell others of the game, and write a picture of this screen."""
        if self._record() is not None and self.playback is not None:
            self.show_notice("")
            room = self._notice_room()
            self._say_where(*share(self.app, self.playback.replay, self.glyphs, room))

    def _notice_room(self) -> int:
        return self.size.width - margin(self.size.width) - 1

    def _say_where(self, sentence: str, good: bool) -> None:
        self.show_notice(self.glyphs.plain(sentence), good=good)

    def action_again(self) -> None:
        """Say that one would like another game, or not after all."""
        own = self.lobby.own_seat
        if own is not None:
            self.services.say(SetReady(ready=not own.ready))

    def action_table(self) -> None:
        """Look at the table as it was at the end."""
        self.services.show_result(False)

    def action_course(self) -> None:
        """Show how influence went over the game, or the ranking again."""
        self.course_shown = not self.course_shown and self.playback is not None
        self.sync()

    def action_lobby(self) -> None:
        """Go back to the lobby with everybody."""
        self.services.say(BackToLobby())
