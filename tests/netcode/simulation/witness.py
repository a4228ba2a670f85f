"""Records all messages of a pretend network, and judges them.

At the end the journal must agree with every message of the host. No client may have received more
than it may know.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import Final, TypeAlias

from engine.actions import Action
from engine.cards import Seat
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.notation import format_position, parse_action
from engine.position import OVER
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
from netcode.protocol.messages import Line as ChatLine
from netcode.protocol.wire_views import WireView
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table
from tests.netcode.simulation.clockwork import Clockwork
from tests.netcode.simulation.network import Line

_decoded: Final[dict[bytes, Message]] = {}


def decode_host(frame: bytes | str) -> Message:
    """Return the message in a frame, like the codec, but cache it: equal frames are frequent."""
    assert isinstance(frame, bytes)
    message = _decoded.get(frame)
    if message is None:
        if len(_decoded) > 5000:
            _decoded.clear()
        message = _decoded[frame] = codec.decode_host(frame)
    return message


Players: TypeAlias = dict[str, Viewer]
"""Each player's viewer, by the player's first family."""


def _players(record: Record) -> Players:
    families = record.deal.families
    owners = owners_of(record.settings, len(families))
    return {families[own[0]]: own if own[1:] else own[0] for own in owners}


def _judge_openings(before: str, after: str) -> None:
    """Assert that the journal has only added holders of seats to the opening of a game."""
    if before == after:
        return
    was, now = Record.from_json(before), Record.from_json(after)
    assert now._replace(players=()) == was._replace(players=())
    for seat, player in zip(was.players, now.players, strict=True):
        assert player.holders[: len(seat.holders)] == seat.holders, "a holder is lost"


class Witness:
    """Records and judges the messages in both directions of every connection."""

    def __init__(self, loop: Clockwork, alarm: Callable[[Exception], None]) -> None:
        """Begin without messages; `alarm` receives every violation immediately."""
        self.trace = blake2b(digest_size=16)
        """A digest of all frames with their times; equal for equal runs."""
        self._loop = loop
        self._alarm = alarm
        self._views: dict[tuple[int, str | None], WireView] = {}
        """The view sent at each revision, for each viewer."""
        self._highest = 0
        self._floor = 0
        """The highest revision that an earlier process of the host has sent."""
        self._phases: dict[int, str] = {}
        """The last phase sent on each connection."""
        self._seen: dict[int, tuple[str | None, int]] = {}
        """For each connection, the viewer and the last revision that the host has sent."""
        self._acts: dict[tuple[str, int], list[Act]] = {}
        """The acts that persons have sent, by family and number."""
        self._counted: set[tuple[str, int]] = set()
        """The acts that the host has confirmed."""
        self._questions: dict[tuple[int, int], int] = {}
        """For each act, by connection and number, the revision of its question."""
        self._refused: set[tuple[str, int, int]] = set()
        self._played: dict[int, tuple[Seat, int | None]] = {}
        """The seat that moved last at each revision, and the number of its act; None for a bot."""
        self._choices: set[tuple[int, Seat, str]] = set()
        """The choices of bots, by revision."""
        self._lines: dict[ChatLine, int] = {}
        """The chat lines that the host has sent, in order."""
        self._in_game: set[ChatLine] = set()
        """The chat since a game began. Earlier chat is forgotten when all players leave."""
        self._holders: dict[str, dict[tuple[str, str | None], None]] = {}
        """The names and bot levels that the host has sent for each seat of the game."""
        self._games = 0
        """Number of finished games that the host has sent."""
        self._kept: Snapshot | None = None

    # During the evening

    def note(self, what: str) -> None:
        """Add a text to the digest."""
        self.trace.update(f"{self._loop.now!r} {what}\n".encode())

    def acted(self, family: str, act: Act) -> None:
        """Record an act that a person sends."""
        self._acts.setdefault((family, act.number), []).append(act)

    def bot_chose(self, revision: int, seat: Seat, action: Action) -> None:
        self._choices.add((revision, seat, action.token))

    def played(self, revision: int, seat: Seat, number: int | None) -> None:
        """Record an accepted move, with the number of its act; None for a bot's move.

        A move that the host lost in a crash may be replaced by another.
        """
        self._played[revision] = seat, number

    def client_sent(self, line: Line, frame: bytes) -> None:
        """Record a frame that a client sends."""
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
            # Pass the error to `alarm`: raised here, the host might handle it.
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
                    # A person who sits down at a result is still a spectator of that game.
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
                over = self._views[revision, eyes].question == OVER
                assert over, "cards are told of a game that goes on"
            case Refused(code="not_seated"):
                assert eyes is None
            case Refused() if message.number is not None and message.code != "paused":
                assert eyes is not None
                # Only an accepted act uses up its number; others may reuse it.
                revision = self._questions[line.number, message.number]
                self._refused.add((eyes, message.number, revision))
            case Talk():
                for said in message.lines:
                    self._lines.setdefault(said, len(self._lines))
                    if self._highest:
                        self._in_game.add(said)
            case _:
                pass

    def client_received(self, line: Line, frame: bytes) -> None:
        """Record a frame that a client reads."""
        self.note(f"= {line.number} {len(frame)}")

    def resumed(self, kept: Snapshot, table: Table) -> None:
        """Judge the state that a restarted host has read from its disk."""
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
        """Judge the final state of the disk, the host and the clients."""
        record = table.record()
        assert record is not None
        began = Record.from_json(kept.game.record)
        assert record == began._replace(actions=kept.game.actions)
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
            assert receive is None or receive._replace(ended=None) == record
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
        """Assert that a session has the chat of the host in order; each line is unique."""
        order = [self._lines[line] for line in session.talk]
        assert order == sorted(set(order)), "lines come twice, or not in order"

    def _judge_views(self, first: int, record: Record, sessions: list[Session]) -> None:
        """Replay the game of the journal, and compare all sent views with it."""
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
                assert self._views[revision, eyes] == WireView.of(view(game, viewer))
        assert not views, "somebody was told of what never happened"
        assert game.over
        for session in sessions:
            # A person who sat down at the result has a family, but no seat in that game.
            viewer = None if session.family is None else seats.get(session.family)
            assert session.view is not None
            assert format_position(session.view) == format_position(view(game, viewer))
            assert session.events == [project(event, viewer) for event in events]
