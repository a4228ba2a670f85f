"""Tests wings of netcode that raise unexpected errors: all other parts continue."""

import sys
from typing import Any, cast

import pytest

from engine.record import Record, RecordError
from netcode import seams
from netcode.isolation import IsolatedParts, attempt, explained_error
from netcode.protocol.codec import UNKNOWN_MESSAGE, decode_host, encode
from netcode.protocol.fields import BeforeTable, Message, Messages, PartMessage, TableNotice
from netcode.protocol.messages import AddBot, Lobby, Refused, SetReady, Start, Welcome
from netcode.protocol.table_settings import (
    TableSettings,
    WingSetting,
    WingSettings,
    is_valid_value,
    keeps_lobby,
    misfit,
)
from netcode.server.routes import RouteMaker
from netcode.table.errors import NotAllowedError
from netcode.table.finished_game import ProvenRecords, proven_records
from netcode.table.kinds import KindOfWing
from netcode.table.play import Kind
from tests.netcode.table import test_failing_parts
from tests.support.clumsy import NAME, ClumsyError, clumsy, fails, installed, sentences, tried
from tests.support.pretend import Network, Participant, hello, play_on, seated
from tests.support.servers import SECRET, listens, new_table, raw, server_of


def wrong(*given: object, **named: object) -> Any:
    fails()


async def wrong_later(*given: object) -> None:
    fails()


for _each in (wrong, wrong_later):
    _each.__module__ = f"netcode.wings.{NAME}"


class Ask(BeforeTable, frozen=True):
    """A request to the clumsy wing."""


class Toss(PartMessage, frozen=True):
    """A message to the clumsy wing at a table."""


MESSAGES = Messages(from_client=(Ask, Toss), from_host=())


@pytest.mark.parametrize("is_made", [True, False])
async def test_a_route_that_fails_is_refused_and_its_sender_can_still_join(
    is_made: bool, caplog: pytest.LogCaptureFixture
) -> None:
    routes = RouteMaker((lambda *_given: {Ask: wrong_later}) if is_made else wrong)
    with installed("netcode", messages=MESSAGES, routes=routes):
        async with server_of(new_table()) as server:
            await listens(server)
            async with raw(server) as socket:
                await socket.send(encode(Ask()))
                answer = decode_host(cast(bytes, await socket.recv()))
                assert isinstance(answer, Refused)
                assert answer.code == (UNKNOWN_MESSAGE if is_made else "say_hello")
                await socket.send(encode(hello("Ada", secret=SECRET)))
                assert isinstance(decode_host(cast(bytes, await socket.recv())), Welcome)
    assert len(sentences(caplog)) == 1


def play_a_game() -> None:
    """Play an ordinary game to its end, with messages to the clumsy wing."""
    network = Network()
    guests = seated(network, "abc")
    guests[0].send(Toss())
    network.table.set_notice(TableNotice())
    for guest in guests[1:]:
        guest.send(SetReady(ready=True))
    guests[0].send(Start())
    guests[1].send(Toss())
    play_on(guests)
    assert guests[2].phase() == "result"


@pytest.mark.parametrize("name", ["make", "handle", "complete", "notices_changed"])
def test_a_kind_of_game_that_fails_disturbs_no_game_of_another_kind(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    made: Any = None if name == "make" else clumsy(_Idle, name)
    make = wrong if made is None else lambda around: made()
    kind = KindOfWing("sealed", make, lambda kept: None)
    with installed("netcode", messages=MESSAGES, kind=kind):
        play_a_game()
    assert made is None or made.called
    assert len({*sentences(caplog)}) == 1
    if name != "handle":
        assert len(sentences(caplog)) == 1, "it is not called again"


class _Idle(Kind):
    """A kind of game that is never played."""

    def handle(self, connection: int, participant: Any, message: Message, now: float) -> bool:
        return isinstance(message, Toss)

    def complete(self, lobby: Lobby) -> Lobby:
        return lobby

    def notices_changed(self) -> None:
        pass


def test_a_table_whose_kind_of_game_cannot_be_made_says_what_is_missing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with installed("netcode", kind=KindOfWing("sealed", wrong, lambda kept: None)):
        network = Network(settings=TableSettings(sealed=True))
        ada = Participant(network, "a")
        for _ in range(2):
            ada.send(AddBot(bot="sharp"))
        missing = ada.lobby().missing
    assert missing is not None
    assert missing.code == "part_missing"
    assert len(sentences(caplog)) == 1


def test_a_setting_whose_check_fails_allows_no_value(caplog: pytest.LogCaptureFixture) -> None:
    setting = WingSetting("clumsy.most", 0, wrong)
    with installed("netcode", settings=WingSettings((setting,))):
        assert not is_valid_value("clumsy.most", 3)
        assert misfit(TableSettings(added={"clumsy.most": 3})) == (
            "bad_field",
            {"field": "clumsy.most"},
        )
        with pytest.raises(NotAllowedError, match="bad_field"):
            Network(settings=TableSettings(added={"clumsy.most": 3}))
    assert len(sentences(caplog)) == 3


def test_a_wing_that_fails_to_judge_settings_keeps_no_lobby(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with installed("netcode", settings=WingSettings((), keeps_lobby=wrong)):
        assert not keeps_lobby(TableSettings(added={"clumsy.most": 3}))
    assert len(sentences(caplog)) == 1


@pytest.mark.parametrize("name", ProvenRecords._fields)
def test_a_proven_record_at_which_its_wing_fails_is_refused(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    record = cast(Record, object())
    given = (record, record) if name == "merge" else (record,)
    with installed("netcode", records=ProvenRecords(wrong, wrong, wrong, wrong)):
        call = getattr(proven_records(), name)
        with pytest.raises(RecordError):
            call(*given)
    assert len(sentences(caplog)) == 1


DATA = {"messages"}
"""The seams where wings add only data, so that the core calls no function of theirs."""


def test_every_seam_of_the_network_is_tried() -> None:
    of_network = {*seams.seam_types()} - DATA
    assert of_network <= tried("netcode", sys.modules[__name__], test_failing_parts)


def test_an_error_that_a_seam_documents_passes() -> None:
    with pytest.raises(ClumsyError):
        attempt(NAME, wrong, None, ClumsyError)
    parts = IsolatedParts[str]()
    parts.add(lambda: "a part")
    with pytest.raises(ClumsyError):
        parts.each(wrong, ClumsyError)
    assert [*parts] == ["a part"]


def test_a_sentence_about_an_error_names_the_wing_and_no_value(
    caplog: pytest.LogCaptureFixture,
) -> None:
    try:
        fails()
    except ClumsyError as error:
        said = explained_error(error, NAME)
    assert str(said).startswith("The optional part clumsy has failed (ClumsyError at ")
    assert explained_error(said, "another") is said
    assert len(sentences(caplog)) == 1
