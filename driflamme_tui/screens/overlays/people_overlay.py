"""Who is here: everybody's overview, and the host's tools for those who are away, or spoil a table.

Laid over any screen of a table; it follows what happens there while it is open.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import Struct
from rich.cells import cell_len
from textual.binding import BindingType
from textual.geometry import Size

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_registry import COMMANDS
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings, both, key
from driflamme_tui.keymap.overlay_commands import PeopleCommands
from driflamme_tui.screens.base.overlay import FRAME_ROWS, BoxedMenu
from driflamme_tui.screens.overlays.invitation_overlay import InvitationOverlay
from driflamme_tui.text.cell_widths import shortened, wrapped
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.widgets.board import Board
from driflamme_tui.wording.program.people_words import notes, sure_words
from driflamme_tui.wording.program.table_settings_words import families_of
from netcode.protocol.fields import NAME_LENGTH, checked
from netcode.protocol.messages import (
    Absent,
    EndGame,
    Lobby,
    Mute,
    NewInvitation,
    Pause,
    SeatInfo,
    SendAway,
    Silence,
)
from netcode.protocol.refusal_sentences import refusal_sentence

if TYPE_CHECKING:
    from driflamme_tui.screens.base.app_services import PlayServices

WIDEST: Final = 84
"""Columns beyond which what belongs together stands too far apart."""

ACTION_ROWS: Final = 9
"""Rows for the host's choices in a game: a title, four on somebody, four on the table."""

QUIET_ROWS: Final = 5
"""Rows for them before and after a game: a title, two choices of each kind."""

NAME_WIDTH: Final = NAME_LENGTH + 5
"""Columns for a sign, a letter and a name."""

FULL_WIDTH: Final = 60
"""Columns that leave room for what there is to say about somebody, whatever their name."""

_OF_THE_HOST: Final = frozenset(
    {
        PeopleCommands.wait,
        PeopleCommands.bot,
        PeopleCommands.mute,
        PeopleCommands.send_away,
        PeopleCommands.pause,
        PeopleCommands.end,
        PeopleCommands.silence,
        PeopleCommands.new_invitation,
    }
)


class Person(Struct, frozen=True):
    """A line of the list: a seat, or a spectator."""

    name: str
    seat: SeatInfo | None = None

    @property
    def away(self) -> bool:
        """Whether the host has to decide what happens for them."""
        return self.seat is not None and self.seat.bot is None and not self.seat.present


class PeopleBoard(Board):
    """The list and the host's choices, drawn."""

    ground = "panel"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lobby: Lobby | None = None
        self.me = ""
        """The reader's name."""
        self.selected = 0
        self.asked: SeatInfo | None = None
        """Who is to answer in the game that is under way."""
        self.sure: Command | None = None
        """The command that the host is asked about whether they are sure."""
        self.whom: Person | None = None
        """Whom that is about; they may change, or go, before there is an answer."""
        self.notice = ""

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
        return listed + self._action_rows(lobby) + 1

    def _action_rows(self, lobby: Lobby) -> int:
        """Return the rows for what the host can do, with an empty one above them."""
        if not lobby.host:
            return 0
        return 1 + (ACTION_ROWS if lobby.phase == "playing" else QUIET_ROWS)

    def draw(self, canvas: Canvas) -> None:
        """Draw seats, spectators, and what the host can do."""
        palette = canvas.palette
        lobby = self.lobby
        if lobby is None:
            return
        bottom = canvas.height - self._action_rows(lobby) - 1
        for row, (index, person) in enumerate(self._shown(lobby, bottom)):
            if person is None:
                title = pgettext("heading of a list", "WATCHING")
                canvas.text(1, row, title, canvas.heading)
            else:
                self._draw_person(canvas, row, index, person, lobby)
        if lobby.host:
            self._draw_choices(canvas, bottom + 1, lobby)
        alert = canvas.ink(palette.alert, bold=True)
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
            canvas.text(1, row, glyphs.turn, canvas.bold)
        hue = palette.ink if seat is None else palette.families[seat.family].hue
        label = person.name
        if seat is not None:
            label = f"{''.join(map(glyphs.tag, families_of(seat)))} {person.name}"
        ink = canvas.ink(hue, bold=True)
        if lobby.host:
            self.place(canvas, 3, row, label, ink, f"select({index})", NAME_WIDTH)
        else:
            canvas.text(3, row, label, ink, NAME_WIDTH)
        if seat is not None:
            words = notes(seat, lobby)
        else:
            words = [_("you")] if person.name == self.me and lobby.you is None else []
            words += [_("muted")] if lobby.silenced or person.name in lobby.muted else []
        alert = person.away or (seat is not None and seat.away != "no")
        x = 3 + self._name_width(canvas.width) + 1
        text = shortened(", ".join(words), canvas.width - x, glyphs)
        canvas.text(x, row, text, canvas.ink(palette.alert if alert else palette.mute))

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
        if self.sure:
            sentence, why, yes = sure_words(self.sure, person.name, lobby)
            row, width = y, canvas.width - 2
            alert = canvas.ink(palette.alert, bold=True)
            for text, ink in ((sentence, alert), (why, canvas.plain)):
                for line in wrapped(text, width, width):
                    canvas.text(1, row, line, ink)
                    row += 1
            self._draw_choice(canvas, row, PeopleCommands.yes, yes)
            self._draw_choice(canvas, row + 1, PeopleCommands.no, _("no"))
            return
        canvas.text(1, y, person.name, canvas.heading, canvas.width - 2)
        row = y + 1
        for command, label in self.choices(person, lobby):
            self._draw_choice(canvas, row, command, label)
            row += 1
        if row == y + 1:
            nothing = _("There is nothing to decide about them.")
            canvas.text(3, row, nothing, canvas.mute)
        everybody = list(self.about_everybody(lobby))
        for row, (command, label) in enumerate(everybody, canvas.height - 1 - len(everybody)):
            self._draw_choice(canvas, row, command, label)

    def _draw_choice(self, canvas: Canvas, y: int, command: Command, label: str) -> None:
        action = command.action
        end = self.place(canvas, 3, y, key(command, self.glyphs), canvas.bold, action)
        self.place(canvas, end, y, f"  {label}", canvas.plain, action)

    def choices(self, person: Person, lobby: Lobby) -> Iterator[tuple[Command, str]]:
        """Return what the host can do about somebody: the command, and words for it."""
        seat = person.seat
        if lobby.phase == "playing" and seat is not None and person.away:
            now = _("{choice} (now)")
            wait = _("wait for them")
            bot = _("let a bot play until they are back")
            yield PeopleCommands.wait, now.format(choice=wait) if seat.away == "wait" else wait
            yield PeopleCommands.bot, now.format(choice=bot) if seat.away == "bot" else bot
        if person.name == self.me or (seat is not None and seat.bot is not None):
            return
        if seat is not None and seat.present and seat.away == "no" and seat == self.asked:
            yield PeopleCommands.bot, _("let a bot answer, if they do not for a minute")
        muted = person.name in lobby.muted
        yield PeopleCommands.mute, _("let them write again") if muted else _("mute in the chat")
        yield PeopleCommands.send_away, _("send them away")

    def about_everybody(self, lobby: Lobby) -> Iterator[tuple[Command, str]]:
        """Return what the host can do about the table: the command, and words for it."""
        if lobby.phase == "playing":
            yield (
                PeopleCommands.pause,
                _("go on with the game") if lobby.paused else _("pause the game"),
            )
            yield PeopleCommands.end, _("end the game, unfinished")
        silenced = _("let spectators write again")
        yield PeopleCommands.silence, silenced if lobby.silenced else _("let only players write")
        if lobby.secret is not None:
            yield PeopleCommands.new_invitation, _("make a new invitation")


class PeopleOverlay(BoxedMenu[None]):
    """Shows who is here, and lets the host decide about them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "people")

    services: "PlayServices"
    around = Size(4, 2)

    drawn: PeopleBoard

    def __init__(self) -> None:
        super().__init__(PeopleBoard(id="people-board"))

    def on_mount(self) -> None:
        """Begin at whoever is away, if anybody is: they are what the host comes for."""
        board = self.drawn
        board.lobby = self.services.session.lobby
        away = [index for index, person in enumerate(board.people()) if person.away]
        board.selected = away[0] if away else 0

    def sync(self) -> None:
        """Show what the session knows now."""
        session = self.services.session
        lobby = session.lobby
        if lobby is None:
            return
        board = self.drawn
        mine = (seat.name for seat in lobby.seats if seat.family == lobby.you)
        board.lobby = lobby
        board.me = next(mine, session.name or "")
        board.selected = min(board.selected, max(0, len(board.people()) - 1))
        board.asked = self._asked(lobby)
        if board.sure is None or not self._allows(board.sure) or board.whom != board.person():
            board.sure = None
        refusal = session.refusal
        board.notice = refusal_sentence(refusal.code, refusal.values, _) if refusal else ""
        glyphs = self.services.glyphs
        ways = [_("{key} closes").format(key=key(PeopleCommands.close, glyphs))]
        if lobby.invitation or lobby.code:
            ways.insert(0, _("{key} invitation").format(key=key(PeopleCommands.invitation, glyphs)))
        if lobby.host:
            ways.insert(
                0,
                _("{keys} choose").format(
                    keys=both(PeopleCommands.up, PeopleCommands.down, glyphs)
                ),
            )
        self.fit(_("Who is here"), ways, WIDEST, board.rows() + FRAME_ROWS)

    def action_back(self) -> None:
        """Answer no, if something is asked; otherwise go back to the table."""
        if self.drawn.sure:
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
        board.selected, board.sure = index, None
        board.redraw()

    def action_absent(self, choice: str) -> None:
        """Decide what happens for somebody who is away."""
        person = self._about(COMMANDS[f"people.{choice}"])
        if person is not None and person.seat is not None:
            absent = {"family": person.seat.family, "choice": choice}
            self.services.say(checked(absent, Absent))

    def action_ask(self, command_id: str) -> None:
        """Ask whether the host is sure of what cannot be undone."""
        command = COMMANDS[command_id]
        if self.can(command):
            board = self.drawn
            board.sure, board.whom = command, board.person()
            board.redraw()

    def action_do(self) -> None:
        """Do it."""
        board = self.drawn
        sure, board.sure = board.sure, None
        person = board.person()
        if sure == PeopleCommands.send_away and person is not None:
            self.services.say(SendAway(name=person.name))
        elif sure == PeopleCommands.end:
            self.services.say(EndGame())
        elif sure == PeopleCommands.new_invitation:
            self.services.say(NewInvitation())
        board.redraw()

    def action_keep(self) -> None:
        """Do not do it."""
        board = self.drawn
        board.sure = None
        board.redraw()

    def action_mute(self) -> None:
        """Mute somebody in the chat, or let them write again."""
        person, lobby = self._about(PeopleCommands.mute), self.services.session.lobby
        if person is not None and lobby is not None:
            self.services.say(Mute(name=person.name, muted=person.name not in lobby.muted))

    def action_silence(self) -> None:
        """Let spectators write no more, or again."""
        lobby = self.services.session.lobby
        if lobby is not None and self.can(PeopleCommands.silence):
            self.services.say(Silence(silenced=not lobby.silenced))

    def action_pause(self) -> None:
        """Pause the game, or go on with it."""
        lobby = self.services.session.lobby
        if lobby is not None and self.can(PeopleCommands.pause):
            self.services.say(Pause(paused=not lobby.paused))

    def action_invitation(self) -> None:
        """Show how others come to this table."""
        if self.can(PeopleCommands.invitation):
            self.app.push_screen(InvitationOverlay())

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        board, lobby = self.drawn, self.services.session.lobby
        if lobby is None:
            return False
        if command in _OF_THE_HOST:
            return self._allows(command)
        if command in (PeopleCommands.yes, PeopleCommands.no):
            return board.sure is not None
        if command in (PeopleCommands.up, PeopleCommands.down):
            return lobby.host
        if command == PeopleCommands.invitation:
            return bool(lobby.invitation or lobby.code)
        return super().can(command)

    def _allows(self, command: Command) -> bool:
        """Whether the reader is the host and may do something, about whoever is selected if so."""
        board, lobby = self.drawn, self.services.session.lobby
        person = board.person()
        if lobby is None or not lobby.host or person is None:
            return False
        choices = *board.choices(person, lobby), *board.about_everybody(lobby)
        return command in (choice for choice, _words in choices)

    def _asked(self, lobby: Lobby) -> SeatInfo | None:
        """Return who is to answer, if a game is under way."""
        view = self.services.session.view
        if view is None or view.over or lobby.phase != "playing":
            return None
        family = view.families[view.turn]
        return next((seat for seat in lobby.seats if family in families_of(seat)), None)

    def _about(self, command: Command) -> Person | None:
        """Return who is selected, if the host can do that about them."""
        return self.drawn.person() if self.can(command) else None
