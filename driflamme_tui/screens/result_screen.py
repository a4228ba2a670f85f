"""The result: who won and why, what everybody had, and another game if they like."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Final

from msgspec import Struct
from rich.cells import cell_len
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.chart import AXIS_WIDTH, draw_chart
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, key
from driflamme_tui.keymap.screen_commands import ResultCommands, SessionCommands
from driflamme_tui.model.game_progress import TURNING_POINTS, GameProgress, progress_of
from driflamme_tui.replay.record_files import saved
from driflamme_tui.screens.session_screen import SessionScreen, margin
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.key_bar import Key, entry
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.wording.game.names import card_name_for, family_name
from driflamme_tui.wording.game.result_words import headline, reason
from driflamme_tui.wording.game.turning_points import turning_point
from engine.cards import Seat
from engine.events import Eliminated, Event
from engine.position import cards_in
from engine.ranking import (
    Owner,
    Owners,
    each_alone,
    is_for_two,
    ranking_of_owners,
    total,
    total_in_queue,
)
from engine.record import Record
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


FIXED_ROWS: Final = 8
"""Rows of the result beside two for each player; further rows make gaps."""

FULL_WIDTH: Final = 80
"""Columns for the whole ranking; with fewer, names are cut and the last column is left out."""
NARROWER: Final = 12
"""Columns by which the ranking is narrower then."""

LOWEST_CHART: Final = 6
"""Rows of the lowest chart: fewer would show no difference."""
HIGHEST_CHART: Final = 12
"""Rows of the highest chart: more would leave none for words."""
WIDEST_STEP: Final = 12
"""Columns from one round to the next in a chart, at most."""
LABEL_WIDTH: Final = 8
"""Columns behind the last round of a chart, for signs and a value."""


def course_rows(players: int) -> int:
    """Return how many rows the course of a game needs, to stand under the ranking."""
    return LOWEST_CHART + players + 3 + TURNING_POINTS


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

    def sync(self) -> None:
        """Show what the session knows now."""
        session, lobby = self.services.session, self.lobby
        if session.view is None or not session.view.over:
            return
        if self._shown is not lobby:
            self._shown, self.notice = lobby, ""
        rows = max(TALK_ROWS, min(TALK_MOST, (self.size.height - 2) // TALK_PART))
        # The chat is there once anything was said, and where there is room for it anyway.
        there = bool(session.talk) or self.talking or rows > TALK_ROWS + 1
        self.query_one(TalkPanel).display = there
        self.show_talk(rows)
        super().sync()

    def draw(self, canvas: Canvas) -> None:
        """Draw headline, ranking, the cards laid open, and who wants another game."""
        view, owners = self.services.session.view, self.services.session.owners()
        if view is None:
            return
        names = self.services.session.names()
        self.draw_head(canvas, _("Result"), self.lost_title(), alert=True)
        left = margin(canvas.width)
        if self.course_shown:
            self._draw_course(canvas, left, 1, view)
            if self.told_notice()[0]:
                # There is no other row that is free: it takes the chart's title's.
                self._draw_notice(canvas, left, 1)
            return
        first = view.families[ranking_of_owners(view, owners)[0][0][0]]
        room = canvas.width - left - 1
        why = wrapped(reason(view, names, owners), room, room)
        ranked = len(standings(view, (), owners))
        spare = canvas.height - ranked - view.players - FIXED_ROWS - (len(why) - 1)
        before_open, before_ranking, before_all, before_again = (int(spare > n) for n in range(4))
        row = 1 + before_all
        canvas.text(left, row, headline(view, names, owners), canvas.hue(first))
        canvas.lines(left, row + 1, why, canvas.mute)
        row += 1 + len(why) + before_ranking
        self._draw_ranking(canvas, left, row, view)
        row += ranked + 2 + before_open
        self._draw_cards(canvas, left, row, view)
        row += view.players + 1 + before_again
        self._draw_again(canvas, left, row)
        self._draw_notice(canvas, left, row - 1)
        row += 3
        if canvas.height - row >= course_rows(view.players):
            self._draw_course(canvas, left, row, view)

    def _draw_notice(self, canvas: Canvas, x: int, y: int) -> None:
        notice, good = self.told_notice()
        canvas.text(x, y, notice, canvas.bold if good else canvas.alert, canvas.width - x - 1)

    def _draw_ranking(self, canvas: Canvas, x: int, y: int, view: View) -> None:
        session, glyphs = self.services.session, canvas.glyphs
        owners, names = session.owners(), session.names()
        narrow = NARROWER if canvas.width < FULL_WIDTH else 0
        columns = (
            (28 - narrow, _("influence")),
            (38 - narrow, _("on cards")),
            (48 - narrow, _("in Queue")),
            (58 - narrow, _("eliminated")),
            (70, _("best")),
        )
        for column, label in columns:
            canvas.text(x + column, y, label, canvas.heading)
        for row, line in enumerate(standings(view, session.events, owners), y + 1):
            family = view.families[line.seat]
            hue, ink = canvas.hue(family), canvas.bold if line.place == 1 else canvas.plain
            if line.place:
                canvas.text(x, row, f"{line.place}.", ink)
            name = names[line.seat]
            if line.seat in view.viewers:
                yours = _("{name} (you)").format(name=name)
                name = yours if cell_len(yours) <= 20 - narrow else name
            title = f"{glyphs.tag(family)} {name}"
            if is_for_two(owners):
                # The player's own line says whose; those below it, which family.
                title = name if line.place else f"  {glyphs.tag(family)} {family_name(family)}"
                hue = ink if line.place else hue
            canvas.text(x + 3, row, title, hue, 25 - narrow)
            best = f"+{line.best}" if line.best else glyphs.nothing
            values = (line.influence, line.lost, line.queued, line.eliminated, best)
            for (column, label), value in zip(columns, values, strict=True):
                canvas.text(x + column, row, f"{value:>{min(len(label), 9)}}", ink)

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
        """Draw the chart, its values under it, and what moved the ranking most."""
        session, glyphs = self.services.session, canvas.glyphs
        width = canvas.width - 2 * x
        canvas.text(x, y, _("INFLUENCE OVER THE GAME"), canvas.heading)
        went = progress_of(session.events, view.pools)
        if went is None:
            missing = _("This program did not see the whole game, so there is no chart of it.")
            canvas.lines(x, y + 1, wrapped(missing, width, width), canvas.mute)
            return
        room = canvas.height - y - view.players - 3
        turning = self._turning_rows(view, went, width, room - LOWEST_CHART)
        below = len(turning) + view.players + 3
        height = max(LOWEST_CHART, min(HIGHEST_CHART, canvas.height - y - below))
        ranked = ranking_of_owners(view, session.owners())
        lanes = [own for shared in ranked for own in shared]
        step = min(WIDEST_STEP, (width - AXIS_WIDTH - LABEL_WIDTH) // (len(went.rounds) - 1))
        series = [
            (view.families[own[0]], [sum(pools[seat] for seat in own) for pools in went.rounds])
            for own in lanes
        ]
        draw_chart(canvas, x, y + 1, series, height, step)
        row = y + 1 + height
        for point in range(len(went.rounds)):
            label = _("start") if point == 0 else str(point)
            canvas.text(x + AXIS_WIDTH + point * step, row, label, canvas.mute)
        row += 1
        for own, (family, values) in zip(lanes, series, strict=True):
            tags = "".join(glyphs.tag(view.families[seat]) for seat in own)
            canvas.text(x, row, tags, canvas.hue(family), AXIS_WIDTH)
            for point, value in enumerate(values):
                canvas.text(x + AXIS_WIDTH + point * step, row, str(value), canvas.plain)
            row += 1
        canvas.text(x, row, _("TURNING POINTS"), canvas.heading)
        canvas.lines(x, row + 1, turning, canvas.plain)

    def _turning_rows(self, view: View, went: GameProgress, width: int, room: int) -> list[str]:
        """Return as many turning points as there is room for, in rows of so many columns."""
        names, owners = self.services.session.names(), self.services.session.owners()
        lines: list[str] = []
        for most in range(TURNING_POINTS, 0, -1):
            lines = [
                line
                for step in went.turning_points(most)
                for line in wrapped(
                    " ".join(turning_point(step, names, view.families, owners)), width, width
                )
            ]
            if len(lines) <= room:
                break
        return lines

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
            canvas.text(x, y + 1, text, canvas.mute, canvas.width - x - 1)

    def key_bar(self) -> Iterable[Key]:
        """Return what can be done with the result."""
        glyphs = self.glyphs
        return (
            entry(ResultCommands.retry, glyphs),
            entry(ResultCommands.again, glyphs),
            entry(ResultCommands.replay, glyphs),
            entry(ResultCommands.save, glyphs),
            entry(ResultCommands.course, glyphs, rank=1),
            entry(ResultCommands.table, glyphs, rank=2),
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
        if command == ResultCommands.save:
            return self.services.session.record is not None
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

    def action_save(self) -> None:
        """Write the record of the game into a file, and say where."""
        if (record := self._record()) is not None:
            width = self.size.width
            sentence, good = saved(record, Path.cwd(), width - margin(width) - 1)
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
        self.course_shown = not self.course_shown
        self.board.redraw()

    def action_lobby(self) -> None:
        """Go back to the lobby with everybody."""
        self.services.say(BackToLobby())
