"""Builds sentences about a sealed game for the people at its table."""

from collections.abc import Iterable
from typing import Final

from driflamme_tui.text.i18n import _
from driflamme_tui.wings.sealed.sealed_words import (
    absent_sentence,
    takeover_help,
    takeover_sentence,
)
from driflamme_tui.wording.program.kind_words import KindWords
from engine.record import Record
from netcode.protocol.messages import Lobby
from netcode.wings.sealed.messages import SENTENCES


def _host_leaves(lobby: Lobby) -> str:
    """Return the effect of the host's leaving; "" if no other machine can take the table over."""
    return "" if takeover_help(lobby) else takeover_sentence(lobby, leaving=True)


def _bot_note(lobby: Lobby) -> str:
    return _("on the machine of {name}", name=lobby.host_name)


def _latecomers(_lobby: Lobby) -> str:
    return _(SENTENCES["sealed_latecomers"])


def _convictions(record: Record) -> Iterable[str]:
    if record.seal is None:
        return ()
    # Import here: most games have no proofs, and do not need the cryptography.
    from driflamme_tui.wings.sealed.proof_words import convictions
    from netcode.wings.sealed.game.proven_record import read_seal

    return convictions(read_seal(record.seal))


SEAM: Final = KindWords(
    "sealed", _host_leaves, absent_sentence, _bot_note, _latecomers, _convictions
)
