"""What every screen and overlay has: commands, help on itself, and what it may ask of the app.

The screens themselves stand above this.
"""
