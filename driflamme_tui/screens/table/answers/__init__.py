"""Turns keys and clicks into the answer to the present question, without widgets."""
