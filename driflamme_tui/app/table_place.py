"""Opens or joins a table for the app, shows the session's screens, and leaves the table.

A worker forwards the host's messages to the session; the screens read the session.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from textual.screen import Screen
from textual.worker import Worker

from driflamme_tui import local_date
from driflamme_tui.app.app_parts import AppPart, build_parts
from driflamme_tui.app.styled_app import NOTICE_S, StyledApp
from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import PeopleCommands
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.preferences.remembered import (
    forget_back,
    recall,
    remember,
    remember_back,
)
from driflamme_tui.preferences.visits import TABLES, remember_visit
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.screens.table.kinds import screen_of
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.targets import CodeTarget, Join, Plan
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.wording.game.names import bot_name
from driflamme_tui.wording.program.call_words import CallWords
from driflamme_tui.wording.program.joining_words import (
    SEAT_GONE,
    TABLE_GONE,
    UNREACHED_ATTEMPT,
    has_new_address,
    kept_seat_sentence,
    moved_sentence,
    new_address_sentence,
    no_seat_sentence,
    unreached_sentence,
)
from driflamme_tui.wording.program.latecomer_words import (
    question_sentence,
    seated_sentence,
    taken_seats,
    taken_sentence,
    waiting_sentence,
)
from driflamme_tui.wording.program.people_words import (
    contradiction_sentence,
    guessing_sentence,
    pause_wish,
    pause_wish_sentence,
    refused_in_game,
)
from engine.texts import ExplainedError
from netcode.client.connection import ConnectError
from netcode.client.reconnection import Connected, ConnectionLost, HostMoved, News
from netcode.client.session import Session
from netcode.isolation import IsolatedParts
from netcode.protocol.fields import PREFIX_LENGTH, BeforeTable, FamilyLetter
from netcode.protocol.messages import (
    Goodbye,
    Lobby,
    Refused,
    SeatWish,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import WISH_ENDS, refusal_sentence

if TYPE_CHECKING:
    from driflamme_tui.screens.start_screen import StartScreen

NO_WAY_BACK: Final = frozenset({"removed", "host_quit"})
"""Goodbye codes after which the player has lost the seat."""


class TablePlace:
    """The place of the app: at a table, on the way to one, or at none."""

    def __init__(
        self,
        app: StyledApp,
        plan: Plan | None,
        *,
        start_screen: "Callable[[str, str], StartScreen]",
        is_only: bool,
    ) -> None:
        """Begin without a table.

        Args:
            app: The app that shows the table.
            plan: The first plan; the app ends if the plan fails, unless `ends_on_failure` is False.
            start_screen: Creates the start screen from a reason and the last typed address.
            is_only: True if the app is only for the table of the plan.
        """
        self.plan = plan
        """The latest plan, at first the plan that the app began with; None if it had none."""
        self.failure = ""
        """The reason why the first plan failed; "" if it has not failed."""
        self.saw_result = False
        """True if the result screen is shown in place of the table."""
        self._app: Final = app
        self._start_screen: Final = start_screen
        self._is_only: Final = is_only
        self.ends_on_failure = plan is not None
        """True if the app ends when the present plan fails; otherwise the start screen follows."""
        self.former_name = ""
        """The player's name before the present plan changed it; "" if the plan did not."""
        self._worker: Worker[None] | None = None
        """The worker that forwards the host's messages to the session; None at no table."""
        self._passes_lobby = False
        """True if the game will start automatically. The lobby is then not shown."""
        self._last_lobby: Lobby | None = None
        """The latest lobby, to compare with the next one; None before the first."""
        self._guesses = 0
        """Number of wrong guesses at the code at the latest lobby; 0 before the first lobby."""
        self._wishes: tuple[SeatWish, ...] = ()
        """The wishes for bots' seats in the last shown lobby."""
        self._is_late = False
        """True if the player wanted a seat but watches, and has not seen the reason yet."""
        self._was_contradicted = False
        self._pause_wish = ""
        """The shown notice about a player's request for a pause; "" without such a request."""
        self._wish_notices: list[str] = []
        """The shown notices about wishes for bots' seats. They are withdrawn once the wishes are
        answered.
        """
        self._levels: dict[str, str] = {}
        """The last known level of each bot, by the bot's name."""
        self._parts: IsolatedParts[AppPart] | None = None
        self._call_words = CallWords()

    @property
    def session(self) -> Session:
        """The session of the present seat, which interprets the host's messages."""
        return self._app.player_seat.session

    @property
    def seat(self) -> SeatSession | None:
        """The seat at a table, or on the way to one; None at no table."""
        return self._app.player_seat if isinstance(self._app.player_seat, SeatSession) else None

    @property
    def _all_parts(self) -> IsolatedParts[AppPart]:
        """The parts of wings; none for a table that no other person can join."""
        if self._app.player_seat.is_private:
            return IsolatedParts()
        if self._parts is None:
            self._parts = build_parts(self._app)
        return self._parts

    # Going to a table

    def go(self, plan: Plan) -> None:
        """Go to a table, in place of any earlier plan.

        The table of an earlier plan is not closed.
        """
        self.plan = plan
        if isinstance(plan, Join):
            self._show_way(is_going=True)
        self._worker = self._app.run_worker(self._follow(plan), group="table", exclusive=True)

    def _show_way(self, *, is_going: bool) -> None:
        """Let the lowest screen show that the player is on the way to a table, or hide it."""
        lowest = self._app.lowest_screen
        if isinstance(lowest, FullScreen):
            lowest.deliver(partial(lowest.show_way, is_going=is_going))

    async def _follow(self, plan: Plan) -> None:
        """Open or find a table, take a seat there, and stay until the player or the host leaves.

        If that fails, call `give_up` with the reason. After a wrong code, ask for another code
        instead.
        """
        try:
            seat = await sit_down(plan, self._app.player_seat.name, self._app.warn)
        except ExplainedError as error:
            is_wrong_code = isinstance(error, ConnectError) and error.code == "wrong_code"
            if is_wrong_code and isinstance(plan, Join):
                self._ask_code(plan, error.sentence(_))
            else:
                self.give_up(error.sentence(_), getattr(error, "code", ""))
            return
        self._app.player_seat = seat
        self._passes_lobby, self._call_words = isinstance(plan, SoloPlan), CallWords()
        self.saw_result, self._levels, self._is_late = False, {}, False
        self._last_lobby = None
        for open_part in () if seat.table is None else seat.table.parts.values():
            open_part.on_change = self.show
        self._all_parts.each(lambda part: part.begin())
        try:
            if not await seat.stay(partial(self.receive, seat)):
                return
        except ConnectError as error:
            self.give_up(error.sentence(_), error.code)
            return
        goodbye = self.session.goodbye
        if goodbye is not None and goodbye.code in NO_WAY_BACK:
            forget_back(seat.way_back())
        if seat is self._app.player_seat:
            self.give_up(seat.farewell(), "" if goodbye is None else goodbye.code)

    def ask_name(self, wrong: str) -> None:
        """Ask for a name that is free at the table, and go there.

        A player who cancels sees `wrong` as the reason. If `wrong` is empty, cancelling ends the
        app.
        """
        from driflamme_tui.screens.overlays.code_overlay import NameOverlay

        if (seat := self.seat) is not None:
            seat.release_seat()
            self._app.player_seat = PlayerSeat(Session(), seat.name)

        def typed(name: str | None) -> None:
            self._app.player_seat.name = name or self._app.player_seat.name
            if name is not None and self.plan is not None:
                self.go(self.plan)
            elif not wrong:
                self._app.exit()
            else:
                self.give_up(wrong)

        self._show_way(is_going=False)
        self._app.push_screen(NameOverlay(self._app.player_seat.name, wrong), typed)

    def _ask_code(self, plan: Join, wrong: str) -> None:
        """Ask again for the code of a table, and go to the table with that code.

        A player who cancels sees `wrong` as the reason.
        """
        from driflamme_tui.screens.overlays.code_overlay import CodeOverlay

        assert isinstance(plan.target, CodeTarget)
        target, address, code = plan.target, plan.target.address, plan.target.code

        def typed(again: str | None) -> None:
            if again is None:
                self.give_up(wrong)
            else:
                self.go(replace(plan, target=replace(target, code=again)))

        prefix, own = code[:PREFIX_LENGTH], code[PREFIX_LENGTH:]
        found = getattr(self._app.lowest_screen, "found", ())
        names = [each.name for each in found if each.address == address]
        name = names[0] if len(names) == 1 else ""
        self._show_way(is_going=False)
        self._app.push_screen(CodeOverlay(address, prefix, name, typed=own, wrong=wrong), typed)

    # At a table

    def receive(self, seat: SeatSession, news: News) -> bool:
        """Show a message or a change of the connection; return False if the player must leave.

        Also store the address and the way back to the player's seat.
        """
        call = self._call_words.sentence(news, seat.session)
        if call and not seat.is_private:
            self._app.terminal.call(call)
        self._all_parts.each(lambda part: part.receive(news))
        match news:
            case BeforeTable():
                return True
            case Talk() if name := pause_wish(news.lines, seat.session):
                self._pause_wish = pause_wish_sentence(name, self._app.terminal.glyphs)
                self._app.notify(self._pause_wish, timeout=NOTICE_S, markup=False)
            case ConnectionLost(closed=Goodbye() as goodbye, attempt=1) if (
                self.session.lobby is None
            ):
                self._app.warn(refusal_sentence(goodbye, _))
            case HostMoved():
                self._app.notify(moved_sentence(news), timeout=NOTICE_S, markup=False)
            case ConnectionLost(closed=None, attempt=attempt, wait_s=wait) if (
                attempt >= UNREACHED_ATTEMPT and self.session.secret is not None
            ):
                # Show the notice until the next attempt ends.
                self._app.withdraw(unreached_sentence())
                self._app.notify(unreached_sentence(), timeout=wait + NOTICE_S, markup=False)
            case Connected():
                self._app.withdraw(unreached_sentence())
            case Refused() if not self.stays_after(news):
                return False
            case Refused(code=code) if code in WISH_ENDS:
                # Show a notice: a bot's next move would remove the text from the prompt.
                self.session.refusal = None
                self._replace_notices(
                    refused_in_game(news, self.session.lobby, self._app.terminal.glyphs)
                )
            case Welcome(family=str(family)):
                self._notify_of_seat(family)
                _remember_address(seat)
            case Lobby() if back := seat.way_back():
                # Store the address again: the host may have a new invitation or other addresses.
                _remember_address(seat)
                remember_back(back)
                remember_visit(back, local_date.today())
        if self.session.lobby is not None and not isinstance(news, Goodbye | Welcome):
            self.show()
        if isinstance(news, State) or (isinstance(news, Lobby) and news.phase == "lobby"):
            self._offer_seats(self._app.player_seat.lobby)
        return True

    def stays_after(self, refused: Refused) -> bool:
        """Watch the table or show a refusal's reason, and return True if the player can stay.

        Otherwise ask for another name, or return to the start screen with the reason.
        """
        seat = self.seat
        if seat is not None and not seat.is_let_in and self._watches(seat, refused):
            return True
        if any(self._all_parts.results(lambda part: part.show_refusal(refused))):
            return True
        if refused.code == "name_taken":
            self.ask_name(no_seat_sentence(refused))
            return False
        if seat is not None and seat.is_let_in:
            return True
        if seat is not None and seat.keeps_seat(refused.code):
            self.give_up(kept_seat_sentence())
        else:
            self.give_up(no_seat_sentence(refused), refused.code)
        return False

    def _watches(self, seat: SeatSession, refused: Refused) -> bool:
        """Watch the table and return True if a refusal means that no seat is free.

        Otherwise, and if the player watches already, return False.
        """
        watches = seat.watch_instead(refused)
        self._is_late = self._is_late or watches
        return watches

    def _offer_seats(self, lobby: Lobby) -> None:
        """Show a latecomer without a seat, once, the overlay with the seats of bots.

        If no such seat is on offer, the overlay shows the reason.
        """
        if not self._is_late:
            return
        self._is_late = False
        if lobby.you is None:
            from driflamme_tui.screens.overlays.seats_overlay import SeatsOverlay

            lowest = self._app.lowest_screen
            if isinstance(lowest, SessionScreen):
                lowest.deliver(partial(self._app.push_screen, SeatsOverlay()))

    def show(self) -> None:
        """Show all changes on the session's screen. Do nothing before the first lobby arrives.

        If the game will start automatically, open no screen until it has started.
        """
        lobby = self.session.lobby
        if lobby is None or not self._app.is_running:
            return
        self._all_parts.each(lambda part: part.session_changed())
        self._end_wish(lobby)
        self._warn_of_guesses(lobby)
        self._notify_of_wishes(lobby)
        self._notify_of_address(lobby)
        self._notify_of_taken_seats(lobby)
        self._last_lobby = lobby
        self._warn_of_contradiction()
        self._notify_of_levels(lobby)
        view = self.session.view
        if self._passes_lobby and view is None and self.session.refusal is None:
            return
        self._passes_lobby = False
        wanted = self._screen_for(lobby)
        lowest = self._app.lowest_screen
        if type(lowest) is wanted and lowest.player_seat is self._app.player_seat:
            lowest.session_changed()
        else:
            # A refusal belongs to the screen that closes now, so forget it.
            self.session.refusal = None
            self._app.change_screen(wanted())
        self._all_parts.each(lambda part: part.shown())

    def _screen_for(self, lobby: Lobby) -> type[SessionScreen]:
        """Return the class of the screen for the session's phase, and update `saw_result`.

        While `saw_result` is True, the result stays visible, at most until the next deal.
        """
        view = self.session.view
        is_result = lobby.phase == "result"
        if view is None or not view.over:
            self.saw_result = False
        elif is_result and lobby.count_s is not None:
            # The player sees the countdown to the next game on the result screen.
            self.saw_result = True
        keeps_result = any(self._all_parts.results(lambda part: part.keeps_result()))
        if self.saw_result and (is_result or keeps_result):
            from driflamme_tui.screens.result_screen import ResultScreen

            return ResultScreen
        if lobby.phase == "lobby" or view is None:
            from driflamme_tui.screens.lobby_screen import LobbyScreen

            return LobbyScreen
        return screen_of(lobby.settings)

    def _end_wish(self, lobby: Lobby) -> None:
        """Withdraw the notice about a wished pause once the game has paused or ended."""
        if self._pause_wish and (lobby.paused or lobby.phase != "playing"):
            self._app.withdraw(self._pause_wish)
            self._pause_wish = ""

    def _warn_of_guesses(self, lobby: Lobby) -> None:
        """During a game, notify the host of wrong guesses at the code.

        The lobby screen shows the guesses itself.
        """
        wrong, before = self.session.wrong_guesses, self._guesses
        self._guesses = wrong
        if lobby.phase == "playing" and self.session.is_host and wrong > before:
            self._app.warn(guessing_sentence(wrong, self._app.terminal.glyphs))

    def _notify_of_wishes(self, lobby: Lobby) -> None:
        """Notify the host of new wishes for bots' seats.

        A spectator sees a notice about their own wish.
        """
        before, self._wishes = self._wishes, lobby.wishes
        if before and not lobby.wishes and lobby.host:
            # The host has answered all wishes.
            self._withdraw_wishes()
        glyphs, name = self._app.terminal.glyphs, self._app.player_seat.player_name
        for wish in lobby.wishes:
            text = ""
            if lobby.host:
                text = question_sentence(wish, lobby, glyphs)
            elif lobby.you is None and wish.name == name:
                text = waiting_sentence(wish, lobby, key(TableCommands.seat, glyphs))
            if text and wish not in before:
                self._wish_notices.append(text)
                self._app.notify(text, timeout=NOTICE_S, markup=False)

    def _notify_of_address(self, lobby: Lobby) -> None:
        """Notify a player who hosts a table if this machine has a new address."""
        before = self._last_lobby
        if before is None or not lobby.host or before.secret != lobby.secret:
            return
        if has_new_address(before.invitation, lobby.invitation):
            glyphs = self._app.terminal.glyphs
            keys = key(TableCommands.people, glyphs), key(PeopleCommands.invitation, glyphs)
            self._app.notify(new_address_sentence(*keys), timeout=NOTICE_S, markup=False)

    def _notify_of_taken_seats(self, lobby: Lobby) -> None:
        """Notify the player when other people have got the seats of bots."""
        taken = taken_seats(self._last_lobby, lobby)
        for seat in lobby.seats:
            if seat.family in taken and seat.family != lobby.you:
                sentence = taken_sentence(seat.name, taken[seat.family])
                self._app.notify(sentence, timeout=NOTICE_S, markup=False)

    def _withdraw_wishes(self) -> None:
        """Withdraw the notices about wishes for bots' seats."""
        for text in self._wish_notices:
            self._app.withdraw(text)
        self._wish_notices.clear()

    def _withdraw_notices(self) -> None:
        """Withdraw the notices about wishes, a pause and an unreached host before leaving."""
        self._withdraw_wishes()
        for sentence in (self._pause_wish, unreached_sentence()):
            self._app.withdraw(sentence)
        self._pause_wish = ""

    def _notify_of_seat(self, family: FamilyLetter) -> None:
        """Show a notice with the family that the player has got in a watched game."""
        lobby = self.session.lobby
        if lobby is not None and lobby.you is None and lobby.phase == "playing":
            self._replace_notices(seated_sentence(family, lobby))

    def _replace_notices(self, sentence: str) -> None:
        """Show the answer to a wish, in place of the notice about the wish."""
        self._withdraw_wishes()
        self._app.notify(sentence, timeout=NOTICE_S, markup=False)

    def _warn_of_contradiction(self) -> None:
        """Warn once if the host's record contradicts the seen game."""
        before, self._was_contradicted = self._was_contradicted, self.session.is_contradicted
        if self.session.is_contradicted and not before:
            self._app.warn(contradiction_sentence(self.session))

    def _notify_of_levels(self, lobby: Lobby) -> None:
        """Notify the player of new levels of bots, except in the lobby or if a bot has joined."""
        levels = {seat.name: seat.bot for seat in lobby.seats if seat.bot is not None}
        changed = sorted(levels.items() - self._levels.items())
        if changed and lobby.phase != "lobby" and levels.keys() <= self._levels.keys():
            bots = comma_list(f"{name} ({bot_name(bot)})" for name, bot in changed)
            text = _("Bots now play at the level of your past games: {bots}.", bots=bots)
            self._app.notify(text, markup=False)
        self._levels = levels

    # Leaving

    def leave_for_good(self) -> None:
        """Leave a table, and return to the screen from which it was opened.

        The player's own table closes.
        """
        lobby, seat = self.session.lobby, self.seat
        if self._app.player_seat.table is None and (lobby is None or lobby.phase != "playing"):
            # Only a seat in a running game can be resumed.
            forget_back(None if seat is None else seat.way_back())
        before = None
        if lobby is not None:
            shown = self._all_parts.results(lambda part: part.screen_before())
            before = next(filter(None, shown), None)
        self._app.run_worker(self._leave(before=before), group="parting")

    def give_up(self, why: str, code: str = "") -> None:
        """Return to the start screen with a reason.

        If the first plan failed, or if the app is only for this table, end the app instead.

        Args:
            why: The reason, in a sentence.
            code: The code of the refusal or goodbye; "" without one. With a code in `TABLE_GONE`,
                the typed address is forgotten; otherwise it stays in its input for correction. With
                a code in `SEAT_GONE`, the way back to the seat is forgotten too.
        """
        if code in TABLE_GONE:
            remember(address="")
            if self.seat is not None and self.seat.target is not None:
                TABLES.forget(self.seat.target.place)
        if code in SEAT_GONE and self.seat is not None:
            # Forget the way back only for these codes: a host who merely does not answer may return
            # with the seat.
            forget_back(self.seat.way_to_seat())
        if self._is_only or (self.ends_on_failure and self.session.lobby is None):
            self.failure = why
            self._app.exit(return_code=2)
            return
        self._app.run_worker(self._leave(why, gone=code in TABLE_GONE), group="parting")

    async def _leave(
        self, why: str = "", *, gone: bool = False, before: Screen[None] | None = None
    ) -> None:
        """Leave the seat, close the player's own table, and show the next screen.

        The next screen is `before`, or else the start screen with the reason `why`. Without
        `before`, end the program instead if it was started for this table only. With `before`,
        carry out the latest plan again, unless another screen has replaced `before` meanwhile. With
        `gone`, forget the typed address.
        """
        from driflamme_tui.screens.start_screen import StartScreen

        self._withdraw_notices()
        app, worker, seat, plan = self._app, self._worker, self.seat, self.plan
        if self._is_only and before is None:
            if seat is not None:
                await seat.leave(leaves=True)
            app.exit()
            return
        self.ends_on_failure, self._worker = False, None
        name = app.player_seat.name
        if self.session.lobby is None:
            # The player was not let in, so the name for that table is not needed any more.
            name = self.former_name or name
        self.former_name = ""
        app.player_seat = PlayerSeat(Session(), name, self.session.lobby)
        target = None if seat is None else seat.target
        address = target.typed_now if target is not None and not gone else ""
        if seat is not None:
            seat.release_seat()
        if before is not None:
            app.change_screen(before)
        elif isinstance(app.screen, StartScreen):
            app.screen.deliver(partial(app.screen.show_notice, why, gone=gone))
        else:
            app.change_screen(self._start_screen(why, address))
        if seat is not None:
            await seat.leave(leaves=True)
        # A player who has left need not wait for the table's goodbye.
        if worker is not None:
            worker.cancel()
        if seat is not None:
            await seat.close()
            if seat.table is not None and isinstance(app.screen, StartScreen):
                # The table that was just left can be reopened, so update the start screen's rows.
                app.screen.deliver(app.screen.offer_ways)
        if plan is not None and before is not None and app.lowest_screen is before:
            self.go(plan)

    async def close(self) -> None:
        """Leave the table when the app ends, without giving up the seat."""
        if (seat := self.seat) is not None:
            self._app.player_seat = PlayerSeat(Session(), seat.name)
            await seat.leave(leaves=False)
            await seat.close()


def _remember_address(seat: SeatSession) -> None:
    typed = "" if seat.target is None else seat.target.typed_now
    remember(name=seat.name, address=typed or recall().address)
