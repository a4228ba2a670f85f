"""Who is here: everybody's overview, and the host's tools for those who are away or too loud.

Laid over any screen of a table; it follows what happens there while it is open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Size

from driflamme_tui.actions import bindings, both, key
from driflamme_tui.commands import COMMANDS
from driflamme_tui.i18n import _, pgettext
from driflamme_tui.screens.invitation import InvitationOverlay
from driflamme_tui.screens.overlays import FRAME_ROWS, BoxedMenu
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.canvas import Canvas
from driflamme_tui.widgets.glyphs import UNICODE, Glyphs
from driflamme_tui.widgets.palette import style
from driflamme_tui.widgets.panels import shortened
from driflamme_tui.wording.people import notes
from driflamme_tui.wording.settings import families_of
from netcode.messages import NAME_LENGTH, Absent, Lobby, Mute, Pause, SeatInfo
from netcode.refusals import refusal_sentence

WIDEST: Final = 84

ACTION_ROWS: Final = 6
"""What the host can do about whoever is selected: a title, four choices, and the pause."""

NAME_WIDTH: Final = NAME_LENGTH + 5
"""Columns for a sign, a letter and a name."""

FULL_WIDTH: Final = 60
"""Columns that leave room for what there is to say about somebody, whatever their name."""


@dataclass(frozen=True, slots=True)
class Person:
    """A line of the list: a seat, or a spectator."""

    name: str
    seat: SeatInfo | None = None

    @property
    def away(self) -> bool:
        """Whether the host has to decide what happens for them."""
        return self.seat is not None and self.seat.bot is None and not self.seat.present


class PeopleBoard(Board):
    """The list and the host's choices, drawn."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lobby: Lobby | None = None
        self.glyphs: Glyphs = UNICODE
        self.me = ""
        """The reader's name."""
        self.selected = 0
        self.removing = False
        """Whether the host is asked if they are sure to give a seat away."""
        self.notice = ""

    def background(self) -> Style:
        """Ink on a panel."""
        return style(self.palette.ink, self.palette.panel)

    def people(self) -> list[Person]:
        """Return everybody, seats first."""
        lobby = self.lobby
        if lobby is None:
            return []
        seated = [Person(seat.name, seat) for seat in lobby.seats]
        return [*seated, *map(Person, lobby.spectators)]

    def person(self) -> Person | None:
        """Return whom the host's choices are about."""
        people = self.people()
        return people[min(self.selected, len(people) - 1)] if people else None

    def rows(self) -> int:
        """Return how many rows there are to draw."""
        lobby = self.lobby
        if lobby is None:
            return 1
        watching = bool(lobby.spectators)
        listed = len(lobby.seats) + len(lobby.spectators) + watching
        return listed + (ACTION_ROWS + 1 if lobby.host else 0) + 1

    def draw(self, canvas: Canvas) -> None:
        """Draw seats, spectators, and what the host can do."""
        palette = canvas.palette
        lobby = self.lobby
        if lobby is None:
            return
        bottom = canvas.height - (ACTION_ROWS + 1 if lobby.host else 0) - 1
        for row, (index, person) in enumerate(self._shown(lobby, bottom)):
            if person is None:
                title = pgettext("heading of a list", "WATCHING")
                canvas.text(1, row, title, style(palette.mute, palette.panel, bold=True))
            else:
                self._draw_person(canvas, row, index, person, lobby)
        if lobby.host:
            self._draw_choices(canvas, bottom + 1, lobby)
        alert = style(palette.alert, palette.panel, bold=True)
        canvas.text(1, canvas.height - 1, self.notice, alert, canvas.width - 2)

    def _shown(self, lobby: Lobby, room: int) -> list[tuple[int, Person | None]]:
        """Return the lines of the list around the selected one, as many as there is room for."""
        people = self.people()
        lines: list[tuple[int, Person | None]] = list(enumerate(people))
        if lobby.spectators:
            lines.insert(len(lobby.seats), (-1, None))
        here = next((row for row, (index, _p) in enumerate(lines) if index == self.selected), 0)
        first = max(0, min(here - room // 2, len(lines) - room))
        return lines[first : first + room]

    def _draw_person(
        self, canvas: Canvas, row: int, index: int, person: Person, lobby: Lobby
    ) -> None:
        palette = canvas.palette
        glyphs, seat = self.glyphs, person.seat
        here = index == self.selected and lobby.host
        if here:
            canvas.text(1, row, glyphs.turn, style(palette.ink, palette.panel, bold=True))
        hue = palette.ink if seat is None else palette.families[seat.family].hue
        label = person.name
        if seat is not None:
            tags = [
                f"{glyphs.families[family]}{family}" if glyphs.letter_follows else f"[{family}]"
                for family in families_of(seat)
            ]
            label = f"{''.join(tags)} {person.name}"
        ink = style(hue, palette.panel, bold=True)
        if lobby.host:
            self.place(canvas, 3, row, label, ink, f"select({index})", NAME_WIDTH)
        else:
            canvas.text(3, row, label, ink, NAME_WIDTH)
        if seat is not None:
            words = notes(seat, lobby)
        else:
            words = [_("you")] if person.name == self.me and lobby.you is None else []
            words += [_("muted")] if person.name in lobby.muted else []
        alert = person.away or (seat is not None and seat.away != "no")
        x = 3 + self._name_width(canvas.width) + 1
        text = shortened(", ".join(words), canvas.width - x, glyphs)
        canvas.text(x, row, text, style(palette.alert if alert else palette.mute, palette.panel))

    def _name_width(self, width: int) -> int:
        """Return the columns for names: where there are few, no more than these need."""
        if width >= FULL_WIDTH:
            return NAME_WIDTH
        longest = max((cell_len(person.name) for person in self.people()), default=0)
        return min(NAME_WIDTH, longest + NAME_WIDTH - NAME_LENGTH)

    def _draw_choices(self, canvas: Canvas, y: int, lobby: Lobby) -> None:
        palette = canvas.palette
        person = self.person()
        if person is None:
            return
        mute = style(palette.mute, palette.panel, bold=True)
        if self.removing and person.away:
            sentence = _("Give {name}’s seat to a bot for good?").format(name=person.name)
            canvas.text(1, y, sentence, style(palette.alert, palette.panel, bold=True))
            why = _("They could come back to watch, but not to play this game.")
            canvas.text(1, y + 1, why, style(palette.ink, palette.panel))
            self._draw_choice(canvas, y + 2, "people.yes", _("yes, a bot plays on"))
            self._draw_choice(canvas, y + 3, "people.no", _("no"))
            return
        canvas.text(1, y, person.name, mute, canvas.width - 2)
        row = y + 1
        for command, label in self.choices(person, lobby):
            self._draw_choice(canvas, row, command, label)
            row += 1
        if row == y + 1:
            nothing = _("There is nothing to decide about them.")
            canvas.text(3, row, nothing, style(palette.mute, palette.panel))
        if lobby.phase == "playing":
            label = _("go on with the game") if lobby.paused else _("pause the game")
            self._draw_choice(canvas, y + ACTION_ROWS - 1, "people.pause", label)

    def _draw_choice(self, canvas: Canvas, y: int, command: str, label: str) -> None:
        palette, action = canvas.palette, COMMANDS[command].action
        bold = style(palette.ink, palette.panel, bold=True)
        end = self.place(canvas, 3, y, key(command, self.glyphs), bold, action)
        self.place(canvas, end, y, f"  {label}", style(palette.ink, palette.panel), action)

    def choices(self, person: Person, lobby: Lobby) -> Iterator[tuple[str, str]]:
        """Return what the host can do about somebody: the command, and words for it."""
        seat = person.seat
        if lobby.phase == "playing" and seat is not None and person.away:
            now = _("{choice} (now)")
            wait = _("wait for them")
            bot = _("let a bot play until they are back")
            yield "people.wait", now.format(choice=wait) if seat.away == "wait" else wait
            yield "people.bot", now.format(choice=bot) if seat.away == "bot" else bot
            yield "people.give-away", _("give the seat to a bot for good")
        if person.name != self.me and (seat is None or seat.bot is None):
            muted = person.name in lobby.muted
            yield "people.mute", _("let them write again") if muted else _("mute in the chat")


class PeopleOverlay(BoxedMenu[None]):
    """Shows who is here, and lets the host decide about them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "people")
    around = Size(4, 2)

    drawn: PeopleBoard

    def __init__(self) -> None:
        super().__init__(PeopleBoard(id="people-board"))

    def on_mount(self) -> None:
        """Begin at whoever is away, if anybody is: they are what the host comes for."""
        board = self.drawn
        board.lobby = self.app.session.lobby
        away = [index for index, person in enumerate(board.people()) if person.away]
        board.selected = away[0] if away else 0

    def sync(self) -> None:
        """Show what the session knows now."""
        session = self.app.session
        lobby = session.lobby
        if lobby is None:
            return
        board = self.drawn
        mine = (seat.name for seat in lobby.seats if seat.family == lobby.you)
        board.lobby, board.glyphs = lobby, self.app.glyphs
        board.me = next(mine, session.name or "")
        board.selected = min(board.selected, max(0, len(board.people()) - 1))
        person = board.person()
        board.removing = board.removing and person is not None and person.away
        refusal = session.refusal
        board.notice = refusal_sentence(refusal.code, refusal.values, _) if refusal else ""
        glyphs = self.app.glyphs
        ways = [_("{key} closes").format(key=key("people.close", glyphs))]
        if lobby.invitation or lobby.code:
            ways.insert(0, _("{key} invitation").format(key=key("people.invitation", glyphs)))
        if lobby.host:
            ways.insert(0, _("{keys} choose").format(keys=both("people.up", "people.down", glyphs)))
        self.fit(_("Who is here"), ways, WIDEST, board.rows() + FRAME_ROWS)

    def action_back(self) -> None:
        """Answer no, if something is asked; otherwise go back to the table."""
        if self.drawn.removing:
            self.action_keep()
        else:
            self.dismiss()

    def on_mouse_scroll_down(self) -> None:
        """Go through the list with the wheel."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Go through the list with the wheel."""
        self.action_move(-1)

    def action_move(self, by: int) -> None:
        """Select somebody else."""
        board = self.drawn
        if board.people():
            self.action_select((board.selected + by) % len(board.people()))

    def action_select(self, index: int) -> None:
        """Select somebody."""
        board = self.drawn
        board.selected, board.removing = index, False
        board.redraw()

    def action_absent(self, choice: str) -> None:
        """Decide what happens for somebody who is away."""
        person = self._about("people.wait")
        if person is not None and person.seat is not None:
            absent = {"family": person.seat.family, "choice": choice}
            self.app.say(Absent.model_validate(absent))

    def action_ask_to_give(self) -> None:
        """Ask whether to give the seat away."""
        if self._about("people.give-away") is not None:
            board = self.drawn
            board.removing = True
            board.redraw()

    def action_give_away(self) -> None:
        """Give it away."""
        board = self.drawn
        if board.removing:
            board.removing = False
            self.action_absent("remove")
            board.redraw()

    def action_keep(self) -> None:
        """Do not give it away."""
        board = self.drawn
        board.removing = False
        board.redraw()

    def action_mute(self) -> None:
        """Mute somebody in the chat, or let them write again."""
        person, lobby = self._about("people.mute"), self.app.session.lobby
        if person is not None and lobby is not None:
            self.app.say(Mute(name=person.name, muted=person.name not in lobby.muted))

    def action_pause(self) -> None:
        """Pause the game, or go on with it."""
        lobby = self.app.session.lobby
        if lobby is not None and self.can("people.pause"):
            self.app.say(Pause(paused=not lobby.paused))

    def action_invitation(self) -> None:
        """Show how others come to this table."""
        if self.can("people.invitation"):
            self.app.push_screen(InvitationOverlay())

    def can(self, command: str) -> bool:
        """Whether a command can do anything at this moment."""
        board, lobby = self.drawn, self.app.session.lobby
        if lobby is None:
            return False
        if command in ("people.wait", "people.bot", "people.give-away", "people.mute"):
            person = board.person() if lobby.host else None
            choices = () if person is None else board.choices(person, lobby)
            return command in (choice for choice, _words in choices)
        if command in ("people.yes", "people.no"):
            return board.removing
        if command in ("people.up", "people.down"):
            return lobby.host
        if command == "people.pause":
            return lobby.host and lobby.phase == "playing"
        if command == "people.invitation":
            return bool(lobby.invitation or lobby.code)
        return True

    def _about(self, command: str) -> Person | None:
        """Return who is selected, if the host can do that about them."""
        return self.drawn.person() if self.can(command) else None
