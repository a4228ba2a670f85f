"""Long games, which last for days.

This wing shows waiting questions, calls absent players, summarises the missed rounds, and edits
conditional answers: "instructions" in the texts for players.
"""
