"""Pictures of the app, compared with those that are kept: many of them from one run of the app.

Starting an app takes much longer than drawing it, so a test shows one scene after the other in the
same app.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from syrupy.assertion import SnapshotAssertion

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.text.signs import UNICODE, Glyphs
from netcode.client.session import Session
from tests.driflamme_tui.tables import Hands, SeatedApp, run_app


class Album:
    """Compares pictures of one test with those that are kept."""

    def __init__(self, kept: SnapshotAssertion) -> None:
        self.differing: list[str] = []
        """Names of the pictures that are not as they were."""
        self._kept = kept

    def add(self, app: DriflammeApp, name: str) -> None:
        """Compare what an app shows now with the picture of this name."""
        picture = app.export_screenshot(title=app.title, simplify=True)
        if self._kept(name=name) != picture:
            self.differing.append(name)


@dataclass(frozen=True)
class Scene:
    """A table to sit at, the keys that are pressed there, and what app and sitting have then."""

    session: Callable[[], Session]
    keys: str = ""
    has: Mapping[str, object] = field(default_factory=dict)


USUAL: Mapping[str, object] = {
    "lost": None,
    "latency_ms": None,
    "secure": None,
    "_saw_result": False,
}
"""Attributes of the app in a scene that says nothing else."""


async def enter(app: SeatedApp, hands: Hands, scene: Scene) -> None:
    """Go to a scene as if one came from elsewhere."""
    for attribute, value in {**USUAL, **scene.has}.items():
        of = app if attribute.startswith("_") else app.sitting
        assert hasattr(of, attribute)
        setattr(of, attribute, value)
    app.enter(scene.session())
    await hands.pause()
    await hands.type(scene.keys)


def show(
    album: Album, size: tuple[int, int], scenes: Mapping[str, Scene], glyphs: Glyphs = UNICODE
) -> None:
    """Add a picture of each scene, by its name."""

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for name, scene in scenes.items():
            await enter(app, hands, scene)
            album.add(app, name)

    first = next(iter(scenes.values()))
    run_app(SeatedApp(first.session(), glyphs), steps, size)
