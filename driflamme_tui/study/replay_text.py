"""Writes a whole game as text, decision by decision, from its record."""

from collections.abc import Iterator, Sequence

from driflamme_tui.replay.judging import Advice, decisions, judge
from driflamme_tui.study.replay_words import eyes_sentence
from driflamme_tui.text.i18n import _, comma_list
from driflamme_tui.wording.choices.advice_words import taught_sentences
from driflamme_tui.wording.game.event_words import TableNames, event_sentences, table_names
from driflamme_tui.wording.game.result_words import players_line, ranking_lines
from driflamme_tui.wording.program.holder_words import holder_sentences, level_of
from driflamme_tui.wording.program.past_game_words import heading, player_names
from engine.events import Event, RoundBegan
from engine.ranking import owners_of
from engine.replaying import PUBLIC, Eyes, Replay

INDENT = "    "
"""The beginning of the lines below a step."""


def replay_lines(
    replay: Replay, eyes: Eyes, after: int = 0, *, taught: bool = False
) -> Iterator[str]:
    """Yield the lines of a game: its players, each decision after the step `after`, and the result.

    A decision has a line for each effect. The next line has the position before the decision, and
    the decision itself, in the format of `driflamme position`. With a seat's eyes the position is a
    view, in which `?` stands for hidden cards. With `taught`, the teacher's judgement follows; it
    takes some time to compute.
    """
    names = player_names(replay.record)
    owners = owners_of(replay.record.settings, len(names))
    table = _table(replay, 0)
    levels = [level_of(player) for player in replay.record.players]
    yield players_line(replay.families, names, levels)
    yield from holder_sentences(replay.record.players)
    yield _("Played: {what}.", what=comma_list(heading(replay.record)))
    yield eyes_sentence(eyes, names)
    yield from _round(replay.events_at(0, eyes) if not after else (), table)
    judged = decisions(replay, eyes) if taught else []
    for step in range(after + 1, replay.last + 1):
        table, events = _table(replay, step - 1), replay.events_at(step, eyes)
        until = next(
            (at for at, event in enumerate(events) if isinstance(event, RoundBegan)), len(events)
        )
        for number, sentence in enumerate(event_sentences(events[:until], table)):
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
        yield from ranking_lines(replay.seen(replay.last, PUBLIC), names, owners, levels)
    else:
        yield _("The game was not played to its end.")
        # Import here, so that a finished game can be printed without the network's modules.
        from driflamme_tui.wording.program.kind_words import convictions

        yield from convictions(replay.record)
        yield replay.line(replay.last, eyes)


def _table(replay: Replay, step: int) -> TableNames:
    """Return the names of the players after a step."""
    names = player_names(replay.record, step)
    owners = owners_of(replay.record.settings, len(names))
    return table_names(replay.seen(0, PUBLIC), names, owners)


def _taught(replay: Replay, step: int, advice: Advice, names: tuple[str, ...]) -> list[str]:
    # Import here, since only the teacher's judgements need this.
    from driflamme_tui.text.signs import ASCII
    from driflamme_tui.wording.choices.spoken_prompter import SpokenPrompter

    seen = replay.seen(step - 1, replay.games[step - 1].turn)
    return taught_sentences(advice, SpokenPrompter(seen, names, ASCII))


def _round(events: Sequence[Event], table: TableNames) -> Iterator[str]:
    if events:
        yield ""
    yield from event_sentences(events, table)
