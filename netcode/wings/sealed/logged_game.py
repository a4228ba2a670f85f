"""One sealed game in its player's program: its log, and the news about it for the session."""

from collections.abc import Container
from contextlib import suppress
from itertools import chain
from math import inf
from operator import is_
from random import Random
from typing import Final, Literal

from msgspec.structs import replace

from engine.events import Event, GameEnded, RoundBegan
from engine.leaf_game import named_event, named_game
from engine.ranking import ranking
from engine.views import View, project, view
from netcode.client.interpreted import SeenState
from netcode.protocol.messages import Lobby
from netcode.protocol.wire_views import WireView
from netcode.table.errors import StoreError
from netcode.wings.sealed.game.encoding import SealedError, SealingBody
from netcode.wings.sealed.game.game_log import LogEntry, SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.proven_record import known_cards
from netcode.wings.sealed.game.sealed_person import PersonNews, SealedPerson
from netcode.wings.sealed.game.votes import away
from netcode.wings.sealed.news import Notice, SealedNews, Stage
from netcode.wings.sealed.stored_logs import StoredLog, StoredLogs


def events_of(log: SealedLog) -> list[Event]:
    """Return all events of the game so far."""
    begun = RoundBegan(1, log.dealing.deal.first)
    return [begun, *chain.from_iterable(entry.events for entry in log.entries)]


MAXIMUM_DEAL_RECORDS: Final = 12
"""Maximum number of records that a log has before its game begins: key, secrets, seals and
nonces.
"""

MAXIMUM_NOTICES: Final = 50
"""Maximum number of notices about one game, since a hostile program can cause any number of
them.
"""


class LoggedGame:
    """A sealed game in one player's program, with its log. A spectator's log is not on disk.

    Its times, as the argument `now`, are seconds of one monotonic clock.
    """

    def __init__(self, person: SealedPerson, kept: StoredLog | None = None) -> None:
        self.person: Final = person
        self.notices: list[Notice] = []
        self.kept = kept
        """The log on disk; None if nothing is stored, as for a spectator."""
        self.seen: View | None = None
        """The last view of the game that the session received; None before the first."""
        self._entries: list[LogEntry] | None = None
        """The entries that the session has received; None before any."""
        self._shown: object = None
        self.since = 0.0
        """The time from which the wait for the due step is counted. A pause moves it forward."""
        self._due_after = b""
        """The tip of the log that the due step follows; b"" before the first step is due."""
        self._hosts: Final[dict[int, str]] = {}
        """For each step, the name of the host when the step became due."""
        self._return: Literal["none", "awaited", "seen"] = "none"
        """The presence of the person who owes the due step: never absent, absent, or absent and
        back.
        """
        self.agreeing: dict[int, tuple[tuple[int, bytes], float]] = {}
        """For each person, the end of their log as they last reported it, and the time of the
        report.
        """
        self.sent_at = -inf
        """The time of this program's last report about the end of its log; minus infinity before
        the first.
        """
        self.sent_after = b""
        """The tip in this program's last report; b"" before the first."""
        self.is_behind = False
        """True if logs must be compared, because something was missing or different."""
        self.should_report = False
        """True if this program must report the end of its log, even after an earlier report."""
        self.is_answered = True
        """True if the host has reported the end of its log since this program's last report."""
        self.unanswered_since = inf
        """The time of this program's first report that the host has not answered; infinity if there
        is none.
        """
        self.missed_after: object = None
        """The step, or the part of the deal, that the last notice reported missing; None before the
        first such notice.
        """
        self.dealt_parts: tuple[int, float] = (-1, 0.0)
        """The number of known parts of the deal, -1 before the first count, and the time at which
        that number last changed.
        """
        self.has_ended = False
        """True if the session has received the end of the game."""
        self.has_shown = False
        """True if the host has this player's openings: it has sent them back."""
        self.over_at: float | None = None
        """The time at which the game was over and this player's cards were opened; None before."""

    # Storage

    @property
    def is_settled(self) -> bool:
        """True if everybody has opened all cards, and the host has this player's openings.

        A spectator has no openings.
        """
        log = self.person.log
        return log is not None and log.is_done and (self.has_shown or self.person.me is None)

    def close(self) -> None:
        """Close the log on disk. Delete it if the game is settled, or if no game was sealed."""
        if self.kept is None:
            return
        if self.is_settled or self.person.sealing is None:
            # If deleting fails, another program deletes the log after `KEPT_S`.
            with suppress(StoreError):
                self.kept.delete()
        self.kept.close()
        self.kept = None

    # Persons

    def is_about(self, sealing: Parcel) -> bool:
        """Return True if this is the game of a sealing."""
        return self.person.sealing is not None and self.person.sealing.body == sealing.body

    def persons_named(self, names: Container[str]) -> set[int]:
        """Return the persons of the game with these names."""
        sealing = self.person.sealing
        shown = () if sealing is None else sealing.shown
        return {person for person, name in enumerate(shown) if name in names}

    def see_step(self, log: SealedLog, lobby: Lobby, there: Container[int], now: float) -> None:
        """Restart the waiting time if another step is due. `there` are the connected persons.

        The waiting time also restarts, once for each step, when its owner returns. So nobody votes
        before the owner could answer.
        """
        due = log.due
        if log.tip != self._due_after:
            self._hosts.setdefault(log.height + 1, lobby.host_name)
            self._due_after, self.since, self._return = log.tip, now, "none"
        is_gone = due is not None and due.owner not in there
        if is_gone and self._return == "none":
            self._return = "awaited"
        elif not is_gone and self._return == "awaited":
            self._return, self.since = "seen", now

    def add_news(self, news: PersonNews) -> None:
        """Add a notice about news from the sealed game, up to `MAXIMUM_NOTICES`."""
        if len(self.notices) == MAXIMUM_NOTICES:
            return
        values = {} if news.why is None else dict(news.why.values) | {"why": news.why.code}
        shown = () if self.person.sealing is None else self.person.sealing.shown
        if news.by:
            values["names"] = tuple(shown[each] for each in news.by)
        if news.code == "withheld":
            values["names"] = (self._hosts.get(news.n, ""),)
        if news.n:
            values["n"] = news.n
        name = "" if news.about is None else shown[news.about]
        self.notices.append(Notice(code=news.code, name=name, values=values))

    def add_missing(self, after: object, code: str, *names: str) -> None:
        """Add a notice about a missing step or part of the deal, up to `MAXIMUM_NOTICES`.

        Do nothing if the last such notice had the same `after`. The notice names all `names`, the
        first as its person.
        """
        if self.missed_after != after and len(self.notices) < MAXIMUM_NOTICES:
            self.missed_after = after
            self.notices.append(Notice(code=code, name=names[0], values={"names": names}))

    # For the session

    def state(self, revision: int) -> SeenState | None:
        """Return the State for the session; None without a log, or if nothing has changed."""
        log, own = self.person.log, self.person.player_seats
        if log is None:
            return None
        shown = log.tip, (len(log.ends), len(log.cheated)) if log.game.over else ()
        if shown == self._shown:
            return None
        self._shown = shown
        events, first = events_of(log), 0
        if self._entries is not None:
            # Entries that are the same objects stay valid. Send later events anew.
            kept = sum(map(is_, self._entries, log.entries))
            first = 1 + sum(len(entry.events) for entry in log.entries[:kept])
        self._entries = log.entries.copy()
        known = self.person.known(*own) if own else known_cards(log)
        self.seen = view(named_game(log.game, known), own or None)
        if log.game.over:
            # The gains of owed cards become known only at the end, so always send the last event
            # anew.
            first = min(first, len(events) - 1)
            events[-1] = GameEnded(ranking(named_game(log.game, known_cards(log)))[0])
        you, second, *_ = *(log.sealing.decoded.seats[seat].family for seat in own), None, None
        return SeenState(
            revision=revision,
            view=WireView.of(self.seen),
            seen=self.seen,
            you=you,
            second=second,
            first_event=first,
            step=sum(entry.action is not None for entry in log.entries),
            events=tuple(project(named_event(each, known), own) for each in events[first:]),
        )

    def news(self, there: Container[int], left_be: Container[str]) -> SealedNews:
        """Return all news except the State. `there` are the connected persons.

        `left_be` are the names of the persons about whom the player has chosen to vote at once. The
        news contains only those of them that are also in `away`.
        """
        person, sealing, log = self.person, self.person.sealing, self.person.log
        stage: Stage
        match person.state:
            case "idle" | "keyed" | "sealed":
                stage = "sealing"
            case stage:
                pass
        result = SealedNews(stage=stage, notices=tuple(self.notices))
        if sealing is None:
            return result
        seats, shown = range(len(sealing.owners)), sealing.shown
        owners = (shown[sealing.owners[seat]] for seat in seats if sealing.decoded.seats[seat].bot)
        result = replace(
            result,
            waiting_for=tuple(shown[each] for each in person.waiting_for),
            broken=len(sealing.decoded.broken),
            bot_owner=next(owners, ""),
        )
        if log is None:
            return result
        can_vote = person.is_offered_vote
        has_voted = person.me in log.voters(log.height + 1, log.tip, None)
        others = {*sealing.owners} - {person.me}
        voted_about = others if sealing.quorum is not None and person.me is not None else ()
        gone = tuple(
            shown[one]
            for one in voted_about
            if (one not in there and away(log, one)) or (one in log.cheated and log.owed_by(one))
        )
        if log.due is not None and not log.frozen:
            about = shown[log.due.owner]
            if can_vote or has_voted:
                result = replace(result, vote_about=about, is_vote_wanted=can_vote)
            if log.due.struck and (result.vote_about or log.due.owner not in there):
                result = replace(result, struck_of=about)
        return replace(
            result,
            digits=log.dealing.digits,
            away=gone,
            left_be=tuple(name for name in gone if name in left_be),
            verdicts=tuple(map(log.verdict, seats)) if stage in ("over", "frozen") else (),
        )


class LoggedGames:
    """The sealed games of one player: the next game, and the games with a log on disk."""

    def __init__(self, logs: StoredLogs, rng: Random) -> None:
        self._logs: Final = logs
        self._rng: Final = rng
        self._ready: LoggedGame | None = None

    def get_ready(self) -> bytes:
        """Return the public key for the next game. The first call creates the game's log on disk.

        Raises StoreError if the log cannot be stored.
        """
        if self._ready is None:
            person = SealedPerson(self._rng)
            person.get_ready()
            kept = self._logs.create(person.public_key)
            self._ready = LoggedGame(person, kept)
            kept.keep(person.output().keep)
        return self._ready.person.public_key

    def throw_away(self) -> None:
        """Discard the key of the next game and the key's log."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None

    def close(self) -> None:
        """Close all logs. The log of the next game stays on disk, since the host has its key."""
        self._ready = None
        self._logs.close()

    def of(self, body: SealingBody, family: str | None) -> LoggedGame:
        """Return the game of a sealing, from memory or disk.

        A spectator, or a player whose key is missing, gets a game that can only be watched.
        """
        own = next((at for at, one in enumerate(body.seats) if one.family == family), None)
        key = next((one.key for one in body.persons if own in one.seats), None)
        ready = self._ready
        if key is not None and (ready is None or ready.person.public_key != key):
            kept = self._logs.open(key)
            person = None if kept is None else self._restored(kept)
            sealed = None if person is None or person.sealing is None else person.sealing.decoded
            # Compare the table: a host could name a key of this player that belongs to another
            # table.
            if person is not None and (sealed is None or sealed.table == body.table):
                return LoggedGame(person, kept)
            if kept is not None:
                kept.close()
        if ready is not None and own is not None:
            self._ready = None
            return ready
        watcher = LoggedGame(SealedPerson(None))
        if key is not None:
            watcher.add_news(PersonNews("key_missing"))
        return watcher

    def broken(
        self, game: LoggedGame, body: SealingBody, discounted: Container[bytes] = ()
    ) -> frozenset[bytes]:
        """Return the `gid`s of a table's incomplete deals whose nonce this user has revealed.

        `body` is the sealing of a game at the table. Deals in `discounted` are returned once more,
        but not by later calls. For a spectator the result is empty. Raises StoreError if the
        database cannot be used.
        """
        found = set()
        for kept in () if game.kept is None else self._logs.unfinished():
            person = self._restored(kept) if len(kept.records) <= MAXIMUM_DEAL_RECORDS else None
            sealing = None if person is None or person.log is not None else person.sealing
            if person and person.counted and sealing and sealing.decoded.table == body.table:
                found.add(person.counted)
                if person.counted in discounted:
                    kept.discount()
            kept.close()
        return frozenset(found)

    def _restored(self, kept: StoredLog) -> SealedPerson | None:
        """Return the person of a stored log; None if the log is damaged."""
        with suppress(SealedError):
            return SealedPerson.restore(self._rng, kept.records)
        return None
