"""Remembers everything that was said over a pretend network, and judges it.

What the host has told anybody must be what the journal says at the end, whatever happened in
between; nobody may have been told more than they may know.
"""

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Final, TypeAlias

from engine.actions import Action
from engine.cards import Seat
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.notation import format_position, parse_action, parse_view
from engine.ranking import owners_of
from engine.record import Record
from engine.views import Viewer, project, seats_of, view
from netcode.client.session import Session
from netcode.protocol import codec
from netcode.protocol.fields import MAXIMUM_LINES, Message
from netcode.protocol.messages import (
    Act,
    GameRecord,
    Lobby,
    Refused,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.messages import Line as Said
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table
from tests.netcode.simulation.clockwork import Clockwork
from tests.netcode.simulation.network import Line

_decoded: Final[dict[bytes, Message]] = {}


def decode_host(frame: bytes | str) -> Message:
    """Do what the codec does; a frame that was read before, by the witness, is not read again."""
    assert isinstance(frame, bytes)
    message = _decoded.get(frame)
    if message is None:
        if len(_decoded) > 5000:
            _decoded.clear()
        message = _decoded[frame] = codec.decode_host(frame)
    return message


Players: TypeAlias = dict[str, Viewer]
"""By the family that somebody goes by: what they see the game from."""


def _players(record: Record) -> Players:
    families = record.deal.families
    owners = owners_of(record.settings, len(families))
    return {families[own[0]]: own if own[1:] else own[0] for own in owners}


def _judge_openings(before: str, after: str) -> None:
    """Judge whether the journal has only added holders of seats to the opening of a game."""
    if before == after:
        return
    was, now = Record.from_json(before), Record.from_json(after)
    assert replace(now, players=()) == replace(was, players=())
    for seat, player in zip(was.players, now.players, strict=True):
        assert player.holders[: len(seat.holders)] == seat.holders, "a holder is lost"


class Witness:
    """Hears both sides of every connection."""

    def __init__(self, loop: Clockwork, alarm: Callable[[Exception], None]) -> None:
        """Begin; `alarm` is told at once of what may not be."""
        self.trace = blake2b(digest_size=16)
        """Of all frames and when they were sent and read: equal for equal runs."""
        self._loop = loop
        self._alarm = alarm
        self._views: dict[tuple[int, str | None], str] = {}
        """What was told at each revision, for each pair of eyes."""
        self._highest = 0
        self._floor = 0
        """The highest revision that an earlier process of the host has told."""
        self._phases: dict[int, str] = {}
        """Of the table, as each connection was told last."""
        self._seen: dict[int, tuple[str | None, int]] = {}
        """By line: whose eyes, and the revision told last."""
        self._acts: dict[tuple[str, int], list[Act]] = {}
        """What persons have sent, by family and number."""
        self._counted: set[tuple[str, int]] = set()
        """Acts of which the host has said that they count."""
        self._questions: dict[tuple[int, int], int] = {}
        """By line and number, the revision for which an act came."""
        self._refused: set[tuple[str, int, int]] = set()
        self._played: dict[int, tuple[Seat, int | None]] = {}
        """By the revision before: who played last there, and by which number of theirs."""
        self._choices: set[tuple[int, Seat, str]] = set()
        """What bots have chosen, and at which revision."""
        self._lines: dict[Said, int] = {}
        """What the host has passed on of the talk, in order."""
        self._in_game: set[Said] = set()
        """What was said since a game began: before that, all may leave, and it is forgotten."""
        self._holders: dict[str, dict[tuple[str, str | None], None]] = {}
        """By family, the names and bot levels that the host told of its seat in the game."""
        self._games = 0
        """How many games of the evening the host has told of."""
        self._kept: Snapshot | None = None

    # While it goes on

    def note(self, what: str) -> None:
        """Put something into the trace."""
        self.trace.update(f"{self._loop.now!r} {what}\n".encode())

    def acted(self, family: str, act: Act) -> None:
        """Remember what somebody wants to do."""
        self._acts.setdefault((family, act.number), []).append(act)

    def bot_chose(self, revision: int, seat: Seat, action: Action) -> None:
        """Remember what a bot wants to do."""
        self._choices.add((revision, seat, action.token))

    def played(self, revision: int, seat: Seat, number: int | None) -> None:
        """Remember what the host has let count; what is lost with it, another act replaces."""
        self._played[revision] = seat, number

    def said(self, line: Line, frame: bytes) -> None:
        """Take note of a frame that a client sends."""
        self.note(f"> {line.number} {frame.hex()}")
        message = codec.decode_client(frame, codec.FROM_HOST)
        if isinstance(message, Act):
            self._questions[line.number, message.number] = message.revision

    def receive(self, line: Line, frame: bytes) -> None:
        """Judge a frame that the host sends."""
        self.note(f"< {line.number} {frame.hex()}")
        try:
            self._judge_frame(line, frame)
        except AssertionError as error:
            # Not for the host, which may well go on when something fails.
            self._alarm(error)

    def _judge_frame(self, line: Line, frame: bytes) -> None:
        message = decode_host(frame)
        eyes, revision = self._seen.get(line.number, (None, 0))
        match message:
            case Welcome():
                self._seen[line.number] = message.family, 0
                if message.family is not None and message.acted:
                    self._counted.add((message.family, message.acted))
            case Lobby():
                self._seen[line.number] = message.you, revision
                self._phases[line.number] = message.phase
                assert message.evening.games >= self._games, "a game of the evening is forgotten"
                self._games = message.evening.games
                for seat in message.seats if message.phase == "playing" else ():
                    self._holders.setdefault(seat.family, {})[seat.name, seat.bot] = None
            case State():
                if message.you is None and self._phases[line.number] == "result":
                    # Who sits down at a result sees that game as a spectator still.
                    eyes = None
                assert message.you == eyes, "somebody is told what is for others' eyes"
                assert message.revision >= revision, "the revision goes back on a connection"
                assert message.revision >= self._floor, "the revision goes back"
                known = self._views.setdefault((message.revision, eyes), message.view)
                assert known == message.view, "one revision has two views"
                self._seen[line.number] = eyes, message.revision
                self._highest = max(self._highest, message.revision)
            case GameRecord():
                assert message.revision == revision, "a record comes without the end of its game"
                over = parse_view(self._views[revision, eyes], None).over
                assert over, "cards are told of a game that goes on"
            case Refused(code="not_seated"):
                assert eyes is None
            case Refused() if message.number is not None and message.code != "paused":
                assert eyes is not None
                # Only an act that counts takes its number, which else may come with another one.
                revision = self._questions[line.number, message.number]
                self._refused.add((eyes, message.number, revision))
            case Talk():
                for said in message.lines:
                    self._lines.setdefault(said, len(self._lines))
                    if self._highest:
                        self._in_game.add(said)
            case _:
                pass

    def heard(self, line: Line, frame: bytes) -> None:
        """Take note of a frame that a client reads."""
        self.note(f"= {line.number} {len(frame)}")

    def resumed(self, kept: Snapshot, table: Table) -> None:
        """Judge what a host that begins anew has found on its disk."""
        assert table.games.revision >= self._highest, "what somebody was told is lost"
        self._floor = self._highest
        assert table.games.standing.games >= self._games, "a game of the evening is lost"
        latest = [said for said in [*self._lines][-MAXIMUM_LINES:] if said in self._in_game]
        assert set(kept.table.talk) >= set(latest), "something said is lost"
        before, self._kept = self._kept, kept
        if before is not None and before.game.phase != "lobby" and kept.game.phase != "lobby":
            _judge_openings(before.game.record, kept.game.record)
            known = before.game.actions
            assert kept.game.actions[: len(known)] == known, "the journal was rewritten"

    # At the end

    def judge(self, kept: Snapshot, table: Table, sessions: list[Session]) -> None:
        """Judge what is on the disk, in the host's mind and in the clients' at the end."""
        record = table.record()
        assert record is not None
        began = Record.from_json(kept.game.record)
        assert record == replace(began, actions=kept.game.actions)
        for player in record.players:
            holders = [(each.name, each.bot) for each in player.holders]
            known = list(self._holders.get(player.family, ()))
            assert known == [each for each in holders if each in known], "a holder is not recorded"
            assert player.step <= len(record.actions)
        first = kept.game.revision - len(record.actions)
        self._judge_acts(first, _players(record), record.actions)
        self._judge_views(first, record, sessions)
        for session in sessions:
            receive = session.record
            assert receive is None or replace(receive, ended=None) == replace(record, began=None)
            assert session.revision == table.games.revision
            assert session.pending is None
            self._judge_talk(session)

    def _judge_acts(self, first: int, players: Players, actions: tuple[str, ...]) -> None:
        counted: dict[tuple[str, int], int] = {}
        for revision, token in enumerate(actions, first):
            seat, number = self._played[revision]
            family = next(each for each, own in players.items() if seat in seats_of(own))
            if number is None:
                assert (revision, seat, token) in self._choices, "a phantom has acted"
                continue
            mine = family, number
            assert mine not in counted, "an act counts twice"
            assert any(
                sent.action == token and sent.revision == revision
                for sent in self._acts.get(mine, ())
            ), "an act counts that nobody meant so"
            counted[mine] = revision
        for family in players:
            numbers = [number for of, number in counted if of == family]
            assert numbers == sorted(numbers)
        assert self._counted <= counted.keys(), "an act that was acknowledged is lost"
        refused = [each for each in self._refused if counted.get(each[:2]) == each[2]]
        assert not refused, f"an act was refused, and counts: {refused}"

    def _judge_talk(self, session: Session) -> None:
        """Nobody says the same twice, so every line is known by its text."""
        order = [self._lines[line] for line in session.talk]
        assert order == sorted(set(order)), "lines come twice, or not in order"

    def _judge_views(self, first: int, record: Record, sessions: list[Session]) -> None:
        """Play the game of the journal again, and compare what was told with it."""
        deal = record.deal
        views: dict[int, list[str | None]] = {}
        for revision, eyes in self._views:
            views.setdefault(revision, []).append(eyes)
        seats = _players(record)
        game, events = Game.start(deal), list[Event]([RoundBegan(1, deal.first)])
        for revision, token in enumerate([None, *record.actions], first):
            if token is not None:
                news: list[Event] = []
                game = game.play(parse_action(token), news)
                events += news
            for eyes in views.pop(revision, ()):
                viewer = None if eyes is None else seats[eyes]
                assert self._views[revision, eyes] == format_position(view(game, viewer))
        assert not views, "somebody was told of what never happened"
        assert game.over
        for session in sessions:
            # Who has sat down at the result has a family, and no seat in that game.
            viewer = None if session.family is None else seats.get(session.family)
            assert session.view is not None
            assert format_position(session.view) == format_position(view(game, viewer))
            assert session.events == [project(event, viewer) for event in events]
