"""Sentences about choices: questions, the effects of answers, and advice.

`model.prospects` computes the effect of an answer, and `model.pending_question` has the state of a
choice. The modules here turn them into sentences:

- `prompts`: questions and answers for the prompt, the list of commands, replays, puzzles and the
line-by-line mode. It takes the effects of answers from `consequences`;
- `consequences`: the effects of answers, and for the card panel the possible effect of a card;
- `answer_words`: the name of an answer, for hints and for the teacher of a replay. The wing `hints`
  adds the reasons.

Programs need no sentences from here: JSON and traces have tokens.
"""
