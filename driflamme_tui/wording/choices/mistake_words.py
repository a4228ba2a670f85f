"""Formulates a review: its progress, the accuracy, and the costliest decisions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from driflamme_tui.replay.judging import Advice, Review
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.wording.choices.advice_words import advice_sentence, taught_sentences
from driflamme_tui.wording.choices.answer_words import answer_label, percent
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.spoken_prompter import SpokenPrompter
from driflamme_tui.wording.choices.teacher_words import thinking
from driflamme_tui.wording.game.event_words import event_sentences, table_names
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.past_game_words import player_names
from engine.actions import ACTIONS, Action, Copy, Eliminate, Leave, Reveal, Steal
from engine.ranking import owners_of
from engine.replaying import PUBLIC, Replay
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.text.signs import Glyphs


_DONE: Final[dict[type[Action], Text]] = {
    Reveal: "reveal the {card}",
    Leave: "leave the {card}",
    Eliminate: "eliminate {target}",
    Steal: "steal from {player}",
    Copy: "copy {target}",
}
"""Given answers in a few words, by type. `answer_label` has the words for other types."""


class Mistake(NamedTuple):
    """The texts about a costly decision."""

    round: int
    done: str
    """The decision, as a sentence without a full stop."""
    label: str
    """The decision in a few words."""
    cost: str
    """The lost part of the winning chance, as a percentage after a minus sign."""
    advice: str
    """The teacher's answer, and its expected value."""
    reasons: list[str]
    """The reasons for the teacher's answer, and two likely lines; empty if no reason is clear."""


def mistake(review: Review, advice: Advice, glyphs: "Glyphs", *, spoken: bool = False) -> Mistake:
    """Return the texts about a decision; `spoken` is True for sentences without signs."""
    replay, step = review.replay, advice.step
    names = player_names(replay.record, step - 1)
    owners = owners_of(replay.record.settings, len(names))
    seen = replay.seen(step - 1, replay.games[step - 1].turn)
    # The other sentences of a review name the judged player too.
    prompter = (
        SpokenPrompter(seen, names, glyphs, addresses_reader=False)
        if spoken
        else Prompter(seen, names, glyphs)
    )
    table = table_names(replay.seen(0, PUBLIC), names, owners)
    sentences = taught_sentences(advice, prompter)
    return Mistake(
        seen.round,
        event_sentences(replay.happened[step][:1], table)[0],
        _label(ACTIONS[advice.given], prompter),
        _("-{n}%", n=round(advice.lost * 100)),
        advice_sentence(advice, prompter),
        sentences[1:],
    )


def _label(action: Action, prompter: Prompter) -> str:
    """Return a given answer in a few words."""
    text = _DONE.get(type(action))
    if text is None:
        return answer_label(action, prompter)
    view, values = prompter.view, {}
    match action:
        case Eliminate(position=position) | Copy(position=position):
            values["target"] = prompter.at(position)
        case Steal(family=family):
            values["player"] = prompter.who(view.seat_of(family))
        case _:
            values["card"] = card_name(view.queue[view.at][1])
    return _(text, **values)


def judged_name(replay: Replay, review: Review) -> str:
    """Return the name of the player whose decisions a review judges."""
    step = review.steps[-1] if review.steps else replay.last
    return player_names(replay.record, step - 1)[review.seat]


def accuracy_sentence(review: Review) -> str:
    """Return the accuracy, with the number of decisions; "" while the review has none."""
    if review.accuracy is None:
        return ""
    return ngettext(
        "{name}: accuracy {accuracy}, in {n} decision.",
        "{name}: accuracy {accuracy}, in {n} decisions.",
        len(review.steps),
        name=judged_name(review.replay, review),
        accuracy=percent(review.accuracy),
    )


def progress_sentence(review: Review, *, failed: bool = False) -> str:
    """Return the progress of a review; "" at its end.

    With `failed`, return the sentence stating that the teacher cannot judge.
    """
    if review.is_done:
        return ""
    if failed:
        return thinking(failed=True)
    count, all_ = review.judged_count, len(review.steps)
    if count < all_:
        return _("Judging decision {n} of {all}.", n=count + 1, all=all_)
    return _("Comparing the costliest decisions once more.")


def finding(review: Review) -> str:
    """Return the sentence above the costliest decisions, or else the reason why none is listed."""
    if not review.steps:
        return nothing_to_judge()
    if not review.mistakes:
        return _("No decision cost a clear part of the winning chances.")
    return ngettext("This decision cost most:", "These decisions cost most:", len(review.mistakes))


def nothing_to_judge() -> str:
    """Return the reason why no decision can be judged."""
    return _("This player's cards are not known, or nothing was decided: nothing can be judged.")


def fairness() -> str:
    """Return the sentence about the knowledge behind the judgements."""
    return _("Judged by what the player could know then, not by hidden cards.")


def whose_decisions() -> str:
    """Return the request to choose the player whose decisions are judged."""
    return _("First choose the view of the player whose decisions are to be judged.")


def mistake_lines(review: Review, glyphs: "Glyphs") -> Iterator[str]:
    """Yield the result of a review as lines: the accuracy, and each mistake with its reasons."""
    if sentence := accuracy_sentence(review):
        yield sentence
    yield finding(review)
    for number, advice in enumerate(review.mistakes, 1):
        about = mistake(review, advice, glyphs, spoken=True)
        yield _(
            "{number}. Round {round}, step {step}: {what}.",
            number=number,
            round=about.round,
            step=advice.step,
            what=about.done,
        )
        yield f"   {about.advice}"
        yield from (f"   {reason}" for reason in about.reasons)
    if review.steps:
        yield fairness()
