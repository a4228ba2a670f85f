"""What is said about a game that is looked back at: whose it was, when, and with whose eyes."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from driflamme_tui.replay.teacher import TEACHER, Advice
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.answer_words import CLOSE, answer_sentence, close_call, percent
from driflamme_tui.wording.game.bot_names import short_bot_name
from driflamme_tui.wording.game.event_words import event_sentence, table_names
from driflamme_tui.wording.game.names import card_name, edition_name, family_name
from engine.actions import ACTIONS
from engine.bots.plans import Plan
from engine.events import EVENTS
from engine.record import Record
from engine.replaying import ALL, PUBLIC, Eyes
from engine.view import View
from engine.words import N_

if TYPE_CHECKING:
    from driflamme_tui.wording.choices.prompts import Prompter


PLANS: Final = {
    "lost": N_("Its way the {card} is eliminated this round in {best} of games, not {given}."),
    "robbed": N_("Its way the pool is robbed this round in {best} of games, not {given}."),
    "trapped": N_("Its way an Ambush strikes back this round in {best} of games, not {given}."),
    "struck": N_(
        "Its way a rival's {card} is eliminated this round in {best} of games, not {given}."
    ),
    "stole": N_("Its way a rival is robbed this round in {best} of games, not {given}."),
    "gained": N_("Its way the {card} gains influence this round in {best} of games, not {given}."),
    "sprung": N_(
        "Its way a rival runs into the Ambush this round in {best} of games, not {given}."
    ),
}
"""What speaks for the teacher's answer, by what is oftener or less often the case after it."""


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
        return text.format(bot=short_bot_name(TEACHER), n=given)
    answer = answer_sentence(TEACHER, ACTIONS[advice.best], prompter)
    if advice.lost < CLOSE:
        return f"{answer} {close_call()}"
    text = _("It expects to win {best} of games that way, {given} as it was played.")
    if short:
        text = _("It wins {best}, not {given}.")
    return f"{answer} {text.format(best=best, given=given)}"


def plan_sentences(plan: Plan, view: View, names: Sequence[str]) -> tuple[str, str]:
    """Return what speaks for the teacher's answer, and the two lines that show it best, or ""."""
    card = card_name(plan.card) if plan.card else ""
    said = _(PLANS[plan.what]).format(card=card, best=percent(plan.best), given=percent(plan.given))
    if not (plan.best_line and plan.given_line):
        return said, ""
    table = table_names(view, names)
    best, given = (
        "; ".join(event_sentence(EVENTS[str(kind)](*fields), table) for kind, *fields in line)
        for line in (plan.best_line, plan.given_line)
    )
    text = _("For instance: {best}. As it was played: {given}.")
    return said, text.format(best=best, given=given)


def nothing_to_teach(decided: str, judged: str) -> str:
    """Return why nothing is said of a step: nobody, or another than is judged, decided there."""
    if not decided:
        return _("Nobody has decided anything yet: the teacher judges what comes after this.")
    text = _("{name} decided here; the teacher judges what {other} decides.")
    return text.format(name=decided, other=judged)
