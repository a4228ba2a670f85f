"""What measures bots: contests of many games, their tallies, and the ratings that follow."""
