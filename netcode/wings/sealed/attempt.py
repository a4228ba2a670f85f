"""One sealed game as its player's program has it: its log, and what the session is shown of it."""

from collections.abc import Container
from contextlib import suppress
from itertools import chain
from math import inf
from operator import is_
from random import Random
from typing import Final, Literal

from msgspec.structs import replace

from engine.events import Event, GameEnded, RoundBegan
from engine.leaves import named, named_event
from engine.ranking import ranking
from engine.views import View, project, view
from netcode.client.interpreted import SeenState
from netcode.protocol.messages import Lobby
from netcode.table.errors import StoreError
from netcode.wings.sealed.game.encoding import SealedError, SealingBody
from netcode.wings.sealed.game.game_log import Logged, SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.proven_record import known_cards
from netcode.wings.sealed.game.sealed_person import PersonNews, SealedPerson
from netcode.wings.sealed.game.votes import away
from netcode.wings.sealed.news import Notice, SealedNews, Stage
from netcode.wings.sealed.stored_logs import StoredLog, StoredLogs


def events_of(log: SealedLog) -> list[Event]:
    """Return what has happened from the beginning."""
    begun = RoundBegan(1, log.dealing.deal.first)
    return [begun, *chain.from_iterable(entry.events for entry in log.entries)]


MAXIMUM_DEAL_RECORDS: Final = 12
"""Most records of a log in which no game has begun: key, secrets, seals and parts of the deal."""

MAXIMUM_NOTICES: Final = 50
"""Most that is told about one game: whoever sends nonsense has no end of it."""


class Attempt:
    """One game key and what has come of it; or one game, for somebody who watches."""

    def __init__(self, person: SealedPerson, kept: StoredLog | None = None) -> None:
        self.person: Final = person
        self.notices: list[Notice] = []
        """All that happened, in order."""
        self.kept = kept
        """The log on disk; None where nothing is kept, as of somebody who only watches."""
        self.seen: View | None = None
        """The game as the session was last shown it."""
        self._entries: list[Logged] | None = None
        """Those of which the session knows; None while it knows nothing."""
        self._shown: object = None
        self.since = 0.0
        """Since when the step is due that is."""
        self._due_after = b""
        """What that step follows."""
        self._hosts: Final[dict[int, str]] = {}
        """By step, who was the host when it was first seen to be due."""
        self._return: Literal["none", "awaited", "seen"] = "none"
        """Whether the line of whoever owes that step was gone, and has come back."""
        self.agreeing: dict[int, tuple[tuple[int, bytes], float]] = {}
        """By person, where their log was when they last told, and when that was."""
        self.told_at = -inf
        """When others were last told where one's own log is."""
        self.told_after = b""
        """Where that was."""
        self.is_behind = False
        """Whether logs are to be compared, since something was missing or differed."""
        self.is_to_tell = False
        """Whether others are to be told where one's own log is, whatever they were told before."""
        self.is_answered = True
        """Whether the host has told since then where its log is."""
        self.unanswered_since = inf
        """When the host was told so and did not answer; in no time if it has answered."""
        self.missed_after: object = None
        """The step, or the part of the deal, of which it was last said that it does not come."""
        self.dealt_parts: tuple[int, float] = (-1, 0.0)
        """How many parts of the deal are there, and since when."""
        self.has_ended = False
        """Whether the session was shown the end of the game."""
        self.has_shown = False
        """Whether the host has got what shows the player's own cards at the end."""
        self.over_at: float | None = None
        """When the game was over and the player's own cards were shown."""

    # What is kept

    @property
    def is_settled(self) -> bool:
        """Whether everybody has shown all cards, and the host has the player's own part of that."""
        log = self.person.log
        return log is not None and log.is_done and (self.has_shown or self.person.me is None)

    def close(self) -> None:
        """Let go of the log; for good if nothing in it is a secret, or is needed, any more."""
        if self.kept is None:
            return
        if self.is_settled or self.person.sealing is None:
            # What cannot be deleted now is after `KEPT_S`.
            with suppress(StoreError):
                self.kept.delete()
        self.kept.close()
        self.kept = None

    # Whose it is

    def is_about(self, sealing: Parcel) -> bool:
        """Return whether this is the game of a sealing."""
        return self.person.sealing is not None and self.person.sealing.body == sealing.body

    def persons_named(self, names: Container[str]) -> set[int]:
        """Return the persons of these names."""
        sealing = self.person.sealing
        shown = () if sealing is None else sealing.shown
        return {person for person, name in enumerate(shown) if name in names}

    def see_step(self, log: SealedLog, lobby: Lobby, there: Container[int], now: float) -> None:
        """Begin to count anew if another step is due; `there` are those whose line is not gone.

        Once a step so too if whoever owes it comes back: nobody votes before they can answer.
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

    def tell(self, news: PersonNews) -> None:
        """Take note of something that happened."""
        if len(self.notices) == MAXIMUM_NOTICES:
            return
        values = {} if news.why is None else dict(news.why.values) | {"why": news.why.code}
        shown = () if self.person.sealing is None else self.person.sealing.shown
        if news.by:
            values["names"] = tuple(shown[each] for each in news.by)
        if news.code == "held_back":
            values["names"] = (self._hosts.get(news.n, ""),)
        if news.n:
            values["n"] = news.n
        name = "" if news.about is None else shown[news.about]
        self.notices.append(Notice(code=news.code, name=name, values=values))

    def miss(self, after: object, code: str, *names: str) -> None:
        """Take note, once, that something does not come that follows `after`."""
        if self.missed_after != after and len(self.notices) < MAXIMUM_NOTICES:
            self.missed_after = after
            self.notices.append(Notice(code=code, name=names[0], values={"names": names}))

    # What the session is shown

    def state(self, revision: int) -> SeenState | None:
        """Return the game as the player may know it, if the session does not know it so yet."""
        log, own = self.person.log, self.person.own_seats
        if log is None:
            return None
        shown = log.tip, (len(log.ends), len(log.cheated)) if log.game.over else ()
        if shown == self._shown:
            return None
        self._shown = shown
        events, first = events_of(log), 0
        if self._entries is not None:
            # Whatever was undone since, those that are the same still stand.
            kept = sum(map(is_, self._entries, log.entries))
            first = 1 + sum(len(entry.events) for entry in log.entries[:kept])
        self._entries = log.entries.copy()
        known = self.person.known(*own) if own else known_cards(log)
        self.seen = view(named(log.game, known), own or None)
        if log.game.over:
            # Only now is it known what cards that were owed have brought, and who shows theirs.
            first = min(first, len(events) - 1)
            events[-1] = GameEnded(ranking(named(log.game, known_cards(log)))[0])
        you, second, *_ = *(log.sealing.said.seats[seat].family for seat in own), None, None
        return SeenState(
            revision=revision,
            seen=self.seen,
            you=you,
            second=second,
            first_event=first,
            step=sum(entry.action is not None for entry in log.entries),
            events=tuple(project(named_event(each, known), own) for each in events[first:]),
        )

    def news(self, there: Container[int], left_be: Container[str]) -> SealedNews:
        """Return what there is to tell besides the game; `there` are those whose line is not gone.

        Of those who are left be, it is who may be.
        """
        person, sealing, log = self.person, self.person.sealing, self.person.log
        stage: Stage
        match person.state:
            case "idle" | "keyed" | "sealed":
                stage = "sealing"
            case stage:
                pass
        told = SealedNews(stage=stage, notices=tuple(self.notices))
        if sealing is None:
            return told
        seats, shown = range(len(sealing.owners)), sealing.shown
        owners = (shown[sealing.owners[seat]] for seat in seats if sealing.said.seats[seat].bot)
        told = replace(
            told,
            waiting_for=tuple(shown[each] for each in person.waiting_for),
            broken=len(sealing.said.broken),
            bot_owner=next(owners, ""),
        )
        if log is None:
            return told
        is_asked = person.is_offered_vote
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
            if is_asked or has_voted:
                told = replace(told, vote_about=about, is_vote_wanted=is_asked)
            if log.due.struck and (told.vote_about or log.due.owner not in there):
                told = replace(told, struck_of=about)
        return replace(
            told,
            digits=log.dealing.digits,
            away=gone,
            left_be=tuple(name for name in gone if name in left_be),
            verdicts=tuple(map(log.verdict, seats)) if stage in ("over", "frozen") else (),
        )


class Attempts:
    """The attempts of one player: the one that is ready for a game to come, and those on disk."""

    def __init__(self, logs: StoredLogs, rng: Random) -> None:
        self._logs: Final = logs
        self._rng: Final = rng
        self._ready: Attempt | None = None

    def get_ready(self) -> bytes:
        """Return the public key for the game to come, on disk by then; raises StoreError."""
        if self._ready is None:
            person = SealedPerson(self._rng)
            person.get_ready()
            kept = self._logs.create(person.public_key)
            self._ready = Attempt(person, kept)
            kept.keep(person.output().keep)
        return self._ready.person.public_key

    def throw_away(self) -> None:
        """Be ready no more."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None

    def close(self) -> None:
        """Let go of all logs, that of the game to come too: to the host one is ready yet."""
        self._ready = None
        self._logs.close()

    def of(self, said: SealingBody, family: str | None) -> Attempt:
        """Return the attempt that a sealing is for, which may be on disk; or one to watch with."""
        own = next((at for at, one in enumerate(said.seats) if one.family == family), None)
        key = next((one.key for one in said.persons if own in one.seats), None)
        ready = self._ready
        if key is not None and (ready is None or ready.person.public_key != key):
            kept = self._logs.open(key)
            person = None if kept is None else self._restored(kept)
            sealed = None if person is None or person.sealing is None else person.sealing.said
            # Another table may name a key of mine that is at this one.
            if person is not None and (sealed is None or sealed.table == said.table):
                return Attempt(person, kept)
            if kept is not None:
                kept.close()
        if ready is not None and own is not None:
            self._ready = None
            return ready
        watcher = Attempt(SealedPerson(None))
        if key is not None:
            watcher.tell(PersonNews("key_missing"))
        return watcher

    def broken(
        self, attempt: Attempt, said: SealingBody, discounted: Container[bytes] = ()
    ) -> frozenset[bytes]:
        """Return the deals of a table that count for a program of this user, and came to nothing.

        Those that are discounted count no more. Who watches counts none, and needs no database.
        """
        found = set()
        for kept in () if attempt.kept is None else self._logs.unfinished():
            person = self._restored(kept) if len(kept.records) <= MAXIMUM_DEAL_RECORDS else None
            sealing = None if person is None or person.log is not None else person.sealing
            if person and person.counted and sealing and sealing.said.table == said.table:
                found.add(person.counted)
                if person.counted in discounted:
                    kept.discount()
            kept.close()
        return frozenset(found)

    def _restored(self, kept: StoredLog) -> SealedPerson | None:
        """Return the person whose log it is; None if it is damaged."""
        with suppress(SealedError):
            return SealedPerson.restore(self._rng, kept.records)
        return None
