"""Tests that the subjects of commits are short enough for every tool that lists them."""

import subprocess

from scripts.lib.distributions import ROOT

LONGEST_SUBJECT = 72
"""Maximum characters: `git log` and code hosts show this many without cutting."""

LAST_WITHOUT_THE_RULE = "5c42cb102d7891a5274076f3a16e8476ac55ca0b"

SLIPS: frozenset[str] = frozenset()
"""Hashes of landed commits with a longer subject, which can no longer change."""


def subjects(revisions: str) -> dict[str, str] | None:
    """Return each commit's subject by its hash; None without git or the history."""
    command = ["git", "log", "--no-merges", "--format=%H %s", revisions]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    if done.returncode:
        return None
    rows = (line.partition(" ") for line in done.stdout.splitlines())
    return {commit: subject for commit, _, subject in rows}


def too_long(found: dict[str, str]) -> list[str]:
    """Return the hashes and subjects of commits whose subject is too long."""
    return [
        f"{commit[:8]} {len(subject)} characters: {subject}"
        for commit, subject in found.items()
        if len(subject) > LONGEST_SUBJECT and commit not in SLIPS
    ]


def test_a_subject_of_one_character_more_is_found() -> None:
    assert too_long({"a" * 40: "x" * LONGEST_SUBJECT, "b" * 40: "y" * 73}) == [
        f"bbbbbbbb 73 characters: {'y' * 73}"
    ]


def test_the_subjects_of_commits_fit_into_a_line() -> None:
    # Accept a clone without history, such as a distribution; the clone of CI has all history.
    assert too_long(subjects(f"{LAST_WITHOUT_THE_RULE}..HEAD") or {}) == []
