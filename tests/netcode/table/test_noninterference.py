"""Nothing that is sent to anybody depends on what they may not know, to the byte and the second.

Two tables get deals that differ only in cards which a receiver may not know up to some moment of
a game, and everybody does the same at both, troubles included. Whatever the receiver is sent,
from the welcome over chat, pauses, clocks, refusals and a whole game's result to the last view,
must be the same frames at the same times.
"""

from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.actions import ACTIONS, Action
from engine.cards import Seat
from engine.game import Deal
from engine.ranking import owners
from engine.view import Viewer, seats_of
from netcode.protocol.fields import FamilyLetter, PhraseName, checked, letters_of
from netcode.protocol.messages import (
    Absent,
    Act,
    Chat,
    ChooseFamily,
    Clock,
    Here,
    Mute,
    Pause,
    Refused,
    SendAway,
    SetReady,
    Start,
    TableSettings,
    Talk,
)
from netcode.table.broadcast import Broadcast
from netcode.table.effects import Think
from netcode.table.games import Games
from netcode.table.people.absence import AWAY_GRACE_S
from tests.engine.random_games import (
    Played,
    examples,
    moments,
    moments_for_two,
    play_randomly,
    random_game,
    viewers,
)
from tests.engine.test_noninterference import Trade, traded_action, traded_deal, trades
from tests.netcode.pretend import FixedDeals, Network, Participant, kind_of, tokens

Frames = list[tuple[float, bytes]]


def game_before(played: Played, rng: Random) -> Played:
    """Return a game after which the people of another would play that one."""
    deal = played.deal
    first = (deal.first - 1) % len(deal.families)
    return play_randomly(Deal.shuffled(rng, deal.families, deal.edition, first), rng)


class Evening:
    """One of the two tables: its people go by a script, and get into troubles by chance."""

    network_type: type[Network] = Network

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
        """Sit down for games that are played to their ends, and to a moment of the last.

        Args:
            games: The script, by game.
            upto: How many actions of the last game there are to be.
            by_seat: How to trade cards in the last game; None to leave them.
            viewer: Whose frames are looked at.
            rng: Decides the troubles; the same for both tables.
            two: Whether two persons play the four families.
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
        self.network = self.network_type(
            FixedDeals(
                [split for deal in deals for split in zip(deal.hands, deal.aside, strict=True)]
            ),
            settings=checked(
                {
                    "edition": first.edition.number,
                    "first": first.families[first.first],
                    "clock_s": rng.choice((0, 30)),
                    "pace_ms": 500,
                    "two": two,
                },
                TableSettings,
            ),
        )
        self.network.choose = self.scripted
        self.guests = [
            seated_as(self.network, *(first.families[seat] for seat in own))
            for own in owners(len(first.families), two=two)
        ]
        self.watcher = Participant(self.network, "watcher", spectator=True)
        self.receiver = self.watcher if viewer is None else self.guests[seats_of(viewer)[0]]
        self.removed: set[Participant] = set()

    def play(self) -> Frames:
        """Go through the script; return what the receiver was sent."""
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
        return self.receiver.frames

    def begin(self, number: int) -> None:
        """Have a game begun, from the lobby or from a result."""
        self.game = number
        host, *others = self.guests
        for participant in others:
            if participant not in self.removed:
                participant.say(SetReady(ready=True))
        host.say(Start())
        assert host.phase() == "playing"

    def turn(self) -> Seat:
        return self.script[self.game].games[len(tokens(self.receiver))].turn

    def scripted(self, think: Think | None) -> Action:
        """Return the next action of the script; for a bot beyond its end, one that is not legal."""
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
        """Do something in which nobody uses what the receiver may not know."""
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
                other.say(late)
                receiver.say(late)
            case 2:
                network.carry_out(
                    network.table.malformed(other.connection, "malformed", network.now)
                )
            case 3 if receiver is not turn:
                receiver.act(token)
            case 4:
                # When it is the receiver's turn, the rules say why: from what the receiver knows.
                if ACTIONS[token] not in receiver.view().legal:
                    receiver.act(token)
            case 5:
                Participant(network, "thief", key=bytes(32)).drop()
            case 6:
                rng.choice([other, receiver, self.watcher]).say(Chat(text=f"{token}\x1b[2J?"))
            case 7:
                host.say(Mute(name=rng.choice([other, receiver]).name, muted=rng.random() < 0.5))
            case 8:
                host.say(Pause(paused=True))
                eager = Act(number=2000, revision=network.table.revision, action=token)
                rng.choice([other, receiver]).say(eager)
                receiver.say(Chat(text="a break"))
                network.wait(rng.choice((0, 100)))
                host.say(Pause(paused=False))
            case 9:
                network.wait(rng.choice((0.5, 10, 30, 60)))
            case 10 if other is not host:
                other.drop()
                family: FamilyLetter = other.lobby().seats[self.guests.index(other)].family
                choices = ("wait", "bot", "away") if len(others) > 1 else ("wait", "bot")
                choice = rng.choice(choices)
                if choice == "away":
                    host.say(SendAway(name=other.name))
                    self.removed.add(other)
                else:
                    host.say(checked({"family": family, "choice": choice}, Absent))
                network.wait(rng.choice((0, 1)))
                if choice != "away":
                    other.come_back()
            case 11:
                rng.choice([other, receiver]).say(Here())
            case 12:
                receiver.drop()
                network.wait(rng.choice((0, 5, AWAY_GRACE_S)))
                self.come_back(receiver)
            case 14:
                phrase = rng.choice(get_args(PhraseName))
                rng.choice([other, receiver, self.watcher]).say(Chat(phrase=phrase))
            case 13 if receiver.acts:
                receiver.say(rng.choice(receiver.acts))


def seated_as(network: Network, *families: Any) -> Participant:
    participant = Participant(network, f"player {families[0]}")
    # What is chosen before becomes the second at a table for two.
    for letter in letters_of("".join(reversed(families))):
        participant.say(ChooseFamily(family=letter))
    return participant


def sent(
    games: list[Played],
    upto: int,
    by_seat: list[Trade] | None,
    viewer: Viewer,
    seed: int,
    *,
    two: bool = False,
) -> Frames:
    return Evening(games, upto, by_seat, viewer, Random(seed), two=two).play()


@examples(40)
@given(moments(), st.integers(0, 2**32 - 1), st.booleans(), st.data())
def test_no_frame_depends_on_what_its_receiver_may_not_know(
    moment: tuple[Played, int], seed: int, second_game: bool, data: st.DataObject
) -> None:
    played, upto = moment
    games = [game_before(played, Random(seed)), played] if second_game else [played]
    viewer = data.draw(st.sampled_from(viewers(played.games[upto])))
    by_seat = trades(viewer, played.games[upto], Random(seed))
    assert sent(games, upto, None, viewer, seed) == sent(games, upto, by_seat, viewer, seed)


@examples(25)
@given(
    moments_for_two(),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.sampled_from((None, (0, 2), (1, 3))),
)
def test_no_frame_at_a_table_for_two_depends_on_what_its_receiver_may_not_know(
    moment: tuple[Played, int], seed: int, second_game: bool, viewer: Viewer
) -> None:
    played, upto = moment
    games = [game_before(played, Random(seed)), played] if second_game else [played]
    by_seat = trades(viewer, played.games[upto], Random(seed))
    ours = sent(games, upto, None, viewer, seed, two=True)
    assert ours == sent(games, upto, by_seat, viewer, seed, two=True)


def test_the_troubles_are_such_that_everything_is_said() -> None:
    """The property above is about all kinds of messages only if they all come."""
    played = random_game(1)
    games = [game_before(played, Random(1)), played]
    kinds, codes, phrases = set(), set(), set()
    for seed in range(8):
        evening = Evening(games, 20, None, 0, Random(seed))
        evening.play()
        kinds |= set(map(kind_of, evening.receiver.received))
        codes |= {each.code for each in evening.receiver.received if isinstance(each, Refused)}
        talk = (each for each in evening.receiver.received if isinstance(each, Talk))
        phrases |= {line.phrase for each in talk for line in each.lines}
    assert kinds == {"welcome", "lobby", "state", "game_record", "clock", "talk", "refused"}
    assert codes >= {"late", "paused", "muted", "not_your_turn"}
    assert len(phrases) > 1
    assert any(code.startswith("rules.") for code in codes)


# A leak would be found


def tell_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every placed card told to everybody."""
    monkeypatch.setattr("netcode.table.live_game.project", lambda event, viewer: event)


def tell_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the clock show what the one who is asked holds."""
    clock = Games.clock

    def leaky(self: Games, now: float) -> Clock | None:
        told = clock(self, now)
        if told is None or self.live is None:
            return told
        hand = self.live.seen_by(self.live.turn).hands[self.live.turn]
        return replace(told, left_ms=told.left_ms - ord(hand[:1] or "?"))

    monkeypatch.setattr(Games, "clock", leaky)


def tell_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a State come twice if the one who is asked holds an Ambush."""
    show = Broadcast._tell_game

    def leaky(self: Broadcast, connection: int, participant: Any, state: Any) -> bool:
        shown = show(self, connection, participant, state)
        play = self._games.live
        if play is not None and not play.over and "A" in play.seen_by(play.turn).hands[play.turn]:
            state.revision = -1
            show(self, connection, participant, state)
        return shown

    monkeypatch.setattr(Broadcast, "_tell_game", leaky)


def tell_by_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a bot think longer about a hand with a Soldier."""
    tick = Games.tick

    def leaky(self: Games, now: float) -> Think | None:
        think = tick(self, now)
        if think is not None and "S" in think.view.hands[think.seat]:
            return Think(
                think.game, think.seat, think.bot, think.view, think.revision, think.delay_s + 0.2
            )
        return think

    monkeypatch.setattr(Games, "tick", leaky)


def differ() -> bool:
    """Whether some evening differs when cards are traded."""
    played = random_game(1)
    by_seat = trades(None, played.games[30], Random(1))
    return any(
        sent([played], 30, None, None, seed) != sent([played], 30, by_seat, None, seed)
        for seed in range(6)
    )


@pytest.fixture(scope="module")
def without_leak() -> None:
    """Make sure that nothing differs before anything leaks."""
    assert not differ()


@pytest.mark.usefixtures("without_leak")
@pytest.mark.parametrize("leak", [tell_events, tell_time, tell_by_number, tell_by_waiting])
def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch, leak: Any) -> None:
    """The property above is worth what it finds."""
    leak(monkeypatch)
    monkeypatch.setattr("tests.netcode.pretend.assert_keeps_secrets", lambda state: None)
    assert differ()
