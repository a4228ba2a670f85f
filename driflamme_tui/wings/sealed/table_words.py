"""Builds sentences for the screen of a sealed game."""

from collections.abc import Sequence

from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.wings.sealed.sealed_words import digits_sentence, notice_sentence, without_one
from driflamme_tui.wording.program.people_words import absence
from engine.cards import HAND
from engine.position import PLACE
from engine.views import View
from netcode.protocol.messages import SeatInfo
from netcode.wings.sealed.news import SealedNews


def first_sentence(news: SealedNews, view: View) -> str:
    """Return the digits of the deal until the reader has placed a card; after that ""."""
    whole = all(len(view.hands[seat]) == HAND for seat in view.viewers)
    return digits_sentence(news) if whole and view.round == 1 and view.question == PLACE else ""


def frozen_words(news: SealedNews) -> tuple[str, str]:
    """Return a title and a sentence about the reason why the game cannot continue."""
    return _("THE GAME CANNOT CONTINUE"), " ".join(map(notice_sentence, news.notices[-1:]))


def absence_sentence(seat: SeatInfo, players: Sequence[SeatInfo]) -> str:
    """Return the effect of the asked player's absence; "" if the player is present."""
    away = absence(seat.name, seat.away, is_present=seat.present, has_stand_ins=False)
    if not away:
        return ""
    people = {player.name for player in players if player.bot is None}
    return f"{away} {without_one(len(people))}"


def convicted_marks() -> tuple[str, str]:
    """Return two marks for the seat of a convicted player: a long text, and one of 5 columns."""
    return _("cheated"), pgettext("seat in 5 columns", "cheat")
