"""Tests the invitation: the link, the spoken code, and a QR code that cameras can read."""

from typing import Any

import pytest
import segno
from rich.console import Console

from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.qr_code import (
    LOWER,
    NARROW_QUIET,
    QUIET,
    UPPER,
    QrCode,
    fitting_code,
    qr_code,
)
from driflamme_tui.wording.program.joining_words import (
    SPOKEN_LETTERS,
    spoken_form,
    written_code,
)
from tests.support.by_hand import click
from tests.support.tables import SIZES, Hands, SeatedApp, gathered, in_app, run_cases, seats

LINK = "driflamme://192.168.1.20:40123/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w"
COMMAND = "driflamme join 192.168.1.20"
CODE = "K7QF2MXR"


def lobby_app(
    glyphs: Glyphs = UNICODE, *, secure: bool | None = None, **fields: object
) -> SeatedApp:
    given = {"invitation": LINK, "code": CODE, "seats": seats("rbg", bots="g", host="b"), **fields}
    app = SeatedApp(gathered("rbg", "b", host=True, **given), glyphs)
    app.player_seat.secure = secure
    return app


def cells(code: QrCode) -> list[list[bool]]:
    """Return the visible modules of a QR code."""
    rows: list[list[bool]] = []
    for strip in Console(width=code.width).render_lines(code.text()):
        upper: list[bool] = []
        lower: list[bool] = []
        for segment in strip:
            assert segment.style is not None
            assert segment.style.color is not None
            assert segment.style.bgcolor is not None
            ink = segment.style.color.name == "#000000"
            ground = segment.style.bgcolor.name == "#000000"
            assert ink
            for sign in segment.text:
                upper.append({UPPER: ink, LOWER: ground, " ": ground}[sign])
                lower.append({UPPER: ground, LOWER: ink, " ": ground}[sign])
        rows += [upper, lower]
    return rows


@pytest.mark.parametrize("text", [LINK, "driflamme://10.0.0.1/x", LINK * 2, "x" * 200])
@pytest.mark.parametrize("quiet", [QUIET, NARROW_QUIET])
def test_what_is_drawn_is_the_code(text: str, quiet: int) -> None:
    code = qr_code(text, quiet)
    drawn = cells(code)
    expected = segno.make(text, error="l", micro=False)
    side = len(expected.matrix)
    inside = [row[quiet : quiet + side] for row in drawn[quiet : quiet + side]]
    assert inside == [[bool(module) for module in row] for row in expected.matrix]
    around = [
        module
        for y, row in enumerate(drawn)
        for x, module in enumerate(row)
        if not (quiet <= x < quiet + side and quiet <= y < quiet + side)
    ]
    assert not any(around), "everything around it is light"
    assert len(around) >= 4 * quiet * (side + quiet)


def test_a_link_fits_the_smallest_screen_with_text_beside_it() -> None:
    code = fitting_code(LINK, 45, 24)
    assert code is not None
    assert len(LINK) >= 70
    assert (code.width, code.height) == (41, 21)
    assert fitting_code(LINK, 41, 21) == code
    for width, height in ((40, 21), (41, 20)):
        narrower = fitting_code(LINK, width, height)
        assert narrower is None or narrower == qr_code(LINK, NARROW_QUIET)
    longer = fitting_code(
        "driflamme://[2001:db8:1234:5678:9abc:def0:1234:5678]:65535/" + 48 * "x", 45, 24
    )
    assert longer is not None, "the longest address there is"
    assert fitting_code("x" * 200, 45, 24) is None
    assert fitting_code("x" * 200, 60, 30) is not None


def test_a_code_is_written_in_two_parts_and_said_in_words() -> None:
    assert written_code(CODE) == "K7Q-F2MXR"
    assert spoken_form(CODE) == "Kilo 7 Quebec, Foxtrot 2 Mike X-ray Romeo"


def test_every_sign_of_a_code_can_be_said() -> None:
    letters = set("ABCDEFGHJKMNPQRSTVWXYZ")
    assert set(SPOKEN_LETTERS) == letters
    assert all(word[0] == letter for letter, word in SPOKEN_LETTERS.items())


@in_app(lobby_app)
async def test_the_lobby_shows_link_code_and_how_to_say_it(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("K 7 Q - F 2 M X R c copy i invitation")
    assert app.shows("Kilo 7 Quebec, Foxtrot 2 Mike X-ray Romeo")
    await hands.type("i")
    assert app.rows()[0].rstrip() == LINK, "whole, in a row of its own"


@in_app(lambda: lobby_app(secure=None), SIZES[1])
async def test_whether_the_line_is_encrypted_is_said_plainly(app: SeatedApp, hands: Hands) -> None:
    assert not app.shows("ncrypted")
    for secure, word, says, says_not in (
        (True, " encrypted", "Encrypted: nobody between the players can read", "NOT"),
        (
            False,
            "NOT encrypted",
            "NOT encrypted: whoever is between you and the host can read",
            "Encrypted:",
        ),
    ):
        app.player_seat.secure = secure
        app.base.session_changed()
        for keys in ("", "i"):
            await hands.type(keys)
            await hands.pause()
            assert app.shows(says if keys else word)
            assert not app.shows(says_not)
        await hands.type("escape")


@in_app(lobby_app)
async def test_it_is_copied_and_that_this_may_fail_is_said(app: SeatedApp, hands: Hands) -> None:
    for way in ("c", "click", "i c", "click there"):
        app._clipboard = ""
        if way == "click":
            await click(app, hands, "key c")
        elif way == "click there":
            await hands.click_on("copy the")
        else:
            await hands.type(way)
        assert app.clipboard == LINK, way
        assert app.shows("Invitation link copied. If pasting")


@in_app(lobby_app, SIZES[1])
async def test_the_overlay_shows_the_code_and_closes(app: SeatedApp, hands: Hands) -> None:
    for close in (hands.type("escape"), hands.click_on("close")):
        await click(app, hands, "key i")
        rows = app.rows()
        assert sum(UPPER in row or LOWER in row for row in rows) > 14
        for text in ("INVITATION", "K7Q-F2MXR", "Kilo 7 Quebec", "copy the link"):
            assert app.shows(text), text
        assert rows[0].rstrip() == LINK, "a mouse selects it and nothing else"
        await close
        assert isinstance(app.screen, LobbyScreen)
    assert app.sent == []


INVITATIONS: tuple[tuple[dict[str, Any], str], ...] = (
    (
        {"invitation": "driflamme://" + "x" * 188},
        "The QR code of this link needs 96 columns by 31 lines: make the terminal larger.",
    ),
    (
        {"invitation": COMMAND, "code": None},
        f"Others join by typing this in their terminal: {COMMAND}",
    ),
    ({"invitation": ""}, "K7Q-F2MXR"),
    ({"invitation": "", "code": None}, ""),
)
"""Fields of lobbies with an invitation, each with the text after the key `i`."""


def test_what_is_no_short_link_has_no_qr_code_and_is_copied_if_it_is_a_line() -> None:
    async def steps(app: SeatedApp, hands: Hands, case: tuple[dict[str, Any], str]) -> None:
        fields, sentence = case
        app._clipboard = ""
        await hands.type("i")
        assert app.shows(sentence)
        assert UPPER not in "".join(app.rows())
        await hands.type("c")
        assert app.clipboard == fields["invitation"]
        copied = "Join command" if fields["invitation"] == COMMAND else "Invitation link"
        assert app.shows(f"{copied} copied. If pasting") == bool(app.clipboard)

    run_cases(INVITATIONS, lambda case: lobby_app(**case[0]).session, steps)


@in_app(lambda: lobby_app(ASCII))
async def test_a_terminal_without_blocks_is_told_why_there_is_none(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("i")
    assert app.shows("A QR code needs a terminal that shows block characters.")
    assert "".join("".join(app.rows()).split()).isascii()
    assert app.shows(LINK)
