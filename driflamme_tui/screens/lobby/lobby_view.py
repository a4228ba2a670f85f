"""Arranges and fills the lobby, and keeps the chosen line visible."""

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.remembered import last_bot
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.lobby.arrangement import (
    GUTTER,
    LOW,
    PADDING,
    RULE_ROWS,
    Arrangement,
    Needs,
    arrange,
)
from driflamme_tui.screens.lobby.invitation_rows import InvitationRows
from driflamme_tui.screens.lobby.lobby_status import button, status_of, status_text
from driflamme_tui.screens.lobby.lobby_texts import LobbyTexts
from driflamme_tui.screens.lobby.setting_rows import setting_rows, settings_of
from driflamme_tui.text.cell_widths import fit_text, wrap_text
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.qr_code import QrCode, fitting_code
from driflamme_tui.widgets.table.chat_panel import TITLE_ROWS, TalkPanel
from driflamme_tui.wording.program.joining_words import is_link
from driflamme_tui.wording.program.people_words import ended_sentence
from netcode.protocol.fields import PREFIX_LENGTH
from netcode.protocol.messages import Lobby, SeatInfo

FEWEST_ROWS: Final = 5
"""Rows of the settings, with their heading, that are always visible."""

EXPLANATION_ROWS: Final = 2
"""Minimum rows of the explanation."""

CODE_WIDTH: Final = 60
"""Maximum columns of a QR code in the lobby."""

WIDEST: Final = 180
"""Maximum columns of all parts together."""


class LobbyScroll(VerticalScroll):
    """A list in the lobby that scrolls. It calls a function after each change of its size."""

    def __init__(self, resized: Callable[[], None], id: str) -> None:
        super().__init__(id=id, can_focus=False)
        self._resized = resized

    def on_resize(self) -> None:
        """Call the function after the layout is complete."""
        self.call_after_refresh(self._resized)


class LobbyView:
    """The contents of the lobby, and the chosen line."""

    def __init__(self, screen: GatheringScreen) -> None:
        self._screen: Final = screen
        self.line: str | Command = ""
        """The line that keys apply to: a setting, or the name in a seat; "" before the first
        choice.

        Only the host can choose seats.
        """
        self.bot = last_bot()
        """The kind of bot that `+` adds."""
        self.changed: frozenset[Command] = frozenset()
        """The commands whose settings another person has just changed."""
        self._scrolled_to = 0.0
        """The scroll offset of the list at which the chosen line was last made visible."""
        self._is_tall = False
        """True if a seat has two rows."""
        self._linked: tuple[str, QrCode | None] = "", None
        """The last request for a QR code (link, columns and rows), and the code; None if it did not
        fit.
        """

    def parts(self) -> ComposeResult:
        """Yield the invitation, the seats with the chat, the settings, and the status."""
        yield Static(id="invitation")
        yield Static(id="rule")
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield Static(id="seats-title")
                with LobbyScroll(self.keep_chosen_in_view, "seats-scroll"):
                    yield Static(id="seats")
                yield Static(id="families")
                yield Static(id="watching")
                yield Static(id="talk-title")
                yield TalkPanel(id="talk-below")
            with Vertical(id="right"):
                yield Static(id="settings-title")
                with LobbyScroll(self.keep_chosen_in_view, "scroll"):
                    yield Static(id="settings")
                yield Static(id="explanation")
            yield Static(id="code")
        with Horizontal(id="status-row"):
            yield Static(id="status")
            yield Static(id="go")

    def heading(self) -> str:
        """Return the title of the screen, with the beginning of the table's code if it has one."""
        name = self._screen.sections.first(lambda each: each.heading()) or _("Lobby")
        code, sign = self._screen.lobby.code, self._screen.glyphs.separator
        if code is None:
            return name
        return f"{name} {sign} {_('Table {prefix}', prefix=code[:PREFIX_LENGTH])}"

    @property
    def chosen(self) -> SeatInfo | Command | None:
        """The seat or setting that keys apply to.

        Only the host chooses seats: by default the first one. None for a guest without a chosen
        setting.
        """
        if isinstance(self.line, Command):
            return self.line
        seats = self._screen.lobby.seats if self._screen.lobby.host else ()
        named = (seat for seat in seats if seat.name == self.line)
        return next(named, next(iter(seats), None))

    @property
    def moment(self) -> str | Command | None:
        """The chosen line: the name in a seat, or a setting; None if no line is chosen."""
        chosen = self.chosen
        return chosen.name if isinstance(chosen, SeatInfo) else chosen

    # Texts

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the texts of all parts: invitation, seats, settings, status, button and notice."""
        screen = self._screen
        lobby, texts = screen.lobby, self._texts()
        ended = "" if lobby.ended_by is None else ended_sentence(lobby.ended_by)
        notice, good = screen.notice_line(ended)
        if not notice:
            notice, good = screen.sections.first(lambda each: each.note()), True
        status, action = status_of(screen)
        notice = "" if notice == status else notice
        width = min(screen.size.width - 2, WIDEST)
        rows_of = InvitationRows(lobby, screen, screen.player_seat.secure)
        invitation = rows_of.rows(width, small=screen.size.height < LOW)
        has_rule = bool(invitation) and screen.size.height >= RULE_ROWS
        rule = ("─" if screen.glyphs.unicode else "-") * width * has_rule
        go = button(screen)
        taken = 2 + screen.key_rows + len(invitation) + has_rule
        taken += len(wrap_text(notice, width, width)) if notice else 0
        rows = (
            screen.size.height - taken - len(wrap_text(status, width - go.cell_len - 1, width)) + 1
        )
        return {
            "summary": status_text(screen),
            "invitation": Text("\n").join(invitation),
            "rule": screen.text((rule, "mute")),
            **self._parts_in(rows, texts),
            "status": screen.link(status, action, "bold")
            if action
            else screen.text((status, "bold")),
            "go": go,
            "notice": screen.text((notice, "bold" if good else "alert")),
        }

    def _texts(self) -> LobbyTexts:
        return LobbyTexts(
            lobby=self._screen.lobby,
            page=self._screen,
            chosen=self.chosen,
            changed=self.changed,
            bot=self.bot,
            rows=setting_rows(self._screen.lobby, self.bot),
        )

    # Arrangement

    def _parts_in(self, rows: int, texts: LobbyTexts) -> Mapping[str, RenderableType]:
        """Arrange all parts in `rows` rows, and return their contents."""
        short, tall, settings = texts.seats(tall=False), texts.seats(tall=True), texts.settings()
        if max(row.cell_len for row in short) > self._screen.size.width - PADDING:
            # Prefer one row for each seat, so that all seats are visible on a small screen.
            short = texts.seats(tall=False, brief=True)
        least, high, right = (max(row.cell_len for row in each) for each in (short, tall, settings))
        code = self._code(self._screen.size.width - PADDING - high - right - 2 * GUTTER, rows)
        size = (0, 0) if code is None else (code.width, code.height)
        needs = Needs(least, high, right, *size)
        # Who writes wants to read the chat: on a low screen it gets the whole width and the rows of
        # the explanation and of most settings.
        reads = bool(self._screen.talking and self._screen.player_seat.session.talk)
        reads = reads and self._screen.size.height < RULE_ROWS
        place = arrange(min(self._screen.size.width, WIDEST + 2), rows, needs, stacks=reads)
        self._is_tall = place.is_tall
        named = texts.seats(tall=True, families=True)
        tall = named if max(row.cell_len for row in named) <= place.left else tall
        seats = tall if place.is_tall else short
        families = texts.families(place.left)
        watching = [*texts.watching(place.left), *texts.wing_lines(place.left)]
        is_quiet = not (self._screen.talking or self._screen.player_seat.session.talk)
        below = len(families) + len(watching)
        if place.is_beside:
            left = rows - 1 - below
            talk = max(0, left - len(seats))
            explained = max(EXPLANATION_ROWS, rows - len(settings) - 2)
        else:
            explained, fewest = EXPLANATION_ROWS, min(FEWEST_ROWS, len(settings) + 1)
            talk = 0 if is_quiet else 1
            if reads:
                talk = TITLE_ROWS
                fewest, explained = max(2, fewest + explained + 1 - talk), 0
            left = rows - below - talk - explained - fewest - 1
        seats_rows = max(1, min(len(seats), left))
        in_right = rows if place.is_beside else rows - 1 - seats_rows - below - talk
        settings_rows = max(1, min(len(settings), in_right - 1 - explained))
        self._fit(place, seats_rows, settings_rows, talk)
        explanation = (
            fit_text(
                texts.explanation(), place.right, explained, self._screen.glyphs, sentences=True
            )
            if explained
            else []
        )
        return {
            "seats-title": texts.seats_title(
                place.left - PADDING, texts.seats_in(seats_rows, tall=place.is_tall)
            ),
            "seats": Text("\n").join(seats),
            "families": Text("\n").join(families),
            "watching": Text("\n").join(watching),
            # A chat with enough rows shows its own heading.
            "talk-title": self._talk_title(talk),
            "settings-title": texts.settings_title(place.right, settings_rows),
            "settings": Text("\n").join(settings),
            "explanation": self._screen.text(
                "\n" * (place.is_beside and in_right > settings_rows + 1 + len(explanation)),
                ("\n".join(explanation), "plain"),
            ),
            "code": code.text() if code is not None and place.has_code else Text(),
        }

    def _talk_title(self, rows: int) -> Text:
        """Return the heading of a chat of `rows` rows.

        Returns blanks if the chat shows its own heading, and an empty text if there is no row for
        one.
        """
        if rows < 2:
            return Text()
        return self._screen.text((" " if rows > TITLE_ROWS else _("CHAT"), "heading"))

    def _fit(self, place: Arrangement, seats: int, settings: int, talk: int) -> None:
        """Set the rows of lists and chat, the width of both columns, and the line between them."""
        columns, right = self._screen.query_one("#columns"), self._screen.query_one("#right")
        columns.styles.layout = "horizontal" if place.is_beside else "vertical"
        self._screen.query_one("#left").styles.width = place.left
        right.styles.width = place.right + 2 * place.is_beside
        right.styles.padding = (0, 0, 0, int(place.is_beside))
        colour = self._screen.terminal.palette.frame
        if place.is_beside:
            right.styles.border_left = ("solid" if self._screen.glyphs.unicode else "ascii", colour)
        else:
            right.styles.border_left = None
        for side in ("#left", "#right"):
            self._screen.query_one(side).styles.height = "1fr" if place.is_beside else "auto"
        self._screen.query_one("#seats-scroll").styles.height = seats
        self._screen.query_one("#scroll").styles.height = settings
        self._screen.show_talk(max(1, talk - (talk > 1)))
        self._screen.query_one(TalkPanel).display = talk > 0

    def _code(self, width: int, rows: int) -> QrCode | None:
        """Return the invitation as a QR code.

        Returns None if the code does not fit into this width and these rows. Returns None also if
        the invitation is no link, or if the terminal shows no block characters.
        """
        link = self._screen.lobby.invitation
        if not self._screen.glyphs.unicode or not is_link(link):
            return None
        request = f"{link} {width} {rows}"
        if self._linked[0] != request:
            self._linked = request, fitting_code(link, min(width, CODE_WIDTH), rows)
        return self._linked[1]

    # The chosen line

    def keep_choice(self, before: Lobby) -> None:
        """Keep the chosen line after a change of the lobby.

        If a chosen setting is gone, choose the edition. If a chosen player has left, choose the
        host's own seat, or without one the edition.
        """
        lobby = self._screen.lobby
        if isinstance(self.line, Command):
            if self.line not in settings_of(lobby):
                self.line = LobbyCommands.edition
            return
        chosen = self.line or next((seat.name for seat in before.seats), "")
        if chosen in {seat.name for seat in lobby.seats}:
            self.line = chosen
        elif lobby.host:
            own = lobby.your_seat
            self.line = LobbyCommands.edition if own is None else own.name

    def line_beside(self, by: int) -> str | Command:
        """Return the line `by` places from the chosen line, wrapping around at the ends.

        If no line is chosen, count from before the first line, or backwards from after the last.
        """
        lines, chosen = self.lines(), self.moment
        now = lines.index(chosen) if chosen in lines else -(by > 0)
        return lines[(now + by) % len(lines)]

    def line_a_page_away(self, by: int) -> str | Command | None:
        """Return the line `by` pages after the chosen one, or before it if `by` is negative.

        Returns None if no line is chosen.
        """
        lines, chosen = self.lines(), self.moment
        if chosen not in lines:
            return None
        line = lines.index(chosen) + by * max(1, self.scrolled.size.height - 1)
        return lines[max(0, min(line, len(lines) - 1))]

    def lines(self) -> list[str | Command]:
        """Return the lines that can be chosen: for the host the seats' names, then the settings."""
        seats = (seat.name for seat in self._screen.lobby.seats if self._screen.lobby.host)
        return [*seats, *settings_of(self._screen.lobby)]

    @property
    def scrolled(self) -> VerticalScroll:
        """The list with the chosen line."""
        is_seat = isinstance(self.chosen, SeatInfo)
        return self._screen.query_one("#seats-scroll" if is_seat else "#scroll", VerticalScroll)

    def _chosen_row(self) -> int | None:
        """Return the chosen line's row in its list; None if no line is chosen or listed."""
        chosen = self.chosen
        if chosen is None:
            return None
        if isinstance(chosen, SeatInfo):
            return self._texts().row_of(chosen.name, tall=self._is_tall)
        settings = settings_of(self._screen.lobby)
        return settings.index(chosen) if chosen in settings else None

    def shows_chosen(self) -> bool:
        """Return True if the chosen line is visible, or no line is chosen.

        If the lists do not exist, return False.
        """
        if not self._can_scroll:
            return False
        row = self._chosen_row()
        top = round(self.scrolled.scroll_y)
        return row is None or top <= row < top + self.scrolled.size.height

    @property
    def _can_scroll(self) -> bool:
        """True if the lists exist.

        A delayed call may arrive before the screen has its widgets, or after their removal.
        """
        return self._screen.is_whole and bool(self._screen.query(LobbyScroll))

    def scroll_to_chosen(self) -> None:
        """Scroll to the chosen line, if there is one and the lists exist."""
        if not self._can_scroll:
            return
        row, scrolled = self._chosen_row(), self.scrolled
        if row is not None:
            rows = 1 + (self._is_tall and isinstance(self.chosen, SeatInfo))
            y = min(row, max(round(scrolled.scroll_y), row - scrolled.size.height + rows))
            scrolled.scroll_to(y=y, animate=False, immediate=True)
        self._scrolled_to = scrolled.scroll_y

    def keep_chosen_in_view(self) -> None:
        """Scroll to the chosen line if it has moved out of view, unless the reader has scrolled."""
        if not self._can_scroll:
            return
        was = min(self._scrolled_to, self.scrolled.max_scroll_y)
        if self.scrolled.scroll_y == was and not self.shows_chosen():
            self.scroll_to_chosen()
