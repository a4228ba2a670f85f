"""Declares the option for sealed play."""

from collections.abc import Mapping
from typing import ClassVar, Final

from driflamme_tui.cli.declarations import AddedOptions, option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from driflamme_tui.cli.output import end_with, fail
from driflamme_tui.text.i18n import _
from engine.texts import Text


class SealedOptions(OpeningOptions):
    """The option that makes the games of a table sealed."""

    commands = ("host",)
    after = "seed"
    rank = 3
    examples: ClassVar[Mapping[str, str]] = {"host": "driflamme host --sealed"}
    helps: ClassVar[Mapping[str, Text]] = {
        "resume": "Reopen the latest unfinished table as it was, or continue a sealed one."
    }

    sealed: bool | None = option(
        "Seal the game: only your machine knows your hidden cards, and every move can be proven.",
        "--sealed/--not-sealed",
        show_default=False,
    )

    def add_to(self, opening: Opening) -> None:
        """Add the setting of the table, if the option is given."""
        if self.sealed is not None:
            opening.settings["sealed"] = self.sealed

    def check(self, opening: Opening) -> None:
        """End the command with a sentence for options that are impossible at a sealed table."""
        if not self.sealed:
            return
        from netcode.protocol.messages import Reason
        from netcode.protocol.refusal_sentences import refusal_sentence

        if opening.bots and not opening.has_owner:
            end_with(refusal_sentence(Reason(code="bots_need_host"), _))
        if opening.runs_players:
            end_with(refusal_sentence(Reason(code="doors_open"), _))
        if opening.seed is not None:
            fail("Nobody can know the deal of a sealed table beforehand: omit --seed.")


SEAM: Final = AddedOptions((SealedOptions,))
