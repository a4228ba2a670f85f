"""What the panel beside the hand says of the card that is looked at or chosen.

A title, what the card would do here and now, and its rule, long and short, for the room there is.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.keymap.key_bindings import key_name, keys_now
from driflamme_tui.keymap.screen_commands import HelpedCommands
from driflamme_tui.model.knowledge import unseen
from driflamme_tui.model.pending_question import Step
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.card_preview import CardPreview, if_placed
from driflamme_tui.wording.choices.coach_words import about, placement
from driflamme_tui.wording.game.card_words import card_help, card_summary
from driflamme_tui.wording.game.names import card_name
from engine.actions import Move, Place
from engine.cards import AMBUSH, HAND, ROUNDS, UNKNOWN, Card, Seat, in_order
from engine.position import PLACE, cards_in


class PanelText(Struct, frozen=True):
    """What there is to say of one card."""

    title: str = ""
    here: str = ""
    """What the card would do where it is; empty where that says nothing."""
    rule: str = ""
    brief: str = ""
    """The rule where there is little room."""
    rows: Sequence[str] = ()
    """What follows, each in rows of its own; in one where there is little room."""


def subject(state: TableState) -> Cursor | None:
    """Return what the cursor, or else the present choice, is on; else the card resolving."""
    cursor = state.cursor
    if cursor is not None:
        return cursor
    chosen = state.chosen_card()
    position = state.chosen_position()
    if chosen:
        return Cursor(card=chosen)
    if position and state.queue()[2] < 0:
        return Cursor(index=position - 1)
    if state.view.at >= 0:
        return Cursor(index=state.queue()[1])
    return None


def card_of(state: TableState, cursor: Cursor) -> Card:
    """Return the card a cursor is on: `UNKNOWN` for a hidden one, nothing where there is none."""
    if cursor.card:
        return cursor.card
    stacks = state.queue()[0]
    if not 0 <= cursor.index < len(stacks):
        return ""
    cards = cards_in(stacks[cursor.index])
    return cards[min(cursor.depth, len(cards) - 1)][0]


def panel_text(state: TableState) -> PanelText:
    """Return what is to be said of the card that the reader looks at, or has chosen."""
    cursor = subject(state)
    question = state.question
    undecided = question is not None and question.choice is None and state.answerable
    if state.coached and question is not None and undecided and state.cursor is None:
        text = about(question.step, last=state.view.round == ROUNDS)
        return PanelText(_("What it is about"), "", text, text)
    if state.why and state.cursor is None:
        return PanelText(_("Teacher"), state.why[0], rows=state.why[1:])
    if cursor is None:
        return _of_nothing(state)
    if cursor.seat >= 0:
        return _of_player(state, cursor.seat)
    if cursor.card and state.you is not None and cursor.card in state.view.aside[state.you]:
        here = _("It stays out of this game; only you know that.")
        return _of_card(_("{card} (yours, set aside)"), cursor.card, here)
    if cursor.card:
        return _of_card(_("{card} (yours, in hand)"), cursor.card, _if_placed(state, cursor.card))
    if cursor.index >= len(state.queue()[0]):
        return PanelText()
    told = _of_queued(state, cursor)
    if cursor.place is not None and state.question is not None:
        return replace(told, here=_of_place(state, cursor.place))
    refusal = _why_not(state, cursor)
    return replace(told, here=f"{refusal} {told.here}".strip()) if refusal else told


def _of_card(title: str, card: Card, here: str, **what: object) -> PanelText:
    """Say what a card does, and what it would do here, under a title about it."""
    title = title.format(card=card_name(card), **what)
    return PanelText(title, here, card_help(card), card_summary(card))


def _why_not(state: TableState, cursor: Cursor) -> str:
    """Say why a card that is looked at cannot be chosen now; "" if it can, or nothing is asked."""
    question = state.question
    if question is None or not state.answerable or question.step in (Step.SPOT, Step.DESTINATION):
        return ""
    if cursor != state.cursor:
        return ""
    if cursor.depth and question.step in (Step.TARGET, Step.COPIED, Step.LIFTED):
        return _("Covered: only the top card counts.")
    refusal = question.refusal_at(cursor.index + 1)
    return "" if refusal is None else state.prompter.why_not(refusal)


def _of_place(state: TableState, place: Place | Move) -> str:
    """Say what a click would choose where the pointer is."""
    effect = state.prompter.effect(place)
    if isinstance(place, Place):
        return f"{effect} {if_placed(state.prompter, place).sentence()}"
    return effect


def _of_player(state: TableState, seat: Seat) -> PanelText:
    """Say what there is to know of a player."""
    view = state.view
    name = _("You") if state.is_yours(seat) else state.players[seat].name
    title = f"{state.prompter.tag(seat)} {name}"
    stacks = sum(stack[0] == seat for stack in view.queue)
    out = in_order(view.out[seat])
    counted = _("{influence} influence; {hand} in hand, 3 aside, {stacks} in the Queue on top.")
    here = counted.format(influence=view.pools[seat], hand=len(view.hands[seat]), stacks=stacks)
    question = state.question
    if question is not None and state.answerable and question.step is Step.PLAYER:
        refusal = question.refusal_of(view.families[seat])
        here = here if refusal is None else f"{state.prompter.why_not(refusal)} {here}"
    if not out:
        return PanelText(title, here, _("None of their cards is out of the game yet."))
    rule = _("Out of the game: {cards}.")
    return PanelText(
        title, here, rule.format(cards=", ".join(map(card_name, out))), rule.format(cards=out)
    )


def _of_nothing(state: TableState) -> PanelText:
    """Say what is going on, where there is no card to speak of."""
    if state.view.asked != PLACE:
        return PanelText()
    if state.answerable:
        helps = key_name(next(reversed(keys_now(HelpedCommands.help)), "f1"), state.glyphs)
        text = _(
            "Go through your cards by {arrows}, or type a card's letter. {key} explains everything."
        ).format(arrows=state.glyphs.arrows, key=helps)
        return PanelText(_("Your cards"), "", text, text)
    return PanelText(_("Placement"), "", placement(), placement())


def _if_placed(state: TableState, card: Card) -> str:
    """Say what a card of the hand would do at the place that is chosen for it."""
    question = state.question
    action = question.choice.action if question and question.choice else None
    if not isinstance(action, Place) or action.card != card or state.you != state.view.turn:
        return ""
    sentence = if_placed(state.prompter, action).sentence()
    view = state.view
    still_to_place = sum(len(hand) == HAND + 1 - view.round for hand in view.hands)
    if still_to_place == 1:
        return sentence
    return f"{sentence} {_('Others may still change that.')}"


def _of_queued(state: TableState, cursor: Cursor) -> PanelText:
    stacks, _at, _carried = state.queue()
    stack = stacks[cursor.index]
    seat = stack[0]
    cards = cards_in(stack)
    depth = min(cursor.depth, len(cards) - 1)
    card, face_up, influence = cards[depth]
    name, position = state.prompter.who(seat), cursor.index + 1
    what = {"name": name, "n": influence, "position": position}
    if card == UNKNOWN:
        if depth:
            title = _("{name}, covered at {position}, {n} on it").format(**what)
        else:
            title = _("{name}, face down at {position}, {n} on it").format(**what)
        return _of_unknown(state, seat, title)
    here = ""
    if depth:
        title = _("{card} ({name}, covered at {position}, {n} on it)")
        here = _("Covered: it does not count until it is on top again.")
    elif not face_up and seat == state.view.viewer:
        title = _("{card} (yours, face down at {position}, {n} on it)")
    elif not face_up:
        title = _("{card} ({name}, face down at {position}, {n} on it)")
    elif seat == state.view.viewer:
        title = _("{card} (yours, face up at {position})")
    else:
        title = _("{card} ({name}, face up at {position})")
    if not depth and not state.view.over:
        here = CardPreview(state.prompter, stacks, cursor.index).sentence()
    return _of_card(title, card, here, **what)


def _of_unknown(state: TableState, seat: Seat, title: str) -> PanelText:
    """Say what a card may be that the reader does not know."""
    view = state.view
    candidates = unseen(view, seat)
    hidden = sum(
        card == UNKNOWN
        for stack in view.queue
        if stack[0] == seat
        for card, _face_up, _influence in cards_in(stack)
    )
    name, held = state.prompter.who(seat), len(view.hands[seat])
    what = {"name": name, "queue": hidden, "hand": held}
    counted = _("{name}, not seen yet: {cards}; {queue} in the Queue, {hand} in hand, 3 aside.")
    brief = counted.format(cards=" ".join(candidates), **what)
    rule = counted.format(cards=", ".join(map(card_name, candidates)), **what)
    warning = ""
    if AMBUSH in candidates and view.viewer is not None and not state.is_yours(seat):
        warning = _("It may be an Ambush.")
    return PanelText(title, warning, rule, brief)
