"""Chooses the help page, reminder and first entries of the key bar for a moment of the table."""

from collections.abc import Mapping

from driflamme_tui.drawing.cards import card_of, subject
from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Entry
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.command_screen import Reminder
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.people_words import paused_title, stood_in_title
from engine.cards import UNKNOWN


def help_page_at(state: TableState) -> str:
    """Return the name of the help page about the present card; "" without a card.

    For an unknown card, it is the page with the list of the cards.
    """
    from driflamme_tui.wording.game.help_pages import THE_CARDS, card_page

    is_subject = state.cursor is not None or state.question is not None
    cursor = subject(state) if is_subject else None
    card = card_of(state, cursor) if cursor is not None else ""
    if not card:
        return ""
    return THE_CARDS if card == UNKNOWN else card_page(card)


def reminder_at(state: TableState) -> Reminder | None:
    """Return the table's question or the reason to wait, for the help; None after the game."""
    view = state.view
    if view.over:
        return None
    if state.question is not None and state.answerable and not state.sent:
        return Reminder(state.prompter.title(state.question), view.families[view.turn], True)
    stopped = state.lost or (paused_title(is_host=state.host) if state.paused else "")
    text = stopped or (stood_in_title() if state.stood_in else state.prompter.waiting())
    return Reminder(text, view.families[view.turn], False)


def is_useful(entry: Entry, state: TableState, *, has_news: bool) -> bool:
    """Return False if an entry would only take space from other entries now.

    Args:
        entry: The entry.
        state: The present moment of the table.
        has_news: True if something has happened since the reader's last answer.
    """
    is_narrow, is_looking = state.layout.width < COMFORTABLE_WIDTH, state.looking
    needs = {
        TableCommands.look: not is_looking,
        TableCommands.look_on: is_looking,
        TableCommands.other_hand: not is_looking,
        (TableCommands.up, TableCommands.down): is_looking,
        TableCommands.since: has_news,
        TableCommands.pause: not (state.view.over or is_narrow),
        # Leave confirming out: the prompt, or the first entry, shows its key.
        TableCommands.confirm: False,
    }
    return needs.get(entry, True)


def first_entries_at(state: TableState | None) -> Mapping[Entry, str]:
    """Return the first entries of the key bar, each with its label.

    While looking these are the arrows, otherwise the commands that continue the game. Returns {} if
    no entry comes first, for example after the game.
    """
    if state is None or state.view.over:
        return {}
    if state.looking:
        along = TableCommands.left, TableCommands.right
        return {along: _("move along"), TableCommands.back: _("done")}
    if state.lost:
        return {}
    if state.paused:
        return {TableCommands.pause: _("resume")}
    if state.stood_in:
        return {TableCommands.confirm: _("take your seat")}
    if state.question is None or state.layout.width >= COMFORTABLE_WIDTH:
        # No entry comes first: the prompt itself shows the key that confirms.
        return {}
    return {TableCommands.confirm: state.prompter.verb(state.question)}
