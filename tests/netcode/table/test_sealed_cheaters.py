"""Whoever cheats at a table of sealed games is caught by the host too, and all others are told."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine.position import LEAVE_OR_REVEAL
from netcode.protocol.messages import EndGame
from netcode.sealed.encoding import EndBody, EntryBody, SealBody, SealedError, pack, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel, signed
from netcode.sealed.proofs import make_proof
from netcode.sealed.sealed_person import PersonSecrets
from tests.netcode.table.sealed_clients import BEGAN, Client, SealedEvening

ORDER_S = 2**252 + 27742317777372353535851937790883648493
"""The order of the group in which signatures are numbers."""


def own(client: Client) -> PersonSecrets:
    secrets = client.person._secrets
    assert secrets is not None
    return secrets


def due_client(evening: SealedEvening) -> Client:
    """Return whoever has to answer or to open."""
    log = evening.clients[0].log
    assert log.due is not None
    return evening.clients[log.sealing.owners[log.due.seat]]


def stopped_at(evening: SealedEvening, is_so: Callable[[SealedLog], bool]) -> Client:
    """Play until it is so that somebody is due who has said nothing yet; return them."""
    for client in evening.clients:
        client.stops = is_so
    evening.begin()
    evening.run()
    cheater = due_client(evening)
    for client in evening.clients:
        client.stops = always if client is cheater else never
        client.heard.clear()
    return cheater


def always(_: SealedLog) -> bool:
    return True


def never(_: SealedLog) -> bool:
    return False


def asked(log: SealedLog) -> bool:
    return log.height >= 12 and log.due is not None and log.due.opening is None


def asked_to_reveal(log: SealedLog) -> bool:
    return asked(log) and log.game.asked == LEAVE_OR_REVEAL


def struck(log: SealedLog) -> bool:
    return log.due is not None and log.due.struck


def place_of(client: Client, name: str) -> int:
    """Return in which place somebody came in the only game, as all are told."""
    return next(each.places for each in client.lobby.evening.standings if each.name == name)


def act(client: Client, token: str) -> Parcel:
    log = client.log
    return own(client).act(log.height + 1, log.tip, log.game.turn, token)


def opened(client: Client, what: str, leaf: int, **lie: object) -> Parcel:
    """Return the opening of a leaf, maybe of another one, or as another card."""
    log, secrets = client.log, own(client)
    seat = log.game.turn
    _, card, salt = secrets.opening(seat, leaf)
    content = (lie.get("leaf", leaf), lie.get("card", card), lie.get("salt", salt))
    said = EntryBody(log.sealing.gid, log.height + 1, log.tip, seat, what, content)
    return signed(secrets.key, said)


def asked_about(client: Client) -> int:
    game = client.log.game
    return int(game.queue[game.at][1])


def leaf_aside(client: Client) -> str:
    return f"{client.log.dealing.aside(client.log.game.turn)[0]}>"


def other_card(client: Client) -> str:
    card = own(client).opening(client.log.game.turn, asked_about(client))[1]
    return "S" if card != "S" else "P"


def spare(client: Client) -> int:
    due = client.log.due
    assert due is not None
    assert due.opening is not None
    return (due.opening[1] + 1) % 10


SPENT: dict[str, tuple[Callable[[SealedLog], bool], Callable[[Client], Parcel], str]] = {
    "plays what was set aside": (asked, lambda c: act(c, leaf_aside(c)), "illegal"),
    "reveals another card": (
        asked_to_reveal,
        lambda c: opened(c, "reveal", asked_about(c), card=other_card(c)),
        "false_opening",
    ),
    "reveals with another salt": (
        asked_to_reveal,
        lambda c: opened(c, "reveal", asked_about(c), salt=bytes(32)),
        "false_opening",
    ),
    "reveals by an act": (asked_to_reveal, lambda c: act(c, "!"), "illegal"),
    "opens a spare card": (struck, lambda c: opened(c, "open", spare(c)), "wrong_leaf"),
    "opens what is not due": (asked, lambda c: opened(c, "open", 0), "no_opening_due"),
    "acts while a card is struck": (struck, lambda c: act(c, "+"), "opening_due"),
}


@pytest.mark.parametrize("cheat", SPENT)
def test_a_refused_answer_spends_the_step_and_the_game_goes_on(cheat: str) -> None:
    until, make, code = SPENT[cheat]
    evening = SealedEvening(1)
    cheater = stopped_at(evening, until)
    said = make(cheater)
    height = cheater.log.height
    cheater.send([said])
    evening.run()
    assert cheater.refusals == [code]
    me = own(cheater).person
    for client in evening.clients:
        assert (code, me) in [(each.code, each.about) for each in client.news]
        assert client.log.height == height
        assert (me in client.log.cheated) == (code == "false_opening")
    # It is told once, and stands in the journal, with what it proves.
    kept = evening.parcels
    assert kept.count(said) == 1
    cheater.send([said, said])
    evening.run()
    assert len(evening.parcels) == len(kept)
    evening.restart()
    evening.run()
    cheater.go()
    for _ in range(200):
        evening.wait(30)
    assert evening.table.phase == "result"
    assert place_of(evening.clients[me - 1], cheater.name) == 3


REFUSED: dict[str, tuple[Callable[[Client], Parcel], str]] = {
    "signs for another": (
        lambda c: signed(bytes([7]) * 32, unpack(act(c, "0>").body)),
        "bad_signature",
    ),
    "signs a second way": (lambda c: malleable(act(c, str(c.log.game.legal[0]))), "bad_signature"),
    "opens a card of no name": (lambda c: opened(c, "reveal", 0, card=""), "malformed"),
    "opens two cards at once": (lambda c: opened(c, "reveal", 0, card="SP"), "malformed"),
    "brings another game": (
        lambda c: signed(own(c).key, replaced(act(c, "0>"), gid=bytes(32))),
        "other_game",
    ),
    "makes a default of nothing": (lambda c: c.log.default(), "too_few_votes"),
    "sends a proof": (
        lambda c: make_proof("two_contents", act(c, "0>"), act(c, "1>")),
        "malformed",
    ),
    "votes on their own step": (
        lambda c: own(c).missing(c.log.height + 1, c.log.tip),
        "own_step",
    ),
    "votes about what is far away": (
        lambda c: own(c).missing(c.log.height + 9, bytes(32)),
        "vote_out_of_range",
    ),
}


def malleable(parcel: Parcel) -> Parcel:
    number = int.from_bytes(parcel.signature[32:], "little") + ORDER_S
    return Parcel(parcel.body, parcel.signature[:32] + number.to_bytes(32, "little"))


def replaced(parcel: Parcel, **changes: object) -> EntryBody:
    said = unpack(parcel.body)
    assert isinstance(said, EntryBody)
    fields = {name: getattr(said, name) for name in said.__struct_fields__}
    return EntryBody(**{**fields, **changes})


@pytest.mark.parametrize("cheat", REFUSED)
def test_what_is_no_step_at_all_changes_nothing_and_is_passed_on_to_nobody(cheat: str) -> None:
    make, code = REFUSED[cheat]
    evening = SealedEvening(2)
    cheater = stopped_at(evening, asked)
    before = len(evening.kept)
    cheater.send([make(cheater)])
    evening.run()
    assert cheater.refusals == [code]
    assert len(evening.kept) == before
    assert not any(client.news for client in evening.clients)
    cheater.stops = never
    cheater.advance()
    evening.run()
    assert evening.table.phase == "result"


def test_two_answers_for_one_step_freeze_the_game_and_name_who_gave_them() -> None:
    evening = SealedEvening(3)
    cheater = stopped_at(evening, asked)
    one, other = (act(cheater, str(token)) for token in cheater.log.game.legal[:2])
    cheater.send([one])
    cheater.send([other])
    evening.run()
    me = own(cheater).person
    assert cheater.refusals[0] == "two_contents"
    for client in evening.clients:
        assert client.log.frozen == "two_contents"
        assert ("two_contents", me) in [(each.code, each.about) for each in client.news]
    evening.restart()
    evening.run()
    game = evening.table._games.sealed_game
    assert game is not None
    assert game._log is not None
    assert game._log.frozen == "two_contents"
    evening.clients[0].say(EndGame())
    evening.run()
    assert evening.clients[1].lobby.phase == "lobby"


def test_two_votes_about_one_step_freeze_the_game_too() -> None:
    evening = SealedEvening(3, "abcd")
    due = stopped_at(evening, asked)
    cheater = next(each for each in evening.clients if each is not due)
    for client in evening.clients:
        client.stops = always
    n, prev = cheater.log.height + 1, cheater.log.tip
    said = act(due, str(due.log.game.legal[0]))
    cheater.send([own(cheater).missing(n, prev)])
    due.send([said])
    evening.run()
    cheater.send([own(cheater).seen(n, prev, due.log.tip_of(n) if due.log.height >= n else prev)])
    evening.run()
    assert {client.log.frozen for client in evening.clients} == {"two_votes"}
    assert {own(cheater).person} == evening.clients[0].log.cheated


def has_sealed(client: Client) -> bool:
    return client.person.state == "dealing"


def second_seal(client: Client) -> list[Parcel]:
    seal = unpack(own(client).seal().body)
    assert isinstance(seal, SealBody)
    other = SealBody(seal.gid, seal.person, seal.leaves, bytes(32))
    return [signed(own(client).key, other)]


def second_deal(client: Client) -> list[Parcel]:
    assert client.person.dealing is not None
    return [replace(own(client), nonce=bytes(32)).deal(client.person.dealing.seals_digest)]


def test_who_signs_two_seals_or_two_nonces_stops_the_deal() -> None:
    for cheat, codes in (
        (second_seal, {"two_seals"}),
        (second_deal, {"wrong_nonce", "two_deals"}),
    ):
        evening = SealedEvening(4)
        evening.begin()
        cheater = evening.clients[-1]
        is_sealed = partial(has_sealed, cheater)
        evening.run(is_sealed)
        evening.said.clear()
        cheater.send(cheat(cheater))
        evening.run()
        me = own(cheater).person
        for client in evening.clients:
            told = {each.code for each in client.news if each.about == me}
            assert told & codes
            assert client.person.state == "frozen"
        evening.restart()
        assert evening.clients[0].lobby.dealing is not None
        evening.clients[0].say(EndGame())
        evening.run()
        evening.play()
        assert evening.table.phase == "result"


class Doubler(Client):
    """The first of these has a card twice: shows all at the end, but goes rather than before."""

    def advance(self, *arguments: Any) -> None:
        try:
            super().advance(*arguments)
        except SealedError:
            if self.log.due is None:
                self.send([own(self).end(self.log.height, self.log.tip, BEGAN)])
                self.stops = always
            else:
                self.go()


@pytest.mark.parametrize(("distinct", "verdict"), [(9, "cheated"), (3, "unproven")])
def test_a_family_with_a_card_twice_is_last(
    distinct: int, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = PersonSecrets.drawn

    def doubled(*arguments: Any) -> PersonSecrets:
        secrets = drawn(*arguments)
        order = (secrets.orders[0][:distinct] * 10)[:10]
        return secrets if secrets.person else replace(secrets, orders=(order,))

    monkeypatch.setattr(PersonSecrets, "drawn", doubled)
    evening = SealedEvening(2, client=Doubler)
    evening.play()
    for _ in range(200):
        evening.wait(30)
    assert evening.table.phase == "result"
    honest = evening.clients[1]
    assert [honest.log.verdict(seat) for seat in range(3)] == [verdict, "proven", "proven"]
    told = {each.code for each in honest.news if each.about == 0}
    kept = [unpack(each.body) for each in evening.parcels]
    assert ("card_twice" in told) == (verdict == "cheated")
    # What is opened at the end shows it by itself.
    ends = [said.person for said in kept if isinstance(said, EndBody)]
    assert (0 in ends) == (verdict == "cheated")
    assert place_of(honest, "a") == 3


def test_who_floods_is_not_listened_to_for_long() -> None:
    evening = SealedEvening(5)
    cheater = stopped_at(evening, asked)
    before = len(evening.kept)
    far = [
        signed(own(cheater).key, replaced(act(cheater, "0>"), n=cheater.log.height + 2 + ahead))
        for ahead in range(40)
    ]
    for parcel in far:
        cheater.send([parcel])
    evening.run()
    assert len(evening.kept) == before
    assert cheater.refusals.count("gap") == 0
    game = evening.table._games.sealed_game
    assert game is not None
    assert game._log is not None
    assert len(game._log._ahead) <= 16
    junk = [Parcel(pack(replaced(act(cheater, "0>"))), bytes(64))] * 20
    for parcel in junk:
        cheater.send([parcel])
    evening.run()
    assert cheater.connection is None
