"""What is laid over a screen: help, options, people, invitation, and small questions.

When each is opened is left to the screens.
"""
