"""What is said about a game that is looked back at: whose it was, when, and with whose eyes."""

import time
from typing import TYPE_CHECKING

from driflamme_tui.replay.teacher import TEACHER, Advice
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.answer_words import CLOSE, answer_sentence, close_call, percent
from driflamme_tui.wording.game.bot_names import bot_name
from driflamme_tui.wording.game.names import edition_name, family_name
from engine.actions import ACTIONS
from engine.record import Record
from engine.replaying import ALL, PUBLIC, Eyes

if TYPE_CHECKING:
    from driflamme_tui.wording.choices.prompts import Prompter


def player_names(record: Record) -> tuple[str, ...]:
    """Return what the players are called, by seat: by their families if it is not known."""
    if record.players:
        return tuple(player.name for player in record.players)
    return tuple(family_name(family) for family in record.deal.families)


def when(record: Record) -> str:
    """Return when the game ended, or else began, in local time; "" if that is not known."""
    at = record.ended if record.ended is not None else record.began
    return "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def heading(record: Record) -> list[str]:
    """Return the edition, and when it was."""
    return [part for part in (edition_name(record.deal.edition.number), when(record)) if part]


def eyes_sentence(eyes: Eyes, names: tuple[str, ...]) -> str:
    """Return whose eyes the game is seen with."""
    if eyes is ALL:
        return _("All cards are open.")
    if eyes is PUBLIC:
        return _("Seen as everybody at the table could see it.")
    assert isinstance(eyes, int)
    return _("Seen as {name} could see it.").format(name=names[eyes])


def no_more(by: int) -> str:
    """Return that there is no further place of the kind that was asked for."""
    if by > 0:
        return _("There is none after this step.")
    return _("There is none before this step.")


def advice_sentence(advice: Advice, prompter: "Prompter", *, short: bool = False) -> str:
    """Return what the teacher would have done with a view, and what that would have been worth."""
    best, given = percent(advice.best_share), percent(advice.given_share)
    if advice.same:
        text = _("{bot} would do the same, and expects to win {n} of games.")
        return text.format(bot=bot_name(TEACHER), n=given)
    answer = answer_sentence(TEACHER, ACTIONS[advice.best], prompter)
    if advice.lost < CLOSE:
        return f"{answer} {close_call()}"
    text = _("It expects to win {best} of games that way, {given} as it was played.")
    if short:
        text = _("That wins {best}, not {given}.")
    return f"{answer} {text.format(best=best, given=given)}"


def nothing_to_teach(decided: str, judged: str) -> str:
    """Return why nothing is said of a step: nobody, or another than is judged, decided there."""
    if not decided:
        return _("Nobody has decided anything yet: the teacher judges what comes after this.")
    text = _("{name} decided here; the teacher judges what {other} decides.")
    return text.format(name=decided, other=judged)
