"""A whole game told as text, decision by decision, from its record."""

from collections.abc import Iterator, Sequence

from driflamme_tui.study.replay_words import eyes_sentence, taught_sentences
from driflamme_tui.study.teacher import Advice, decisions, judge
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.event_words import TableNames, table_names, told_sentences
from driflamme_tui.wording.game.result_words import players_line, ranking_lines
from driflamme_tui.wording.program.holder_words import holder_sentences
from driflamme_tui.wording.program.past_game_words import heading, player_names
from engine.events import Event, RoundBegan
from engine.ranking import owners_of
from engine.replaying import PUBLIC, Eyes, Replay

INDENT = "    "
"""What the lines below a step begin with."""


def tell(replay: Replay, eyes: Eyes, after: int = 0, *, taught: bool = False) -> Iterator[str]:
    """Yield the lines of a game: each decision after a step, what came of it, where it was made.

    The line below a decision is the position that was decided in, and the decision, as `driflamme
    position` reads them; with a seat's eyes it is a view, which has `?` for what was hidden. If
    the game is `taught`, what the teacher says of the decision follows, which takes its time.
    """
    names = player_names(replay.record)
    owners = owners_of(replay.record.settings, len(names))
    table = _table(replay, 0)
    yield players_line(replay.families, names)
    yield from holder_sentences(replay.record.players)
    yield _("Played: {what}.", what=", ".join(heading(replay.record)))
    yield eyes_sentence(eyes, names)
    yield from _round(replay.told(0, eyes) if not after else (), table)
    judged = decisions(replay, eyes) if taught else []
    for step in range(after + 1, replay.last + 1):
        table, events = _table(replay, step - 1), replay.told(step, eyes)
        until = next(
            (at for at, event in enumerate(events) if isinstance(event, RoundBegan)), len(events)
        )
        for number, sentence in enumerate(told_sentences(events[:until], table)):
            before = INDENT if number else f"{step}. ".ljust(len(INDENT))
            yield f"{before}{sentence}"
        yield f"{INDENT}{replay.line(step - 1, eyes)}  {replay.token(step, eyes)}"
        advice = judge(replay, step) if step in judged else None
        if advice is not None:
            taught_by = player_names(replay.record, step - 1)
            yield from (f"{INDENT}{each}" for each in _taught(replay, step, advice, taught_by))
        yield from _round(events[until:], table)
    yield ""
    if replay.over:
        yield from ranking_lines(replay.seen(replay.last, PUBLIC), names, owners)
    else:
        yield _("The game was not played to its end.")
        if replay.record.seal is not None:
            # Of most games nothing is proven, and they need no cryptography.
            from driflamme_tui.wording.program.proof_words import convictions
            from netcode.wings.sealed.game.proven_record import read_seal

            yield from convictions(read_seal(replay.record.seal))
        yield replay.line(replay.last, eyes)


def _table(replay: Replay, step: int) -> TableNames:
    """Return the names of the players who held the seats after a step."""
    names = player_names(replay.record, step)
    owners = owners_of(replay.record.settings, len(names))
    return table_names(replay.seen(0, PUBLIC), names, owners)


def _taught(replay: Replay, step: int, advice: Advice, names: tuple[str, ...]) -> list[str]:
    # A game that is told without the teacher does without these.
    from driflamme_tui.plain.spoken_prompter import SpokenPrompter
    from driflamme_tui.text.signs import ASCII

    seen = replay.seen(step - 1, replay.games[step - 1].turn)
    return taught_sentences(advice, SpokenPrompter(seen, names, ASCII))


def _round(events: Sequence[Event], table: TableNames) -> Iterator[str]:
    if events:
        yield ""
    yield from told_sentences(events, table)
