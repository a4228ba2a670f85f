"""Builds sentences about choices: questions, the effects of answers, and advice.

`model.prospects` computes the effect of an answer, and `model.pending_question` the state of a
choice. The modules here put them into words:

- `prompts` words questions and answers for the prompt, the list of commands, replays, puzzles and
  play by lines; it takes the effects of answers from `consequences`;
- `consequences` also words the possible effect of a card in its place, for the panel about a card;
- `answer_words` names an answer for a hint and for the teacher of a replay. The wing `hints` adds
  the reasons.

Programs need no sentences here: JSON and traces have tokens.
"""
