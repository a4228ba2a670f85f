"""The order of seats: the host moves and shuffles them in the lobby, and everybody sees it."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

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
    """Return the players with their families, in the order in which somebody sees them."""
    return [(seat.name, seat.family, seat.second) for seat in participant.lobby().seats]


@examples(50)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.sampled_from(("random", *"rbgyv")), orders)
def test_seats_move_with_their_players_and_the_game_follows_their_order(
    seed: int, players: int, first: str, wishes: list[MoveSeat | ShuffleSeats]
) -> None:
    settings = TableSettings(pace_ms=0, two=players == 2)
    guests = seated(Network(Random(seed), settings=settings), "abcde"[:players])
    host, before = guests[0], order(guests[0])
    host.say(ChangeSettings(TableSettings(pace_ms=0, two=players == 2, first=first)))
    first = host.lobby().settings.first
    for wish in wishes:
        host.say(wish)
        assert all(order(each) == order(host) for each in guests)
        assert sorted(order(host)) == sorted(before)
        assert host.lobby().settings.first == first
    for each in guests[1:]:
        each.say(SetReady(ready=True))
    host.say(Start())
    if host.phase() != "playing":
        assert host.lobby().missing is not None
        assert host.lobby().missing.code == "first_not_seated"
        return
    view = host.view()
    seats = order(host)
    families = [family for _, family, _ in seats] + [second for *_, second in seats if second]
    assert [*view.families] == families
    if first != "random":
        assert view.families[view.first] == first


def test_a_shuffle_gives_each_order_as_often() -> None:
    (host, *_) = seated(Network(Random(5)), "abc")
    found = [(host.say(ShuffleSeats()) and None) or tuple(order(host)) for _ in range(600)]
    counts = [found.count(each) for each in {*found}]
    assert len(counts) == 6
    assert min(counts) > 70
