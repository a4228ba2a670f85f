"""Plays evenings by a script, with or without trading cards that the receiver may not know.

Random troubles use nothing that the receiver may not know. So the receiver must get the same frames
in both evenings: welcome, chat, pauses, clocks, refusals, the result and the last view.
"""

from random import Random
from typing import Any, get_args

import msgpack

from engine.actions import ACTIONS, Action
from engine.cards import Seat
from engine.game import Deal
from engine.ranking import owners
from engine.views import Viewer, seats_of
from netcode.protocol.codec import encode
from netcode.protocol.fields import FamilyLetter, PhraseName, checked_struct, letters_of
from netcode.protocol.messages import (
    PROTOCOL,
    Absent,
    Act,
    ChangeSettings,
    Chat,
    ChooseFamily,
    Here,
    Knock,
    Mute,
    Pause,
    SendAway,
    SetReady,
    Start,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Think
from netcode.table.people.absence import AWAY_GRACE_S
from tests.engine.random_games import (
    Played,
    play_randomly,
)
from tests.engine.test_noninterference import Trade, traded_action, traded_deal
from tests.support.pretend import FixedDeals, Participant, hello, tokens
from tests.support.shell import ConnectionEvents, Plug, ServerNetwork

NONSENSE: tuple[bytes | str, ...] = (
    b"",
    "hello",
    b"\xc1",
    bytes(2000),
    msgpack.packb({"type": "act", "number": 0}),
    msgpack.packb({"type": "no_such_message"}),
    msgpack.packb({"type": "hello", "protocol": PROTOCOL + 1}),
    encode(Knock(protocol=PROTOCOL, prefix="K7Q", share=bytes(33))),
)


def game_before(played: Played, rng: Random) -> Played:
    """Return a random game that the same people can play before `played`."""
    deal = played.deal
    first = (deal.first - 1) % len(deal.families)
    return play_randomly(Deal.shuffled(rng, deal.families, deal.edition, first), rng)


class Evening:
    """One table: its people follow a script, with random troubles."""

    def __init__(
        self,
        games: list[Played],
        upto: int,
        by_seat: list[Trade] | None,
        viewer: Viewer,
        rng: Random,
        *,
        two: bool = False,
    ) -> None:
        """Prepare an evening: all its games are played to their ends, except the last one.

        Args:
            games: The games to play, in order.
            upto: The number of actions to play of the last game.
            by_seat: The trades of cards in the last game, by seat; None for no trade.
            viewer: The receiver of the compared frames.
            rng: The generator of troubles; equal for both tables.
            two: True if two persons play the four families.
        """
        self.rng = rng
        self.script = games
        self.lengths = [*(len(game.actions) for game in games[:-1]), upto]
        self.trades: list[list[Trade] | None] = [*(None for _ in games[:-1]), by_seat]
        deals = [
            game.deal if trade is None else traded_deal(game.deal, trade)
            for game, trade in zip(games, self.trades, strict=True)
        ]
        first = deals[0]
        settings = checked_struct(
            {
                "edition": first.edition.number,
                "first": first.families[first.first],
                "clock_s": rng.choice((0, 30)),
                "pace_ms": 500,
                "two": two,
            },
            TableSettings,
        )
        self.network = ServerNetwork(
            FixedDeals(
                [split for deal in deals for split in zip(deal.hands, deal.aside, strict=True)]
            ),
            settings=settings,
        )
        self.network.choose = self.scripted
        self.guests = [
            seated_as(self.network, *(first.families[seat] for seat in own))
            for own in owners(len(first.families), two=two)
        ]
        # The first player's setting stays, although the family has changed.
        self.guests[0].send(ChangeSettings(settings=settings))
        self.watcher = Participant(self.network, "watcher", spectator=True)
        self.receiver = self.watcher if viewer is None else self.guests[seats_of(viewer)[0]]
        self.removed: set[Participant] = set()
        self.strangers: list[Plug] = []

    def play_through(self) -> tuple[ConnectionEvents, ConnectionEvents]:
        """Play and end the evening; return the frames of the receiver and of all strangers."""
        with self.network:
            self.strangers = [self.network.plug()[1]]
            self.play()
        noticed = [each for plug in self.strangers for each in plug.events]
        return self.network.events[self.receiver], noticed

    def play(self) -> None:
        """Play the script: all actions, with random troubles between them."""
        for number, length in enumerate(self.lengths):
            self.begin(number)
            while (done := len(tokens(self.receiver))) < length:
                if self.rng.random() < 0.3:
                    self.make_trouble()
                elif (participant := self.guests[self.turn() % len(self.guests)]) in self.removed:
                    self.network.wait(1)
                    assert len(tokens(self.receiver)) > done
                else:
                    participant.act(self.scripted(None).token)
        self.receiver.drop()
        self.come_back(self.receiver)

    def begin(self, number: int) -> None:
        """Start a game, from the lobby or from a result."""
        self.game = number
        host, *others = self.guests
        for participant in others:
            if participant not in self.removed:
                participant.send(SetReady(ready=True))
        host.send(Start())
        assert host.phase() == "playing"

    def turn(self) -> Seat:
        return self.script[self.game].games[len(tokens(self.receiver))].turn

    def scripted(self, think: Think | None) -> Action:
        """Return the script's next action, or an illegal one for a bot after the script's end."""
        played, done = self.script[self.game], len(tokens(self.receiver))
        if think is not None and done >= self.lengths[self.game]:
            return next(action for action in ACTIONS.values() if action not in think.view.legal)
        action, by_seat = played.actions[done], self.trades[self.game]
        return action if by_seat is None else traded_action(played.games[done], action, by_seat)

    def come_back(self, participant: Participant) -> None:
        participant.come_back()
        if participant.refusal == "unknown_key":
            participant.greet()

    def make_trouble(self) -> None:
        """Cause a trouble that uses nothing hidden from the receiver."""
        if self.rng.random() < 0.5:
            self._make_trouble_at_the_table()
        else:
            self._make_trouble_on_the_wire()
        for participant in (*self.guests, self.watcher):
            # The host disconnects a client that sends nonsense.
            if participant.cut_off and participant not in self.removed:
                self.come_back(participant)

    def _make_trouble_on_the_wire(self) -> None:
        rng, network, receiver = self.rng, self.network, self.receiver
        others = [each for each in self.guests[1:] if each not in (receiver, *self.removed)]
        match rng.randrange(5):
            case 0:
                network.put(receiver.connection, rng.choice(NONSENSE))
            case 1 if others:
                network.put(rng.choice(others).connection, rng.choice(NONSENSE))
            case 2:
                # Open a second connection to the seat; the first connection gets a goodbye.
                self.come_back(receiver)
            case 3:
                _, plug = network.plug()
                self.strangers.append(plug)
                for key in (bytes(32), None):
                    plug.put(encode(hello("thief", key=key)))
                plug.put(rng.choice(NONSENSE))
                network.wait(1)
            case 4:
                watcher = Participant(network, f"watcher {rng.random():.5f}", spectator=True)
                network.wait(rng.choice((0, 3)))
                watcher.drop()

    def _make_trouble_at_the_table(self) -> None:
        rng, network, receiver = self.rng, self.network, self.receiver
        host, turn = self.guests[0], self.guests[self.turn() % len(self.guests)]
        others = [each for each in self.guests if each not in (receiver, *self.removed)]
        other = rng.choice(others)
        token = rng.choice(list(ACTIONS))
        match rng.randrange(15):
            case 0:
                other.drop()
                network.wait(rng.choice((0, AWAY_GRACE_S)))
                other.come_back()
            case 1:
                late = Act(number=1000, revision=0, action=token)
                other.send(late)
                receiver.send(late)
            case 2:
                other.greet()
            case 3 if receiver is not turn:
                receiver.act(token)
            case 4:
                # At the receiver's turn, the refusal explains the rules from the receiver's view.
                if ACTIONS[token] not in receiver.view().legal:
                    receiver.act(token)
            case 5:
                Participant(network, "thief", key=bytes(32)).drop()
            case 6:
                rng.choice([other, receiver, self.watcher]).send(Chat(text=f"{token}\x1b[2J?"))
            case 7:
                host.send(Mute(name=rng.choice([other, receiver]).name, muted=rng.random() < 0.5))
            case 8:
                host.send(Pause(paused=True))
                eager = Act(number=2000, revision=network.table.games.revision, action=token)
                rng.choice([other, receiver]).send(eager)
                receiver.send(Chat(text="a break"))
                network.wait(rng.choice((0, 100)))
                host.send(Pause(paused=False))
            case 9:
                network.wait(rng.choice((0.5, 10, 30, 60)))
            case 10 if other is not host:
                other.drop()
                family: FamilyLetter = other.lobby().seats[self.guests.index(other)].family
                choices = ("wait", "bot", "away") if len(others) > 1 else ("wait", "bot")
                choice = rng.choice(choices)
                if choice == "away":
                    host.send(SendAway(name=other.name))
                    self.removed.add(other)
                else:
                    host.send(checked_struct({"family": family, "choice": choice}, Absent))
                network.wait(rng.choice((0, 1)))
                if choice != "away":
                    other.come_back()
            case 11:
                rng.choice([other, receiver]).send(Here())
            case 12:
                receiver.drop()
                network.wait(rng.choice((0, 5, AWAY_GRACE_S)))
                self.come_back(receiver)
            case 14:
                phrase = rng.choice(get_args(PhraseName))
                rng.choice([other, receiver, self.watcher]).send(Chat(phrase=phrase))
            case 13 if receiver.acts:
                receiver.send(rng.choice(receiver.acts))


def seated_as(network: ServerNetwork, *families: Any) -> Participant:
    participant = Participant(network, f"player {families[0]}")
    # At a table for two, the family chosen before becomes the second family.
    for letter in letters_of("".join(reversed(families))):
        participant.send(ChooseFamily(family=letter))
    return participant
