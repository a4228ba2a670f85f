"""All screens and questions of the program as scenes, including the scenes of wings."""

from collections.abc import Mapping
from typing import Final

from driflamme_tui.screens.overlays.code_overlay import NameOverlay
from driflamme_tui.screens.overlays.shared_overlay import shared_overlay
from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.study.lesson_end import LessonEnd
from tests.driflamme_tui.screens.test_board_screen import PLACE as BOARD
from tests.driflamme_tui.screens.test_board_screen import AtBoard
from tests.driflamme_tui.screens.test_lesson_screen import ready
from tests.driflamme_tui.screens.test_puzzle_screen import LORD, SolvingApp, open_puzzle
from tests.driflamme_tui.screens.test_replay_screen import LookingBack
from tests.driflamme_tui.screens.test_start_screen import StartedApp
from tests.driflamme_tui.screens.test_two_at_the_table import (
    gathered_two,
    session_after,
    step_asking,
)
from tests.driflamme_tui.widgets.test_chat_panel import RUDE
from tests.support.scenes import (
    AWAY,
    BOTS,
    LONG_NAMES,
    NOT_READY,
    POSITIONS,
    QUESTIONS,
    TALK,
    THIRTY,
    BackApp,
    Elsewhere,
    Scene,
    Scenes,
    VisitedApp,
    back,
    ended,
    found,
    learner,
    lobby_of_host,
    past,
    receive_all,
    result,
    step,
    table,
    thought,
    visited,
)
from tests.support.tables import (
    EVENING_STEPS,
    chat_message,
    clock,
    evening_session,
    gathered,
    seats,
    session_at_line,
)
from tests.support.wings import brought

BROUGHT: Final = brought("scenes", Scenes)


AT_A_TABLE: Mapping[str, Scene] = {
    **QUESTIONS,
    **{
        name: Scene(lambda line=line: session_at_line(line), keys)  # type: ignore[misc]
        for name, (line, keys) in POSITIONS.items()
    },
    "chosen": step(43, keys="3"),
    "waiting": step(41, "b"),
    "watching": Scene(
        lambda: receive_all(evening_session(43, "-", spectators=("Zoe", "Max")), TALK, clock(9))
    ),
    "over": step(EVENING_STEPS, "b"),
    "long names": step(83, keys="g", seats=LONG_NAMES),
    "refused": step(43, keys="9"),
    "on its way": step(43, keys="3 enter"),
    "looking": step(43, keys="i right right down down"),
    "from right to left": step(43, keys="3", settings={"direction": "left"}),
    "rows from right to left": step(52, keys="f >", settings={"direction": "left"}),
    "ambush": Scene(lambda: session_at_line("2 4 rS2 gm,rS,rh1,bL *r3,b2,g3", "r"), "1 enter"),
    "away": table("", TALK, clock(41), seats=AWAY, step=44),
    "against bots": table(seats=BOTS),
    "stood in": table(seats=seats("rbgyv", how={"b": "bot"})),
    "clock": table("3", TALK, clock(41), code="K7QF2MXR"),
    "last seconds": table("3", clock(4)),
    "paused": table("3", TALK, clock(41, running=False), paused=True),
    "paused by oneself": table("", clock(41, running=False), host=True, paused=True),
    "tried in a pause": table("enter", paused=True),
    "line lost": Scene(
        lambda: receive_all(evening_session(43), TALK), has={"lost": LostConnection(3, 1004)}
    ),
    "tried without a line": Scene(
        lambda: evening_session(43), "enter", {"lost": LostConnection(3, 1000.0)}
    ),
    "talking": table("t w e l l", TALK),
    "rude chat": table("t", chat_message(*(f"y: {text[:60]}" for text in RUDE))),
    "muted": table("t", TALK, muted=("Blaise",)),
    "no room for chat": Scene(lambda: receive_all(session_at_line(THIRTY), TALK)),
    "writing without room": Scene(lambda: receive_all(session_at_line(THIRTY), TALK), "t"),
    "two, table": Scene(lambda: session_after(step_asking(3, "?")), "!"),
    # Overlays
    "help": step(62, keys="?"),
    "help of a card": step(62, keys="? a"),
    "card reference": step(62, keys="k"),
    "events": step(62, keys="e"),
    "options": step(62, keys="o"),
    "commands": step(62, keys=":"),
    "phrases": step(62, keys="."),
    "leaving": step(62, keys="q"),
    "rename": Scene(
        lambda: evening_session(62),
        over=lambda: NameOverlay("Rosalind", done="Use this name ({key})"),
    ),
    "another name": Scene(
        lambda: evening_session(62),
        over=lambda: NameOverlay("Rosalind", "Somebody here is called Rosalind already."),
    ),
    "people": table(
        "w",
        TALK,
        seats=AWAY,
        host=True,
        spectators=("Zoe", "Max"),
        muted=("Vasco", "Max"),
        secret=bytes(12),
    ),
    "giving a seat away": table("w g", seats=AWAY, host=True),
    "ending": table("w e", seats=AWAY, host=True),
    "inviting anew": table("w r", seats=AWAY, host=True, secret=bytes(12)),
    "people of a guest": table("w", seats=AWAY, spectators=("Zoe",)),
    "people with long names": table(
        "w up",
        seats=LONG_NAMES,
        host=True,
        spectators=tuple(f"Wolfram Eschenbach {n}" for n in range(10)),
    ),
    "somebody silent": table(
        "w", step=44, seats=seats("rbgyv", host="b"), host=True, silenced=True
    ),
    # The lobby
    "lobby": lobby_of_host(),
    "lobby, option chosen": lobby_of_host("down down"),
    "lobby, not ready": lobby_of_host(missing=NOT_READY, seats=seats("rbg", bots="g", host="b")),
    "lobby, not encrypted": lobby_of_host(
        "",
        TALK,
        secure=False,
        settings={"clock_s": 60},
        spectators=("Zoe",),
        muted=("Rosalind",),
    ),
    "lobby of a guest": Scene(
        lambda: gathered(
            "rbgyv",
            "b",
            seats=LONG_NAMES,
            invitation="driflamme join [2001:db8:1234:5678:9abc:def0:1234:5678]:65535",
            spectators=("Zoe", "Max"),
            settings={"edition": 1, "first": "r", "direction": "left", "pace_ms": 1500},
        )
    ),
    "lobby, line lost": lobby_of_host(lost=LostConnection(2, 1007.0)),
    "lobby, long invitation": lobby_of_host(
        "", TALK, invitation="driflamme://" + "x" * 188, code="N" * 8
    ),
    "lobby, copied": lobby_of_host("c"),
    "lobby after the end": lobby_of_host(ended_by="Rosalind"),
    "two, lobby": Scene(gathered_two, has={"secure": True, "latency_ms": 38}),
    "invitation": lobby_of_host("i"),
    "invitation copied": lobby_of_host("i c"),
    "invitation too long": lobby_of_host("i", invitation="driflamme://" + "x" * 188),
    "invitation as a command": lobby_of_host(
        "i", invitation="driflamme join 10.0.0.1", code=None, secure=False
    ),
    # The result
    "result": result(TALK),
    "result against bots": Scene(
        lambda: evening_session(EVENING_STEPS, "b", host=True, seats=BOTS),
        has={"saw_result": True},
    ),
    "chart": result(keys="c"),
    "shared victory": Scene(
        lambda: session_at_line("1 6 - rH,bL/bs,gS/gm3/gA,ba2 *r3,b9,g9", "g"),
        has={"saw_result": True},
    ),
    "two, result": Scene(lambda: session_after(-1), has={"saw_result": True}),
    "shared": Scene(
        ended, has={"saw_result": True}, over=lambda: shared_overlay(["driflamme replay 1"])
    ),
    "end of the lesson": Scene(ended, has={"saw_result": True}, over=LessonEnd),
    **{name: scene for each in BROUGHT for name, scene in each.at_a_table.items()},
}

ELSEWHERE: Mapping[str, Elsewhere] = {
    "start": Elsewhere(StartedApp, arrive=found),
    "start, back": Elsewhere(BackApp, arrive=back),
    "start, visited": Elsewhere(VisitedApp, arrive=visited),
    "code": Elsewhere(StartedApp, "right down down enter x y enter", found),
    "history": Elsewhere(past, "f4 down down"),
    "history, one kind": Elsewhere(past, "f4 f f"),
    "history, delete": Elsewhere(past, "f4 down d"),
    "statistics": Elsewhere(past, "s"),
    "statistics, end": Elsewhere(past, "s end"),
    "lesson": Elsewhere(lambda: learner(23, "Ambush!"), arrive=ready),
    "lesson, task": Elsewhere(lambda: learner(25), "d enter ^", ready),
    "lesson, declined": Elsewhere(lambda: learner(6), "s enter", ready),
    "puzzle": Elsewhere(lambda: SolvingApp(LORD), "!", open_puzzle),
    "puzzle, answered": Elsewhere(lambda: SolvingApp(4), "a < enter", open_puzzle),
    "board": Elsewhere(lambda: AtBoard(BOARD), arrive=thought),
    "replay": Elsewhere(lambda: LookingBack(step=45)),
    "replay, chart": Elsewhere(lambda: LookingBack(step=45), "c"),
    "replay, position": Elsewhere(lambda: LookingBack(step=45), "p"),
    "replay, find": Elsewhere(lambda: LookingBack(step=45), "slash"),
    **{name: scene for each in BROUGHT for name, scene in each.elsewhere.items()},
}
"""The scenes without a table, by name."""
