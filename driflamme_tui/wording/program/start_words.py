"""Describes the rows of the start screen: their labels, states and descriptions."""

from typing import Final

from msgspec import Struct
from rich.cells import cell_len, set_cell_size

from driflamme_tui.model.past_game_totals import PlayerGames
from driflamme_tui.preferences.remembered import Opponents, PuzzleProgress
from driflamme_tui.preferences.visits import Visit
from driflamme_tui.text.cell_widths import shorten_text, steady
from driflamme_tui.text.i18n import _, comma_list, counted, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.game.names import bot_name, bot_note, edition_name, short_bot_name
from driflamme_tui.wording.program.history_words import game_time, sides

PLAY: Final = "play"
"""The group of the rows that lead to a table."""

PRACTISE: Final = "practise"
"""The group of the rows that lead to boards without other people, and to past games."""

PROGRAM: Final = "program"
"""The group of the rows about the program; it has no heading."""


class TodaysPuzzle(Struct, frozen=True):
    """The puzzle of the day, and the player's results."""

    number: int
    """The number of the puzzle of the day."""
    count: int
    """The number of all puzzles."""
    day: int
    """The day, counted as `date.toordinal` does."""
    progress: PuzzleProgress = PuzzleProgress()

    @property
    def streak(self) -> int:
        """The number of days in a row whose puzzle was solved."""
        return self.progress.streak_at(self.day)


class Standing(Struct, frozen=True):
    """The facts about the player that the start screen needs."""

    back: str | None = None
    """The host of the table where the player has a seat, "" if unknown; None if there is no such
    seat.
    """
    back_seat: tuple[str, str] | None = None
    """The seat to which the player can return, as in `AddedRow.seat`; None if `back` is None."""
    reopens: bool = False
    """True if the player can reopen a table of their own."""
    is_reopened_first: bool = False
    """True if the row that reopens comes first, because the player's seat may be at the reopened
    table.
    """
    resumes: bool = False
    """True if a game against bots was interrupted."""
    is_lesson_begun: bool = False
    learns_first: bool = False
    """True if the lesson is the first row."""
    opponents: Opponents = Opponents()
    """The bots that the player chose last."""
    puzzle: TodaysPuzzle | None = None
    """Today's puzzle; None until it has been read."""
    games: PlayerGames | None = None
    """The player's past games; None until they have been read."""


class Row(Struct, frozen=True):
    """A row of the menu."""

    name: str
    """The name of the row, which is the same in every language."""
    group: str
    label: str
    about: str
    """The description of the row."""
    state: str = ""
    waits: bool = False
    """True if the row leads to something interrupted that can be resumed."""


def both_ends(begin: str, end: str, width: int, glyphs: Glyphs) -> str:
    """Return two texts at the ends of a row. If both do not fit, leave the second out.

    >>> from driflamme_tui.text.signs import ASCII
    >>> both_ends(" 1 Learn the game", "10 min", 30, ASCII)
    ' 1 Learn the game      10 min '
    >>> both_ends(" 1 Learn the game", "10 min", 24, ASCII)
    ' 1 Learn the game       '
    """
    gap = width - 1 - cell_len(begin) - cell_len(end)
    if not end or gap < 1:
        return set_cell_size(shorten_text(begin, width - 1, glyphs), width)
    return f"{begin}{' ' * gap}{end} "


def heading(group: str) -> str:
    """Return the heading of a group; "" for a group without one."""
    return {PLAY: _("PLAY"), PRACTISE: _("PRACTISE")}.get(group, "")


def rows_of(standing: Standing) -> list[Row]:
    """Return all rows; rows that resume something come first."""
    return [*_waiting(standing), *_play(standing), *_practise(standing), *_program()]


def _waiting(standing: Standing) -> list[Row]:
    rows = []
    if standing.back is not None:
        host = steady(standing.back)
        about = _(
            "A game is under way there, and your seat is kept. Enter takes you back to "
            "your cards and your influence."
        )
        label = _("Back to {host}'s table", host=host) if host else _("Back to your seat")
        rows.append(Row("back", PLAY, label, about, waits=True))
    if standing.reopens:
        about = _(
            "Your table stopped before its end. Enter opens it again as it was. Guests "
            "who still wait there are reconnected, the others return from their start "
            "screen."
        )
        row = Row("reopen", PLAY, _("Reopen your table"), about, _("stopped"), waits=True)
        rows.insert(0 if standing.is_reopened_first else len(rows), row)
    if standing.resumes:
        about = _(
            "Your last game against bots did not come to its end. Enter resumes it where you "
            "left it, with the same cards."
        )
        label = _("Resume your game")
        rows.append(Row("resume", PLAY, label, about, _("against bots"), waits=True))
    return rows


def _play(standing: Standing) -> list[Row]:
    begun = standing.is_lesson_begun
    about = _(
        "A first game against two bots that explains each decision as it comes. Nothing you do "
        "can go wrong. Esc leaves it, and your progress is kept."
    )
    if begun:
        about = _(
            "Your guided first game continues where you left it. It explains each decision as it "
            "comes, and Esc keeps your progress again."
        )
    state = _("begun") if begun else _("10 min, guided")
    label = _("Resume the lesson") if begun else _("Learn the game")
    return [
        Row("learn", PLAY, label, about, state, waits=begun),
        Row(
            "play",
            PLAY,
            _("Play against bots"),
            bots_about(standing.opponents),
            opponents_state(standing.opponents),
        ),
        Row(
            "host",
            PLAY,
            _("Host a table"),
            _(
                "Opens a table for up to five, and shows a link and a code for your friends. Bots "
                "can take the seats that stay free."
            ),
            _("friends join"),
        ),
    ]


def bots_about(opponents: Opponents) -> str:
    """Return the description of a game against these bots, with a sentence about their level."""
    note = bot_note(opponents.bot)
    about = _("Enter begins a game on this machine with these opponents.")
    return f"{note} {about}" if note else about


def opponents_state(opponents: Opponents) -> str:
    """Return the number and the level of the chosen bots."""
    level = short_bot_name(opponents.bot).lower()
    return ngettext("{n} bot, {level}", "{n} bots, {level}", opponents.number, level=level)


def opponents_choices(opponents: Opponents) -> list[tuple[str, str]]:
    """Return the names of the settings for opponents, with their present values.

    The edition has the name "", since its value is enough.
    """
    return [
        (_("Bots"), str(opponents.number)),
        (_("Level"), bot_name(opponents.bot)),
        ("", edition_name(opponents.edition)),
    ]


def _practise(standing: Standing) -> list[Row]:
    puzzle, games = standing.puzzle, standing.games
    return [
        Row(
            "puzzle",
            PRACTISE,
            _("Today's puzzle"),
            _(
                "A position from a game between strong bots, the same for everybody today. Which "
                "answer wins most often? More puzzles follow it."
            ),
            "" if puzzle is None else puzzle_state(puzzle),
        ),
        Row(
            "board",
            PRACTISE,
            _("Analysis board"),
            _(
                "A new deal that you play for every family, with a bot's opinion of each answer. "
                "A replay opens the board at any step of a past game."
            ),
        ),
        Row(
            "past",
            PRACTISE,
            _("Past games"),
            _(
                "Every game that was played here: replay it step by step, read what the best bot "
                "would have played, or open your statistics."
            ),
            "" if games is None else games_state(games),
        ),
    ]


def puzzle_state(puzzle: TodaysPuzzle) -> str:
    """Return the number of today's puzzle, with its state: missed, solved or unsolved.

    A streak of more than one day replaces the state.
    """
    progress = puzzle.progress
    if puzzle.streak > 1:
        streak = ngettext("{n} day in a row", "{n} days in a row", puzzle.streak)
        return f"{puzzle.number}, {streak}"
    if progress.day >= puzzle.day and not puzzle.streak:
        return _("{number}, missed", number=puzzle.number)
    if puzzle.number in progress.solved:
        return _("{number}, solved", number=puzzle.number)
    return _("{number}, unsolved", number=puzzle.number)


def games_state(games: PlayerGames) -> str:
    """Return the numbers of won and of stored games, or a note that there are none yet."""
    if not games.stored:
        return _("none yet")
    return counted("{n} of {all} won", games.won, all=games.stored)


def _program() -> list[Row]:
    return [
        Row(
            "rules",
            PROGRAM,
            _("Rules and keys"),
            _("The rules with examples, every card, the keys of each screen, and the guide."),
        ),
        Row(
            "options",
            PROGRAM,
            _("Options"),
            _("Language, colours, symbols, card size, reading time, sound. Changes apply at once."),
        ),
    ]


VISITED_GROUP: Final = "visited"
"""The group of the rows that lead to places of earlier visits."""


def visit_row(name: str, visit: Visit, today: int) -> Row:
    """Return the row for the table of an earlier visit."""
    label = steady(visit.host) or _("A table")
    about = _(
        "You sat at this table before. Enter asks for a seat there again. If the table has been "
        "closed since, ask its host for a new link."
    )
    return Row(name, VISITED_GROUP, label, about, days_ago(visit.day, today))


def days_ago(day: int, today: int) -> str:
    """Return a day by its distance from today: "today", "yesterday" or "3 days ago"."""
    days = max(0, today - day)
    if days < 2:
        return _("yesterday") if days else _("today")
    return ngettext("{n} day ago", "{n} days ago", days)


def join_about() -> str:
    """Return the description of the input for joining."""
    return _(
        "Type the code that the host reads out, or paste the host's link. With an address and a "
        "code you reach a table on another network."
    )


def latest_lines(standing: Standing, glyphs: Glyphs) -> list[str]:
    """Return the score of puzzles and the last result, as far as there are any."""
    lines = []
    puzzle, games = standing.puzzle, standing.games
    if puzzle is not None and puzzle.progress.solved:
        days = ngettext("Streak: {n} day.", "Streak: {n} days.", puzzle.streak)
        solved = _("Solved: {n} of {all}.", n=len(puzzle.progress.solved), all=puzzle.count)
        lines.append(_("Puzzles: {score}", score=f"{days} {solved}"))
    if games is not None and games.last is not None:
        scores = comma_list(f"{steady(side.name)} {side.score}" for side in sides(games.last))
        day = game_time(games.last, glyphs)
        lines.append(_("Last game, {day}: {scores}", day=day, scores=scores))
    return lines
