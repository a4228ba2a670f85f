"""Tests guesses at a table's code: the host's screens warn, and a key makes a new code."""

from netcode.client.session import Session
from netcode.protocol.messages import Guessing, NewCode
from tests.support.tables import SIZES, Hands, SeatedApp, evening_session, gathered, run_cases

NEWS = "Somebody is guessing the table's code"


def lobby_of(*, host: bool) -> Session:
    return gathered("rbg", "b", host=host, secret=bytes(12), code="K7QF2MXR")


def text_of(app: SeatedApp) -> str:
    return " ".join(" ".join(row.split()) for row in app.rows())


def test_the_host_sees_it_in_the_lobby_and_makes_a_new_code_with_one_key() -> None:
    async def steps(app: SeatedApp, hands: Hands, host: bool) -> None:
        await hands.type("f6")
        assert app.sent == [], "nobody guesses"
        assert app.shows("makes a new code here while")
        app.receive(Guessing(wrong=7))
        await hands.pause()
        assert (NEWS in text_of(app)) == host
        assert ("(7 wrong guesses)" in text_of(app)) == host
        await hands.type("f6")
        assert app.sent == ([NewCode()] if host else [])
        app.receive(Guessing(wrong=0))
        await hands.pause()
        assert NEWS not in text_of(app)
        assert app.shows("The table has a new code") == host

    for size in ((60, 20), *SIZES):
        run_cases((True, False), lambda host: lobby_of(host=host), steps, size=size)


def test_the_host_sees_it_in_a_game_too() -> None:
    async def steps(app: SeatedApp, hands: Hands, host: bool) -> None:
        app.receive(Guessing(wrong=12))
        await hands.pause()
        sentence = " ".join(str(each.message) for each in app._notifications)
        assert (NEWS in sentence) == host
        await hands.type("f6")
        assert app.sent == ([NewCode()] if host else [])

    run_cases((False, True), lambda host: evening_session(43, "b", host=host), steps)
