"""Tests any sequence of States from a host: the client refuses or shows each."""

from contextlib import suppress
from random import Random

from msgspec.structs import replace

from netcode.client.session import ProtocolError, Session
from netcode.protocol.codec import decode_host
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby, State
from tests.support.pretend import decider, playing
from tests.support.tables import Hands, SeatedApp, lobby, run_app, welcome


def messages_of(names: str, rng: Random, edition: int) -> list[Message]:
    """Play a random game at a table; return the messages to a guest."""
    guests = playing(names, rng, edition=edition)
    while (participant := decider(guests)) is not None:
        participant.act(rng.choice(participant.view().legal).token)
    return [decode_host(frame) for _, frame in guests[1].frames]


def test_no_sequence_of_states_ends_the_program() -> None:
    rng = Random(5)
    games = [messages_of(names, rng, 1 + len(names) % 2) for names in ("abc", "abcde", "abcd")]
    states = [[each for each in game if isinstance(each, State)] for game in games]
    lobbies = [
        each
        for game in games
        for each in game
        if isinstance(each, Lobby) and each.phase == "playing"
    ]

    def odd(session: Session) -> Message:
        """Return a State of any moment of a random game, with the next revision or the present one.

        Sometimes the message is a Welcome or a Lobby instead.
        """
        if rng.random() < 0.1:
            return welcome("b") if rng.random() < 0.5 else rng.choice(lobbies)
        game = rng.choice(states)
        view, source = rng.choice(game), rng.choice(game)
        first = rng.choice((0, len(session.events), len(session.events), source.first_event))
        revision = session.revision + rng.choice((0, 1, 1, 1))
        events = rng.choice(((), source.events, view.events))
        return replace(view, revision=revision, first_event=first, events=events)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        taken = refused = 0
        for number in range(400):
            message = odd(app.session)
            try:
                app.receive(message)
                taken += 1
            except ProtocolError:
                refused += 1
                if rng.random() < 0.2:
                    # After a refusal, a host may begin again with Welcome and Lobby.
                    with suppress(ProtocolError):
                        app.receive(welcome("b"), rng.choice(lobbies))
            if number % 8 == 0:
                await hands.type(rng.choice(("=", "1", "right", "l", "tab")))
        assert taken > 100
        assert refused > 50

    session = Session()
    for message in (welcome("b"), lobby("rbg", "b"), states[0][0]):
        session.receive(message)
    run_app(SeatedApp(session), steps)
