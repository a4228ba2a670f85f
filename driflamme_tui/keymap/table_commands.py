"""What can be done at the table, in the guided game, and looking back at a game."""

from typing import Final

from driflamme_tui.keymap.command_type import CARD_LETTERS, Command, CommandSet, one_line
from driflamme_tui.text.i18n import NP_
from engine.cards import FAMILIES
from engine.words import N_

SPEEDS: Final = "12345"
"""Keys of the speeds of a replay, from the slowest."""


class TableCommands(CommandSet, on="table"):
    """What can be done at the table."""

    left = Command(
        "left",
        "walk(-1)",
        N_("go through what may be chosen"),
        NP_("key bar", "choose"),
        listed=False,
    )
    right = Command(
        "right",
        "walk(1)",
        N_("choose the next of what may be chosen"),
        NP_("key bar", "choose"),
        row=left,
        listed=False,
    )
    first = Command("home", "walk_to(0)", N_("choose the first of it, or the last"), listed=False)
    last = Command("end", "walk_to(-1)", N_("choose the last of it"), row=first, listed=False)
    confirm = Command("enter", "confirm", N_("confirm the choice"), NP_("key bar", "confirm"))
    back = Command(
        "escape", "back", N_("drop the choice, or go back to the card"), NP_("key bar", "back")
    )
    letter = one_line(
        "table.letter",
        CARD_LETTERS,
        "letter('{}')".format,
        N_("choose a card of your hand by its letter"),
        shifted=True,
    )
    start = Command(
        "less_than_sign",
        "spot('<')",
        N_("put the card at the start of the Queue"),
        NP_("key bar", "start"),
    )
    end = Command(
        "greater_than_sign",
        "spot('>')",
        N_("put the card at the end of the Queue"),
        NP_("key bar", "end"),
    )
    stack = Command(
        "circumflex_accent", "spot('^')", N_("put the card on your own stack; again: on the next")
    )
    leave = Command("plus", "answer('+')", N_("leave the card face down"), NP_("key bar", "Leave"))
    reveal = Command(
        "exclamation_mark", "answer('!')", N_("reveal the card"), NP_("key bar", "Reveal")
    )
    digit = one_line(
        "table.digit",
        "1234567890",
        "digit('{}')".format,
        N_("choose a position; two quick digits make one number"),
    )
    family = one_line(
        "table.letter",
        FAMILIES,
        "letter('{}')".format,
        N_("choose a player to steal from"),
        shifted=True,
    )
    look = Command("i", "look", N_("look at cards: arrows go along them"), NP_("key bar", "look"))
    up = Command(
        "up",
        "depth(-1)",
        N_("while looking: go into a stack"),
        NP_("key bar", "into a stack"),
        listed=False,
    )
    down = Command(
        "down",
        "depth(1)",
        N_("while looking: go further down"),
        NP_("key bar", "into a stack"),
        row=up,
        listed=False,
    )
    look_on = Command(
        "tab", "look_on", N_("while looking: go to your hand, and back"), NP_("key bar", "hand")
    )
    other_hand = Command(
        "",
        "other_hand",
        N_("two at the table: the hand of your other family, and back"),
        NP_("key bar", "other hand"),
        shares=look_on,
    )
    size = Command("z", "size", N_("change the size of the cards"), NP_("key bar", "size"))
    known = Command("k", "known", N_("what is known of every card"), NP_("key bar", "known"))
    events = Command("e", "events", N_("all events of this game"), NP_("key bar", "events"))
    hint = Command(
        "f4",
        "hint",
        N_("against bots: a hint, also with the Heir’s letter while no card is placed"),
        NP_("key bar", "hint"),
        shares=letter["h"],
    )
    coach = Command("", "coach", N_("coach: say what each decision is about, or stop that"))
    pause = Command(
        "space", "pause", N_("the host: pause the game, and go on"), NP_("key bar", "pause")
    )
    retry = Command(
        "",
        "retry",
        N_("while the line is lost: try again at once"),
        NP_("key bar", "try at once"),
        shares=family["r"],
    )
    leave_table = Command("q", "leave", N_("leave the table"), NP_("key bar", "leave"))


class LessonCommands(CommandSet, on="lesson"):
    """What can be done in the guided game, beside what the table has."""

    turn = Command(
        "",
        "turn",
        N_("turn the page of the lesson"),
        NP_("key bar", "go on"),
        shares=TableCommands.confirm,
    )
    restart = Command("", "restart", N_("begin the lesson anew"))


class LessonEndCommands(CommandSet, on="lesson end", prefix="lesson-end"):
    """What can be done at the end of the guided game."""

    up = Command(
        "up", "move(-1)", N_("choose what to do next"), NP_("key bar", "choose"), listed=False
    )
    down = Command("down", "move(1)", N_("choose the next of it"), row=up, listed=False)
    take = Command("enter,space", "take", N_("do what is chosen"), listed=False)
    close = Command("escape,q", "close", N_("go back to the table"), NP_("key bar", "closes"))


class ReplayCommands(CommandSet, on="replay"):
    """What can be done while looking back at a game."""

    back = Command("left", "step(-1)", N_("go a step back, or on"), NP_("key bar", "step"))
    on = Command("right", "step(1)", N_("go a step on"), NP_("key bar", "step"), row=back)
    round_back = Command(
        "pageup", "round(-1)", N_("go a round back, or on"), NP_("key bar", "round")
    )
    round_on = Command(
        "pagedown", "round(1)", N_("go a round on"), NP_("key bar", "round"), row=round_back
    )
    first = Command("home", "edge(-1)", N_("go to the deal, or to the end"), listed=False)
    last = Command("end", "edge(1)", N_("go to the end"), row=first, listed=False)
    play = Command(
        "space", "play", N_("let the game play by itself, or stop"), NP_("key bar", "play")
    )
    speed = one_line(
        "replay.speed", SPEEDS, "speed({})".format, N_("how fast the game plays by itself")
    )
    elimination = Command(
        "x",
        "elimination(1)",
        N_("go to the next elimination, or to the one before"),
        NP_("key bar", "elimination"),
    )
    elimination_back = Command(
        "X", "elimination(-1)", N_("go to the elimination before"), row=elimination
    )
    turning = Command(
        "n",
        "turning(1)",
        N_("go to the next turning point, or to the one before"),
        NP_("key bar", "turning point"),
    )
    turning_back = Command("N", "turning(-1)", N_("go to the turning point before"), row=turning)
    find = Command("slash", "find", N_("find a decision by its notation"), NP_("key bar", "find"))
    eyes = one_line(
        "replay.eyes",
        FAMILIES,
        "eyes('{}')".format,
        N_("look with the eyes of a family"),
        shifted=True,
    )
    all = Command("l", "eyes('all')", N_("see all cards open"), NP_("key bar", "all open"))
    public = Command("u", "eyes('public')", N_("see what everybody at the table could see"))
    other_eyes = Command("tab", "other_eyes", N_("look with other eyes"), NP_("key bar", "eyes"))
    answers = Command(
        "a", "answers", N_("see what could be answered here"), NP_("key bar", "answers")
    )
    position = Command(
        "p", "position", N_("see the position in notation, and copy it"), NP_("key bar", "position")
    )
    chart = Command(
        "c", "chart", N_("see how influence went, or the cards again"), NP_("key bar", "chart")
    )
    teach = Command(
        "t",
        "teach",
        N_("learn what the bot master would have played, or stop that"),
        NP_("key bar", "teacher"),
    )
    look = Command("i", "look", N_("look at cards: arrows go along them"), NP_("key bar", "look"))
    up = Command(
        "up",
        "depth(-1)",
        N_("while looking: go into a stack"),
        NP_("key bar", "into a stack"),
        listed=False,
    )
    down = Command(
        "down",
        "depth(1)",
        N_("while looking: go further down"),
        NP_("key bar", "into a stack"),
        row=up,
        listed=False,
    )
    known = Command("k", "known", N_("what is known of every card"), NP_("key bar", "known"))
    events = Command("e", "events", N_("all events of this game"), NP_("key bar", "events"))
    size = Command("z", "size", N_("change the size of the cards"), NP_("key bar", "size"))
    save = Command("s", "save", N_("save the record of the game to a file"), NP_("key bar", "save"))
    leave = Command("q,escape", "leave", N_("leave this game"), NP_("key bar", "leave"))
    find_cancel = Command(
        "escape",
        "close",
        N_("go back without finding anything"),
        NP_("key bar", "back"),
        id="find.cancel",
        on="find",
    )
