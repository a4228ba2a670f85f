"""The result, drawn: who won and why, everybody's figures, what decided it, and who plays on."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import margin
from driflamme_tui.drawing.palette import DEFAULT, style
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import ResultCommands
from driflamme_tui.model.game_progress import progress_of
from driflamme_tui.replay.playback import Playback
from driflamme_tui.text.cell_widths import bar, shortened, wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import card_name_for, family_name
from driflamme_tui.wording.game.result_words import headline, reason, tie_break
from driflamme_tui.wording.game.turning_points import turning_point
from driflamme_tui.wording.program.evening_words import (
    again_words,
    evening_headline,
    start_words,
    victories_sentence,
)
from driflamme_tui.wording.program.sealed_words import (
    dealing_sentence,
    verdict_sentence,
)
from driflamme_tui.wording.program.table_settings_words import free_families
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
from engine.view import View
from engine.words import N_
from netcode.client.sealed_news import SealedNews
from netcode.protocol.messages import Lobby


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

DOUBTS: Final = {"unproven": N_("unproven"), "cheated": N_("cheated")}
"""What is said instead of a bar of who has not shown all cards, or has cheated."""

VALUES_FROM: Final = 8
"""Columns left of the values of the rounds, for a player's signs."""

NAMES: Final = (*range(20, 3, -1), 1)
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
GAPS: Final = 4
"""Empty rows between the parts of the result, where there is room for them."""
BAND_ROWS: Final = 3
"""Rows of the band that says who won; one where there are no others."""
WIDEST_STEP: Final = 12
"""Columns from one round to the next among the values, at most."""


class ResultPicture(Struct, frozen=True, kw_only=True):
    """A finished game and its table, to be drawn in so many columns."""

    view: View
    lobby: Lobby
    names: Sequence[str]
    """Of the players, by seat."""
    owners: Owners
    events: Sequence[Event]
    """All of the game."""
    playback: Playback | None
    """The game to look back at; None while there is no record of it."""
    glyphs: Glyphs
    width: int
    grown: float
    """Which part of their length bars have."""
    count: int
    """Seconds to the start of the next game; 0 while none are counted."""
    notice: tuple[str, bool]
    """What there is to tell of the last key, and whether it is good news."""
    sealed: SealedNews | None = None
    """What the reader's own program knows of a sealed game; None of any other."""

    def told(self) -> tuple[str, Seat, list[list[str]]]:
        """Return who won the game, or the evening once that is decided; their seat; and more.

        The last of the sentences about it, each in its rows, matters most.
        """
        view, lobby, names, owners = self.view, self.lobby, self.names, self.owners
        won, evening = headline(view, names, owners), victories_sentence(lobby)
        why, seat = reason(view, names, owners), ranking_of_owners(view, owners)[0][0][0]
        room = self.width - margin(self.width) - 1
        if decided := evening_headline(lobby):
            leaders = [each.name for each in lobby.evening.leaders]
            seat = next((at for at, name in enumerate(names) if name in leaders), seat)
            won, why = decided, won
        proven = verdict_sentence(self.sealed, names)
        return won, seat, [wrapped(each, room, room) for each in (why, evening, proven) if each]

    def needed(self) -> int:
        """Return how many rows everything takes, without any that is empty."""
        ranked = len(standings(self.view, (), self.owners))
        points = 0 if self.playback is None else 1 + len(self.playback.turning_points)
        return 6 + BAND_ROWS + sum(map(len, self.told()[2])) + ranked + points + self.view.players

    def least(self) -> int:
        """Return how many rows it takes without what is told less large than who won."""
        moments = 0 if self.playback is None else len(self.playback.turning_points)
        return self.needed() - 1 - max(0, moments - 1)

    def points(self, *, whole: bool) -> list[tuple[str, str]]:
        """Return what decided the game, and the key to see it, in rows.

        Unless it is wanted `whole`, each has one row, and tells only what happened if that is full.
        """
        rows: list[tuple[str, str]] = []
        if self.playback is None:
            return rows
        families, width = self.view.families, self.width - 2 * margin(self.width) - 3
        for number, point in enumerate(self.playback.turning_points.values(), 1):
            told, moved = turning_point(point, self.names, families, self.owners)
            both = f"{told} {moved}"
            if not whole and cell_len(both) > width:
                both = shortened(told, width, self.glyphs)
            rows += [(str(number), row) for row in wrapped(both, width, width)]
        return rows


class ResultPainter:
    """Draws a result, and the values of its rounds."""

    def __init__(self, canvas: Canvas, picture: ResultPicture) -> None:
        self.canvas, self.picture, self.view = canvas, picture, picture.view
        self.left = margin(canvas.width)

    def paint(self) -> None:
        """Draw who won, the ranking, what decided, the cards laid open, and who plays on."""
        canvas, view, left, picture = self.canvas, self.view, self.left, self.picture
        large, seat, told = picture.told()
        points = picture.points(whole=False)
        # What there is no room for goes, what matters least first.
        spare, high, legend = canvas.height - picture.needed(), BAND_ROWS, True
        while spare < 0 and len(points) > 1:
            points, spare = points[:-1], spare + 1
        tie = self._tie()
        if spare < 0 and points and tie:
            points, spare = [], spare + 2
        if spare < 0 and not tie:
            legend, spare = False, spare + 1
        if spare < 0:
            high, spare = 1, spare + BAND_ROWS - 1
        if spare < 0 and points:
            points, spare = [], spare + 2
        if spare < 0 and legend and picture.lobby.evening.games > 1:
            # How the evening stands comes before why one stands above another.
            legend, spare = False, spare + 1
        if spare < 0 and told[1:]:
            spare += len(told.pop(0))
        lines = [row for sentence in told for row in sentence][: min(0, spare) or None]
        gaps = [int(spare > n) for n in range(GAPS)]
        self._band(large, view.families[seat], high)
        row = canvas.lines(left, 1 + high, lines, canvas.mute) + gaps[0]
        row = self._ranking(row, legend=legend) + gaps[1]
        if points:
            end = canvas.text(left, row, _("DECISIVE MOMENTS"), canvas.heading) + 2
            canvas.text(end, row, _("its number shows each in the replay"), canvas.mute)
            row = self._points(row + 1, points) + gaps[2]
        self._cards(row + 1)
        row += view.players + 1 + gaps[3]
        self._again(row)
        self._notice(row - 1 if gaps[3] else row + 1)

    def _band(self, text: str, family: Family, rows: int) -> None:
        """Draw who won on a ground of their colour, as large as there is room."""
        canvas, x, y = self.canvas, self.left, 1
        palette, width = canvas.palette, canvas.width - 2 * x
        hue = palette.families[family].hue
        ink = canvas.chosen if hue == DEFAULT else style(palette.on_colour, hue, bold=True)
        spaced = " ".join(text.upper())
        large = rows > 1 and cell_len(spaced) <= width - 4
        canvas.fill(x, y, width, rows, ink, " ")
        canvas.text(x + 2, y + rows // 2, spaced if large else text, ink, width - 3)

    def _notice(self, y: int) -> None:
        (notice, good), canvas = self.picture.notice, self.canvas
        ink = canvas.bold if good else canvas.alert
        if notice:
            canvas.text(self.left, y, notice, ink, canvas.width - self.left - 1)

    def _ranking(self, y: int, *, legend: bool) -> int:
        """Draw a bar and figures for everybody, and what they mean; return the row after it."""
        canvas, view, picture, x = self.canvas, self.view, self.picture, self.left
        glyphs, owners, names = picture.glyphs, picture.owners, picture.names
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
        ranked, grown = standings(view, picture.events, owners), picture.grown
        most = max(line.influence for line in ranked)
        room = NAME_ROOM - narrow // 2 - 1 if narrow else NAME_ROOM
        for row, line in enumerate(ranked, y + 1):
            family = view.families[line.seat]
            hue, ink = canvas.hue(family), canvas.bold if line.place == 1 else canvas.plain
            if line.place:
                canvas.text(x, row, f"{line.place}.", ink)
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
            verdicts = () if picture.sealed is None else picture.sealed.verdicts
            if doubt := _(DOUBTS.get(verdicts[line.seat], "")) if verdicts else "":
                fits = cell_len(doubt) <= end - 3 - left
                canvas.text(left, row, doubt if fits else "?", canvas.alert)
            else:
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
        told = self._tie()
        if not narrow:
            best = _("best: the most that one card brought")
            both = f"{told} {glyphs.separator} {best}" if told else best
            told = both if cell_len(both) < canvas.width - x else told
        canvas.text(x, row, told, canvas.mute)
        return row + 1

    def _tie(self) -> str:
        """Return why of two with as much influence one stands above the other; "" for none."""
        view, owners, sealed = self.view, self.picture.owners, self.picture.sealed
        for line in standings(view, (), owners):
            doubted = (
                sealed is not None and sealed.verdicts and sealed.verdicts[line.seat] in DOUBTS
            )
            tie = tie_break(view, owner_of(owners, line.seat), owners)
            if line.place and tie and not doubted:
                return f"{line.place}. {tie}"
        return ""

    def _points(self, y: int, points: Sequence[tuple[str, str]]) -> int:
        """Draw what decided the game; return the row after it."""
        canvas, x = self.canvas, self.left
        for row, (number, text) in enumerate(points, y):
            if row == y or points[row - y - 1][0] != number:
                canvas.text(x, row, number, canvas.bold)
            canvas.place(x + 3, row, text, canvas.plain, f"moment('{number}')")
        return y + len(points)

    def _cards(self, y: int) -> None:
        """Draw all that lies open now."""
        canvas, view, x = self.canvas, self.view, self.left
        glyphs = self.picture.glyphs
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
        lines: list[list[tuple[str, str]]] = []
        for columns in NAMES:
            lines = [_named(group, columns, glyphs) for group in groups]
            if all(sum(map(cell_len, sum(line, ()))) <= room for line in lines):
                break
        for row, (family, line) in enumerate(zip(view.families, lines, strict=True), y):
            end = canvas.text(x, row, glyphs.tag(family), canvas.hue(family)) + 1
            for label, names in line:
                end = canvas.text(end, row, label, canvas.mute)
                end = canvas.text(end, row, names, canvas.plain)

    def paint_course(self) -> None:
        """Draw everybody's influence after each round, what decided, and who plays on."""
        canvas, view, picture, x, y = self.canvas, self.view, self.picture, self.left, 1
        if picture.playback is None:
            return
        replay, glyphs = picture.playback.replay, picture.glyphs
        shown = [replay.pools(step) for step in (*replay.rounds, replay.last)]
        width = canvas.width - 2 * x
        ranked = ranking_of_owners(view, picture.owners)
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
        self._points(y + 1, picture.points(whole=True))
        # There is no other row that is free: it takes the title's of the values.
        self._notice(1)

    def _again(self, y: int) -> None:
        """Draw who would like another game, and how to."""
        canvas, lobby, x = self.canvas, self.picture.lobby, self.left
        name, own, text = key(ResultCommands.again, canvas.glyphs), lobby.own_seat, ""
        if dealing := dealing_sentence(self.picture.sealed, lobby):
            canvas.text(x, y, dealing, canvas.bold, canvas.width - x - 1)
        elif self.picture.count:
            text = start_words(self.picture.count, name if own is not None else "")
        elif own is None and free_families(lobby):
            text = _("{key}: sit down for the next game").format(key=name)
        elif own is not None and not own.ready:
            text = _("{key}: another game with the same people")
            if evening_headline(lobby):
                text = _("{key}: another evening with the same people")
            text = text.format(key=name)
        if text:
            canvas.place(x, y, f" {text} ", canvas.chosen, "again")
        shown = shortened(again_words(lobby), canvas.width - x - 1, canvas.glyphs)
        canvas.text(x, y + 1, shown, canvas.mute)
