"""Who is here: everybody's overview, and the host's tools for those who are away, or spoil a table.

Laid over any screen of a table; it follows what happens there while it is open.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from textual.geometry import Size

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import both, key
from driflamme_tui.keymap.screen_commands import PeopleCommands
from driflamme_tui.screens.base.overlay import FRAME_ROWS, ChoiceMenu
from driflamme_tui.screens.overlays.invitation_overlay import InvitationOverlay
from driflamme_tui.text.cell_widths import shortened, wrapped
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.wording.game.names import bot_note
from driflamme_tui.wording.program.people_words import notes, refused_in_game, sure_words
from driflamme_tui.wording.program.sealed_words import own_carrying_sentence, sealed_lines
from driflamme_tui.wording.program.settings_words import families_of
from netcode.protocol.fields import NAME_LENGTH, checked
from netcode.protocol.messages import (
    Absent,
    Carry,
    EndGame,
    HandOver,
    Mute,
    NewInvitation,
    Pause,
    SeatInfo,
    SendAway,
    Silence,
)

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


class Person(Struct, frozen=True):
    """A line of the list: a seat, or a spectator."""

    name: str
    seat: SeatInfo | None = None

    @property
    def away(self) -> bool:
        """Whether the host has to decide what happens for them."""
        return self.seat is not None and self.seat.bot is None and not self.seat.present


class PeopleOverlay(ChoiceMenu[Person, None], commands=PeopleCommands):
    """Shows who is here, and lets the host decide about them."""

    around = Size(4, 2)
    sure: Command | None = None
    """The command that the host is asked about whether they are sure."""
    whom: Person | None = None
    """Whom that is about; they may change, or go, before there is an answer."""

    def on_mount(self) -> None:
        """Begin at whoever is away, if anybody is: they are what the host comes for."""
        away = (index for index, person in enumerate(self.items) if person.away)
        self.selected = next(away, 0)

    @property
    def items(self) -> list[Person]:
        """Everybody, seats first."""
        seated = [Person(seat.name, seat) for seat in self.lobby.seats]
        return [*seated, *map(Person, self.lobby.spectators)]

    def _action_rows(self) -> int:
        """Return the rows for what the host can do, with an empty one above them."""
        if not self.lobby.host:
            return 0
        return 1 + (ACTION_ROWS if self.lobby.phase == "playing" else QUIET_ROWS)

    def sync(self) -> None:
        """Show what the session knows now."""
        lobby, glyphs = self.lobby, self.glyphs
        self.selected = min(self.selected, max(0, len(self.items) - 1))
        if self.sure is None or not self._allows(self.sure) or self.whom != self.chosen:
            self.sure = None
        ways = [_("{key} closes", key=key(PeopleCommands.close, glyphs))]
        if lobby.invitation or lobby.code:
            ways.insert(0, _("{key} invitation", key=key(PeopleCommands.invitation, glyphs)))
        if self.can(PeopleCommands.carry):
            ways.insert(0, _("{key} your machine", key=key(PeopleCommands.carry, glyphs)))
        if lobby.host:
            keys = both(PeopleCommands.up, PeopleCommands.down, glyphs)
            ways.insert(0, _("{keys} choose", keys=keys))
        sealed = self._sealed_rows(min(WIDEST, self.size.width - self.around.width) - 2)
        self.fit(_("Who is here"), ways, WIDEST, self._rows() + len(sealed))

    def _rows(self) -> int:
        """Return the rows for everybody, what the host can do, a notice and the frame."""
        people = len(self.items) + bool(self.lobby.spectators)
        return people + self._action_rows() + 1 + FRAME_ROWS

    def draw(self, canvas: Canvas) -> None:
        """Draw seats, spectators, and what the host can do."""
        sealed = self._sealed_rows(canvas.width)
        bottom = canvas.height - self._action_rows() - 1 - len(sealed)
        canvas.lines(1, bottom, sealed, canvas.plain)
        for row, (index, person) in enumerate(self._shown(bottom)):
            if person is None:
                canvas.text(1, row, pgettext("heading of a list", "WATCHING"), canvas.heading)
            else:
                self._draw_person(canvas, row, index, person)
        if self.lobby.host:
            self._draw_choices(canvas, bottom + len(sealed) + 1)
        refusal = self.sitting.session.refusal
        notice = refused_in_game(refusal, self.lobby, self.glyphs) if refusal else ""
        canvas.text(1, canvas.height - 1, notice, canvas.alert, canvas.width - 2)

    def _sealed_rows(self, width: int) -> list[str]:
        """Return what there is to know of a sealed table, in rows under an empty one.

        What matters less is left out where it would hide somebody.
        """
        sealed = self.sitting.session.sealed
        lines = [
            *sealed_lines(sealed, self.lobby),
            own_carrying_sentence(self.lobby, self.own_name),
        ]
        rows: list[str] = []
        room = self.size.height - self.around.height - self._rows() - 1
        for line in filter(None, lines):
            more = wrapped(line, width - 2, width - 2)
            if not rows or len(rows) + len(more) <= room:
                rows += more
        return ["", *rows] if rows else []

    def _shown(self, room: int) -> list[tuple[int, Person | None]]:
        """Return the lines of the list around the selected one, as many as there is room for."""
        lines: list[tuple[int, Person | None]] = list(enumerate(self.items))
        if self.lobby.spectators:
            lines.insert(len(self.lobby.seats), (-1, None))
        here = next((row for row, (index, _p) in enumerate(lines) if index == self.selected), 0)
        first = max(0, min(here - room // 2, len(lines) - room))
        return lines[first : first + room]

    def _draw_person(self, canvas: Canvas, row: int, index: int, person: Person) -> None:
        lobby, glyphs, seat = self.lobby, self.glyphs, person.seat
        if index == self.selected and lobby.host:
            canvas.text(1, row, glyphs.turn, canvas.bold)
        if seat is None:
            label, ink = person.name, canvas.bold
            words = [_("you")] if person.name == self.own_name and lobby.you is None else []
            words += [_("muted")] if lobby.silenced or person.name in lobby.muted else []
        else:
            label = f"{''.join(map(glyphs.tag, families_of(seat)))} {person.name}"
            ink, words = canvas.hue(seat.family), notes(seat, lobby)
        canvas.place(3, row, label, ink, f"select({index})", self._name_width(canvas.width))
        alert = person.away or (seat is not None and seat.away != "no")
        x = 3 + self._name_width(canvas.width) + 1
        text = shortened(", ".join(words), canvas.width - x, glyphs)
        palette = canvas.palette
        canvas.text(x, row, text, canvas.ink(palette.alert if alert else palette.mute))

    def _name_width(self, width: int) -> int:
        """Return the columns for names: where there are few, no more than these need."""
        longest = max((cell_len(person.name) for person in self.items), default=0)
        needed = longest + NAME_WIDTH - NAME_LENGTH
        return min(NAME_WIDTH, needed) if width < FULL_WIDTH else max(NAME_WIDTH, needed)

    def _draw_choices(self, canvas: Canvas, y: int) -> None:
        person = self.chosen
        if person is None:
            return
        width = canvas.width - 2
        if self.sure:
            sentence, why, yes = sure_words(self.sure, person.name, self.lobby)
            for text, ink in ((sentence, canvas.alert), (why, canvas.plain)):
                y = canvas.lines(1, y, wrapped(text, width, width), ink)
            self._draw_choice(canvas, y, PeopleCommands.yes, yes)
            self._draw_choice(canvas, y + 1, PeopleCommands.no, _("no"))
            return
        canvas.text(1, y, person.name, canvas.heading, width)
        choices = list(self.about(person))
        for row, (command, label) in enumerate(choices, y + 1):
            self._draw_choice(canvas, row, command, label)
        if not choices:
            canvas.lines(3, y + 1, wrapped(self._told(person), width - 2, width - 2), canvas.plain)
        everybody = list(self.about_everybody())
        for row, (command, label) in enumerate(everybody, canvas.height - 1 - len(everybody)):
            self._draw_choice(canvas, row, command, label)

    def _told(self, person: Person) -> str:
        """Return what there is to know of somebody about whom the host decides nothing."""
        if person.seat is None or person.seat.bot is None:
            return _("This is you: others see your name, your family and your connection.")
        note = bot_note(person.seat.bot)
        return _("A bot answers here by itself. {note}", note=note).strip()

    def _draw_choice(self, canvas: Canvas, y: int, command: Command, label: str) -> None:
        end = canvas.place(3, y, key(command, self.glyphs), canvas.bold, command.action)
        canvas.place(end, y, f"  {label}", canvas.plain, command.action)

    def about(self, person: Person) -> Iterator[tuple[Command, str]]:
        """Return what the host can do about somebody: the command, and words for it."""
        lobby, seat = self.lobby, person.seat
        now = _("{choice} (now)")
        sealed = lobby.settings.sealed
        if lobby.phase == "playing" and seat is not None and person.away and not sealed:
            wait = _("wait for them")
            bot = _("let a bot play until they are back")
            yield PeopleCommands.wait, now.format(choice=wait) if seat.away == "wait" else wait
            yield PeopleCommands.bot, now.format(choice=bot) if seat.away == "bot" else bot
        again = _("let them write again")
        mute = again if person.name in lobby.muted else _("mute in the chat")
        if person.name == self.own_name or (seat is not None and seat.bot is not None):
            return
        here = seat is not None and seat.present and seat.away == "no"
        if here and seat == self._asked() and not sealed:
            yield PeopleCommands.bot, _("let a bot answer, if they do not for a minute")
        if lobby.phase != "lobby" and person.name in lobby.carriers:
            yield PeopleCommands.hand_over, _("hand the table to them")
        elsewhere = lobby.phase == "result" or (lobby.phase == "playing" and not sealed)
        if elsewhere and seat is not None and person.away:
            admit = _("let them in from another machine")
            yield PeopleCommands.admit, now.format(choice=admit) if seat.admits else admit
        elif seat is not None or not lobby.silenced:
            yield PeopleCommands.mute, mute
        yield PeopleCommands.send_away, _("send them away")

    def about_everybody(self) -> Iterator[tuple[Command, str]]:
        """Return what the host can do about the table: the command, and words for it."""
        lobby = self.lobby
        if lobby.phase == "playing":
            pause = _("go on with the game") if lobby.paused else _("pause the game")
            yield PeopleCommands.pause, pause
            yield PeopleCommands.end, _("end the game, unfinished")
        silenced = _("let spectators write again")
        yield PeopleCommands.silence, silenced if lobby.silenced else _("let only players write")
        if lobby.secret is not None:
            yield PeopleCommands.new_invitation, _("make a new invitation")

    def action_back(self) -> None:
        """Answer no, if something is asked; otherwise go back to the table."""
        if self.sure:
            self.action_keep()
        else:
            self.dismiss()

    def action_select(self, index: int) -> None:
        """Select somebody; what was asked about somebody else is asked no more."""
        self.sure = None
        super().action_select(index)

    def action_absent(self, choice: str) -> None:
        """Decide what happens for somebody who is away."""
        person = self._about(_called(f"people.{choice}"))
        if person is not None and person.seat is not None:
            absent = {"family": person.seat.family, "choice": choice}
            self.sitting.say(checked(absent, Absent))

    def action_ask(self, command_id: str) -> None:
        """Ask whether the host is sure of what cannot be undone."""
        command = _called(command_id)
        if self.can(command):
            self.sure, self.whom = command, self.chosen
            self.sync()

    def action_do(self) -> None:
        """Do it."""
        sure, self.sure = self.sure, None
        person = self.chosen
        if sure == PeopleCommands.send_away and person is not None:
            self.sitting.say(SendAway(name=person.name))
        elif sure == PeopleCommands.hand_over and person is not None:
            self.sitting.say(HandOver(person.name))
        elif sure == PeopleCommands.end:
            self.sitting.say(EndGame())
        elif sure == PeopleCommands.new_invitation:
            self.sitting.say(NewInvitation())
        self.sync()

    def action_keep(self) -> None:
        """Do not do it."""
        self.sure = None
        self.sync()

    def action_mute(self) -> None:
        """Mute somebody in the chat, or let them write again."""
        person = self._about(PeopleCommands.mute)
        if person is not None:
            self.sitting.say(Mute(name=person.name, muted=person.name not in self.lobby.muted))

    def action_silence(self) -> None:
        """Let spectators write no more, or again."""
        if self.can(PeopleCommands.silence):
            self.sitting.say(Silence(silenced=not self.lobby.silenced))

    def action_carry(self) -> None:
        """Allow that a sealed table goes on at this machine, or not any more."""
        if self.can(PeopleCommands.carry):
            self.sitting.say(Carry(self.own_name not in self.lobby.carriers))

    def action_pause(self) -> None:
        """Pause the game, or go on with it."""
        if self.can(PeopleCommands.pause):
            self.sitting.say(Pause(paused=not self.lobby.paused))

    def action_invitation(self) -> None:
        """Show how others come to this table."""
        if self.can(PeopleCommands.invitation):
            self.app.push_screen(InvitationOverlay())

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment: what the host may is listed."""
        if command.needs == "sitting.is_host" and command.listed:
            return self._allows(command)
        return super().can(command)

    @property
    def may_carry(self) -> bool:
        """Whether it is up to the reader that the table goes on at their machine."""
        return bool(own_carrying_sentence(self.lobby, self.own_name))

    def _allows(self, command: Command) -> bool:
        """Whether the reader is the host and may do something, about whoever is selected if so."""
        person = self.chosen
        if not self.lobby.host or person is None:
            return False
        choices = *self.about(person), *self.about_everybody()
        return command in (choice for choice, _words in choices)

    def _asked(self) -> SeatInfo | None:
        """Return who is to answer, if a game is under way."""
        view = self.sitting.session.view
        if view is None or view.over or self.lobby.phase != "playing":
            return None
        family = view.families[view.turn]
        return next((seat for seat in self.lobby.seats if family in families_of(seat)), None)

    def _about(self, command: Command) -> Person | None:
        """Return who is selected, if the host can do that about them."""
        return self.chosen if self.can(command) else None


def _called(command_id: str) -> Command:
    return next(each for each in PeopleCommands.own if each.id == command_id)
