"""What the lesson says beside its topics: how to go on, how to do what is asked, and the end."""

from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Option, Question, Step
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from engine.actions import END, LEAVE, START, Place
from engine.cards import Card


def learnt(card: Card) -> str:
    """Return what a card does, in as few words as somebody needs who has seen it."""
    return _(CARD_TEXTS[card].learnt)


def how(question: Question, option: Option, glyphs: Glyphs) -> str:
    """Return by which keys an option is chosen and confirmed, and how by mouse."""
    confirm = key(TableCommands.confirm, glyphs)
    if question.step is Step.CARD:
        return _("Press {key}, then {confirm}; or click the card.").format(
            key=(option.card or "").lower(), confirm=confirm
        )
    return _("Press {key}, then {confirm}; or click it, and once more.").format(
        key=_key_of(option, glyphs), confirm=confirm
    )


def _key_of(option: Option, glyphs: Glyphs) -> str:
    action = option.action
    if isinstance(action, Place):
        spots = {START: TableCommands.start, END: TableCommands.end}
        return key(spots.get(action.spot, TableCommands.stack), glyphs)
    if option.position:
        return str(option.position)
    return key(TableCommands.leave if action == LEAVE else TableCommands.reveal, glyphs)


def end_sentence() -> str:
    """Return what the summary says before the cards."""
    return _("You have met all ten cards. In a game, look at any card to be reminded:")


def ways_on() -> dict[str, str]:
    """Return what to do next, by name."""
    return {
        "play": _("Play against bots: driflamme play"),
        "host": _("Host a table for friends: driflamme host"),
        "join": _("To the start: join a table, read the rules"),
        "again": _("Play the lesson once more"),
    }
