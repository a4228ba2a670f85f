"""Tests the questions to a host before a router opens a port."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from driflamme_tui.wings.router.sections import SEAM, RouterCommands, RouterSection
from netcode.wings.router.routers import OutsideError
from tests.wings.router.test_router_words import FORWARDED, PretendedRouter


class RecordingRouter(PretendedRouter):
    """A router that records which ports it must open."""

    def __init__(self, *, has_agreed: bool = False, **opened: Any) -> None:
        super().__init__(**opened)
        self.has_agreed = has_agreed
        self.begun: list[str] = []
        self.on_change: Callable[[], object] | None = None

    def begin(self, what: str) -> None:
        self.begun.append(what)


class Face:
    """A replacement for the face of a host, which records the questions."""

    def __init__(self, router: RecordingRouter | None) -> None:
        parts = {} if router is None else {"router": router}
        self.player_seat = SimpleNamespace(table=SimpleNamespace(parts=parts))
        self.questions: list[tuple[str, Callable[[], None]]] = []

    def key_for(self, _command: object, _line: str) -> str:
        return "[x]"

    def ask_first(self, sentence: str, then: Callable[[], None], *, no: str, yes: str) -> None:
        self.questions.append((sentence, then))


def section(router: RecordingRouter | None) -> tuple[RouterSection, Face]:
    face = Face(router)
    return RouterSection(cast(Any, face)), face


def test_the_host_is_asked_before_the_first_port_is_opened() -> None:
    router = RecordingRouter()
    part, face = section(router)
    assert part.can(RouterCommands.outside)
    part.do(RouterCommands.outside)
    assert router.begun == []
    [(sentence, then)] = face.questions
    assert "TCP port 4000" in sentence
    then()
    assert router.begun == ["table"]


def test_a_host_who_has_agreed_is_asked_no_more_unless_the_router_refused() -> None:
    router = RecordingRouter(has_agreed=True)
    part, face = section(router)
    part.do(RouterCommands.outside)
    assert (router.begun, face.questions) == (["table"], [])
    router.error = OutsideError("The router is silent.")
    part.do(RouterCommands.outside)
    assert (router.begun, len(face.questions)) == (["table"], 1)


def test_a_door_is_a_question_even_after_consent() -> None:
    router = RecordingRouter(has_agreed=True, port_forwards=FORWARDED)
    router.open_ports |= {"ssh": 4022}
    part, face = section(router)
    part.do(RouterCommands.outside)
    assert (router.begun, len(face.questions)) == ([], 1)


@pytest.mark.parametrize("kind", ["nothing left", "asking", "no router"])
def test_the_key_does_nothing_when_no_port_can_be_opened(kind: str) -> None:
    router = RecordingRouter(port_forwards=FORWARDED if kind == "nothing left" else {})
    router.is_asking = kind == "asking"
    part, face = section(None if kind == "no router" else router)
    assert part.can(RouterCommands.outside) == (kind == "asking")
    part.do(RouterCommands.outside)
    assert (router.begun, face.questions) == ([], [])


def test_the_lobby_explains_who_can_join_beside_the_invitation() -> None:
    assert SEAM.invites
    router = RecordingRouter()
    part, _ = section(router)
    assert "[x] opens the way" in part.explanation()
    assert section(None)[0].explanation() == ""
    changes: list[str] = []
    part.watch(lambda: changes.append("changed"))
    assert router.on_change is not None
    router.on_change()
    assert changes == ["changed"]
