"""Adds sealed play to the lobby, the list of people, the result and the line-by-line mode."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.seat.sections import Offer, Section, SectionKind
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.sealed.sealed_words import (
    absent_sentence,
    bots_sentence,
    dealing_sentence,
    digits_sentence,
    is_dealing,
    lobby_note,
    notice_sentence,
    player_takeover_sentence,
    sealed_lines,
    takeover_sentence,
    verdict_sentence,
    vote_words,
)
from driflamme_tui.wings.sealed.settings import SETTING, SealedLobbyCommands
from engine import texts
from netcode.protocol.messages import Lobby, SeatInfo
from netcode.wings.sealed.messages import AllowTakeover, HandOver
from netcode.wings.sealed.news import SealedNews, sealed_news

DOUBTS: Final[dict[str, texts.Text]] = {"unproven": "unproven", "cheated": "cheated"}
"""The marks in the result for a player who has not opened all cards, or has cheated."""


NOTHING_SEALED: Final = SealedNews(stage="sealing")
"""The news before anything is sealed."""


class SealedPeopleCommands(
    CommandSet, prefix="people", listed_after="people.send-away", bar_after="up/down"
):
    """Commands in the list of people: hand a sealed table over, or allow a takeover."""

    hand_over = Command(
        "t",
        "decide('hand_over')",
        "the host: hand a sealed table to the chosen person, whose machine hosts",
    )
    takeover = Command(
        "o",
        "wing('people.takeover')",
        "allow a sealed table to move to your machine if the host is gone",
        "your machine",
    )
    bar = "takeover"


class SealedSection(Section):
    """Shows a table at which no machine has another player's hidden cards."""

    _shown = NOTHING_SEALED
    """The news that the last lines described."""

    @property
    def _lobby(self) -> Lobby:
        return self.face.player_seat.lobby

    @property
    def _news(self) -> SealedNews | None:
        return sealed_news(self.face.player_seat.session)

    def heading(self) -> str:
        """Return the title of a sealed table's lobby; "" at ordinary tables."""
        return _("Sealed lobby") if self._lobby.settings.sealed else ""

    def explanation(self) -> str:
        """Return a sentence about the machine with the bots' cards, or about the next hosts.

        If there is none, return the meaning of the setting; at ordinary tables, return "".
        """
        lobby = self._lobby
        if not lobby.settings.sealed:
            return ""
        meaning = SETTING.meaning
        return bots_sentence(lobby) or takeover_sentence(lobby) or meaning(lobby)

    def note(self) -> str:
        """Return the effect of a player's absence, or the reader's options during a deal."""
        return lobby_note(self._news, self._lobby)

    def waits(self) -> str:
        """Return the last notice of a deal, or its missing parts; "" while no deal is made."""
        return dealing_sentence(self._news, self._lobby)

    def people(self) -> Iterable[str]:
        """Return lines about the digits of the deal, convicted players, and possible new hosts."""
        return sealed_lines(self._news, self._lobby)

    def people_by_key(self) -> Iterable[str]:
        """Yield a sentence about moving the table here, if the reader can decide on that."""
        yield from filter(None, [self._player_takeover])

    @property
    def _player_takeover(self) -> str:
        key = self.face.key_for(SealedPeopleCommands.takeover)
        return player_takeover_sentence(self._lobby, self.face.player_seat.player_name, key)

    def offers(self, seat: SeatInfo) -> Iterable[Offer]:
        """Yield the host's offer to hand the table over to a player whose machine can host it."""
        name = seat.name
        if self._lobby.phase != "lobby" and name in self._lobby.successors:
            after = _(
                "Their machine hosts from then on, with a new code; everybody keeps their seat."
            )
            yield Offer(
                SealedPeopleCommands.hand_over,
                _("hand the table to them"),
                HandOver(name),
                yes="Hand it over ({key})",
                sure=(_("Hand the table to {name}?", name=name), after),
                whom=seat,
            )

    def news_lines(self, news: object, *, is_over: bool) -> Iterable[str]:
        """Yield lines about the changes since the last call; none for news of other wings."""
        if not isinstance(news, SealedNews):
            return
        if not is_over and (news.waiting_for or news.stage == "over"):
            # Others still open cards, or the end was not announced yet, so write no verdicts.
            news = replace(news, verdicts=())
        old, self._shown = self._shown, news
        if old.digits not in (None, news.digits):
            old = NOTHING_SEALED
        session = self.face.player_seat.session
        # A new spectator was not present at earlier notices, so do not write them.
        is_past = old is NOTHING_SEALED and news.stage == "playing" and session.family is None
        yield from () if is_past else map(notice_sentence, news.notices[len(old.notices) :])
        if news.digits is not None and old.digits is None:
            yield digits_sentence(news)
        if news.is_vote_wanted and not old.is_vote_wanted:
            vote_text = vote_words(replace(news, away=(), left_be=()), "")[0]
            yield f"{vote_text} {_('Type vote to vote for it.')}"
        for name in sorted({*news.away} - {*old.away}):
            yield _("Type vote for {name}, and your program does so each time.", name=name)
        if news.verdicts != old.verdicts:
            yield verdict_sentence(news, session.names())

    def ended(self) -> Iterable[str]:
        """Yield the lines about the proofs of the game."""
        return self.news_lines(self._news, is_over=True)

    def changed(self, before: Lobby | None, lobby: Lobby) -> Iterable[str]:
        """Yield lines about the meaning of a sealed table, and about the beginning of a deal."""
        if before is None and lobby.settings.sealed:
            yield SETTING.meaning(lobby)
        if lobby.settings.sealed and not (before is not None and before.settings.sealed):
            yield absent_sentence(lobby)
        if is_dealing(lobby) and not (before is not None and is_dealing(before)):
            yield _("The cards are being sealed.")

    def result(self, names: Sequence[str]) -> str:
        """Return the sentence about the proofs of the game; "" until there are verdicts."""
        return verdict_sentence(self._news, names)

    def doubts(self) -> Sequence[str]:
        """Return, by seat, a mark for players who have not opened all cards or have cheated.

        The mark of other players is "". Before there are verdicts, no seat has an entry.
        """
        verdicts = () if self._news is None else self._news.verdicts
        return [_(DOUBTS[each]) if each in DOUBTS else "" for each in verdicts]

    def can(self, command: Command) -> bool:
        """Return True if the reader can allow or forbid a takeover by their machine."""
        return command == SealedPeopleCommands.takeover and bool(self._player_takeover)

    def do(self, command: Command) -> None:
        """Allow a takeover by the reader's machine, or forbid it if it is allowed."""
        player_seat = self.face.player_seat
        player_seat.send(AllowTakeover(player_seat.player_name not in self._lobby.successors))


SEAM: Final = SectionKind(
    SealedSection,
    lobby=SealedLobbyCommands,
    people=SealedPeopleCommands,
)
