"""Builds the texts about the present step of a replay, without a screen."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import PanelText, TableState
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.replay.judging import Advice, decisions, may_judge
from driflamme_tui.replay.playback import Playback
from driflamme_tui.study.replay_commands import ReplayCommands
from driflamme_tui.study.replay_words import nothing_to_teach
from driflamme_tui.study.teacher import Teacher
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.choices.advice_words import judgements, taught_sentences
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.choices.teacher_words import thinking
from driflamme_tui.wording.game.event_words import Line, event_sentences, table_names
from driflamme_tui.wording.game.result_words import turning_point
from driflamme_tui.wording.program.past_game_words import names_at_decision
from engine.ranking import owners_of
from engine.replaying import PUBLIC
from engine.views import View


class StepTexts:
    """Builds texts about the decision of the present step, and about the next question."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat, at the time of the decision of the present step."""
        return names_at_decision(self._playback.replay.record, self._playback.decision)

    def turning_point(self) -> str:
        """Return the reason why this step is a turning point; "" if it is none."""
        replay = self._playback.replay
        point = self._playback.turning_points.get(self._playback.step)
        if point is None:
            return ""
        owners = owners_of(replay.record.settings, len(replay.families))
        return " ".join(turning_point(point, self.names, replay.families, owners))

    def happened(self, state: TableState, lines: Sequence[Line]) -> str:
        """Return the decision of this step. `lines` are the lines of all events so far."""
        if self._playback.looks_ahead:
            return self._ahead(state)
        # The first event of the step is the decision itself. The list of events has its effects.
        first = len(lines) - len(self._playback.replay.happened[self._playback.step])
        seat, sentence = lines[first]
        sign = "" if seat is None else f"{state.prompter.tag(seat)} "
        return f"{sign}{sentence}"

    def _ahead(self, state: TableState) -> str:
        """Return the decision that is made at this step."""
        playback = self._playback
        replay, eyes = playback.replay, playback.eyes
        owners = owners_of(replay.record.settings, len(replay.families))
        table = table_names(state.view, self.names, owners, state.glyphs)
        sentence = event_sentences(replay.events_at(playback.decision, eyes)[:1], table)[0]
        tag = state.prompter.tag(replay.games[playback.step].turn)
        return _("The decision here: {decision}", decision=f"{tag} {sentence}")

    def no_answers(self) -> str:
        """Return the reason why the possible answers cannot be shown; "" if they can."""
        playback = self._playback
        if playback.replay.games[playback.step].over:
            return _("The game is over: there is nothing to answer.")
        if not playback.replay.legal(playback.step, playback.eyes):
            return _("This seat cannot see the cards of the player who is asked.")
        return ""

    def coming(self, state: TableState, view: View) -> str:
        """Return the question of a view and the player who must answer; "" after the game."""
        return "" if view.over else replace(state, view=view).prompter.waiting()


class StepJudgement:
    """The teacher's judgement of the decision of the present step."""

    def __init__(
        self, playback: Playback, teacher: Teacher, texts: StepTexts, glyphs: Callable[[], Glyphs]
    ) -> None:
        self._playback, self._teacher, self._texts = playback, teacher, texts
        self._glyphs = glyphs

    @property
    def is_due(self) -> bool:
        """True if judgements are shown, and the present eyes may see the one of this decision."""
        playback = self._playback
        return self._teacher.there and may_judge(playback.replay, playback.decision, playback.eyes)

    @property
    def advice(self) -> Advice | None:
        """The judgement; None if none is due, and until the teacher has finished."""
        return self._teacher.advice.get(self._playback.decision) if self.is_due else None

    def toggle(self) -> str:
        """Show the judgements, or hide them. Return the reason if this step has no judgement.

        Returns "" if the step has a judgement, or if judgements are hidden now.
        """
        self._teacher.there = not self._teacher.there
        self._teacher.stop()
        if not self._teacher.there or self.is_due:
            return ""
        playback, names = self._playback, self._texts.names
        step, eyes = playback.decision, playback.eyes
        decided = names[playback.replay.games[step - 1].turn] if step else ""
        return nothing_to_teach(decided, names[eyes] if isinstance(eyes, int) else "")

    def needs_eyes(self) -> str:
        """Return the sentence stating that the judgements need other eyes; "" if they do not."""
        if self._teacher.there or self._playback.eyes is not PUBLIC:
            return ""
        return _("To ask the teacher, choose the view of a seat, or all cards open.")

    def sentences(self) -> list[str]:
        """Return the judgement in several lengths, the longest first.

        Without a judgement, return one sentence: the teacher is thinking, or has failed. Returns []
        if no judgement is due.
        """
        if self.advice is not None:
            return judgements(self._playback.replay, self.advice, self._prompter())
        return [thinking(failed=self._teacher.given_up)] if self.is_due else []

    def reasons(self, between: str = " ") -> list[str]:
        """Return the reasons for the judgement, with the text `between` two moves.

        The list is empty without a judgement.
        """
        if self.advice is None:
            return []
        return taught_sentences(self.advice, self._prompter(), between)[1:]

    def panel(self, *, is_covered: bool) -> PanelText | None:
        """Return a panel with the reasons for the judgement; None if there is nothing to show.

        With `is_covered`, other texts cover the judgement itself. Then the panel begins with the
        judgement, even if it has no reasons.
        """
        reasons = self.reasons()
        if self.advice is not None and is_covered:
            reasons[:1] = [" ".join((self.sentences()[0], *reasons[:1]))]
        if not reasons:
            return None
        why = key(ReplayCommands.why, self._glyphs())
        instead = _("{key} shows the reasons", key=why) if why else ""
        return PanelText(_("Teacher"), reasons[0], rows=reasons[1:], instead=instead)

    def losses(self) -> dict[int, float] | None:
        """Return the loss of each judged decision, by step; None if judgements are hidden."""
        teacher, playback = self._teacher, self._playback
        if not teacher.there:
            return None
        judged = teacher.advice.keys() & decisions(playback.replay, playback.eyes)
        return {step: teacher.advice[step].lost for step in sorted(judged)}

    def _prompter(self) -> Prompter:
        """Return a prompter with the knowledge that the player had at the decision."""
        replay, step = self._playback.replay, self._playback.decision
        seen = replay.seen(step - 1, replay.games[step - 1].turn)
        return Prompter(seen, self._texts.names, self._glyphs())
