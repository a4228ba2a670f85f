"""The lobby: who sits where, how the game will be played, and what others type to join."""

from collections.abc import Iterator
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from driflamme_tui.i18n import _
from driflamme_tui.screens.base import SessionScreen
from driflamme_tui.widgets.bars import Key, Keys
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.canvas import Canvas
from driflamme_tui.widgets.glyphs import Glyphs
from driflamme_tui.widgets.palette import DARK, style
from driflamme_tui.widgets.too_small import TooSmall
from driflamme_tui.wording.names import family_name
from engine.bots import BOTS, DEFAULT_BOT
from engine.cards import FAMILIES, MAXIMUM_PLAYERS
from netcode.messages import (
    MAXIMUM_PACE_MS,
    NAME_LENGTH,
    AddBot,
    ChangeSettings,
    ChooseFamily,
    Lobby,
    Remove,
    SeatInfo,
    SetReady,
    Start,
    TableSettings,
)
from netcode.refusals import refusal_sentence

PACES_MS: Final = (0, 400, 900, 1500, 3000)

NAME_WIDTH: Final = NAME_LENGTH + 4
"""Columns for a player's sign, letter and name."""


class LobbyBoard(Board):
    """The lobby, drawn."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lobby: Lobby | None = None
        self.glyphs: Glyphs | None = None
        self.selected = 0
        """Row of the seats that the host's keys are about."""
        self.bot = DEFAULT_BOT
        """What `+` adds."""
        self.notice = ""
        self.line = ""

    def draw(self, canvas: Canvas) -> None:
        """Draw invitation, seats, settings and what the table waits for."""
        lobby, glyphs = self.lobby, self.glyphs
        if lobby is None or glyphs is None:
            return
        bold = style(DARK.ink, DARK.table, bold=True)
        head = style(DARK.ink, DARK.panel, bold=True)
        canvas.fill(0, 0, canvas.width, 1, head, " ")
        canvas.text(1, 0, f"Driflamme  {_('Lobby')}", head)
        if self.line:
            alert = style(DARK.alert, DARK.panel, bold=True)
            canvas.text(canvas.width - 1 - len(self.line), 0, self.line, alert)
        left = max(2, (canvas.width - 100) // 2)
        mute = style(DARK.mute, DARK.table)
        row = 2
        if lobby.invitation:
            canvas.text(left, row, _("Others join by typing this in their terminal:"), mute)
            for line in lobby.invitation.split("\n"):
                row += 1
                canvas.text(left + 2, row, line, bold)
        row = max(row, 4) + 2
        columns = left, left + max(44, (canvas.width - 2 * left) // 2)
        self._draw_seats(canvas, columns[0], row, lobby, glyphs)
        self._draw_settings(canvas, columns[1], row, lobby)
        row += MAXIMUM_PLAYERS + 4
        self._draw_families(canvas, left, row, lobby, glyphs)
        row += 1
        if lobby.spectators:
            names = _("Watching: {names}").format(names=", ".join(lobby.spectators))
            canvas.text(left, row, names, mute, canvas.width - 2 * left)
        row += 2
        self._draw_status(canvas, left, row, lobby)

    def _draw_seats(self, canvas: Canvas, x: int, y: int, lobby: Lobby, glyphs: Glyphs) -> None:
        mute = style(DARK.mute, DARK.table)
        canvas.text(x, y, _("SEATS, clockwise"), style(DARK.mute, DARK.table, bold=True))
        for row in range(MAXIMUM_PLAYERS):
            seat = lobby.seats[row] if row < len(lobby.seats) else None
            here = row == self.selected and lobby.host
            line = y + 1 + row
            canvas.text(x - 2, line, glyphs.turn if here else " ", style(DARK.ink, DARK.table))
            end = canvas.text(x + 2, line, f"{row + 1} ", mute)
            if seat is None:
                text = _("free")
                if lobby.host and row == len(lobby.seats):
                    label = _("free: + adds a bot ({bot})").format(bot=self.bot)
                    self.place(canvas, end, line, label, mute, "add_bot")
                else:
                    canvas.text(end, line, text, mute)
                continue
            self._draw_seat(canvas, end, line, row, seat, lobby, glyphs)

    def _draw_families(self, canvas: Canvas, x: int, y: int, lobby: Lobby, glyphs: Glyphs) -> None:
        """Draw the families that are free, for somebody who would rather be another."""
        taken = {seat.family for seat in lobby.seats}
        free = [family for family in FAMILIES if family not in taken]
        if lobby.you is None or not free:
            return
        label = _("To change family, press its letter:")
        end = canvas.text(x, y, f"{label} ", style(DARK.mute, DARK.table))
        for family in free:
            hue = style(DARK.families[family].hue, DARK.table, bold=True)
            label = f"{family} {family_name(family)}"
            label = f"{glyphs.families[family]}{label}" if glyphs.letter_follows else label
            end = self.place(canvas, end, y, label, hue, f"family('{family}')") + 2

    def _draw_seat(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        row: int,
        seat: SeatInfo,
        lobby: Lobby,
        glyphs: Glyphs,
    ) -> None:
        hue = style(DARK.families[seat.family].hue, DARK.table, bold=True)
        sign = glyphs.families[seat.family]
        tag = f"{sign}{seat.family}" if glyphs.letter_follows else f"[{seat.family}]"
        you = seat.family == lobby.you
        self.place(canvas, x, y, f"{tag} {seat.name}", hue, f"select({row})", NAME_WIDTH)
        notes = [_("you")] if you else []
        if seat.host:
            notes.append(_("host"))
        if seat.bot is not None:
            notes.append(_("bot: {bot}").format(bot=seat.bot))
        elif not seat.present:
            notes.append(_("away"))
        elif seat.ready:
            notes.append(f"{glyphs.ready} {_('ready')}")
        elif not seat.host:
            notes.append(_("not ready"))
        column = x + NAME_WIDTH + 1
        ink = style(DARK.ink if seat.ready else DARK.mute, DARK.table)
        canvas.text(column, y, ", ".join(notes), ink, 14)
        if lobby.host and not you:
            self.place(
                canvas,
                x - 4,
                y,
                "x",
                style(DARK.alert, DARK.table, bold=True),
                f"remove('{seat.family}')",
            )

    def _draw_settings(self, canvas: Canvas, x: int, y: int, lobby: Lobby) -> None:
        canvas.text(x, y, _("THE TABLE"), style(DARK.mute, DARK.table, bold=True))
        rows = (
            ("e", _("Edition"), edition_name(lobby.settings.edition), "edition"),
            ("f", _("First player"), _first_name(lobby), "first"),
            ("d", _("Direction"), _direction_name(lobby.settings.direction), "direction"),
            ("p", _("Bots take"), _pace_name(lobby.settings.pace_ms), "pace"),
        )
        for row, (key, label, value, action) in enumerate(rows, y + 1):
            end = x
            if lobby.host:
                end = canvas.text(x, row, key, style(DARK.ink, DARK.table, bold=True)) + 1
            canvas.text(end, row, label, style(DARK.mute, DARK.table))
            ink = style(DARK.ink, DARK.table, bold=True)
            if lobby.host:
                self.place(canvas, x + 16, row, value, ink, action)
            else:
                canvas.text(x + 16, row, value, ink)
        note = _edition_note(lobby.settings.edition)
        for row, line in enumerate(note, y + 6):
            canvas.text(x, row, line, style(DARK.mute, DARK.table, italic=True))

    def _draw_status(self, canvas: Canvas, x: int, y: int, lobby: Lobby) -> None:
        mine = next((seat for seat in lobby.seats if seat.family == lobby.you), None)
        ink = style(DARK.ink, DARK.table, bold=True)
        if lobby.host:
            if lobby.missing is None:
                text, action = _("Everybody is ready: s starts the game."), "start"
            else:
                text = refusal_sentence(lobby.missing.code, lobby.missing.values, _)
                action = ""
        elif mine is None:
            text, action = _("You are watching."), ""
        elif mine.ready:
            text, action = _("You are ready. Waiting for the host to start."), "ready"
        else:
            text, action = _("Press Enter when you are ready."), "ready"
        if action:
            hue = style(DARK.on_choice, DARK.choice, bold=True)
            self.place(canvas, x, y, f" {text} ", hue, action)
        else:
            canvas.text(x, y, text, ink)
        if self.notice:
            alert = style(DARK.alert, DARK.table, bold=True)
            canvas.text(x, y + 2, self.notice, alert, canvas.width - x - 1)


def edition_name(edition: int) -> str:
    """Return an edition's name."""
    return _("second edition") if edition == 2 else _("first edition")


def _edition_note(edition: int) -> tuple[str, str]:
    if edition == 2:
        return (
            _("A Lord counts top cards only."),
            _("Your own Ambush spares you."),
        )
    return (
        _("A Lord counts whole stacks."),
        _("Your own Ambush strikes back: +1."),
    )


def _first_name(lobby: Lobby) -> str:
    first = lobby.settings.first
    if first == "random":
        return _("random")
    seat = next((seat for seat in lobby.seats if seat.family == first), None)
    return seat.name if seat else family_name(first)


def _direction_name(direction: str) -> str:
    return _("left to right") if direction == "right" else _("right to left")


def _pace_name(pace_ms: int) -> str:
    return _("{seconds} s a move").format(seconds=f"{pace_ms / 1000:g}")


def _keys() -> Iterator[BindingType]:
    yield Binding("enter", "ready", show=False, id="lobby.ready")
    yield Binding("s", "start", show=False, id="lobby.start")
    yield Binding("plus", "add_bot", show=False, id="lobby.add-bot")
    yield Binding("minus,delete,backspace", "remove_selected", show=False, id="lobby.remove")
    yield Binding("t", "bot_kind", show=False, id="lobby.bot-kind")
    yield Binding("up", "move(-1)", show=False, id="lobby.up")
    yield Binding("down", "move(1)", show=False, id="lobby.down")
    yield Binding("e", "edition", show=False, id="lobby.edition")
    yield Binding("f", "first", show=False, id="lobby.first")
    yield Binding("d", "direction", show=False, id="lobby.direction")
    yield Binding("p", "pace", show=False, id="lobby.pace")
    yield Binding("c", "copy", show=False, id="lobby.copy")
    yield Binding("question_mark,f1", "help", show=False, id="lobby.help")
    yield Binding("q,escape", "leave", show=False, id="lobby.leave-table")
    for family in FAMILIES:
        yield Binding(family, f"family('{family}')", show=False, id=f"lobby.family-{family}")


class LobbyScreen(SessionScreen):
    """Where a table gathers before a game."""

    BINDINGS: ClassVar[list[BindingType]] = list(_keys())

    def compose(self) -> ComposeResult:
        """The board and its keys."""
        yield LobbyBoard(id="lobby")
        yield Keys(id="keys")
        yield TooSmall(id="too-small")

    def sync(self) -> None:
        """Show what the session knows now."""
        session = self.app.session
        lobby = session.lobby
        if lobby is None:
            return
        board = self.query_one(LobbyBoard)
        board.lobby, board.glyphs, board.line = lobby, self.app.glyphs, self.app.line
        board.selected = min(board.selected, max(0, len(lobby.seats) - 1))
        refusal = session.refusal
        board.notice = refusal_sentence(refusal.code, refusal.values, _) if refusal else ""
        board.redraw()
        self.query_one(Keys).show(self._key_bar(lobby))

    def _key_bar(self, lobby: Lobby) -> list[Key]:
        keys = []
        if lobby.host:
            keys += [
                Key("s", _("start"), "start"),
                Key("+", _("bot"), "add_bot"),
                Key("-", _("remove"), "remove_selected"),
                Key("t", _("kind of bot"), "bot_kind"),
            ]
        elif lobby.you is not None:
            keys.append(Key("Enter", _("ready"), "ready"))
        if lobby.invitation and lobby.you is not None:
            keys.append(Key("c", _("copy invitation"), "copy"))
        keys += [Key("?", _("help"), "help"), Key("q", _("leave"), "leave")]
        return keys

    def action_ready(self) -> None:
        """Say that one is ready, or not after all; the host starts instead."""
        lobby = self.app.session.lobby
        if lobby is None or lobby.you is None:
            return
        mine = next(seat for seat in lobby.seats if seat.family == lobby.you)
        if lobby.host:
            self.action_start()
        else:
            self.app.say(SetReady(ready=not mine.ready))

    def action_start(self) -> None:
        """Start the game."""
        self.app.say(Start())

    def action_add_bot(self) -> None:
        """Let a bot take the next free seat."""
        self.app.say(AddBot(bot=self.query_one(LobbyBoard).bot))

    def action_bot_kind(self) -> None:
        """Change which bot is added."""
        board = self.query_one(LobbyBoard)
        names = list(BOTS)
        board.bot = names[(names.index(board.bot) + 1) % len(names)]
        board.redraw()

    def action_select(self, row: int) -> None:
        """Choose the seat that the host's keys are about."""
        board = self.query_one(LobbyBoard)
        board.selected = row
        board.redraw()

    def action_move(self, by: int) -> None:
        """Choose another seat."""
        lobby = self.app.session.lobby
        if lobby is not None and lobby.seats:
            selected = self.query_one(LobbyBoard).selected
            self.action_select((selected + by) % len(lobby.seats))

    def action_remove_selected(self) -> None:
        """Free the chosen seat; the host's own means the last bot."""
        lobby = self.app.session.lobby
        if lobby is None or not lobby.seats:
            return
        seat = lobby.seats[self.query_one(LobbyBoard).selected]
        if seat.family == lobby.you:
            bots = [seat for seat in lobby.seats if seat.bot is not None]
            if not bots:
                return
            seat = bots[-1]
        self.action_remove(seat.family)

    def action_remove(self, family: str) -> None:
        """Free a seat."""
        self.app.say(Remove.model_validate({"family": family}))

    def action_family(self, family: str) -> None:
        """Take another family."""
        self.app.say(ChooseFamily.model_validate({"family": family}))

    def action_edition(self) -> None:
        """Change the edition."""
        settings = self._settings()
        if settings is not None:
            self._change(edition=3 - settings.edition)

    def action_first(self) -> None:
        """Change who is the first player: random, or each seat in turn."""
        lobby, settings = self.app.session.lobby, self._settings()
        if lobby is None or settings is None:
            return
        choices = ["random", *(seat.family for seat in lobby.seats)]
        index = choices.index(settings.first) if settings.first in choices else -1
        self._change(first=choices[(index + 1) % len(choices)])

    def action_direction(self) -> None:
        """Change the direction in which the Queue is shown."""
        settings = self._settings()
        if settings is not None:
            self._change(direction="left" if settings.direction == "right" else "right")

    def action_pace(self) -> None:
        """Change how long bots take."""
        settings = self._settings()
        if settings is not None:
            slower = [pace for pace in PACES_MS if pace > settings.pace_ms]
            self._change(pace_ms=min(slower[0] if slower else PACES_MS[0], MAXIMUM_PACE_MS))

    def action_copy(self) -> None:
        """Copy the invitation."""
        lobby = self.app.session.lobby
        if lobby is not None and lobby.invitation:
            self.app.copy_to_clipboard(lobby.invitation.split("\n")[0])
            self.notify(_("Copied, if your terminal allows it."))

    def _settings(self) -> TableSettings | None:
        lobby = self.app.session.lobby
        return lobby.settings if lobby is not None and lobby.host else None

    def _change(self, **changes: object) -> None:
        settings = self._settings()
        if settings is not None:
            changed = TableSettings.model_validate({**settings.model_dump(), **changes})
            self.app.say(ChangeSettings(settings=changed))
