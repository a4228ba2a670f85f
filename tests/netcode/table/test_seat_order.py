"""Tests the order of seats: the host moves and shuffles them in the lobby, and all see it."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import ChangeSettings, MoveSeat, SetReady, ShuffleSeats, Start
from netcode.protocol.table_settings import TableSettings
from tests.engine.random_games import examples
from tests.support.pretend import Network, Participant, seated

orders = st.lists(
    st.just(ShuffleSeats())
    | st.builds(MoveSeat, family=st.sampled_from("rbgyv"), place=st.integers(0, 4)),
    max_size=12,
)


def order(participant: Participant) -> list[tuple[str, str, str | None]]:
    """Return the players with their families, in the order of this participant's lobby."""
    return [(seat.name, seat.family, seat.second) for seat in participant.lobby().seats]


def families_of(participant: Participant) -> list[str]:
    """Return the families of a game: the first of each seat in order, then the second of each."""
    seats = order(participant)
    return [family for _, family, _ in seats] + [second for *_, second in seats if second]


@examples(50)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.sampled_from(("random", *"rbgyv")), orders)
def test_seats_move_with_their_players_and_the_game_follows_their_order(
    seed: int, players: int, first: str, wishes: list[MoveSeat | ShuffleSeats]
) -> None:
    settings = TableSettings(pace_ms=0, two=players == 2)
    guests = seated(Network(Random(seed), settings=settings), "abcde"[:players])
    host, before = guests[0], order(guests[0])
    host.send(ChangeSettings(checked_struct({**asdict(settings), "first": first}, TableSettings)))
    for wish in wishes:
        host.send(wish)
        assert all(order(each) == order(host) for each in guests)
        assert sorted(order(host)) == sorted(before)
        assert host.lobby().settings.first == first
    for each in guests[1:]:
        each.send(SetReady(ready=True))
    host.send(Start())
    if host.phase() != "playing":
        assert first not in "".join(families_of(host))
        return
    view = host.view()
    assert [*view.families] == families_of(host)
    if first != "random":
        assert view.families[view.first] == first


def test_a_shuffle_gives_each_order_as_often() -> None:
    (host, *_) = seated(Network(Random(5)), "abc")
    found = Counter[str]()
    for _ in range(600):
        host.send(ShuffleSeats())
        found["".join(name for name, *_ in order(host))] += 1
    assert len(found) == 6
    assert min(found.values()) > 70
