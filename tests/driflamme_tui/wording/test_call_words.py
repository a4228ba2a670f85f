"""Tests the news of a table that call a player who looks elsewhere, and news that do not."""

from collections.abc import Iterable

from msgspec.structs import replace

from driflamme_tui.wording.program.call_words import CallWords
from netcode.client.reconnection import News
from netcode.protocol.fields import Message
from netcode.protocol.messages import AddBot, Chat, Lobby, Rename, SetReady, Start, Talk, Welcome
from tests.support.pretend import Network, Participant


class Caller:
    """A player who receives all messages, and records the calls."""

    def __init__(self, participant: Participant) -> None:
        self.participant, self.words, self.read = participant, CallWords(), 0

    def calls(self) -> list[str]:
        """Return the calls since the previous call of this method."""
        news: Iterable[Message] = self.participant.received[self.read :]
        self.read = len(self.participant.received)
        sentences = [self.words.sentence(each, self.participant.session) for each in news]
        return [each for each in sentences if each]


def test_a_host_is_called_for_all_that_happens_until_the_game_begins() -> None:
    network = Network()
    host = Participant(network, "Ada")
    caller = Caller(host)
    assert caller.calls() == []
    berta = Participant(network, "Berta")
    assert caller.calls() == ["Berta joins the table."]
    host.send(AddBot(bot="novice"))
    berta.send(Rename(name="Beate"))
    assert caller.calls() == [], "a bot and another name are no news"
    berta.send(SetReady(ready=True))
    assert caller.calls() == ["Everybody is ready."]
    watcher = Participant(network, "Willem", spectator=True)
    assert caller.calls() == ["Willem joins the table."]
    watcher.send(Chat(text="the hidden card is a Spy"))
    host.send(Chat(text="my own line"))
    assert caller.calls() == ["Willem writes in the chat."], "no line is repeated"
    host.send(Start())
    assert caller.calls() == ["The game begins."]
    berta.drop()
    berta.come_back()
    assert caller.calls() == []


def test_a_countdown_calls_once_for_the_game() -> None:
    network = Network()
    guests = [Participant(network, name) for name in ("Ada", "Berta", "Carla")]
    callers = [Caller(each) for each in guests]
    for guest in guests[1:]:
        guest.send(SetReady(ready=True))
    for caller in callers:
        caller.calls()
    guests[0].send(Start(count_s=3))
    assert [caller.calls() for caller in callers] == [["The game begins."]] * 3
    network.wait(3)
    assert guests[0].phase() == "playing"
    assert [caller.calls() for caller in callers] == [[]] * 3


def test_coming_back_calls_only_for_lines_that_were_missed() -> None:
    network = Network()
    ada, berta = Participant(network, "Ada"), Participant(network, "Berta")
    caller = Caller(berta)
    ada.send(Chat(text="one"))
    assert caller.calls() == ["Ada writes in the chat."]
    berta.drop()
    berta.come_back()
    assert caller.calls() == []
    berta.drop()
    ada.send(Chat(text="two"))
    berta.come_back()
    assert caller.calls() == ["Ada writes in the chat."]


def test_who_comes_for_the_first_time_is_not_called_for_earlier_lines() -> None:
    network = Network()
    ada = Participant(network, "Ada")
    for text in ("one", "two"):
        ada.send(Chat(text=text))
    caller = Caller(Participant(network, "Berta"))
    assert caller.calls() == []
    kinds = [type(each) for each in caller.participant.received]
    assert kinds == [Welcome, Lobby, Talk]
    lobby = caller.participant.lobby()
    news: News = replace(lobby, spectators=("Willem",))
    assert caller.words.sentence(news, caller.participant.session) == "Willem joins the table."
