"""What can be done at the table, in the guided game, and looking back at a game."""

from typing import Final

from driflamme_tui.keymap.command_type import CARD_LETTERS, Command, one_line
from driflamme_tui.keymap.screen_commands import (
    HelpedCommands,
    ScreenCommands,
    SessionCommands,
    retrying,
)
from engine.cards import FAMILIES

SPEEDS: Final = "12345"
"""Keys of the speeds of a replay, from the slowest."""


def depths(needs: str) -> tuple[Command, Command]:
    """Return what goes into a stack while one looks at cards, and further down."""
    up = Command(
        "up",
        "depth(-1)",
        "while looking: go into a stack",
        "into a stack",
        listed=False,
        needs=needs,
    )
    down = Command(
        "down",
        "depth(1)",
        "while looking: go further down",
        "into a stack",
        row=up,
        listed=False,
        needs=needs,
    )
    return up, down


class TableCommands(SessionCommands, prefix="table"):
    """What can be done at the table."""

    left = Command(
        "left",
        "walk(-1)",
        "go through what may be chosen",
        "choose",
        listed=False,
        needs="answering.may_walk",
    )
    right = Command(
        "right",
        "walk(1)",
        "choose the next of what may be chosen",
        "choose",
        row=left,
        listed=False,
        needs="answering.may_walk",
    )
    first = Command(
        "home",
        "walk_to(0)",
        "choose the first of it, or the last",
        listed=False,
        needs="answering.may_walk",
    )
    last = Command(
        "end",
        "walk_to(-1)",
        "choose the last of it",
        row=first,
        listed=False,
        needs="answering.may_walk",
    )
    confirm = Command("enter", "confirm", "confirm the choice", "confirm", needs="may_confirm")
    back = Command(
        "escape",
        "back",
        "drop the choice, or go back to the card",
        "back",
        needs="answering.may_go_back",
    )
    letter = one_line(
        "table.letter",
        CARD_LETTERS,
        "letter('{}')".format,
        "choose a card of your hand by its letter",
        shifted=True,
    )
    start = Command(
        "<",
        "spot('<')",
        "put the card at the start of the Queue",
        "start",
        needs="answering.may_choose_end",
    )
    end = Command(
        ">",
        "spot('>')",
        "put the card at the end of the Queue",
        "end",
        needs="answering.may_choose_end",
    )
    stack = Command(
        "^",
        "spot('^')",
        "put the card on your own stack; again: on the next",
        needs="answering.may_stack",
    )
    leave = Command(
        "+",
        "answer('+')",
        "leave the card face down",
        "Leave",
        needs="answering.is_asked_to_reveal",
    )
    reveal = Command(
        "!", "answer('!')", "reveal the card", "Reveal", needs="answering.is_asked_to_reveal"
    )
    digit = one_line(
        "table.digit",
        "1234567890",
        "digit('{}')".format,
        "choose a position; two quick digits make one number",
    )
    family = one_line(
        "table.letter",
        FAMILIES,
        "letter('{}')".format,
        "choose a player to steal from",
        shifted=True,
    )
    look = Command("i", "look", "look at cards: arrows go along them", "look")
    up, down = depths("answering.may_go_down")
    look_on = Command(
        "tab",
        "look_on",
        "while looking: go to your hand, and back",
        "hand",
        needs="answering.may_look_on",
    )
    other_hand = Command(
        "",
        "other_hand",
        "two at the table: the hand of your other family, and back",
        "other hand",
        shares=look_on,
        needs="answering.has_other_hand",
    )
    size = Command("z", "size", "change the size of the cards", "size")
    known = Command("k", "known", "what is known of every card", "known")
    events = Command("e", "events", "all events of this game", "events")
    hint = Command(
        "f4",
        "hint",
        "against bots: a hint, also with the Heir's letter while no card is placed",
        "hint",
        shares=letter["h"],
        needs="may_be_hinted",
    )
    coach = Command("", "coach", "coach: say what each decision is about, or stop that")
    since = Command(
        "n", "since", "see again, slowly, what happened since your last answer", "again"
    )
    pause = Command(
        "space", "pause", "the host: pause the game, and go on", "pause", needs="may_pause"
    )
    vote = Command(
        "",
        "vote",
        "sealed play: vote that an answer has not come, now or every time",
        "vote",
        shares=family["v"],
        needs="may_vote",
    )
    retry = retrying(family["r"])
    replay = Command(
        "",
        "replay",
        "once the game is over: look back at it, step by step",
        "replay",
        shares=family["r"],
        needs="view.over sitting.session.record",
    )
    result = Command(
        "",
        "confirm",
        "once the game is over: go to its result",
        "result",
        shares=family["v"],
        needs="view.over may_confirm",
    )
    leave_table = Command("q", "leave", "leave the table", "leave")
    bar = (
        "retry result confirm back talk events look look_on other_hand hint replay since people "
        "known up/down left/right pause size leave_table"
    )


_COMPANY: Final[tuple[Command, ...]] = (
    SessionCommands.people,
    SessionCommands.talk,
    SessionCommands.phrases,
    TableCommands.coach,
)
"""What means something only where others may be."""


class AloneCommands(TableCommands, prefix="alone"):
    """What can be done at a table where nobody else can be."""

    without = _COMPANY


class PuzzleCommands(AloneCommands, prefix="puzzle"):
    """What can be done with a puzzle: nothing has happened that could be told."""

    without = (*_COMPANY, TableCommands.events)


class BoardCommands(AloneCommands, prefix="board"):
    """What can be done on the analysis board, beside what the table has."""

    without = (*_COMPANY, TableCommands.other_hand)
    undo = Command(
        "u,backspace", "undo", "take your last answer back", "undo", needs="sitting.local.can_undo"
    )
    think = Command(
        "t",
        "think",
        "see what the strongest bot thinks of each answer, or stop that",
        "teacher",
        follows=SessionCommands.talk,
    )
    eyes = Command(
        "",
        "eyes",
        "see and answer for one family only, or for all again",
        "view",
        shares=TableCommands.look_on,
    )
    position = Command("", "position", "see the position in notation, and copy it", "position")
    bar = (
        "confirm back undo think eyes look look_on events since known up/down left/right size "
        "leave_table"
    )


class LessonCommands(AloneCommands, prefix="lesson"):
    """What can be done in the guided game, beside what the table has."""

    turn = Command(
        "",
        "turn",
        "turn the page of the lesson",
        "go on",
        shares=TableCommands.confirm,
        needs="panel.lesson.reading",
    )
    restart = Command("", "restart", "begin the lesson anew")
    # It leads to no result.
    bar = TableCommands.bar.replace(" result", "")


class LessonEndCommands(HelpedCommands, prefix="lesson-end"):
    """What can be done at the end of the guided game."""

    up = Command("up", "move(-1)", "choose what to do next", "choose", listed=False)
    down = Command("down", "move(1)", "choose the next of it", row=up, listed=False)
    take = Command("enter,space", "take", "do what is chosen", listed=False)
    close = Command("escape,q", "dismiss", "go back to the table", "closes")


class ReplayCommands(ScreenCommands, prefix="replay"):
    """What can be done while looking back at a game."""

    back = Command("left", "step(-1)", "go a step back, or on", "step")
    on = Command("right", "step(1)", "go a step on", "step", row=back)
    round_back = Command("pageup", "round(-1)", "go a round back, or on", "round")
    round_on = Command("pagedown", "round(1)", "go a round on", "round", row=round_back)
    first = Command("home", "edge(-1)", "go to the deal, or to the end", listed=False)
    last = Command("end", "edge(1)", "go to the end", row=first, listed=False)
    play = Command(
        "space", "play", "let the game play by itself, or stop", "play", needs="panel.replay.last"
    )
    speed = one_line(
        "replay.speed", SPEEDS, "speed({})".format, "how fast the game plays by itself"
    )
    elimination = Command(
        "x", "elimination(1)", "go to the next elimination, or to the one before", "elimination"
    )
    elimination_back = Command(
        "X", "elimination(-1)", "go to the elimination before", row=elimination
    )
    turning = Command(
        "n",
        "turning(1)",
        "go to the next decisive moment, or to the one before",
        "moment",
        needs="panel.playback.turning_points",
    )
    turning_back = Command("N", "turning(-1)", "go to the decisive moment before", row=turning)
    find = Command(
        "/", "find", "find a decision by its notation", "find", needs="panel.replay.last"
    )
    eyes = one_line(
        "replay.eyes", FAMILIES, "eyes('{}')".format, "see it as a family sees it", shifted=True
    )
    all = Command("l", "eyes('all')", "see all cards open", "all open")
    public = Command("u", "eyes('public')", "see what everybody at the table could see")
    other_eyes = Command("tab", "other_eyes", "change the view", "view")
    answers = Command(
        "a", "answers", "see what could be answered here", "answers", needs="panel.has_answers"
    )
    position = Command("p", "position", "see the position in notation, and copy it", "position")
    chart = Command("c", "chart", "see how influence went, or the cards again", "chart")
    board = Command(
        "enter",
        "board",
        "play on from here, with all cards or with one family's",
        "play on",
        needs="panel.goes_on",
    )
    teach = Command(
        "t", "teach", "learn what the strongest bot would have played, or stop that", "teacher"
    )
    why = Command(
        "w",
        "why",
        "read all that the teacher says of the last decision",
        "why",
        needs="panel.judged",
    )
    look = Command("i", "look", "look at cards: arrows go along them", "look")
    up, down = depths("look.on")
    known = Command("k", "known", "what is known of every card", "known")
    events = Command("e", "events", "all events of this game", "events")
    size = Command("z", "size", "change the size of the cards", "size")
    save = Command("s", "save", "save the record of the game to a file", "save")
    share = Command(
        "h", "share", "copy a summary of the game for others", "share", needs="panel.replay.over"
    )
    leave = Command("q,escape", "leave", "leave this game", "leave")
    bar = (
        "back/on other_eyes play round_back/round_on chart teach why board elimination answers "
        "share up/down position find save leave"
    )
