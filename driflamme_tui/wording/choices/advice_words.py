"""Formulates the teacher's judgement of a decision: its answer, reasons, and two likely lines."""

from typing import TYPE_CHECKING, Any, Final

from driflamme_tui.replay.judging import Advice
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.answer_words import CLOSE, answer_sentence, close_call, percent
from driflamme_tui.wording.game.names import bot_name, card_name, short_bot_name
from engine.actions import ACTIONS
from engine.bots import TEACHER
from engine.bots.plans import Line
from engine.cards import ROYAL_DECREE
from engine.events import EVENTS, Eliminated, Moved, Revealed, Stole
from engine.replaying import Replay
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.wording.choices.prompts import Prompter

PLANS: Final[dict[str, Text]] = {
    "lost": (
        "After the bot's move, the {card} is eliminated this round in {best} of games; "
        "after the one played, in {given}."
    ),
    "robbed": "After the bot's move, your pool is robbed this round in {best} of games; after "
    "the one played, in {given}.",
    "trapped": (
        "After the bot's move, an Ambush strikes back this round in {best} of games; "
        "after the one played, in {given}."
    ),
    "struck": (
        "After the bot's move, an opponent's {card} is eliminated this round in {best} "
        "of games; after the one played, in {given}."
    ),
    "stole": "After the bot's move, an opponent is robbed this round in {best} of games; after "
    "the one played, in {given}.",
    "gained": (
        "After the bot's move, the {card} gains influence this round in {best} of "
        "games; after the one played, in {given}."
    ),
    "sprung": (
        "After the bot's move, an opponent runs into the Ambush this round in {best} "
        "of games; after the one played, in {given}."
    ),
}
"""Reasons for the teacher's answer, by the outcome that it makes more or less probable."""

CONDITIONS: Final[dict[str, Text]] = {
    "lies": "That {part} becomes {often} if {place} is the {card}, {seldom} if not.",
    "held": "That {part} becomes {often} if {who} has the {card} in hand, {seldom} if not.",
    "revealed": (
        "That {part} becomes {often} if an opponent reveals the {card} this round, {seldom} if not."
    ),
}
"""Sentences about the fact that changes an outcome's probability most, by kind of fact.

`part` is the outcome's probability after the answer that makes it more probable.
"""

MOVES: Final[dict[str, Text]] = {
    "Revealed": "{who} reveals {card}",
    "Eliminated": "{card} eliminates {target}",
    "AmbushSprung": "an Ambush: {who} gains {influence}",
    "Stole": "{card} steals {influence} from {victim}",
    "Gained": "{card} gains {influence}",
    "Moved": "{card} moves {target} to {destination}",
}
"""The moves of a line, in short; a card has its player's sign and its place."""


def advice_sentence(advice: Advice, prompter: "Prompter", *, short: bool = False) -> str:
    """Return the teacher's best answer, and the expected victories after it and the given answer.

    If the given answer is the best one, return a sentence stating that the teacher agrees, with the
    expected victories. If both answers are about equal, return the best answer and a sentence about
    a close choice. `short` selects shorter sentences.
    """
    best, given = percent(advice.best_share), percent(advice.given_share)
    bot = short_bot_name(TEACHER) if short else bot_name(TEACHER)
    if advice.same:
        text = _("{bot} would do the same, and expects to win {n} of games.")
        return text.format(bot=bot, n=given)
    answer = answer_sentence(bot, ACTIONS[advice.best], prompter)
    if advice.lost < CLOSE:
        return f"{answer} {close_call()}"
    text = _("It expects to win {best} of games that way, and {given} with the move played.")
    if short:
        text = _("It wins {best}, not {given}.")
    return f"{answer} {text.format(best=best, given=given)}"


def judgements(replay: Replay, advice: Advice, prompter: "Prompter") -> list[str]:
    """Return the judgement in several lengths, the longest first.

    All except the shortest name the judged player and the judged answer.
    """
    turn, text = replay.games[advice.step - 1].turn, _("{who}, {move}: {said}")
    long, short = (advice_sentence(advice, prompter, short=short) for short in (False, True))
    whose = (prompter.who(turn), long), (prompter.who(turn), short), (prompter.tag(turn), short)
    sentences = [text.format(who=who, move=advice.given, said=each) for who, each in whose]
    return [*sentences, short]


def taught_sentences(advice: Advice, prompter: "Prompter", between: str = " ") -> list[str]:
    """Return the whole judgement: the teacher's answer, its reasons, and two likely lines.

    If the judgement has no reasons, return only the teacher's answer. The lines are imagined, and
    left out if they are equal. Between two moves are a separator and the text `between`.
    """
    plan, sentences = advice.plan, [advice_sentence(advice, prompter)]
    if plan is None:
        return sentences
    card = card_name(plan.card) if plan.card else ""
    text = _(PLANS[plan.what])
    sentences.append(text.format(card=card, best=percent(plan.best), given=percent(plan.given)))
    if plan.condition is not None:
        (what, at, card), often, seldom = plan.condition
        values = {"card": card_name(card), "often": percent(often), "seldom": percent(seldom)}
        values["part"] = percent(max(plan.best, plan.given))
        if what == "lies":
            values["place"] = prompter.at(at)
        elif what == "held":
            values["who"] = prompter.who(at)
        sentences[-1] += " " + _(CONDITIONS[what], **values)
    if plan.best_line == plan.given_line:
        return sentences
    texts = (
        _("A likely continuation after the bot's move: {moves}."),
        _("After the move played: {moves}."),
    )
    for line, text in zip((plan.best_line, plan.given_line), texts, strict=True):
        sentences.append(
            text.format(
                moves=prompter.sequence(_moves(line, prompter), between) or _("nothing of note")
            )
        )
    return sentences


def _moves(line: Line, prompter: "Prompter") -> list[str]:
    """Return the moves of a line, in order."""
    sentences = []
    for kind, *fields in line:
        event = EVENTS[str(kind)](*fields)
        words: dict[str, Any] = event._asdict()
        seat, card = words["seat"], words.get("card", "")
        words["who"] = prompter.tag(seat)
        match event:
            case Revealed():
                words["card"] = prompter.placed(card, event.position)
            case Eliminated():
                victim = event.victim, event.victim_card, event.face_up, event.target
                words["target"] = prompter.named(*victim)
            case Stole():
                words["victim"] = prompter.tag(event.victim)
            case Moved():
                moved = event.owner, card, event.face_up, event.target
                words["target"], card = prompter.named(*moved), ROYAL_DECREE
        if card and not isinstance(event, Revealed):
            words["card"] = prompter.named(seat, card, True, words["position"])
        sentences.append(_(MOVES[str(kind)], **words))
    return sentences
