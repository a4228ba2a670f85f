"""Draws cards, and builds the text about the card at which the reader looks."""

from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import (
    CHIP,
    COMPACT,
    FULL,
    LARGE,
    MICRO,
    MINIMAL,
    TINY,
    CardSize,
)
from driflamme_tui.drawing.palette import Palette, style
from driflamme_tui.drawing.table_state import Cursor, PanelText, TableState
from driflamme_tui.keymap.key_bindings import key_name, keys_now
from driflamme_tui.keymap.screen_commands import HelpedCommands
from driflamme_tui.model.pending_question import Step
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.text.signs import FrameSigns
from driflamme_tui.wording.choices.prompts import placement_sentence
from driflamme_tui.wording.game.card_texts import card_help, card_summary
from driflamme_tui.wording.game.names import (
    card_mark,
    card_name,
    card_name_for,
    card_purpose,
    family_name,
)
from engine.actions import Move, Place
from engine.cards import (
    AMBUSH,
    CONSPIRACY,
    HAND,
    UNKNOWN,
    Card,
    Family,
    Seat,
    in_order,
)
from engine.position import PLACE, cards_in, unseen_cards


class CardLook(Enum):
    """The states of a card that change its colours and its frame."""

    PLAIN = auto()
    LEGAL = auto()
    CHOSEN = auto()
    DIM = auto()
    """The card cannot be chosen, but other things can."""


class Face(Struct, frozen=True):
    """One card as the reader sees it."""

    family: Family
    card: Card
    face_up: bool
    influence: int = 0

    @property
    def known(self) -> bool:
        """True if the reader knows the card."""
        return self.card != UNKNOWN


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    size: CardSize,
    face: Face,
    look: CardLook,
    *,
    height: int = 1,
    key: bool = False,
    underline: bool = False,
) -> None:
    """Draw the top card of a stack `height` cards high.

    With `key`, write the card's letter on its frame. With `underline`, underline its name.
    """
    card = _CardPainter(canvas, x, y, size, face, look)
    card.named = Style(underline=underline or None)
    if size.height == CHIP.height:
        card.chip()
    elif size.height == TINY.height:
        card.tiny(height)
    else:
        card.framed(height, key=key)


class _CardPainter:
    """Draws one card at its place."""

    def __init__(
        self, canvas: Canvas, x: int, y: int, size: CardSize, face: Face, look: CardLook
    ) -> None:
        self.canvas, self.x, self.y, self.size = canvas, x, y, size
        self.face, self.look, self.glyphs = face, look, canvas.glyphs
        self.inks = _Inks(canvas.palette, face, look)
        self.named = Style()
        """The style that is added to the style of the card's name."""
        sign = self.glyphs.families[face.family]
        self.tag = f"{sign}{face.family}" if self.glyphs.letter_follows else sign

    def text(self, x: int, y: int, text: str, ink: Style, width: int | None = None) -> None:
        self.canvas.text(self.x + x, self.y + y, text, ink, width)

    def chip(self) -> None:
        """Draw a card of the hand in one row, with letter and name."""
        name = f"{self.face.card} {card_name_for(self.face.card, self.size.width - 2)}"
        self.text(0, 0, name, self.inks.title + self.named, self.size.width)

    def tiny(self, height: int) -> None:
        """Draw a card without a frame: owner, height, name and influence.

        A column after the card stays free, so that cards do not run together. In the smallest size
        a name with influence needs that column.
        """
        face, glyphs, inks = self.face, self.glyphs, self.inks
        width = self.size.width - (self.size.width > TINY.width)
        title = self.tag if face.face_up else self.tag + glyphs.face_down[1]
        self.text(0, 0, title, inks.title, width)
        if height > 1:
            mark = f"{glyphs.times}{height}"
            self.text(width - len(mark), 0, mark, inks.title)
        number = str(face.influence) if face.influence else ""
        space = width - len(number)
        if face.known:
            self._name(0, max(4, space), space)
        else:
            hatched = min(space, self.size.width - 1)
            self.canvas.fill(self.x, self.y + 1, hatched, 1, inks.hatch, glyphs.hatch)
        self.text(space, 1, number, inks.influence)

    def framed(self, height: int, *, key: bool) -> None:
        """Draw a card with a frame, and inside it everything that fits.

        `height` is the number of cards in the stack. With `key`, the frame shows the card's letter.
        """
        face, glyphs, inks, width = self.face, self.glyphs, self.inks, self.size.width
        inner, bottom = width - 2, self.size.height - 1
        low = self.size.height <= MICRO.height
        title = self.tag
        if key:
            # All cards of a hand are of one family, so show the mark of the card instead.
            title = card_mark(face.card, glyphs)
        elif width >= FULL.width and not low:
            title = f"{glyphs.families[face.family]} {family_name(face.family)}"
        band = inks.band if face.face_up and self.look is not CardLook.CHOSEN else inks.frame
        self.canvas.frame(self.x, self.y, width, self.size.height, self._frame(), inks.frame)
        self.canvas.restyle(self.x, self.y, width, band)
        if low and face.influence:
            number = str(face.influence)
            self.text(width - 1 - len(number), 0, number, inks.title)
        self.text(1, 0, title[:inner], inks.title)
        filling = " " if face.face_up else glyphs.hatch
        self.canvas.fill(self.x + 1, self.y + 1, inner, bottom - 1, inks.hatch, filling)
        if face.known and key and self.size.height == MINIMAL.height:
            self._name_in_two(inner)
        elif face.known:
            self._name(1, inner, inner)
            self._purpose(inner, marked=key)
        if face.influence and not low:
            self._influence(inner, bottom - 1)
        if height > 1:
            mark = f"{glyphs.times}{height}"
            self.text(width - 1 - len(mark), bottom, mark, inks.count)
        if key:
            self.text((width - 1) // 2, bottom, face.card, inks.count)

    def _frame(self) -> FrameSigns:
        if self.look is CardLook.LEGAL:
            return self.glyphs.legal
        if self.look is CardLook.CHOSEN:
            return self.glyphs.chosen
        return self.glyphs.face_up if self.face.face_up else self.glyphs.face_down

    def _name(self, x: int, length: int, space: int) -> None:
        name = card_name_for(self.face.card, length)
        shown = name if self.face.face_up else name.lower()
        self.text(x, 1, shown, self.inks.name + self.named, space)

    def _name_in_two(self, inner: int) -> None:
        """Draw a name of two words in two rows if both words fit, and any other name in one row."""
        first, _space, second = card_name(self.face.card).partition(" ")
        rows = [first, second]
        if not second or max(map(cell_len, rows)) > inner:
            # A short name is easier to read than half of a long one.
            rows = [card_name_for(self.face.card, inner)]
        for row, piece in enumerate(rows, 1):
            self.text(1, row, piece, self.inks.name + self.named, inner)

    def _purpose(self, inner: int, *, marked: bool) -> None:
        """Draw the card's purpose, if the size has space for it and the frame does not show it."""
        face, ink, height = self.face, self.inks.mark, self.size.height
        lines, top = card_purpose(face.card, inner), 3 if height >= FULL.height else 2
        mark = "" if marked else card_mark(face.card, self.glyphs)
        if self.size.width < COMPACT.width or height < COMPACT.height:
            lines, top = [mark] if face.face_up and height > MICRO.height else [], 2
        elif height >= LARGE.height and mark:
            top = height // 2
            self.text(1 + (inner - cell_len(mark)) // 2, top - 2, mark, self.inks.name)
        for row, line in enumerate(lines, top):
            self.text(1, row, line, ink, inner)

    def _influence(self, inner: int, row: int) -> None:
        """Draw the influence. Up to four points are dots, with the number if it fits.

        More influence is only a number.
        """
        influence = self.face.influence
        dots = self.glyphs.dot * influence if influence <= 4 else ""
        if self.size.width >= COMPACT.width or not dots:
            dots = f"{dots} {influence}".strip()
        elif not self.glyphs.letter_follows:
            dots = str(influence)
        self.text(1, row, dots, self.inks.influence, inner)


def draw_tab(canvas: Canvas, x: int, y: int, size: CardSize, face: Face, *, more: int = 0) -> None:
    """Draw a covered card as a tab. With `more`, draw the number of cards that do not fit."""
    glyphs, colours = canvas.glyphs, canvas.palette.families[face.family]
    wide = size.width >= COMPACT.width
    number = f"{glyphs.dot * wide}{face.influence}" if face.influence else ""
    name = UNKNOWN
    if face.known:
        name = card_name_for(face.card, max(4, size.width - 2 - max(1, len(number))))
        name = name if face.face_up else name.lower()
        if not wide:
            name = name[: min(size.width, size.pitch) - 1 - len(number)]
    text = f" +{more}" if more else f"{glyphs.tab}{name}{number}"
    ink = style(colours.hue, colours.dim_back, italic=not face.face_up)
    canvas.text(x, y, text, ink, size.width)


class _Inks:
    """The styles of one card: its band, title, frame, hatch, name, mark, count and influence."""

    def __init__(self, palette: Palette, face: Face, look: CardLook) -> None:
        colours = palette.families[face.family]
        dim = look is CardLook.DIM
        hue = colours.dim_hue if dim else colours.hue
        if face.face_up:
            ground = palette.dim_paper if dim else palette.paper
            self.band = style(palette.on_colour, hue)
            self.title = style(palette.on_colour, hue, bold=True)
            self.frame = style(colours.on_paper, ground)
            self.hatch = style(palette.paper_mark, ground)
            self.name = self.count = style(palette.paper_ink, ground, bold=True)
            self.mark = style(palette.paper_ink, ground) if dim else self.hatch
            self.influence = self.mark
        else:
            ground = colours.dim_back if dim else colours.back
            self.band = self.frame = self.mark = style(hue, ground)
            self.title = self.influence = self.count = style(hue, ground, bold=True)
            self.hatch = style(colours.hatch, ground)
            self.name = style(hue, ground, italic=True)
        if look is CardLook.LEGAL:
            ink = palette.paper_ink if face.face_up else palette.choice
            self.frame = style(ink, ground, bold=True)
            self.band = self.title if face.face_up else self.band
        elif look is CardLook.CHOSEN:
            self.frame = style(palette.on_colour, palette.choice, bold=True)
            self.band = self.title = self.count = self.frame
            if face.face_up:
                self.hatch = self.mark = style(palette.on_colour, palette.choice)
                self.name = self.frame


def subject(state: TableState) -> Cursor | None:
    """Return the place that the card panel is about; None if there is no such place.

    The first of these counts: the cursor, the present choice, the resolving card. The owner of a
    Spy chooses a player and no card, so the Spy stays the subject.
    """
    cursor, question = state.cursor, state.question
    if cursor is not None:
        return cursor
    chosen = state.chosen_card()
    is_player = question is not None and question.step is Step.PLAYER
    position = 0 if is_player else state.chosen_position()
    if chosen:
        return Cursor(card=chosen)
    if position and state.queue()[2] < 0:
        return Cursor(index=position - 1)
    if state.view.at >= 0:
        return Cursor(index=state.queue()[1])
    return None


def card_of(state: TableState, cursor: Cursor) -> Card:
    """Return the card under a cursor: `UNKNOWN` for a hidden one, "" for a cursor at no card."""
    if cursor.card:
        return cursor.card
    stacks = state.queue()[0]
    if not 0 <= cursor.index < len(stacks):
        return ""
    cards = cards_in(stacks[cursor.index])
    return cards[min(cursor.depth, len(cards) - 1)][0]


def panel_text(state: TableState) -> PanelText:
    """Return the text of the card panel.

    The text is about the thing at the cursor. Without a cursor, it is the text in `beside`, or else
    a text about the present choice, the resolving card or the phase.
    """
    cursor = subject(state)
    if state.beside is not None and state.cursor is None:
        return state.beside
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
    panel = _of_queued(state, cursor)
    if cursor.place is not None and state.question is not None:
        return replace(panel, here=_of_place(state, cursor.place))
    refusal = _why_not(state, cursor)
    return replace(panel, here=f"{refusal} {panel.here}".strip()) if refusal else panel


def _of_card(title: str, card: Card, here: str, **what: object) -> PanelText:
    """Return a title, the card's rule, and the sentence `here` about its present place."""
    title = title.format(card=card_name(card), **what)
    return PanelText(title, here, card_help(card), card_summary(card))


def _why_not(state: TableState, cursor: Cursor) -> str:
    """Return the reason why the card under the cursor cannot be chosen now; "" without one."""
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
    """Return the effect of the answer that a click at the pointer would choose."""
    effect = state.prompter.effect(place)
    if isinstance(place, Place):
        return f"{effect} {state.prompter.if_placed(place)}"
    return effect


def _of_player(state: TableState, seat: Seat) -> PanelText:
    """Return the text about a player: influence, number of cards, and cards out of the game."""
    view = state.view
    name = _("You") if state.is_yours(seat) else state.players[seat].name
    title = f"{state.prompter.tag(seat)} {name}"
    stacks = sum(stack[0] == seat for stack in view.queue)
    out = in_order(view.out[seat])
    counted = _("{influence} influence; {hand} in hand, 3 set aside, {stacks} on top in the Queue.")
    here = counted.format(influence=view.pools[seat], hand=len(view.hands[seat]), stacks=stacks)
    question = state.question
    if question is not None and state.answerable and question.step is Step.PLAYER:
        refusal = question.refusal_of(view.families[seat])
        here = here if refusal is None else f"{state.prompter.why_not(refusal)} {here}"
    if not out:
        return PanelText(title, here, _("None of their cards is out of the game yet."))
    rule = _("Out of the game: {cards}.")
    return PanelText(
        title,
        here,
        rule.format(cards=comma_list([card_name(card) for card in out])),
        rule.format(cards=out),
    )


def _of_nothing(state: TableState) -> PanelText:
    """Return a text about the placement, for a reader who looks at no card.

    In other phases the text is empty.
    """
    if state.view.question != PLACE:
        return PanelText()
    if state.answerable:
        helps = key_name(next(reversed(keys_now(HelpedCommands.help)), "f1"), state.glyphs)
        text = _(
            "Go through your cards with {arrows}, or type a card's letter. {key} explains "
            "everything.",
            arrows=state.glyphs.arrows,
            key=helps,
        )
        return PanelText(_("Your cards"), "", text, text)
    return PanelText(_("Placement"), "", placement_sentence(), placement_sentence())


def _if_placed(state: TableState, card: Card) -> str:
    """Return the effect of a card of the hand at its chosen place; "" before a place is chosen."""
    question = state.question
    action = question.choice.action if question and question.choice else None
    if not isinstance(action, Place) or action.card != card or state.you != state.view.turn:
        return ""
    sentence = state.prompter.if_placed(action)
    view = state.view
    still_to_place = sum(len(hand) == HAND + 1 - view.round for hand in view.hands)
    if still_to_place == 1 or card in (AMBUSH, CONSPIRACY):
        # The effect of these cards depends on no neighbour.
        return sentence
    return f"{sentence} {_('Others may still change that.')}"


def _of_queued(state: TableState, cursor: Cursor) -> PanelText:
    stacks, _at, _moving = state.queue()
    stack = stacks[cursor.index]
    seat = stack[0]
    cards = cards_in(stack)
    depth = min(cursor.depth, len(cards) - 1)
    card, face_up, influence = cards[depth]
    name, position = state.prompter.who(seat), cursor.index + 1
    what = {"name": name, "n": influence, "position": position}
    if card == UNKNOWN:
        if depth:
            title = _("{name}, covered at {position}, with {n} on it", **what)
        else:
            title = _("{name}, face down at {position}, with {n} on it", **what)
        return _of_unknown(state, seat, title)
    here, is_yours = "", state.is_yours(seat)
    if depth:
        title = _("{card} ({name}, covered at {position}, with {n} on it)")
        here = _("Covered: it does not count until it is on top again.")
    elif not face_up and seat == state.view.viewer:
        title = _("{card} (yours, face down at {position}, with {n} on it)")
    elif not face_up:
        title = _("{card} ({name}, face down at {position}, with {n} on it)")
    elif seat == state.view.viewer:
        title = _("{card} (yours, face up at {position})")
    else:
        title = _("{card} ({name}, face up at {position})")
    if not depth and not state.view.over:
        here = state.prompter.here(cursor.index, stacks)
    text = _of_card(title, card, here, **what)
    # The full help addresses the owner of a card, so other readers get the short rule.
    return text if is_yours else replace(text, rule=text.brief)


def _of_unknown(state: TableState, seat: Seat, title: str) -> PanelText:
    """Return the text about a hidden card: the cards that it may be, and their places by number.

    If the card may be an opponent's Ambush, a warning comes first.
    """
    view = state.view
    candidates = unseen_cards(view, seat)
    hidden = sum(
        card == UNKNOWN
        for stack in view.queue
        if stack[0] == seat
        for card, _face_up, _influence in cards_in(stack)
    )
    name, number = state.prompter.who(seat), len(view.hands[seat])
    what = {"name": name, "queue": hidden, "hand": number}
    counted = _("{name}, not seen yet: {cards}; {queue} in the Queue, {hand} in hand, 3 set aside.")
    brief = counted.format(cards=" ".join(candidates), **what)
    rule = counted.format(cards=comma_list([card_name(card) for card in candidates]), **what)
    warning = ""
    if AMBUSH in candidates and view.viewer is not None and not state.is_yours(seat):
        warning = _("It may be an Ambush.")
    return PanelText(title, warning, rule, brief)
