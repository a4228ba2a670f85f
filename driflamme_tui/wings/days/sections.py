"""Adds long games to the lobby, the list of people, and the line-by-line mode."""

import time
from collections.abc import Iterable
from typing import Final

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.screen_commands import SessionCommands
from driflamme_tui.seat.sections import Section, SectionKind
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wings.days.ahead.confirmed_values import confirmed_values
from driflamme_tui.wings.days.settings import DaysLobbyCommands
from driflamme_tui.wings.days.turns.turn_words import duration
from netcode.protocol.messages import Lobby
from netcode.wings.days.messages import CallSet, Conditions, SetCall
from netcode.wings.days.pauses import Pauses
from netcode.wings.days.settings import NAME, lasts_for_days


class DaysPeopleCommands(CommandSet, prefix="people", listed_after="people.invitation"):
    """Commands in the list of people that open the address for calls and conditional answers."""

    call = Command("c", "wing('people.call')", "get calls when it is your turn in a long game")
    ahead = Command("f", "wing('people.ahead')", "answer later questions beforehand in a long game")


class DaysSection(Section):
    """Shows a table whose games may last for days."""

    part = NAME

    _has_conditions = False
    """True if the last conditional answers in the news were not empty."""

    @property
    def _lobby(self) -> Lobby:
        return self.face.player_seat.lobby

    @property
    def _is_long(self) -> bool:
        return lasts_for_days(self._lobby.settings)

    @property
    def _may_call(self) -> bool:
        """True in a long game of a host that calls players, if the reader has a seat."""
        return self._is_long and self.values.get("calls") is True and self._lobby.you is not None

    @property
    def _may_answer_ahead(self) -> bool:
        view = self.face.player_seat.session.view
        return self._is_long and view is not None and not view.over and bool(view.viewers)

    def lobby_line(self) -> str:
        """Return a sentence about leaving a long game and being called; "" in other games."""
        if not self._is_long:
            return ""
        line = _("A long game: leave whenever you like, and your seat stays yours.")
        if not self._may_call:
            return line
        people = self.face.key_for(SessionCommands.people)
        call = self.face.key_for(DaysPeopleCommands.call)
        # In the line-by-line mode, a command has no key.
        if not call:
            return _("{line} To get calls, type call and an address.", line=line)
        return _("{line} {people}, {call}: get calls.", line=line, people=people, call=call)

    def _left(self) -> str:
        """Return the time left for the present decision; "" while no time runs."""
        until = self.values.get("until")
        is_running = self._is_long and self._lobby.phase == "playing"
        if not is_running or not isinstance(until, int) or not until:
            return ""
        return duration(max(0, until - round(time.time())))

    def _running(self) -> str:
        """Return the time left without the pauses of the clock; "" while no time runs."""
        until = self.values.get("until")
        if not isinstance(until, int) or not until:
            return ""
        pauses = Pauses.of(self._lobby.settings)
        return duration(pauses.running_s(time.time(), until))

    def time_left(self) -> str:
        """Return the time left for the present decision, as a text; "" while no time runs."""
        left = self._left()
        return _("{time} left", time=left) if left else ""

    def waiting(self) -> str:
        """Return a sentence with the time left for the player who must answer.

        Returns "" while no time runs.
        """
        left, running = self._left(), self._running()
        if not left:
            return ""
        name = steady(self._decider())
        if running and running != left:
            return _(
                "{name} has {running}, {time} with pauses; then a bot answers once.",
                name=name,
                running=running,
                time=left,
            )
        return _("{name} has {time} left; then a bot answers once.", name=name, time=left)

    def people(self) -> Iterable[str]:
        """Yield sentences about the time left, and about the last player whose time was up."""
        yield from filter(None, [self.waiting()])
        if self._is_long and (late := self._late(self._lobby)):
            yield late

    @staticmethod
    def _late(lobby: Lobby) -> str:
        """Return a sentence about the last player for whom a bot has answered; "" without one."""
        late = lobby.parts.get(NAME, {}).get("late")
        if not isinstance(late, str) or not late:
            return ""
        return _("The time of {name} was up, and a bot answered once.", name=steady(late))

    def changed(self, before: Lobby | None, lobby: Lobby) -> Iterable[str]:
        """Yield a sentence if a bot has answered for a player whose time was up."""
        late = self._late(lobby)
        if before is not None and late and late != self._late(before):
            yield late

    def _decider(self) -> str:
        """Return the name of the player who must answer; "Somebody" if it is not known."""
        seat = self.face.player_seat
        view, names = seat.session.view, seat.session.names()
        return names[view.turn] if view is not None and view.turn < len(names) else _("Somebody")

    def people_by_key(self) -> Iterable[str]:
        """Yield the reader's address for calls, and the number of their conditional answers.

        Each line names the key that changes it, where the reader may do so.
        """
        known = confirmed_values(self.face.player_seat.session)
        if self._may_call:
            key = self.face.key_for(DaysPeopleCommands.call)
            if known.address:
                text = _("{key}: calls go to {address} when it is your turn.")
                yield text.format(key=key, address=steady(known.address))
            else:
                yield _("{key}: get a call when it is your turn.", key=key)
        if self._may_answer_ahead:
            key = self.face.key_for(DaysPeopleCommands.ahead)
            if number := len(known.conditions):
                yield ngettext(
                    "{key}: {n} card is left without a question.",
                    "{key}: {n} cards are left without a question.",
                    number,
                    key=key,
                )
            else:
                yield _("{key}: leave a card face down without being asked.", key=key)

    def news_lines(self, news: object, *, is_over: bool) -> Iterable[str]:
        """Yield the host's confirmations, line by line; none for other news."""
        from driflamme_tui.wings.days.ahead.ahead_words import condition_sentence

        if isinstance(news, CallSet) and news.address:
            yield _("Calls go to {address}.", address=steady(news.address))
        elif isinstance(news, CallSet):
            yield _("You get no calls.")
        elif isinstance(news, Conditions):
            # The host sends empty conditions on each arrival, too: they are no news.
            had_conditions, self._has_conditions = self._has_conditions, bool(news.conditions)
            if is_over:
                return
            yield from map(condition_sentence, news.conditions)
            if had_conditions and not news.conditions:
                yield _("The table asks you about every card.")

    def can(self, command: Command) -> bool:
        """Return True if the reader may set the address for calls, or conditional answers."""
        if command is DaysPeopleCommands.call:
            return self._may_call
        return command is DaysPeopleCommands.ahead and self._may_answer_ahead

    def do(self, command: Command) -> None:
        """Ask for the address, or list the cards that can be left."""
        if command is DaysPeopleCommands.ahead:
            from driflamme_tui.wings.days.ahead.ahead_overlay import AheadOverlay

            self.face.lay_over(AheadOverlay)
            return
        from driflamme_tui.wings.days.call_overlay import CallOverlay

        seat = self.face.player_seat
        overlay = CallOverlay(
            confirmed_values(seat.session).address, lambda text: seat.send(SetCall(text))
        )
        self.face.lay_over(lambda: overlay)


SEAM: Final = SectionKind(DaysSection, lobby=DaysLobbyCommands, people=DaysPeopleCommands)
