"""Bots with a character say something now and then, by what everybody has seen and nothing else."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from engine.events import AmbushSprung, Eliminated, Event, Gained, Revealed, RoundBegan, Stole
from netcode.protocol.fields import PhraseName
from netcode.protocol.messages import AddBot, Line, Mute, Start, TableSettings, Talk
from netcode.table.people import character_phrases
from netcode.table.people.character_phrases import MOST, CharacterPhrases
from netcode.table.people.seats import Seat
from tests.engine.random_games import random_game
from tests.engine.test_noninterference import trades
from tests.netcode.pretend import Network, Participant, asked
from tests.netcode.table.test_noninterference import Evening

CHARACTERS = ("cautious", "greedy", "vengeful")


@pytest.fixture(autouse=True)
def whenever_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_phrases, "CHANCE", 1.0)


def struck(seat: int, victim: int) -> Event:
    return Eliminated(seat, 2, "S", 3, victim, "L", True, 0)


@pytest.mark.parametrize(
    ("bot", "event", "phrase"),
    [
        ("cautious", struck(1, 2), "nothing"),
        ("cautious", struck(1, 0), None),
        ("cautious", AmbushSprung(1, 4, 2), "touch"),
        ("greedy", Gained(0, 2, "L", "L", 3), "thanks"),
        ("greedy", Gained(1, 2, "L", "L", 3), "lucky"),
        ("greedy", Gained(0, 2, "L", "L", 2), None),
        ("greedy", Revealed(0, 2, "C", 2, 4), "thanks"),
        ("greedy", Stole(0, 2, "P", 1, 1), "thanks"),
        ("greedy", AmbushSprung(1, 4, 2), "lucky"),
        ("vengeful", struck(1, 0), "revenge"),
        ("vengeful", struck(0, 0), None),
        ("vengeful", struck(1, 2), None),
        ("vengeful", Stole(1, 2, "P", 0, 1), "revenge"),
        ("vengeful", Stole(1, 2, "P", 0, 0), None),
        ("vengeful", AmbushSprung(1, 4, 2), "clever"),
        ("master", struck(1, 0), None),
        (None, struck(1, 0), None),
    ],
    ids=str,
)
def test_a_phrase_suits_a_character_and_what_has_happened(
    bot: str | None, event: Event, phrase: PhraseName | None
) -> None:
    seats = [Seat("r", "Aubin", bot=bot), Seat("b", "b"), Seat("g", "g")]
    said = list(CharacterPhrases(Random(1)).after(1, [event], seats))
    assert said == ([] if phrase is None else [(seats[0], phrase)])


def test_a_bot_with_two_families_speaks_for_both() -> None:
    seats = [Seat("r", "Aubin", "g", "vengeful"), Seat("b", "b", "y")]
    said = list(CharacterPhrases(Random(1)).after(1, [struck(1, 2)], seats))
    assert said == [(seats[0], "revenge")]


def test_little_is_said_and_by_each_only_now_and_then() -> None:
    seats = [Seat("r", name, bot="vengeful") for name in "abc"]
    phrases = CharacterPhrases(Random(1))
    for game in (1, 2):
        said: list[tuple[int, str]] = []
        for number in range(1, 7):
            events: list[Event] = [RoundBegan(number, 0)]
            for answer in range(9):
                events.append(struck(answer % 3, (answer + 1) % 3))
                said += [(number, who.name) for who, _ in phrases.after(game, events, seats)]
                events = []
        assert [number for number, _ in said] == [1, 2, 3, 4, 5]
        assert max(Counter(name for _, name in said).values()) == MOST
        assert all(one != other for (_, one), (_, other) in pairwise(said))


def lines(participant: Participant) -> list[Line]:
    return [line for each in participant.received if isinstance(each, Talk) for line in each.lines]


def evening(games: int = 1, *, muted: bool = False, seed: int = 1) -> Participant:
    """Return the host of a table of three characters, once the games are over."""
    rng = Random(seed)
    network = Network(rng, settings=TableSettings(pace_ms=0))
    network.choose = lambda think: rng.choice(think.view.legal)
    host = Participant(network, "a")
    for bot in CHARACTERS:
        host.say(AddBot(bot=bot))
    for seat in host.lobby().seats:
        if muted and seat.bot:
            host.say(Mute(name=seat.name, muted=True))
    for _ in range(games):
        host.say(Start())
        while host.phase() == "playing":
            if asked([host]):
                host.act(rng.choice(host.view().legal).token)
            network.wait(1)
    return host


def test_everybody_hears_them_and_who_comes_back_after_a_restart_does_too() -> None:
    host = evening()
    said = lines(host)
    fitting = {"nothing", "touch", "thanks", "lucky", "revenge", "clever"}
    assert {line.phrase for line in said} <= fitting
    assert 1 < len(said) <= MOST * len(CHARACTERS)
    assert {line.name for line in said} <= {seat.name for seat in host.lobby().seats if seat.bot}
    host.network.restart()
    host.come_back()
    assert lines(host) == said * 2


def test_the_host_can_mute_a_bot_as_anybody() -> None:
    host = evening(muted=True)
    assert host.lobby().muted == tuple(seat.name for seat in host.lobby().seats if seat.bot)
    assert lines(host) == []


def test_what_is_said_does_not_move_the_deals() -> None:
    ours, theirs = (evening(2, muted=muted).network.table.record() for muted in (False, True))
    assert ours == theirs


def test_chances_are_the_tables_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_phrases, "CHANCE", 0.5)
    seats = [Seat("r", "Aubin", bot="vengeful")]

    def said(seed: int) -> list[bool]:
        phrases = Network(Random(seed)).table._control.phrases
        return [any(phrases.after(game, [struck(2, 0)], seats)) for game in range(1, 21)]

    assert said(1) == said(1)
    assert said(1) != said(2)


class WithACharacter(Evening):
    """An evening at which the last person is a bot, who answers by the script."""

    bot = ""

    def begin(self, number: int) -> None:
        participants = self.network.table._participants
        seat = participants.called(self.guests[-1].name)
        assert isinstance(seat, Seat)
        self.removed.add(self.guests[-1])
        participants.give_to_bot(seat, self.bot)
        super().begin(number)


@pytest.mark.parametrize("bot", CHARACTERS)
def test_what_is_said_depends_on_no_hidden_card(monkeypatch: pytest.MonkeyPatch, bot: str) -> None:
    monkeypatch.setattr(character_phrases, "MUCH", 1)
    said = 0
    for seed in range(3):
        played = random_game(seed)
        upto = len(played.actions) * 3 // 4
        for viewer in (None, 0):
            ours, theirs = (
                WithACharacter([played], upto, by_seat, viewer, Random(seed))
                for by_seat in (None, trades(viewer, played.games[upto], Random(seed)))
            )
            ours.bot = theirs.bot = bot
            assert ours.play() == theirs.play()
            said += sum(line.name == "Aubin" for line in lines(ours.receiver))
    assert said
