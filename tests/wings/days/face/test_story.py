"""Tests the story for a player who comes back to a running game."""

import pytest
from msgspec.structs import replace

from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.wings.days.story_overlay import StoryOverlay
from engine.events import RoundBegan
from netcode.protocol.messages import State
from tests.support.tables import (
    Hands,
    SeatedApp,
    chat_message,
    evening_session,
    in_app,
    lobby,
    run_app,
    seats,
    state,
)

STEP = 16
VIEWER = "b"


def returning(step: int = STEP, answered: int | None = 6, talk: int = 0) -> SeatedApp:
    """Return an app at a table whose player has last answered after `answered` events."""
    session = evening_session(step, VIEWER)
    if talk:
        session.receive(chat_message("r: old news", *["g: are you there?"] * talk))
    app = SeatedApp(session)
    app.animation_level = "full"
    app.player_seat.answered = answered
    app.player_seat.missed_from = 1 if talk else None
    return app


def has_story(app: SeatedApp) -> bool:
    return isinstance(app.screen, StoryOverlay)


@in_app(returning, (80, 24))
async def test_a_player_who_comes_back_reads_what_happened(app: SeatedApp, hands: Hands) -> None:
    await hands.pause()
    assert has_story(app)
    text = "\n".join(app.rows())
    for part in ("Since your last answer", "BEFORE YOUR ANSWER", "WHAT HAPPENED"):
        assert part in text
    sentences = [line for _seat, line in app.table.state().log[6:] if line]
    assert sentences
    assert all(line in " ".join(text.split()) for line in sentences[:3])
    await hands.press("end")
    text = "\n".join(app.rows())
    assert "NOW" in text
    assert "Blaise 4 (+3)" in text
    await hands.press("escape")
    assert not has_story(app)
    # The story is shown once: the table shows later events.
    app.place.show()
    await hands.pause()
    assert not has_story(app)


@in_app(returning, (80, 24))
async def test_the_story_can_be_gone_through_at_the_table(app: SeatedApp, hands: Hands) -> None:
    await hands.pause()
    await hands.press(TableCommands.since.keys)
    assert not has_story(app)
    first = app.table.state()
    assert first.again
    assert first.frame is not None
    assert first.frame.event_count == 7
    await hands.press(TableCommands.since.keys)
    second = app.table.state()
    assert second.frame is not None
    assert second.frame.event_count == 8


@in_app(returning, (80, 24))
async def test_each_step_of_the_story_waits_for_its_key_and_shows_its_own_gains(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.press(TableCommands.since.keys)
    pictures = app.table.animation.reel._frames
    for count in sorted({each.event_count for each in pictures}):
        frame = app.table.state().frame
        assert frame is not None
        assert frame.event_count == count, "no event is skipped"
        for _ in range(3):
            app.now += 60
            app.table.motion.advance()
        state = app.table.state()
        assert state.frame is not None
        assert state.frame.event_count == count, "it does not play by itself"
        before = app.table.animation.since
        assert before is not None
        gains = [now - then for now, then in zip(state.view.pools, before[0].pools, strict=True)]
        assert state.change == gains
        await hands.press(TableCommands.since.keys)
    assert app.table.state().frame is None


def test_chat_that_the_story_has_shown_is_no_longer_new() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.pause()
        assert has_story(app)
        await hands.press("escape")
        assert not app.shows("chat (2 new)")

    run_app(returning(talk=2), steps, (80, 24))


@pytest.mark.parametrize("answered", [None, 9999])
def test_without_an_earlier_answer_there_is_no_story(answered: int | None) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.pause()
        assert not has_story(app)

    run_app(returning(answered=answered), steps)


def test_a_player_who_missed_no_decision_reads_no_story() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.pause()
        assert not has_story(app)

    events = len(evening_session(STEP, VIEWER).events)
    run_app(returning(answered=events), steps)


def test_missed_chat_has_story_with_the_story_and_marked_in_the_chat() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.pause()
        assert has_story(app)
        await hands.press("end")
        assert app.shows("CHAT WHILE YOU WERE AWAY")
        assert app.shows("are you there?")
        assert not app.shows("old news")
        await hands.press("escape")
        assert app.shows("while you were away")
        assert app.shows("old news")

    run_app(returning(talk=2), steps, (120, 40))


def test_missed_chat_counts_as_new_where_no_story_shows_it() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert not has_story(app)
        assert app.shows("chat (2 new)")

    run_app(returning(talk=2, answered=None), steps, (80, 24))


def test_a_new_game_has_no_story_of_the_old_one() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("escape")
        view = app.session.view
        assert view is not None
        first: State = state(view, 99, [RoundBegan(1, 0)])
        app.session.receive(replace(first, first_event=0))
        app.place.show()
        await hands.pause()
        assert not has_story(app)

    run_app(returning(), steps)


def test_the_story_of_a_paused_game_names_the_host_that_has_paused_it() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("escape")
        app.session.receive(lobby("rbgyv", VIEWER, paused=True, seats=seats("rbgyv", host="g")))
        app.place.show()
        table = app.table
        before = table.animation.since
        assert before is not None
        app.push_screen(StoryOverlay(table, *before))
        await hands.press("end")
        assert app.shows("Gaspard has paused the game: nothing can be answered.")
        assert not app.shows("It is your turn")

    run_app(returning(), steps)


def test_later_rows_of_an_event_are_indented() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("end")
        rows = [row.strip("│ \n") for row in app.rows()]
        number = next(n for n, row in enumerate(rows) if "Your Soldier eliminates" in row)
        assert rows[number].startswith("●b Your Soldier eliminates")
        assert app.rows()[number + 1].startswith("│    ")
        assert rows[number + 2] == "" or rows[number + 2].startswith("NOW")

    run_app(returning(), steps, (60, 20))
