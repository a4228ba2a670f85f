"""Sentences about choices: what is asked, what an answer would do, and advice on it.

What an answer would bring is reckoned in `model.prospects`, and how the choice is made in
`model.pending_question`. Here each place has its voice:

- the prompt, the list of commands, the answers of a replay and of a puzzle, and who plays line by
  line hear `prompts`, which has what each answer does from `consequences`;
- the panel about a card hears the other voice of `consequences`: what it could do here;
- beginners read in `hint_words` what a decision is about, whatever it would bring;
- a hint and the teacher of a replay name an answer by `answer_words`, and `hint_words` say why.

A program is told in JSON which answers are legal, and what has happened; a trace has tokens.
"""
