"""What holds for every test of sealed play."""

from tests.support.swift_signatures import _signatures_are_verified_once

__all__ = ["_signatures_are_verified_once"]
